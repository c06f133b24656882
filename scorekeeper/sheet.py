"""Games on score sheets: everybody fills one box of their own column each turn until all are full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations_with_replacement, dropwhile, takewhile
from typing import Literal, TypeVar

from scorekeeper.dice import DICE, FACES, Roll, five_alike, make_roll, short
from scorekeeper.errors import BadPlayers, IllegalMove
from scorekeeper.game import MAX_PLAYERS, Option, Source, Stock, next_player
from scorekeeper.patterns import Score
from scorekeeper.sentences import BoxId, BoxIds, Sentence

T = TypeVar("T")

BONUS_FROM = 63
"""The upper sum that earns the bonus: 63 or more (the grids that print "A > 63" mean this too)."""
ON_COURSE = 3
"""Dice of its face that each upper box needs for it: 3 * (1 + 2 + 3 + 4 + 5 + 6) = 63."""

Joker = Literal["none", "seeds", "forced", "free"]
"""What a further five alike may do (the Yams rule sheets leave this open "in some versions"):

none    nothing: it scores like any roll
seeds   with 50 in the five-alike box and the box of its face filled: free lower boxes at full points,
        without one a zero in a free upper box (the rule those sheets print)
forced  with the five-alike box filled, even by a zero: the box of its face if free, else a free lower
        box at full points, else a zero in a free upper box (the official Yahtzee rule)
