"""The 252 rolls and 462 keeps of five dice, and how values flow between them within a turn.

What is kept is a keep: a multiset of none to five dice. Arrays over rolls or keeps have them in rows, in the order
of ROLLS or KEEPS, and whatever is computed side by side (positions, say) in columns.

A keep is worth the mean of what it is worth with each of the six faces added, and the best of what can be kept of
some dice is those dice as they are or the best of them with one die less. So a reroll takes about 3,000 row
operations; the product with the 462 x 252 matrix of chances that says the same takes 116,000.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorekeeper.dice import DICE, FACES, Roll, make_roll

Floats = NDArray[np.float64]

KEEPS: Final[tuple[tuple[int, ...], ...]] = tuple(
    keep for size in range(DICE + 1) for keep in combinations_with_replacement(FACES, size)
)
"""Every keep, its dice sorted; the empty one first, the rolls last."""
KEEP_INDEX: Final = {keep: index for index, keep in enumerate(KEEPS)}
FIRST_ROLL: Final = len(KEEPS) - 252
ROLLS: Final[tuple[Roll, ...]] = tuple(map(make_roll, combinations_with_replacement(FACES, DICE)))
"""Every roll, its dice sorted."""


def roll_index(roll: Roll) -> int:
    """The row of a roll whose dice may be in any order."""
    return KEEP_INDEX[tuple(sorted(roll))] - FIRST_ROLL


def _sizes() -> list[slice]:
    """The rows of KEEPS that hold 0, 1, … 5 dice."""
    lengths = [len(keep) for keep in KEEPS]
    return [slice(lengths.index(size), lengths.index(size) + lengths.count(size)) for size in range(DICE + 1)]


SIZES: Final = _sizes()
_WITH: Final = np.array([[KEEP_INDEX[tuple(sorted((*keep, f)))] for f in FACES] for keep in KEEPS[:FIRST_ROLL]])
"""(210, 6): the keep with each face added."""


def _without(keep: tuple[int, ...]) -> list[int]:
    # Of equal dice this is the same keep more than once: a maximum doesn't mind.
    return [KEEP_INDEX[keep[:place] + keep[place + 1 :]] for place in range(len(keep))]


_LESS: Final = [np.array([_without(keep) for keep in KEEPS[rows]], dtype=np.intp) for rows in SIZES]
"""Per size (keeps, size): the keep with each of its dice taken away."""


def keep_values(roll_values: Floats) -> Floats:
    """(252, n) what each roll is worth -> (462, n) what each keep is worth once the other dice are thrown."""
    values = np.empty((len(KEEPS), *roll_values.shape[1:]))
    values[FIRST_ROLL:] = roll_values
    for rows in reversed(SIZES[:DICE]):
        mean = values[_WITH[rows, 0]]
        for face in range(1, len(FACES)):
            mean += values[_WITH[rows, face]]
        mean /= len(FACES)
        values[rows] = mean
    return values


def best_keeps(values: Floats) -> Floats:
    """(462, n) what each keep is worth -> (252, n) what each roll is worth when the best of it is kept."""
    best = values.copy()
    for rows, less in zip(SIZES[1:], _LESS[1:], strict=True):
        part = best[rows]
        for place in range(less.shape[1]):
            np.maximum(part, best[less[:, place]], out=part)
    return best[FIRST_ROLL:]


def turn_values(roll_values: Floats) -> Floats:
    """(252, n) what each roll is worth at the end of a turn -> (n,) what a turn of three rolls is worth before it."""
    for _ in range(2):
        roll_values = best_keeps(keep_values(roll_values))
    expected: Floats = keep_values(roll_values)[0]
    return expected
