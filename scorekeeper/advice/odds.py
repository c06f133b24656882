"""The chances of what is hoped for: how often the dice still to be thrown will satisfy each open box."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from scorekeeper.advice.rolls import KEEP_INDEX, KEEPS, ROLLS, Floats, best_keeps, keep_values
from scorekeeper.chips import ChipGame
from scorekeeper.dice import DICE, counts, five_alike
from scorekeeper.game import AnyGame
from scorekeeper.sheet import ON_COURSE, SheetGame
from scorekeeper.turn import ROLLS_A_TURN

YAMSLAM = "yamslam"
"""Five alike where chips are played for: no chip of its own, but any there is."""
_COUNTS = np.array([counts(keep) for keep in KEEPS])
"""(462, 6): how many of each face a keep holds."""


@dataclass(frozen=True, slots=True)
class Hope:
    """A box (or chip) that the dice kept do not satisfy yet.

    chance  that they will at the end of the turn, 0 to 1
    points  that this adds on average to what the dice kept score there already
    count   of an upper box, how many dice of its face the chance is for; None for the others
    """

    box: str
    chance: float
    points: float
    count: int | None = None


def hopes(game: AnyGame, boxes: Collection[str], keep: tuple[int, ...], rolls_left: int) -> tuple[Hope, ...]:
    """What throwing all dice but ``keep`` may bring to each of ``boxes``, the one that adds the most points first.

    With one roll left these are the exact chances. With more they are those of a player who holds on to ``keep`` and
    else plays for that box alone, as well as can be done; a player who looks at the other boxes too may do less.
    A box that the dice kept satisfy already, one that they can't come to satisfy, and one that every roll satisfies
    are left out; so is an upper box of whose face none is kept. In a game of chips each stands for its own pattern,
    and YAMSLAM, with the points of the best of them, for five alike.

    ``keep`` holds up to four dice in any order, ``rolls_left`` is 1 to 3. Raises ValueError for other numbers.
    """
    if not 1 <= rolls_left <= ROLLS_A_TURN:
        raise ValueError(f"There are 1 to {ROLLS_A_TURN} rolls left where something is hoped for, not {rolls_left}.")
    upper = [box.id for box in game.upper] if isinstance(game, SheetGame) else []
    points = _points(game)
    if isinstance(game, ChipGame) and boxes:
        most = max(chip.points for chip in game.kinds if chip.id in boxes)
        boxes = (*boxes, YAMSLAM)
        points = {**points, YAMSLAM: most * points[YAMSLAM]}
    asked: list[tuple[str, int | None, int]] = []  # the box, how many of its face, what the dice kept score there
    wins: list[Floats] = []
    for box in boxes:
        if box not in upper:
            asked.append((box, None, 0))
            wins.append((points[box] > 0).astype(float))
            continue
        face = upper.index(box) + 1
        kept = keep.count(face)
        count = max(ON_COURSE, kept + 1)
        if kept and count <= DICE:
            asked.append((box, count, kept * face))
            wins.append((points[box] >= count * face).astype(float))
    if not asked:
        return ()
    columns = np.stack([*wins, *(points[box] for box, _, _ in asked)], axis=1)
    chances, expected = np.split(_thrown(columns, keep, rolls_left), 2)
    found = [
        Hope(box, float(chance), float(mean) - already, count)
        for (box, count, already), chance, mean in zip(asked, chances, expected, strict=True)
        if 0 < chance < 1
    ]
    return tuple(sorted(found, key=lambda hope: -hope.points))


def _thrown(roll_values: Floats, keep: tuple[int, ...], rolls_left: int) -> Floats:
    """(252, n) what each roll is worth at the end -> (n,) what ``keep`` is, if its dice are never thrown again."""
    lost = (np.array(counts(keep)) > _COUNTS).any(axis=1)
    values = keep_values(roll_values)
    for _ in range(rolls_left - 1):
        values[lost] = -1.0  # less than any: no box scores below 0
        values = keep_values(best_keeps(values))
    kept: Floats = values[KEEP_INDEX[tuple(sorted(keep))]]
    return kept


@lru_cache(maxsize=8)
def _points(game: AnyGame) -> dict[str, Floats]:
    """Per box (252,) what each roll would score on an empty sheet; of YAMSLAM 1 for five alike."""
    if isinstance(game, ChipGame):
        found = {kind.id: [kind.points * kind.test(roll) for roll in ROLLS] for kind in game.kinds}
        found[YAMSLAM] = [int(five_alike(roll)) for roll in ROLLS]
    else:
        scored = [game.points(roll) for roll in ROLLS]
        found = {box: [points[box] for points in scored] for box in game.boxes}
    return {box: np.array(points, dtype=float) for box, points in found.items()}
