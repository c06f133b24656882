"""Dice within sentences are drawn, and nothing else is taken for dice."""

import re

import pytest

from web.pages.drawn import with_dice


def _shown(sentence: str) -> list[str]:
    return re.findall(r"#die-(\d)", with_dice(sentence))


@pytest.mark.parametrize(
    "sentence, dice",
    [
        ("Keep 4-4-4, throw two: 210.1 on average.", "444"),
        ("Roll 1, 4-2-4-1-4: to keep 4-4 was better than 1-2, by 3.2.", "424144412"),
        ("Garde 6-6, relance trois.", "66"),
        ("Keep 4, throw four: 12.5 on average; fours costs 4.1.", ""),
        ("It was on 2026-11-30, or 4-7, or 1-2-3-4-5-6, or -1-2.", ""),
    ],
)
def test_dice_are_drawn(sentence: str, dice: str) -> None:
    assert "".join(_shown(sentence)) == dice


def test_what_is_read_stays_the_same() -> None:
    sentence = "Keep 4-4-4 <b>& go</b>."
    assert re.sub(r"<(span|svg|use)[^>]*>|</(span|svg|use)>", "", with_dice(sentence)) == (
        "Keep 4-4-4 &lt;b&gt;&amp; go&lt;/b&gt;."
    )
