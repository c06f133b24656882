"""Sheet games solved: what each position is worth, and the advice that follows from it.

A position is what a column has to do with the rest of its game: which boxes are filled, what is missing to the upper
bonus, and, where jokers or primes ask for it, whether the five-alike box holds points or a zero. Its value is the
mean of the points still to come under best play, bonus and primes included. It is found backwards from the full
sheet (Verhoeff, "Optimal solitaire Yahtzee strategies"): a roll at the end of a turn is worth the best of the boxes
it may fill, points now and value of what follows; how that goes back through the rolls of a turn is in ``rolls``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice import tables
from scorekeeper.advice.ranking import TIE, check_rolls_left, rank_keeps
from scorekeeper.advice.rolls import ROLLS, Floats, turn_values
from scorekeeper.advice.sheet_rules import EMPTY, FIVE_ALIKE_ROWS, POINTS, ZERO, Places, SheetRules, sheet_rules
from scorekeeper.advice.tables import Table
from scorekeeper.advice.types import Advice, BoxValue, KeepValue, Progress
from scorekeeper.dice import FACES, Roll
from scorekeeper.errors import IllegalMove
from scorekeeper.sheet import SheetGame, SheetState

UPPER: Final = len(FACES)
BATCH: Final = 256
"""Positions solved side by side: their arrays fit into the processor's cache."""

Batch = tuple[int, Places, Places]
"""Positions with one set of filled upper boxes: it, their rows and their gaps."""


