"""Yamslam alone, solved: what each position is worth.

A turn without a chip discards one of the highest kind on the rack. So the pile holds none of the kinds below that
one, and a position is: the highest kind on the rack; how many of it are there and how many are held, the others being
in the pile; and of each other kind how many are held. The rest of it is in the pile if the kind is higher, and on the
rack if it is lower. For seven kinds that makes 7 * 10 * 5**6 = 1,093,750 positions.

Its value is the mean of the final total under best play. It is found backwards from the empty rack: every turn takes
chips from rack or pile, or moves one from the rack to the pile, so twice the rack plus the pile gets less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice.chip_rules import ChipRules, Numbers
from scorekeeper.advice.rolls import Floats, turn_values
from scorekeeper.advice.tables import Table
from scorekeeper.advice.types import Progress
from scorekeeper.chips import CHIPS_OF_A_KIND, LAST_CHIP, ChipGame, ChipState
from scorekeeper.errors import IllegalMove

BATCH: Final = 256
"""Positions that go through a turn side by side: their arrays fit into the processor's cache."""
BLOCK: Final = 32 * BATCH
"""Positions whose successors are looked up at once; in between progress is told."""

Rows = NDArray[np.intp]
Values = NDArray[np.floating[Any]]


class Positions:
    """The positions of a solo game, numbered: those with chips on the rack, then those of finished games.

    unfinished  how many positions have chips on the rack
    size        how many there are in all
    """

    def __init__(self, kinds: int) -> None:
        self.kinds: Final = kinds
        self._numbers: Final = CHIPS_OF_A_KIND + 1
        numbers = self._numbers
        # The chips of the highest kind on the rack: how many there, how many held; and their place in this list.
        self._tops: Final = np.array([(rack, held) for rack in range(1, numbers) for held in range(numbers - rack)])
        self._top_of: Final = np.zeros((numbers, numbers), dtype=np.intp)
        self._top_of[*self._tops.T] = range(len(self._tops))
        self._others: Final = numbers ** (kinds - 1)
        self.unfinished: Final = kinds * len(self._tops) * self._others
        places = numbers ** np.arange(kinds - 1)
        # Per highest kind the place value of each kind's number held; that of the highest itself counts elsewhere.
        self._places: Final = np.array([np.insert(places, top, 0) for top in range(kinds)])
        self._finished_places: Final = numbers ** np.arange(kinds)
        self.size: Final = self.unfinished + numbers**kinds

    def at(self, rows: Rows) -> tuple[Numbers, Numbers]:
        """(n, kinds) each: the chips on the rack and those won in these positions."""
        block, others = np.divmod(rows, self._others)
        top, pair = np.divmod(block, len(self._tops))
        finished = rows >= self.unfinished
        top[finished] = pair[finished] = 0
        held = others[:, None] // np.maximum(self._places[top], 1) % self._numbers
        rack = np.where(np.arange(self.kinds) < top[:, None], CHIPS_OF_A_KIND - held, 0)
        each = np.arange(len(rows))
        rack[each, top], held[each, top] = self._tops[pair].T
        rack[finished] = 0
        held[finished] = (rows[finished, None] - self.unfinished) // self._finished_places % self._numbers
        return rack.astype(np.int8), held.astype(np.int8)

    def rows(self, rack: Numbers, held: Numbers) -> Rows:
        """The rows of positions, (n, kinds) each. They must be ones that can arise."""
        there = rack > 0
        top = self.kinds - 1 - np.argmax(there[:, ::-1], axis=1)
        each = np.arange(len(rack))
        block = top * len(self._tops) + self._top_of[rack[each, top], held[each, top]]
        unfinished = block * self._others + np.einsum("nk,nk->n", held, self._places[top], dtype=np.intp)
        rows: Rows = np.where(there.any(axis=1), unfinished, self.unfinished + held @ self._finished_places)
        return rows

    def after_discard(self, rack: Numbers, held: Numbers) -> Rows:
        """(n,) the position with one of the highest kind put from the rack into the pile."""
        rack = rack.copy()
        top = self.kinds - 1 - np.argmax(rack[:, ::-1] > 0, axis=1)
        rack[np.arange(len(rack)), top] -= 1
        return self.rows(rack, held)

    def after_chip(self, rack: Numbers, held: Numbers) -> Rows:
        """(2 * kinds, n) the position with a chip taken: of each kind from the rack, of each kind from the pile.

        Where there is no such chip it is ``size``, one past the last position.
        """
        after = np.full((2 * self.kinds, len(rack)), self.size, dtype=np.intp)
        pile = CHIPS_OF_A_KIND - rack - held
        for kind, one in enumerate(np.eye(self.kinds, dtype=np.int8)):
            there = np.flatnonzero(rack[:, kind])
            after[kind, there] = self.rows(rack[there] - one, held[there] + one)
            there = np.flatnonzero(pile[:, kind])
            after[self.kinds + kind, there] = self.rows(rack[there], held[there] + one)
        return after


def _blocks(rack: Numbers, held: Numbers) -> Iterator[Rows]:
    """The rows of the positions in an order in which each comes after all that may follow it."""
    # Twice the rack plus the pile, but for a constant: the pile is what is neither on the rack nor held.
    weight = (rack - held).sum(axis=1, dtype=np.intp)
    for level in np.unique(weight):
        members = np.flatnonzero(weight == level)
        for first in range(0, len(members), BLOCK):
            yield members[first : first + BLOCK]


