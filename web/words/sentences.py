"""Sentences of scorekeeper and vision as the page says them: in its language, with boxes and options by their names."""

from __future__ import annotations

from scorekeeper.sentences import BoxId, BoxIds, Choice
from web.words import said
from web.words.names import ROWS, row_name, value_name


def say(sentence: str) -> str:
    """A sentence in the language of the page; a plain text is looked for as it stands."""
    # Known by what they hold: the two packages have a class of sentences each.
    template: str = getattr(sentence, "template", sentence)
    values: dict[str, object] = getattr(sentence, "values", {})
    return said(template, **{name: _shown(value) for name, value in values.items()}) if template else ""


def _shown(value: object) -> object:
    if isinstance(value, BoxId):
        return row_name(value) if value in ROWS else str(value)
    if isinstance(value, BoxIds):
        return ", ".join(row_name(box) for box in value)
    if isinstance(value, Choice):
        option, _, chosen = value.partition("=")
        return value_name(option, chosen)
    return say(value) if isinstance(value, str) and hasattr(value, "template") else value