class Positions:
    """The positions of a sheet game, numbered; and how they follow one another.

    A position is (upper, row, gap). ``upper`` is the set of filled upper boxes, as bits. ``row`` stands for the
    filled lower boxes and for what the five-alike box holds. ``gap`` is a place in the list of upper sums from which
    the bonus is still open, or 0 when it is settled: reached already, or out of reach.
    """

    def __init__(self, rules: SheetRules) -> None:
        self.rules = rules
        self._zero_matters = rules.zero_matters
        self.points = [np.array(values, dtype=np.float64)[:, None] for values in rules.outcomes]
        self._number_rows()
        self._number_gaps()

    def _number_rows(self) -> None:
        rules, lower = self.rules, self.rules.lower
        five = 1 << rules.five - UPPER
        codes = [
            (mask, held)
            for mask in range(1 << lower)
            for held in ((ZERO, POINTS) if self._zero_matters else (ZERO,))
            if mask & five or held == ZERO
        ]
        self.row_of = {code: row for row, code in enumerate(codes)}
        self.held = [held if mask & five else EMPTY for mask, held in codes]
        self.lower_filled = [mask.bit_count() for mask, _ in codes]
        # (lower, 2, rows): where a row goes when the box takes a zero, or points; -1 where it is filled.
        self._next = np.full((lower, 2, len(codes)), -1, dtype=np.intp)
        for row, (mask, held) in enumerate(codes):
            for box in range(lower):
                if not mask >> box & 1:
                    now = mask | 1 << box
                    for points in range(2):
                        then = POINTS if self._zero_matters and 1 << box == five and points else held
                        self._next[box, points, row] = self.row_of[now, then]
        self._scores = [(np.array(values) > 0).astype(np.intp) for values in rules.outcomes]

    def _number_gaps(self) -> None:
        goal = self.rules.bonus_from
        self.gap_of = _gaps(self.rules)
        sums = [np.array([goal, *sorted(s for s, gap in gaps.items() if gap)]) for gaps in self.gap_of]
        self.gaps = [len(known) for known in sums]
        starts = np.cumsum([0, *(len(self.held) * gaps for gaps in self.gaps)])
        self._start = [int(start) for start in starts]
        self.size = self._start[-1]
        # Per free upper box: for each outcome and gap the gap that follows, and the points with the bonus if it is won.
        self._steps: dict[tuple[int, int], tuple[Places, Floats]] = {}
        for upper, before in enumerate(sums):
            for box in _bits(~upper):
                gap_of = np.zeros(goal + 1, dtype=np.intp)
                gap_of[list(self.gap_of[upper | 1 << box])] = list(self.gap_of[upper | 1 << box].values())
                after = np.minimum(before + np.array(self.rules.outcomes[box])[:, None], goal)
                won = (before < goal) & (after == goal)
                self._steps[upper, box] = gap_of[after], self.points[box] + self.rules.bonus * won

    def index(self, upper: int, row: NDArray[np.intp] | int, gap: NDArray[np.intp] | int) -> NDArray[np.intp] | int:
        """The number of a position."""
        return self._start[upper] + row * self.gaps[upper] + gap

    def locate(self, boxes: Sequence[int | None]) -> tuple[int, int, int]:
        """(upper, row, gap) of a column, given what each box of the sheet holds, None while it is empty."""
        filled = [box for box, points in enumerate(boxes) if points is not None]
        upper = sum(1 << box for box in filled if box < UPPER)
        lower = sum(1 << box - UPPER for box in filled if box >= UPPER)
        subtotal = min(sum(points or 0 for points in boxes[:UPPER]), self.rules.bonus_from)
        held = POINTS if self._zero_matters and boxes[self.rules.five] else ZERO
        return upper, self.row_of[lower, held], self.gap_of[upper][subtotal]

    def roll_values(self, values: NDArray[np.floating], upper: int, rows: Places, gaps: Places) -> Floats:
        """What each roll is worth at the end of a turn: (252, n) for n positions.

        ``values`` are those of all positions, the ones that follow must be right; and a last one of minus infinity.
        The positions have ``upper`` in common, and of their rows what the five-alike box holds and whether a lower
        box is free.
        """
        places, prime = self.scoring(upper, int(rows[0]))
        best = np.full((len(ROLLS), len(rows)), -np.inf)
        for box, worth in self.box_values(values, upper, rows, gaps).items():
            np.maximum(best, worth[places[box]], out=best)
        best += prime[:, None]
        return best

    def scoring(self, upper: int, row: int) -> tuple[Places, Floats]:
        """(boxes, 252) per box and roll the place in outcomes, or NO; and (252,) what the roll earns beside."""
        rules = self.rules
        places, prime = rules.scored.copy(), np.zeros(len(ROLLS))
        for face, roll in enumerate(FIVE_ALIKE_ROWS):
            case = self.held[row], face, 1 - (upper >> face & 1), int(self.lower_filled[row] < rules.lower)
            places[:, roll], prime[roll] = rules.alike[case], rules.prime[case]
        return places, prime

    def box_values(self, values: NDArray[np.floating], upper: int, rows: Places, gaps: Places) -> dict[int, Floats]:
        """Per box that one of the positions has free (outcomes + 1, n): what it is worth to fill it so.

        Where it is filled that is minus infinity; and so is the last row, which NO points to.
        """
        found: dict[int, Floats] = {}
        for box in _bits(~upper):
            after, points = self._steps[upper, box]
            following = self.index(upper | 1 << box, rows, after[:, gaps])
            found[box] = np.vstack([values[following] + points[:, gaps], np.full((1, len(rows)), -np.inf)])
        for box, after in enumerate(self._next, start=UPPER):
            row = after[:, rows]
            if (row >= 0).any():
                following = np.where(row < 0, self.size, self.index(upper, row, gaps))
                worth = values[following][self._scores[box]] + self.points[box]
                found[box] = np.vstack([worth, np.full((1, len(rows)), -np.inf)])
        return found

    def batches(self) -> Iterator[Batch]:
        """All positions but those of full sheets, those that follow others first; each batch fit for roll_values."""
        groups: dict[tuple[int, int], list[int]] = {}
        for row, group in enumerate(zip(self.lower_filled, self.held, strict=True)):
            groups.setdefault(group, []).append(row)
        for upper in sorted(range(1 << UPPER), key=int.bit_count, reverse=True):
            gaps = self.gaps[upper]
            step = max(1, BATCH // gaps)
            for (filled, _), members in sorted(groups.items(), reverse=True):
                if filled == self.rules.lower and upper == (1 << UPPER) - 1:
                    continue
                for first in range(0, len(members), step):
                    rows = np.array(members[first : first + step])
                    yield upper, np.repeat(rows, gaps), np.tile(np.arange(gaps), len(rows))


def _bits(mask: int) -> list[int]:
    return [box for box in range(UPPER) if mask >> box & 1]


def _gaps(rules: SheetRules) -> list[dict[int, int]]:
    """Per set of filled upper boxes: the sums they can hold, capped where the bonus is earned, and the gap of each.

    The cap has one even where they can't hold so much.
    """
    goal = rules.bonus_from
    sums = [{0}]
    for upper in range(1, 1 << UPPER):
        *_, last = _bits(upper)
        before = sums[upper ^ 1 << last]
        sums.append({min(s + points, goal) for s in before for points in rules.outcomes[last]})
    found = []
    for upper, held in enumerate(sums):
        most = sum(max(rules.outcomes[box]) for box in _bits(~upper))
        still_open = (s for s in sorted(held) if s < goal <= s + most)
        found.append(dict.fromkeys([*held, goal], 0) | {s: gap for gap, s in enumerate(still_open, start=1)})
    return found


def solve(rules: SheetRules, progress: Progress) -> Table:
    """The values of all positions, in the order of Positions."""
    positions = Positions(rules)
    values = fill(positions, positions.batches(), progress)
    start = float(values[positions.index(*positions.locate([None] * len(rules.outcomes)))])
    return Table(values[:-1].astype(np.float32), start)


def fill(positions: Positions, batches: Iterable[Batch], progress: Progress) -> Floats:
    """(size + 1,) the values of the positions in these batches, zero for the others; the last is minus infinity."""
    values = np.zeros(positions.size + 1)
    values[-1] = -np.inf
    done = 0
    for upper, rows, gaps in batches:
        values[positions.index(upper, rows, gaps)] = turn_values(positions.roll_values(values, upper, rows, gaps))
        done += len(rows)
        progress(done / positions.size)
    progress(1.0)
    return values


class SheetAdvisor:
    """Exact advice from a table; an Advisor."""

    def __init__(self, game: SheetGame, table: Table) -> None:
        self._game = game
        self._positions = positions_of(game)
        self._values = np.append(table.values, np.float32(-np.inf))

    def before(self, state: SheetState, player: int) -> float:
        return self._expected(self._alone(state, player))

    def advise(self, state: SheetState, roll: Roll, rolls_left: int) -> Advice:
        player = self._game.turn(state)
        if player is None:
            raise IllegalMove("The game is over: there is nothing left to decide.")
        check_rolls_left(rolls_left)
        alone = self._alone(state, player)
        boxes = self._boxes(alone, roll)
        keeps = self._keeps(alone, roll, rolls_left, boxes[0].expected) if rolls_left else ()
        return Advice(keeps[0].expected if keeps else boxes[0].expected, keeps, boxes)

    def _boxes(self, alone: SheetState, roll: Roll) -> tuple[BoxValue, ...]:
        values = [
            BoxValue(
                box=option.box or "",
                points=option.points,
                expected=self._expected(self._game.take(alone, roll, option)),
                prime=option.prime,
            )
            for option in self._game.options(alone, roll)
        ]
        return tuple(sorted(values, key=lambda value: -round(value.expected, TIE)))

    def _keeps(self, alone: SheetState, roll: Roll, rolls_left: int, as_it_is: float) -> tuple[KeepValue, ...]:
        total, (upper, row, gap) = self._position(alone)
        outcomes = self._positions.roll_values(self._values, upper, np.array([row]), np.array([gap]))
        return rank_keeps(roll, outcomes, rolls_left, as_it_is, points=total)

    def _alone(self, state: SheetState, player: int) -> SheetState:
        """The player's column as a game of one: what others have written changes nothing."""
        return replace(self._game.start(1), columns=(state.columns[player],))

    def _expected(self, alone: SheetState) -> float:
        total, position = self._position(alone)
        return total + float(self._values[self._positions.index(*position)])

    def _position(self, alone: SheetState) -> tuple[int, tuple[int, int, int]]:
        """The points so far, and where the column stands in the table."""
        return self._game.totals(alone)[0], self._positions.locate(alone.columns[0].boxes)


def advisor(game: SheetGame, cache: Path | None, progress: Progress | None) -> SheetAdvisor:
    """See scorekeeper.advice.advisor."""
    return SheetAdvisor(game, _table(game, cache, progress))


def ready(game: SheetGame, cache: Path | None) -> bool:
    """See scorekeeper.advice.ready."""
    return tables.stored(sheet_rules(game).key, cache)


def start_value(game: SheetGame, cache: Path | None, progress: Progress | None) -> float:
    """See scorekeeper.advice.start_value."""
    return _table(game, cache, progress).start


@lru_cache(maxsize=16)
def positions_of(game: SheetGame) -> Positions:
    """The positions of the game."""
    return Positions(sheet_rules(game))


def _table(game: SheetGame, cache: Path | None, progress: Progress | None) -> Table:
    rules = sheet_rules(game)
    return tables.load_or_build(rules.key, lambda told: solve(rules, told), cache, progress)
