"""The rules of a sheet game as arrays, found out by asking the game itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice.rolls import ROLLS, roll_index
from scorekeeper.dice import FACES, Roll
from scorekeeper.sheet import BONUS_FROM, SheetGame

Places = NDArray[np.intp]

VERSION: Final = 1
"""To be raised when the numbering of positions, or what their values mean, changes."""

EMPTY, ZERO, POINTS = range(3)
"""What the five-alike box holds."""
NO: Final = -1
"""In place of an outcome: the roll may not go into the box. As an index it means the last, which is kept for it."""

FIVE_ALIKE: Final[tuple[Roll, ...]] = tuple((face,) * 5 for face in FACES)
FIVE_ALIKE_ROWS: Final = tuple(map(roll_index, FIVE_ALIKE))


@dataclass(frozen=True, slots=True)
class SheetRules:
    """What a solver must know of a sheet game; the first six boxes are the upper ones.

    five      the place of the five-alike box
    bonus     for an upper sum of ``bonus_from`` or more
    outcomes  per box all that it can hold, from zero up
    scored    (boxes, 252) per box and roll the place in outcomes of what the roll scores there as a rule
    alike     (3, 6, 2, 2, boxes) the same for five alike, or NO: by what the five-alike box holds, the face rolled,
              whether the upper box of that face is free, and whether any lower box is
    prime     (3, 6, 2, 2) the points beside the box that five alike earn, in the same cases
    """

    five: int
    bonus: int
    bonus_from: int
    outcomes: tuple[tuple[int, ...], ...]
    scored: Places
    alike: Places
    prime: NDArray[np.int64]

    @property
    def lower(self) -> int:
        """How many lower boxes there are."""
        return len(self.outcomes) - len(FACES)

    @property
    def zero_matters(self) -> bool:
        """Whether the rest of a game depends on what the filled five-alike box holds."""
        return not (
            np.array_equal(self.alike[ZERO], self.alike[POINTS])
            and np.array_equal(self.prime[ZERO], self.prime[POINTS])
        )

    @property
    def key(self) -> str:
        """The name that these rules give to a table, whatever the game and its boxes are called."""
        content = [self.five, self.bonus, self.bonus_from, self.outcomes]
        content += [array.tolist() for array in (self.scored, self.alike, self.prime)]
        return f"sheet{VERSION}-{hashlib.sha256(json.dumps(content).encode()).hexdigest()[:24]}"


@lru_cache(maxsize=32)
def sheet_rules(game: SheetGame) -> SheetRules:
    """The rules of the game.

    What five alike may do is asked for the cases that the kinds of jokers tell apart (see sheet.Joker); that they
    are all the cases there are is for the tests to show.
    """
    boxes = game.boxes
    outcomes = tuple(tuple(sorted(game.possible(box))) for box in boxes)
    points = [game.points(roll) for roll in ROLLS]
    scored = [[values.index(scores[box]) for scores in points] for box, values in zip(boxes, outcomes, strict=True)]
    alike = np.full((3, len(FACES), 2, 2, len(boxes)), NO, dtype=np.intp)
    prime = np.zeros(alike.shape[:-1], dtype=np.int64)
    for case, roll, filled in _cases(game):
        state = replace(game.start(1), columns=(game.column(filled),))
        for option in game.options(state, roll):
            place = boxes.index(option.box or "")
            alike[case][place] = outcomes[place].index(option.points)
            prime[case] = option.prime
    return SheetRules(boxes.index(game.five_alike), game.bonus, BONUS_FROM, outcomes, np.array(scored), alike, prime)


def _cases(game: SheetGame) -> Iterator[tuple[tuple[int, int, int, int], Roll, dict[str, int]]]:
    """The cases of ``alike``: each with its roll, and boxes that are filled in it, as few as can be."""
    lower = [box.id for box in game.lower]
    for held, face, face_free, lower_free in product(range(3), range(len(FACES)), range(2), range(2)):
        filled = {} if lower_free else dict.fromkeys(lower, 0)
        if held != EMPTY:
            filled[game.five_alike] = max(game.possible(game.five_alike)) if held == POINTS else 0
        elif not lower_free:
            continue  # the five-alike box is a lower one
        if not face_free:
            filled[game.upper[face].id] = 0
        yield (held, face, face_free, lower_free), FIVE_ALIKE[face], filled
