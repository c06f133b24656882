from __future__ import annotations

import pytest

from scorekeeper.dice import counts, five_alike, make_roll, missing, parse_roll
from scorekeeper.errors import BadRoll


def test_a_roll_keeps_the_order_given() -> None:
    assert parse_roll("6 1 4 4 2") == (6, 1, 4, 4, 2)
    assert parse_roll("  2 2\t4 4 4\n") == (2, 2, 4, 4, 4)


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "no die is given"),
        ("1", "one die is given"),
        ("1 2 3 4", "4 dice are given"),
        ("1 2 3 4 5 6", "6 dice are given"),
        ("1 2 3 4 0", "not '0'"),
        ("1 2 3 4 7", "not '7'"),
        ("1 2 3 4 -1", "not '-1'"),
        ("1 2 3 4 5.0", "not '5.0'"),
        ("1 2 3 4 05", "not '05'"),
        ("1 2 3 4 ٣", "not '٣'"),
        ("1,2,3,4,5", "not '1,2,3,4,5'"),
        ("12345", "not '12345'"),
        ("1 2 3 4 " + "x" * 1000, "xxx…"),
    ],
)
def test_what_is_no_roll_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(BadRoll) as refused:
        parse_roll(text)
    sentence = str(refused.value)
    assert said in sentence
    assert sentence.endswith(".")
    assert len(sentence) < 120


@pytest.mark.parametrize("die", [True, 1.0, "1", None, [1], {}, float("nan"), 10**30], ids=lambda die: repr(die)[:9])
def test_only_whole_numbers_are_dice(die: object) -> None:
    with pytest.raises(BadRoll, match="whole number from 1 to 6"):
        make_roll([1, 1, 2, 3, die])


def test_facts() -> None:
    assert counts((6, 1, 6, 2, 6)) == (1, 1, 0, 0, 0, 3)
    assert five_alike((4, 4, 4, 4, 4))
    assert not five_alike((4, 4, 4, 4, 5))


def test_each_die_is_there_once() -> None:
    assert missing((4, 4), (1, 4, 2, 4, 4)) == ()
    assert missing((), (1, 2, 3, 4, 5)) == ()
    assert missing((4, 4, 1), (1, 2, 3, 4, 5)) == (4,)
    assert missing((6, 6), (1, 2, 3, 4, 5)) == (6, 6)
