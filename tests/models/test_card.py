"""The tables of the model card and the README are those of what was measured."""

from __future__ import annotations

import pytest

from models.training import card


def test_the_tables_in_the_card_and_the_readme_are_what_was_measured() -> None:
    for file, text in card.texts().items():
        assert "<!-- sources -->" in text
        assert file.read_text(encoding="utf-8") == text, "python -m models.training.card writes them anew"


def test_a_table_is_written_anew_and_what_stands_around_it_stays() -> None:
    text = "Before.\n<!-- light -->\n| old |\n<!-- /light -->\nAfter."
    written = card.filled(text, {"light": card.by_scene("light", {"dim": {"dice": 3, "exact": 0.5, "silent": None}})})
    assert written == (
        "Before.\n<!-- light -->\n| light | dice | exact | silent |\n|---|---|---|---|\n| dim | 3 | 0.500 | – |\n"
        "<!-- /light -->\nAfter."
    )
    with pytest.raises(KeyError):
        card.filled(text, {})
