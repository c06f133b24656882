"""The names of people: any text that can be shown in one line."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from scorekeeper.errors import BadPlayers

MAX_NAME = 40
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs by their category, but nothing to be seen: the Hangul fillers, and Braille without a dot."""


def tidy_names(names: Sequence[str]) -> tuple[str, ...]:
    """The players' names without outer blanks. Markup in a name is just text.

    Raises BadPlayers for a name that is empty, invisible, longer than 40 characters or holds characters that
    cannot be shown.
    """
    return tuple(tidy_name(name, f"player {number}") for number, name in enumerate(names, start=1))


def tidy_name(name: str, whose: str) -> str:
    """The name without outer blanks. Raises BadPlayers as tidy_names does; ``whose`` it is, the sentence says."""
    tidy = name.strip()
    categories = [unicodedata.category(character) for character in tidy]
    # Cc control, Cs half a surrogate pair, Zl and Zp line ends: none can be shown in one line of text.
    # The direction marks U+202A to U+202E and U+2066 to U+2069 would turn round the text beside the name.
    turning = any(0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069 for c in tidy)
    if turning or not {"Cc", "Cs", "Zl", "Zp"}.isdisjoint(categories):
        raise BadPlayers(f"The name of {whose} holds characters that cannot be shown: write it anew.")
    if all(c[0] in "CZM" or sign in BLANKS for c, sign in zip(categories, tidy, strict=True)):
        raise BadPlayers(f"{whose.capitalize()} has no name: enter one.")
    if len(tidy) > MAX_NAME:
        raise BadPlayers(f"The name of {whose} is too long: at most {MAX_NAME} characters.")
    return tidy
