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
    return tuple(tidy_name(name, number) for number, name in enumerate(names, start=1))


def tidy_name(name: str, player: int | None) -> str:
    """The name without outer blanks, of a player by number from 1, or (None) of who corrects a sheet.

    Raises BadPlayers as tidy_names does.
    """
    tidy = name.strip()
    if len(tidy) > MAX_NAME:  # first, as what follows looks at each character
        if player is None:
            raise BadPlayers("The name of who corrects is too long: at most %(most)s characters.", most=MAX_NAME)
        raise BadPlayers(
            "The name of player %(player)s is too long: at most %(most)s characters.", player=player, most=MAX_NAME
        )
    categories = [unicodedata.category(character) for character in tidy]
    # Cc control, Cs half a surrogate pair, Zl and Zp line ends: none can be shown in one line of text.
    # The direction marks U+202A to U+202E and U+2066 to U+2069 would turn round the text beside the name.
    turning = any(0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069 for c in tidy)
    if turning or not {"Cc", "Cs", "Zl", "Zp"}.isdisjoint(categories):
        if player is None:
            raise BadPlayers("The name of who corrects holds characters that cannot be shown: write it anew.")
        raise BadPlayers(
            "The name of player %(player)s holds characters that cannot be shown: write it anew.", player=player
        )
    if all(c[0] in "CZM" or sign in BLANKS for c, sign in zip(categories, tidy, strict=True)):
        if player is None:
            raise BadPlayers("Who corrects has no name: enter one.")
        raise BadPlayers("Player %(player)s has no name: enter one.", player=player)
    return tidy
