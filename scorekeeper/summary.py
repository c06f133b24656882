"""What a session adds up to, without its events: enough for lists and figures, so that nothing need be replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.dice import counts, missing
from scorekeeper.events import Started
from scorekeeper.session import Position, Session
from scorekeeper.turn import Turn

Counts = tuple[int, int, int, int, int, int]
"""How often each of the faces 1 to 6 came up."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What one player has come to.

    side    the number of the side that the points go to; partners have one
    left    they play no more
    place   at the end, as of `Position.places`; None before, and for who has left
    bonus   whether the upper bonus is earned; None where there is none
    points  what each filled box holds; of chips what each kind is worth, but not in several games in a row
    """

    name: str
    side: int
    left: bool
    total: int
    place: int | None
    bonus: bool | None
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Summary:
    """A session in short.

    started  its start as it was recorded
    seats    the players in their order, as they are called now
    player   whose turn it is; None at the end
    to_go    boxes that this player has still to fill, or chips on the rack; 0 at the end
    faces    of the dice that are known to have been thrown in its finished turns, see `thrown`
    """

    started: Started
    seats: tuple[Seat, ...]
    player: int | None
    to_go: int
    faces: Counts

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.player is None

    @property
    def players(self) -> tuple[str, ...]:
        """The names in seat order, as they are now."""
        return tuple(seat.name for seat in self.seats)

    @property
    def sides(self) -> set[int]:
        """The sides that play to the end."""
        return {seat.side for seat in self.seats if not seat.left}

    @property
    def winners(self) -> set[int]:
        """The sides on the first place; none before the end."""
        return {seat.side for seat in self.seats if seat.place == 1}

    def to_json(self) -> dict[str, Any]:
        """The summary as plain data, without the start."""
        return {
            "seats": [{name: getattr(seat, name) for name in Seat.__slots__} for seat in self.seats],
            "player": self.player,
            "to_go": self.to_go,
            "faces": list(self.faces),
        }

    @classmethod
    def from_json(cls, started: Started, data: Mapping[str, Any]) -> Summary:
        """The summary that to_json gave. Raises LookupError, TypeError or ValueError for anything else."""
        one, two, three, four, five, six = data["faces"]
        seats = tuple(Seat(**seat) for seat in data["seats"])
        return cls(started, seats, data["player"], data["to_go"], (one, two, three, four, five, six))


def summarise(session: Session) -> Summary:
    """What the session adds up to as it stands: what was undone never happened."""
    position = session.position
    game, state = position.game, position.state
    places = position.places or (None,) * len(position.players)
    seats = tuple(
        Seat(
            name=name,
            side=side,
            left=player in position.left,
            total=sums["grand_total"],
            place=place,
            bonus=sums["upper_bonus"] > 0 if "upper_bonus" in sums else None,
            points=points,
        )
        for player, (name, side, sums, place, points) in enumerate(
            zip(
                position.players,
                game.sides(len(position.players)),
                game.sums(state),
                places,
                _points(position),
                strict=True,
            )
        )
    )
    player = position.turn.player if position.turn else None
    return Summary(position.started, seats, player, _to_go(position), counts(thrown(session)))


def thrown(session: Session) -> Iterable[int]:
    """The dice that are known to have been thrown in the session's finished turns.

    These are:

    - all five of the first roll of a turn, and of a later one those beside the kept dice;
    - nothing of a later roll of which no kept dice are recorded: there is no telling a player who threw all five
      from one who did not say what was kept, and kept dice counted twice would make the favoured faces come up more;
    - nothing of a session in which most turns have one roll recorded: there the last roll was entered, with dice
      chosen before. Where most turns have more, one roll is a turn that ended early.

    Which dice count is settled before they fall, so this favours no face. Dice corrected afterwards on the sheet
    count as they were recorded.
    """
    turns = _turns(session)
    several = sum(len(turn.rolls) > 1 for turn in turns)
    if 2 * several < len(turns):
        return ()
    found: Counter[int] = Counter()
    for turn in turns:
        found.update(_thrown(turn))
    return found.elements()


def _points(position: Position) -> tuple[Mapping[str, int], ...]:
    """Per player what each box brought; of chips each kind, where it can be told: those of earlier games are gone."""
    game, state = position.game, position.state
    stock = game.stock(state)
    if stock is None:
        return game.filled(state)
    if position.started.options["games"] != "1":
        return ({},) * len(position.players)
    worth = game.points((1, 1, 1, 1, 1))  # five alike win a chip of any kind
    return tuple({kind: number * worth[kind] for kind, number in chips.items()} for chips in stock.chips)


def _to_go(position: Position) -> int:
    if position.turn is None:
        return 0
    stock = position.game.stock(position.state)
    if stock is not None:
        return sum(stock.rack.values())
    return len(position.game.boxes) - len(position.game.filled(position.state)[position.turn.player])


def _turns(session: Session) -> list[Turn]:
    """The finished turns that had a roll, those of a player who left in the middle too."""
    turns = []
    for _, after in session.steps:
        before = after.before.turn if after.before else None
        if before and before.roll and (after.turn is None or not after.turn.roll):
            turns.append(before)
    return turns


def _thrown(turn: Turn) -> Iterable[int]:
    number = 0
    for roll in turn.rolls:
        number = roll.number or number + 1
        if number == 1 or roll.kept:
            yield from missing(roll.dice, roll.kept)
