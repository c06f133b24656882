"""A roll of five dice, and facts about it. The order of the dice never matters to the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeGuard

from scorekeeper.errors import BadRoll

DICE = 5
FACES = range(1, 7)

Roll = tuple[int, int, int, int, int]
"""The upper faces of the five dice, each 1 to 6, in any order."""


def make_roll(dice: Iterable[object]) -> Roll:
    """The five dice as a Roll, in the order given.

    Raises BadRoll unless they are exactly five whole numbers from 1 to 6.
    """
    values = tuple(dice)
    faces = [die for die in values if is_face(die)]
    if len(faces) != len(values):
        wrong = next(die for die in values if not is_face(die))
        raise BadRoll(f"A die shows a whole number from 1 to 6, not {short(wrong)}.")
    if len(faces) != DICE:
        raise BadRoll(f"A roll is five dice, each 1 to 6; here {_dice(len(faces))} given.")
    return faces[0], faces[1], faces[2], faces[3], faces[4]


def is_face(die: object) -> TypeGuard[int]:
    """Whether this is a whole number from 1 to 6; True and 4.0 are none, though Python calls them equal."""
    return isinstance(die, int) and not isinstance(die, bool) and die in FACES


def parse_roll(text: str) -> Roll:
    """Five dice written as numbers with blanks between them, as in ``2 2 4 4 4``.

    Raises BadRoll with a sentence that says what is wrong.
    """
    return make_roll(int(word) if word in {"1", "2", "3", "4", "5", "6"} else word for word in text.split())


def counts(roll: Iterable[int]) -> tuple[int, int, int, int, int, int]:
    """How many dice show 1, 2, 3, 4, 5 and 6."""
    values = tuple(roll)
    return (
        values.count(1),
        values.count(2),
        values.count(3),
        values.count(4),
        values.count(5),
        values.count(6),
    )


def five_alike(roll: Roll) -> bool:
    """Whether all five dice show the same face."""
    return roll.count(roll[0]) == DICE


def missing(part: Iterable[int], whole: Iterable[int]) -> tuple[int, ...]:
    """The dice of ``part`` that are not among ``whole``, each die used once; empty when all are there."""
    return tuple(sorted((Counter(part) - Counter(whole)).elements()))


def _dice(number: int) -> str:
    return {0: "no die is", 1: "one die is"}.get(number, f"{number} dice are")


def spaced(dice: Iterable[int]) -> str:
    """Dice as a message shows them: 2 2 4 4 4."""
    return " ".join(map(str, dice))


def short(value: object) -> str:
    """The value as a message shows it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
