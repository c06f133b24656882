"""What every piece of advice has in common: which calls are good, and the keeps of a roll with the best first."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from scorekeeper.advice.rolls import KEEP_INDEX, Floats, best_keeps, keep_values
from scorekeeper.advice.types import KeepValue
from scorekeeper.dice import DICE, Roll, short
from scorekeeper.errors import IllegalMove

MOST_ROLLS_LEFT: Final = 2
TIE: Final = 9
"""Decimals in which equal values agree, however they were added up."""


def check_rolls_left(rolls_left: int) -> None:
    """Raise IllegalMove unless so many rolls can be left after a roll."""
    if rolls_left not in range(MOST_ROLLS_LEFT + 1):
        raise IllegalMove(f"After a roll 0, 1 or 2 more are left, not {short(rolls_left)}.")


def rank_keeps(
    roll: Roll, outcomes: Floats, rolls_left: int, as_it_is: float, points: float = 0
) -> tuple[KeepValue, ...]:
    """The keeps of a roll after which one or two more may follow, best first.

    ``outcomes`` (252, 1) is what each roll is worth at the end of the turn, beside ``points``; ``as_it_is`` what this
    roll is worth, all in all, if none follows.
    """
    values = keep_values(outcomes)
    for _ in range(rolls_left - 1):
        values = keep_values(best_keeps(values))
    dice = tuple(sorted(roll))
    keeps = {keep for size in range(DICE) for keep in combinations(dice, size)}
    found = [KeepValue(keep, points + float(values[KEEP_INDEX[keep], 0])) for keep in keeps]
    found.append(KeepValue(dice, as_it_is))
    return tuple(sorted(found, key=lambda value: (-round(value.expected, TIE), -len(value.keep), value.keep)))
