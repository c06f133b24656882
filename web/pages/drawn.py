"""Dice within a sentence, drawn: where it says 4-4-2, the dice are seen. Who can't see them is told as before."""

from __future__ import annotations

import re

from flask import Flask
from markupsafe import Markup, escape

SEVERAL = re.compile(r"(?<![\d.,-])[1-6](?:-[1-6]){1,4}(?![\d.,]*\d|-)")
"""Two dice or more as sentences write them; a single one can't be told from a number."""

DIE = Markup('<svg class="die die-of-{0}" aria-hidden="true" focusable="false"><use href="#die-{0}"></use></svg>')


def with_dice(sentence: str) -> Markup:
    """The sentence as markup, its dice drawn beside what is read of them."""
    drawn, at = Markup(), 0
    for found in SEVERAL.finditer(sentence):
        dice = Markup().join(DIE.format(value) for value in found[0].split("-"))
        drawn += escape(sentence[at : found.start()])
        drawn += Markup('<span class="unseen">{}</span><span class="among">{}</span>').format(found[0], dice)
        at = found.end()
    return drawn + escape(sentence[at:])


def set_up(app: Flask) -> None:
    """Let the app's templates draw dice: `{{ sentence|with_dice }}`."""
    app.jinja_env.filters["with_dice"] = with_dice