free    with the five-alike box and the box of its face filled: any free box, lower ones at full points
        (the rule of Verhoeff's optimal solitaire Yahtzee)
"""


@dataclass(frozen=True, slots=True)
class Box:
    """One line of the sheet: its score for a roll, and its fixed points when a joker is put there."""

    id: str
    score: Score
    joker: int | None = None


@dataclass(frozen=True, slots=True)
class Fill:
    """A box (its place on the sheet) was filled with this roll, its dice sorted."""

    box: int
    roll: Roll


@dataclass(frozen=True, slots=True)
class Column:
    """What a player has written: per box of the sheet the points, None while empty; and primes earned.

    ``fills`` are the turns that filled it, in their order, as far as they are known: an edit follows from
    them which further five alike earned the prime, and where a joker applied.
    """

    boxes: tuple[int | None, ...]
    primes: int = 0
    fills: tuple[Fill, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetState:
    """The columns in seat order, whose turn it is, and who has left."""

    columns: tuple[Column, ...]
    player: int
    left: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SheetGame:
    """A printed sheet and its rules.

    ``upper`` holds the boxes of the faces 1 to 6 in that order; ``five_alike`` names the box that jokers and
    the prime look at; ``prime`` is what a further five alike earns (0: nothing); ``upper_sums`` and
    ``lower_sums`` are the sum rows printed below each half.
    """

    upper: tuple[Box, ...]
    lower: tuple[Box, ...]
    five_alike: str
    bonus: int
    upper_sums: tuple[str, ...]
    lower_sums: tuple[str, ...]
    joker: Joker = "none"
    prime: int = 0
    boxes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _sheet: tuple[Box, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Asked for all the time, so put together once.
        object.__setattr__(self, "_sheet", self.upper + self.lower)
        object.__setattr__(self, "boxes", tuple(box.id for box in self._sheet))

    @property
    def rows(self) -> tuple[str, ...]:
        upper, lower = (tuple(box.id for box in half) for half in (self.upper, self.lower))
        return (*upper, *self.upper_sums, *lower, *self.lower_sums)

    @property
    def players(self) -> tuple[int, int]:
        return 1, MAX_PLAYERS

    def points(self, roll: Roll) -> dict[str, int]:
        return {box.id: box.score(roll) for box in self._sheet}

    def possible(self, box: str) -> frozenset[int]:
        """All that a box can hold: what some roll scores there, a joker's points, and zero.

        Raises IllegalMove for a box that is not on the sheet.
        """
        found = next((known for known in self._sheet if known.id == box), None)
        if found is None:
            raise IllegalMove(self._no_box(box))
        values = _scores(found)
        return values if self.joker == "none" or found.joker is None else values | {found.joker}

    def column(self, boxes: Mapping[str, int], primes: int = 0) -> Column:
        """A column with these boxes filled, and this many further five alike that earned the prime.

        Raises IllegalMove for a box that is not on the sheet, a value that it cannot hold, and primes that
        cannot have been earned.
        """
        for box, points in boxes.items():
            self.check_value(box, points)
        if not _is_whole(primes) or primes < 0:
            raise IllegalMove(f"The primes are a whole number from 0, not {short(primes)}.")
        if primes and not self.prime:
            raise IllegalMove("There are no primes in this game: it is played without the prime.")
        if primes and not boxes.get(self.five_alike):
            raise IllegalMove(f"There is no prime before the box {self.five_alike!r} holds points.")
        if primes and primes > len(boxes) - 1:
            raise IllegalMove(f"{primes} primes are more than the other boxes filled: {len(boxes) - 1}.")
        return Column(tuple(boxes.get(box) for box in self.boxes), primes)

    def check_value(self, box: str, points: object) -> None:
        """Raises IllegalMove, with what is possible, unless the box can hold these points."""
        possible = self.possible(box)
        if not _is_whole(points) or points not in possible:
            raise IllegalMove(
                "The box %(box)s cannot hold %(points)s; possible is %(possible)s.",
                box=BoxId(box),
                points=short(points),
                possible=_listed(possible),
            )

    def start(self, players: int, first: int = 0) -> SheetState:
        if not 1 <= players <= MAX_PLAYERS:
            raise BadPlayers(
                "This game is for 1 to %(most)s players, not %(players)s.", most=MAX_PLAYERS, players=players
            )
        if not 0 <= first < players:
            raise BadPlayers(f"Player {first} cannot begin: the players are 0 to {players - 1}.")
        return SheetState((Column((None,) * len(self._sheet)),) * players, first)

    def turn(self, state: SheetState) -> int | None:
        # Everybody fills one box a turn, so the first player with a full column ends the game on their turn;
        # of those who left none has a turn.
        return state.player if None in state.columns[state.player].boxes else None

    def options(self, state: SheetState, roll: Roll) -> tuple[Option, ...]:
        if self.turn(state) is None:
            return ()
        column = state.columns[state.player]
        legal, joker = self._legal(column, roll)
        prime = self._prime(column, roll)
        return tuple(
            Option(box.id, points=_score(box, roll, joker), prime=prime)
            for index, box in enumerate(self._sheet)
            if index in legal
        )

    def scratches(self, state: SheetState, roll: Roll) -> tuple[Option, ...]:
        return tuple(replace(option, points=0, scratch=True) for option in self.options(state, roll) if option.points)

    def choose(
        self,
        state: SheetState,
        roll: Roll,
        box: str | None,
        *,
        scratch: bool = False,
        source: Source | None = None,
    ) -> Option:
        if self.turn(state) is None:
            raise IllegalMove("The game is over: all boxes are filled.")
        if box is None:
            raise IllegalMove("A turn fills a box, it cannot be passed: choose a free box, if need be for zero.")
        if source is not None:
            raise IllegalMove("Only Yamslam has a rack and a pile to take chips from; choose a box.")
        option = next((option for option in self.options(state, roll) if option.box == box), None)
        if option is None:
            raise IllegalMove(self._why_not(state.columns[state.player], roll, box))
        # A scratch in a box that the roll does not satisfy is the zero it gets anyway.
        return replace(option, points=0, scratch=True) if scratch and option.points else option

    def take(self, state: SheetState, roll: Roll, option: Option) -> SheetState:
        known = self.choose(state, roll, option.box, scratch=option.scratch, source=option.source)
        if option != known:
            raise IllegalMove(f"This roll is worth {known.points} in the box {known.box!r}, not {option.points}.")
        column = state.columns[state.player]
        index = self.boxes.index(known.box or "")
        filled = Column(
            boxes=_put(column.boxes, index, known.points),
            primes=column.primes + (known.prime > 0),
            fills=(*column.fills, Fill(index, make_roll(sorted(roll)))),
        )
        return replace(
            state,
            columns=_put(state.columns, state.player, filled),
            player=next_player(state.player, len(state.columns), state.left),
        )

    def edit(
        self, state: SheetState, player: int, box: str, *, points: int | None = None, dice: Roll | None = None
    ) -> SheetState:
        column = state.columns[player]
        if box not in self.boxes:
            raise IllegalMove(self._no_box(box))
        index = self.boxes.index(box)
        if column.boxes[index] is None:
            raise IllegalMove(
                "The box %(box)s is empty: only a turn fills it, there is nothing to correct.", box=BoxId(box)
            )
        if dice is not None:
            roll = make_roll(sorted(make_roll(dice)))
            edited = replace(
                column,
                boxes=_put(column.boxes, index, self._score_then(column, index, roll)),
                fills=tuple(Fill(index, roll) if fill.box == index else fill for fill in column.fills),
            )
        else:
            self.check_value(box, points)
            edited = replace(column, boxes=_put(column.boxes, index, points))
        edited = replace(edited, primes=column.primes + self._earned(edited) - self._earned(column))
        return replace(state, columns=_put(state.columns, player, edited))

    def leave(self, state: SheetState, player: int) -> SheetState:
        left = state.left | {player}
        turn = state.player if player != state.player else next_player(player, len(state.columns), left)
        return replace(state, player=turn, left=left)

    def left(self, state: SheetState) -> frozenset[int]:
        return state.left

    def keeps_roll(self, state: SheetState) -> bool:
        return False

    def sides(self, players: int) -> tuple[int, ...]:
        return tuple(range(players))

    def filled(self, state: SheetState) -> tuple[dict[str, int], ...]:
        return tuple(
            {box: points for box, points in zip(self.boxes, column.boxes, strict=True) if points is not None}
            for column in state.columns
        )

    def sums(self, state: SheetState) -> tuple[dict[str, int], ...]:
        rows = self.upper_sums + self.lower_sums
        return tuple({row: sums[row] for row in rows} for sums in map(self._sums, state.columns))

    def totals(self, state: SheetState) -> tuple[int, ...]:
        return tuple(self._sums(column)["grand_total"] for column in state.columns)

    def stock(self, state: SheetState) -> Stock | None:
        return None

    def totals_by_turn(self, state: SheetState, player: int) -> tuple[int, ...]:
        """The player's grand total after each of their turns, with the boxes as they stand now, corrected ones too."""
        column = state.columns[player]
        totals = []
        for turns in range(1, len(column.fills) + 1):
            fills = column.fills[:turns]
            filled = {fill.box for fill in fills}
            then = Column(
                tuple(points if box in filled else None for box, points in enumerate(column.boxes)), fills=fills
            )
            totals.append(self._sums(replace(then, primes=self._earned(then)))["grand_total"])
        return tuple(totals)

    def _sums(self, column: Column) -> dict[str, int]:
        points = [points or 0 for points in column.boxes]
        upper, lower = sum(points[: len(self.upper)]), sum(points[len(self.upper) :])
        bonus = self.bonus if upper >= BONUS_FROM else 0
        prime = column.primes * self.prime
        return {
            "upper_subtotal": upper,
            "upper_bonus": bonus,
            "upper_total": upper + bonus,
            "lower_subtotal": lower,
            "prime": prime,
            "lower_total": lower + prime,
            "grand_total": upper + bonus + lower + prime,
        }

    def _held(self, column: Column) -> int | None:
        """What the five-alike box holds; None while it is empty."""
        return column.boxes[self.boxes.index(self.five_alike)]

    def _prime(self, column: Column, roll: Roll) -> int:
        # A zero in the box bars the bonus for good. Where, or whether, the roll then scores does not matter.
        return self.prime if five_alike(roll) and self._held(column) else 0

    def _earned(self, column: Column) -> int:
        """How many of the known turns earned the prime: five alike after the five-alike box, if that holds points."""
        if not self.prime or not self._held(column):
            return 0
        five = self.boxes.index(self.five_alike)
        since = dropwhile(lambda fill: fill.box != five, column.fills)
        return sum(five_alike(fill.roll) for fill in since if fill.box != five)

    def _score_then(self, column: Column, index: int, dice: Roll) -> int:
        """What the dice score in this filled box by the boxes that were filled before it, as these stand now."""
        earlier = {fill.box for fill in takewhile(lambda fill: fill.box != index, column.fills)}
        then = Column(tuple(points if box in earlier else None for box, points in enumerate(column.boxes)))
        legal, joker = self._legal(then, dice)
        if index not in legal:
            raise IllegalMove(self._why_not(then, dice, self.boxes[index]))
        return _score(self._sheet[index], dice, joker)

    def _legal(self, column: Column, roll: Roll) -> tuple[frozenset[int], bool]:
        """The boxes (places on the sheet) that this roll may fill, and whether at a joker's points."""
        free = frozenset(index for index, points in enumerate(column.boxes) if points is None)
        held = self._held(column)
        if self.joker == "none" or not five_alike(roll) or held is None:
            return free, False
        face = roll[0] - 1
        if face in free:
            return (frozenset({face}) if self.joker == "forced" else free), False
        if self.joker == "seeds" and not held:
            return free, False
        if self.joker == "free":
            return free, True
        lower = frozenset(index for index in free if index >= len(self.upper))
        return (lower, True) if lower else (free, False)

    def _no_box(self, box: str) -> Sentence:
        return Sentence(
            "There is no box %(box)s on this sheet; its boxes are %(boxes)s.",
            box=short(box),
            boxes=", ".join(self.boxes),
        )

    def _why_not(self, column: Column, roll: Roll, box: str) -> Sentence:
        if box not in self.boxes:
            return self._no_box(box)
        if column.boxes[self.boxes.index(box)] is not None:
            return Sentence(
                "The box %(box)s is filled already, and a box is filled once: choose a free one.", box=BoxId(box)
            )
        legal = self._legal(column, roll)[0]
        return Sentence(
            "This roll is a joker and may not go into %(box)s; it may go into %(boxes)s.",
            box=BoxId(box),
            boxes=BoxIds(name for index, name in enumerate(self.boxes) if index in legal),
        )


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _score(box: Box, roll: Roll, joker: bool) -> int:
    return box.joker if joker and box.joker is not None else box.score(roll)


@cache
def _scores(box: Box) -> frozenset[int]:
    """Zero and every score of the box over all rolls."""
    rolls = map(make_roll, combinations_with_replacement(FACES, DICE))
    return frozenset({0, *map(box.score, rolls)})


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _listed(numbers: frozenset[int]) -> str:
    """The numbers from the lowest, runs of three and more as "5 to 30"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
