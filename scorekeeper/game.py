"""What every game is to the rest of the program: a value with pure moves and no state of its own.

A position of a game is a State, which only its game looks into. Players are numbers from 0, in seat order;
every tuple "per player" has one entry each, in that order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from scorekeeper.dice import Roll

MAX_PLAYERS = 8
State = TypeVar("State")
Source = Literal["rack", "pile"]


@dataclass(frozen=True, slots=True)
class Option:
    """One legal way to use a roll.

    box      id of the box to fill, or of the chip to take; None: take no chip (pass)
    points   what the box gets, a joker's points included; a chip's points
    scratch  given up by choice: a zero although the roll would score, or no chip
    source   where the chip comes from; None on a score sheet and for a pass
    prime    points beside the box that this roll earns (the bonus of 100 for a further yams)
    """

    box: str | None
    points: int
    scratch: bool = False
    source: Source | None = None
    prime: int = 0


PASS = Option(box=None, points=0, scratch=True)
"""Take no chip."""


@dataclass(frozen=True, slots=True)
class Stock:
    """The shared chips of a game by kind, zeros included: on the rack, in the discard pile, per player.

    Partners of a team show the same chips: they hold them together.
    """

    rack: Mapping[str, int]
    pile: Mapping[str, int]
    chips: tuple[Mapping[str, int], ...]


def next_player(player: int, players: int, left: frozenset[int]) -> int:
    """Who plays after this seat, clockwise; those who left are skipped."""
    order = ((player + step) % players for step in range(1, players + 1))
    return next(seat for seat in order if seat not in left)


class Game(Protocol[State]):
    """The rules of one game with its options chosen. All methods are pure."""

    def __hash__(self) -> int:
        """A game is a value, so what is worked out for it can be kept under it."""
        ...

    @property
    def boxes(self) -> tuple[str, ...]:
        """Ids of the boxes (of Yamslam: the kinds of chips), in the printed order."""
        ...

    @property
    def rows(self) -> tuple[str, ...]:
        """Ids of boxes and sums together, as the printed sheet has them from top to bottom."""
        ...

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players."""
        ...

    def points(self, roll: Roll) -> dict[str, int]:
        """What each box of an empty sheet would score; of chips exactly those that the roll satisfies."""
        ...

    def start(self, players: int, first: int = 0) -> State:
        """A fresh game in which player ``first`` begins. Raises BadPlayers for a wrong number of players."""
        ...

    def turn(self, state: State) -> int | None:
        """The player whose turn it is; None when the game is over."""
        ...

    def options(self, state: State, roll: Roll) -> tuple[Option, ...]:
        """What the roll may score; empty when the game is over.

        The legal boxes with the points they would get now, zeros for those that the roll does not satisfy;
        or the chips that may be taken. Never a scratch or a pass.
        """
        ...

    def scratches(self, state: State, roll: Roll) -> tuple[Option, ...]:
        """The legal ways to give points up by choice: a zero in a box that would score, or PASS."""
        ...

    def choose(
        self,
        state: State,
        roll: Roll,
        box: str | None,
        *,
        scratch: bool = False,
        source: Source | None = None,
    ) -> Option:
        """The option that is meant by these words. Raises IllegalMove with the reason when it is not legal.

        ``box`` None is a pass; a chip comes from the rack unless ``source`` says otherwise; a scratch of a
        box that the roll does not satisfy is the zero it gets anyway.
        """
        ...

    def take(self, state: State, roll: Roll, option: Option) -> State:
        """The position after the option. Raises IllegalMove, the state is as it was."""
        ...

    def edit(
        self, state: State, player: int, box: str, *, points: int | None = None, dice: Roll | None = None
    ) -> State:
        """The position with a filled box corrected: it holds ``points``, or what ``dice`` score there.

        What follows from it does: sums, and which further five alike earned the prime. What was decided on
        the old value stays as it is. Raises IllegalMove for an empty box, for a value that the box cannot
        hold, for dice that could not go there, and in a game of chips.
        """
        ...

    def leave(self, state: State, player: int) -> State:
        """The position once the player has left: skipped from now on, their points and chips stay.

        If it was their turn it goes on to the next. Raises IllegalMove where nobody may leave.
        """
        ...

    def left(self, state: State) -> frozenset[int]:
        """The players who have left."""
        ...

    def keeps_roll(self, state: State) -> bool:
        """Whether the roll just used is to be used once more (the second chip of a solo yamslam)."""
        ...

    def sides(self, players: int) -> tuple[int, ...]:
        """Per player the number of the side that the player's points go to: each their own, or a team's."""
        ...

    def filled(self, state: State) -> tuple[dict[str, int], ...]:
        """Per player the boxes filled so far with their points; an empty box is not there, a zero is."""
        ...

    def sums(self, state: State) -> tuple[dict[str, int], ...]:
        """Per player the sum rows by id, in the printed order."""
        ...

    def totals(self, state: State) -> tuple[int, ...]:
        """Per player the grand total."""
        ...

    def stock(self, state: State) -> Stock | None:
        """The shared chips; None for a game on score sheets."""
        ...


AnyGame = Game[Any]
"""A game whose states are opaque to the holder."""
