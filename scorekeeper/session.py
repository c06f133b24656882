"""A session at the table: its log of events, and the position that they add up to.

``apply`` is a pure fold. The log only grows: undo is an event as well, so a seq never means two things.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.dice import Roll
from scorekeeper.errors import BadPlayers, BadRoll, IllegalMove, NoPlayer
from scorekeeper.events import Edited, Event, Left, Lost, Passed, Renamed, Reordered, Rolled, Scored, Started, Undone
from scorekeeper.game import AnyGame, Option
from scorekeeper.names import tidy_name, tidy_names
from scorekeeper.rulebooks import full_options, game_spec, make_game
from scorekeeper.sentences import BoxId
from scorekeeper.starting import Throws, who_starts
from scorekeeper.turn import Turn


@dataclass(frozen=True, slots=True)
class Position:
    """Where a session stands.

    seq      events so far, undone ones and undoings included: the number to make a change on
    at       the seq at which things first stood like this; less than ``seq`` after an undo
    started  the start as it was recorded: game, options, who was to play
    players  the names in seat order, as they are now
    game     the rules, ``state`` is for their methods
    turn     None when the game is over
    typed    per player the boxes whose points were typed and do not come from dice
    before   the position one effective step earlier, where an undo goes; None at the start
    """

    seq: int
    at: int
    started: Started
    players: tuple[str, ...]
    game: AnyGame
    state: Any
    turn: Turn | None
    typed: tuple[frozenset[str], ...]
    before: Position | None = field(default=None, compare=False, repr=False)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn is None

    @property
    def options(self) -> tuple[Option, ...]:
        """What the dice on the table may score now; empty before a roll and at the end."""
        dice = self.turn.dice if self.turn else None
        return self.game.options(self.state, dice) if dice else ()

    @property
    def scratches(self) -> tuple[Option, ...]:
        """What may be given up with the dice on the table: zeros by choice, or a pass."""
        dice = self.turn.dice if self.turn else None
        return self.game.scratches(self.state, dice) if dice else ()

    @property
    def left(self) -> frozenset[int]:
        """The players who have left."""
        return self.game.left(self.state)

    @property
    def places(self) -> tuple[int | None, ...] | None:
        """Per player the final place from 1; equal totals share one and the next is skipped. None before.

        Partners of a team have their team's place, and count as one. Who has left has none, and does not count.
        """
        if not self.over:
            return None
        sides = self.game.sides(len(self.players))
        totals = dict(zip(sides, self.game.totals(self.state), strict=True))
        stayed = [totals[side] for side in totals if side not in {sides[player] for player in self.left}]
        return tuple(
            None if player in self.left else 1 + sum(total > totals[side] for total in stayed)
            for player, side in enumerate(sides)
        )

    def undo(self) -> Undone:
        """The event that takes the last change back. Raises IllegalMove at the start."""
        if self.before is None:
            raise IllegalMove("There is nothing to undo: this is the start of the game.")
        return Undone(to_seq=self.before.at)


@dataclass(frozen=True, slots=True)
class Change:
    """A box got points, or other points.

    seq    the number of the change
    dice   that gave them; None where they were typed
    edit   it corrected what the box held; the first change of a box is the turn that filled it
    by     who made the edit, where that is known
    """

    seq: int
    points: int
    dice: Roll | None
    edit: bool = False
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """The events of one session and the position after them. Make one with ``start`` or ``replay``."""

    events: tuple[Event, ...]
    position: Position

    @classmethod
    def start(cls, started: Started) -> Session:
        """A session that has just begun. Raises RuleError for a start that is not possible."""
        return cls((started,), apply(None, started))

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Session:
        """The session of these events. Raises RuleError for the first one that is not legal."""
        rest = iter(events)
        first = next(rest, None)
        if not isinstance(first, Started):
            raise IllegalMove("The first event of a session is its start.")
        session = cls.start(first)
        for event in rest:
            session = session.then(event)
        return session

    @property
    def seq(self) -> int:
        """How many events there are; a change is made on this number."""
        return len(self.events)

    def then(self, event: Event) -> Session:
        """The session after one more event. Raises IllegalMove with the reason."""
        return Session((*self.events, event), apply(self.position, event))

    @property
    def steps(self) -> tuple[tuple[Event, Position], ...]:
        """What counts of the events, the start first, each with the position after it: none that was undone."""
        steps = []
        position: Position | None = self.position
        while position is not None:
            steps.append((self.events[position.at - 1], position))
            position = position.before
        return tuple(reversed(steps))

    def history(self) -> dict[tuple[int, str], tuple[Change, ...]]:
        """Per player and filled box how it came to hold its points, the latest change last. Empty for chips."""
        changes: dict[tuple[int, str], tuple[Change, ...]] = {}
        for event, after in self.steps:
            turn = after.before.turn if after.before else None
            if isinstance(event, Edited):
                player, dice, edit, by = event.player, event.dice, True, event.by
            elif isinstance(event, Scored) and turn is not None:
                player, dice, edit, by = turn.player, turn.dice, False, None
            else:
                continue
            points = after.game.filled(after.state)[player].get(event.box)
            if points is not None:  # a chip fills no box
                box = (player, event.box)
                changes[box] = (*changes.get(box, ()), Change(after.at, points, dice, edit, by))
        return changes

    @property
    def lost(self) -> tuple[Lost, ...]:
        """The entries that could not be used, if the log was damaged."""
        return tuple(event for event in self.events if isinstance(event, Lost))


def new_game(
    game: str,
    players: Sequence[str],
    options: Mapping[str, str] | None = None,
    *,
    first: int = 0,
    throws: Throws = (),
) -> Started:
    """A checked start: all options spelt out, names tidied, who begins settled by the throws if given.

    Raises BadGame, BadPlayers, or BadRoll for throws that settle nothing, each with what is allowed.
    """
    spec = game_spec(game)
    names = tidy_names(players)
    if throws:
        still_in = who_starts(throws, len(names), spec.starting_dice)
        if len(still_in) > 1:
            tied = ", ".join(names[player] for player in still_in)
            raise BadRoll("Nobody begins yet: %(names)s are tied and throw again.", names=tied)
        first = still_in[0]
    started = Started(game, full_options(game, options or {}), names, first, throws)
    apply(None, started)
    return started


def apply(position: Position | None, event: Event) -> Position:
    """The position after the event. Raises RuleError with the reason when it is not legal."""
    if isinstance(event, Started):
        if position is not None:
            raise IllegalMove("This session has started already.")
        return _started(event)
    if position is None:
        raise IllegalMove("The first event of a session is its start.")
    if isinstance(event, Lost):
        return replace(position, seq=position.seq + 1)
    if isinstance(event, Undone):
        return _undone(position, event)
    if isinstance(event, Edited):
        return _edited(position, event)
    if isinstance(event, Renamed):
        return _renamed(position, event)
    if position.turn is None:
        raise IllegalMove("The game is over; only an undo or a correction can change it.")
    if isinstance(event, Reordered):
        return _reordered(position, position.turn, event)
    if isinstance(event, Left):
        return _left(position, position.turn, event)
    if isinstance(event, Rolled):
        if position.game.keeps_roll(position.state):
            raise IllegalMove("Five alike take two chips: take the second one, or pass, before the next roll.")
        return _next(position, turn=position.turn.then(event))
    return _scored(position, position.turn, event)


def _started(event: Started) -> Position:
    game = make_game(event.game, event.options)
    if tidy_names(event.players) != event.players:
        raise BadPlayers("A name begins or ends with a blank.")
    if event.throws:
        dice = game_spec(event.game).starting_dice
        if who_starts(event.throws, len(event.players), dice) != (event.first,):
            raise BadPlayers("The throws do not say that this player begins.")
    state = game.start(len(event.players), event.first)
    return Position(
        seq=1,
        at=1,
        started=event,
        players=event.players,
        game=game,
        state=state,
        turn=Turn(event.first),
        typed=(frozenset(),) * len(event.players),
    )


def _next(position: Position, **changes: Any) -> Position:
    seq = position.seq + 1
    return replace(position, seq=seq, at=seq, before=position, **changes)


def _undone(position: Position, event: Undone) -> Position:
    earlier = position.before
    while earlier is not None and earlier.at > event.to_seq:
        earlier = earlier.before
    if earlier is None or earlier.at != event.to_seq:
        raise IllegalMove("There is no way back to change %(seq)s from here.", seq=event.to_seq)
    return replace(earlier, seq=position.seq + 1)


def _scored(position: Position, turn: Turn, event: Scored | Passed) -> Position:
    game, state, dice = position.game, position.state, turn.dice
    if dice is None:
        raise IllegalMove("There is no roll to score yet: roll, or enter the dice, first.")
    if isinstance(event, Passed):
        option = game.choose(state, dice, None)
    else:
        option = game.choose(state, dice, event.box, scratch=event.scratch, source=event.source)
    state = game.take(state, dice, option)
    return _next(position, state=state, turn=turn if game.keeps_roll(state) else _turn(game, state))


def _edited(position: Position, event: Edited) -> Position:
    game, (player, box) = position.game, (event.player, event.box)
    _known(position, player)
    if (event.points is None) == (event.dice is None):
        raise IllegalMove("A correction gives the points or the dice, one of them.")
    if event.by is not None and tidy_name(event.by, None) != event.by:
        raise BadPlayers("A name begins or ends with a blank.")
    state = game.edit(position.state, player, box, points=event.points, dice=event.dice)
    before = game.filled(position.state)[player][box]
    boxes = position.typed[player] - {box} if event.points is None else position.typed[player] | {box}
    typed = (*position.typed[:player], boxes, *position.typed[player + 1 :])
    # The same points from other dice are a correction as well: these may be five alike, and earn the prime.
    if event.points == before or (state, typed) == (position.state, position.typed):
        raise IllegalMove("The box %(box)s holds %(points)s already.", box=BoxId(box), points=before)
    return _next(position, state=state, typed=typed)


def _renamed(position: Position, event: Renamed) -> Position:
    player = _known(position, event.player)
    name = tidy_name(event.name, player + 1)
    if name != event.name:
        raise BadPlayers("A name begins or ends with a blank.")
    if name == position.players[player]:
        raise IllegalMove("The player is called that already.")
    return _next(position, players=(*position.players[:player], name, *position.players[player + 1 :]))


def _reordered(position: Position, turn: Turn, event: Reordered) -> Position:
    seats = range(len(position.players))
    if sorted(event.order) != list(seats):
        raise IllegalMove(f"An order names each of the players 0 to {len(seats) - 1} once.")
    if event.order == tuple(seats):
        raise IllegalMove("The players sit in this order already.")
    if turn.roll or position.state != position.game.start(len(seats), turn.player):
        raise IllegalMove("The order is settled: it can be changed before the first roll, while all are there.")
    first = event.order.index(turn.player)
    return _next(
        position,
        players=tuple(position.players[player] for player in event.order),
        state=position.game.start(len(seats), first),
        turn=Turn(first),
    )


def _left(position: Position, turn: Turn, event: Left) -> Position:
    game, player = position.game, _known(position, event.player)
    name = position.players[player]
    if player in position.left:
        raise IllegalMove("%(name)s has left already.", name=name)
    if len(position.left) + 1 == len(position.players):
        raise IllegalMove(
            "%(name)s is the last who plays and cannot leave; the game can be stopped as it is.", name=name
        )
    state = game.leave(position.state, player)
    # Unless it was their own, the turn goes on with its rolls; with them gone all the others may be done.
    after = _turn(game, state)
    return _next(position, state=state, turn=turn if after and player != turn.player else after)


def _turn(game: AnyGame, state: Any) -> Turn | None:
    player = game.turn(state)
    return None if player is None else Turn(player)


def _known(position: Position, player: int) -> int:
    if not 0 <= player < len(position.players):
        raise NoPlayer(f"There is no player {player}: they are 0 to {len(position.players) - 1}.")
    return player