def _with_chip(values: Values, after: Rows, rack: Numbers) -> Floats:
    """(2 * kinds, n) what positions are worth after a chip, as in Positions.after_chip: of ``values`` by row."""
    chip = values[after].astype(np.float64)
    chip[: rack.shape[1]] += LAST_CHIP * (rack.sum(axis=1) == 1)
    return chip


def _outcomes(rules: ChipRules, chip: Floats, two_chips: Floats, none: Values) -> Floats:
    """(outcomes, n) what each outcome of a turn is worth in n positions: with one chip, with two, or with none."""
    outcomes = np.array([np.max(chip[: rules.kinds][won], axis=0, initial=-np.inf) for won in rules.wins])
    outcomes[-1] = two_chips.max(axis=0)
    np.maximum(outcomes, none, out=outcomes)
    return outcomes


def solve(rules: ChipRules, progress: Progress) -> Table:
    """The values of all positions by row; and a last one of minus infinity, for what cannot be.

    Takes some 12 seconds for seven kinds, and 300 MB of memory.
    """
    positions = Positions(rules.kinds)
    rack, held = positions.at(np.arange(positions.size))
    # Finished games are worth what is held: who took the last chip is added on the way there.
    values = np.append(rules.worth(held), -np.inf)
    # The same with one more chip to be taken, if wanted, before the next turn.
    with_second = values.copy()
    done = 0
    for rows in _blocks(rack[: positions.unfinished], held[: positions.unfinished]):
        here = rack[rows], held[rows]
        after = positions.after_chip(*here)
        chip = _with_chip(values, after, here[0])
        two_chips = _with_chip(with_second, after, here[0])
        outcomes = _outcomes(rules, chip, two_chips, values[positions.after_discard(*here)])
        for first in range(0, len(rows), BATCH):
            part = slice(first, first + BATCH)
            values[rows[part]] = turn_values(outcomes[rules.outcome, part])
        with_second[rows] = np.maximum(values[rows], chip.max(axis=0))
        done += len(rows)
        progress(done / positions.unfinished)
    fresh = np.full((1, rules.kinds), CHIPS_OF_A_KIND)
    start = float(values[positions.rows(fresh, np.zeros_like(fresh))[0]])
    return Table(values.astype(np.float32), start)


class Alone:
    """What the player alone may expect, from the table: exact."""

    assumption = None

    def __init__(self, game: ChipGame, rules: ChipRules, table: Table) -> None:
        self._game = game
        self._rules = rules
        self._positions = Positions(rules.kinds)
        self._table = table

    def check(self, state: ChipState) -> None:
        """Raise IllegalMove for a position that no game alone comes to."""
        stock = zip(self._game.boxes, state.rack, state.pile, state.held[0], strict=True)
        for box, *numbers in stock:
            if sum(numbers) != CHIPS_OF_A_KIND:
                raise IllegalMove(
                    f"Alone rack, pile and your own chips are {CHIPS_OF_A_KIND} of each kind, "
                    f"but of {box!r} they are {sum(numbers)}."
                )
        rack = [box for box, number in zip(self._game.boxes, state.rack, strict=True) if number]
        for box, number in zip(self._game.boxes, state.pile, strict=True):
            if number and self._game.boxes.index(box) < self._game.boxes.index(rack[-1] if rack else box):
                raise IllegalMove(
                    f"The highest chip on the rack is discarded first: with {rack[-1]!r} still there, "
                    f"no {box!r} can be in the pile."
                )

    def before(self, state: ChipState, player: int) -> float:
        return self.after(state, [state], again=True)[0]

    def after(self, state: ChipState, then: Sequence[ChipState], again: bool) -> list[float]:
        """What each of the states that may follow is worth; where a second chip is owed, with the best of them."""
        rows = self._positions.rows(*_arrays(then))
        values = self._table.values[rows].astype(np.float64)
        owed = np.array([self._game.keeps_roll(one) for one in then])
        if owed.any():
            values[owed] = self._with_second(rows[owed])
        return [
            # Only a finished state knows who took the last chip.
            float(self._game.totals(one)[0]) if self._game.turn(one) is None else value + self._beside(one)
            for one, value in zip(then, values.tolist(), strict=True)
        ]

    def outcomes(self, states: Sequence[ChipState]) -> Floats:
        """(outcomes, n) what each outcome of a turn is worth in these states, none of which owes a second chip."""
        rack, held = _arrays(states)
        values, positions = self._table.values, self._positions
        after = positions.after_chip(rack, held)
        distinct, place = np.unique(after, return_inverse=True)
        two_chips = _with_chip(self._with_second(distinct), place.reshape(after.shape), rack)
        none = values[positions.after_discard(rack, held)]
        outcomes = _outcomes(self._rules, _with_chip(values, after, rack), two_chips, none)
        outcomes += [self._beside(state) for state in states]
        return outcomes

    def _with_second(self, rows: Rows) -> Floats:
        """(n,) what the positions are worth if one more chip may be taken before the next turn."""
        values = self._table.values[rows].astype(np.float64)
        on = rows < self._positions.unfinished
        rack, held = self._positions.at(rows[on])
        chip = _with_chip(self._table.values, self._positions.after_chip(rack, held), rack)
        values[on] = np.maximum(values[on], chip.max(axis=0))
        return values

    def _beside(self, state: ChipState) -> float:
        """The points of earlier games, and those to be expected of further ones."""
        return sum(state.earlier) + (self._game.games - 1 - state.game) * self._table.start


def _arrays(states: Sequence[ChipState]) -> tuple[Numbers, Numbers]:
    return np.array([state.rack for state in states]), np.array([state.held[0] for state in states])
