"""A session at the table: its log of events, and the position that they add up to.

``apply`` is a pure fold. The log only grows: undo is an event as well, so a seq never means two things.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.dice import DICE, Roll, is_face, make_roll, missing, short
from scorekeeper.errors import BadPlayers, IllegalMove
from scorekeeper.events import Event, Lost, Passed, Rolled, Scored, Started, Undone
from scorekeeper.game import AnyGame, Option
from scorekeeper.rulebooks import full_options, game_spec, make_game
from scorekeeper.starting import Throws, who_starts

ROLLS = 3
MAX_NAME = 40
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs by their category, but nothing to be seen: the Hangul fillers, and Braille without a dot."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, the number of the last roll (0 before the first), and the rolls recorded."""

    player: int
    roll: int = 0
    rolls: tuple[Rolled, ...] = ()

    @property
    def dice(self) -> Roll | None:
        """The dice on the table; None before the first roll."""
        return self.rolls[-1].dice if self.rolls else None

    @property
    def kept(self) -> tuple[int, ...]:
        """The dice that were kept for the last roll."""
        return self.rolls[-1].kept if self.rolls else ()

    @property
    def rolls_left(self) -> int:
        """How many rolls the player still has."""
        return ROLLS - self.roll


@dataclass(frozen=True, slots=True)
class Position:
    """Where a session stands.

    seq      events so far, undone ones and undoings included: the number to make a change on
    at       the seq at which things first stood like this; less than ``seq`` after an undo
    started  the start: game, options, players' names
    game     the rules, ``state`` is for their methods
    turn     None when the game is over
    before   the position one effective step earlier, where an undo goes; None at the start
    """

    seq: int
    at: int
    started: Started
    game: AnyGame
    state: Any
    turn: Turn | None
    before: Position | None = field(default=None, compare=False, repr=False)

    @property
    def players(self) -> tuple[str, ...]:
        """The names in seat order."""
        return self.started.players

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
    def places(self) -> tuple[int, ...] | None:
        """Per player the final place from 1; equal totals share one and the next is skipped. None before.

        Partners of a team have their team's place, and count as one.
        """
        if not self.over:
            return None
        sides = self.game.sides(len(self.players))
        totals = dict(zip(sides, self.game.totals(self.state), strict=True))
        return tuple(1 + sum(total > totals[side] for total in totals.values()) for side in sides)

    def undo(self) -> Undone:
        """The event that takes the last roll or score back. Raises IllegalMove at the start."""
        if self.before is None:
            raise IllegalMove("There is nothing to undo: this is the start of the game.")
        return Undone(to_seq=self.before.at)


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
            raise BadPlayers(f"Nobody begins yet: {tied} are tied and throw again.")
        first = still_in[0]
    started = Started(game, full_options(game, options or {}), names, first, throws)
    apply(None, started)
    return started


def tidy_names(names: Sequence[str]) -> tuple[str, ...]:
    """The players' names without outer blanks. Markup in a name is just text.

    Raises BadPlayers for a name that is empty, invisible, longer than 40 characters or holds characters that
    cannot be shown.
    """
    return tuple(_tidy_name(number, name) for number, name in enumerate(names, start=1))


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
    if position.turn is None:
        raise IllegalMove("The game is over; only an undo can change it.")
    if isinstance(event, Rolled):
        return _next(position, position.state, _rolled(position, position.turn, event))
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
    return Position(seq=1, at=1, started=event, game=game, state=state, turn=Turn(event.first))


def _next(position: Position, state: Any, turn: Turn | None) -> Position:
    seq = position.seq + 1
    return replace(position, seq=seq, at=seq, state=state, turn=turn, before=position)


def _undone(position: Position, event: Undone) -> Position:
    earlier = position.before
    while earlier is not None and earlier.at > event.to_seq:
        earlier = earlier.before
    if earlier is None or earlier.at != event.to_seq:
        raise IllegalMove(f"There is no way back to change {event.to_seq} from here.")
    return replace(earlier, seq=position.seq + 1)


def _rolled(position: Position, turn: Turn, event: Rolled) -> Turn:
    make_roll(event.dice)
    if wrong := [die for die in event.kept if not is_face(die)]:
        raise IllegalMove(f"A kept die shows a whole number from 1 to 6, not {short(wrong[0])}.")
    if event.inks is not None and (len(event.inks) != DICE or not all(map(str.isalpha, event.inks))):
        raise IllegalMove("The inks of a roll are the names of five colours, one a die.")
    if event.confidence is not None and not 0 <= event.confidence <= 1:
        raise IllegalMove(f"A confidence is between 0 and 1, not {event.confidence}.")
    if position.game.keeps_roll(position.state):
        raise IllegalMove("Five alike take two chips: take the second one, or pass, before the next roll.")
    if turn.roll == ROLLS:
        raise IllegalMove("All three rolls of this turn are used: choose what to score.")
    number = turn.roll + 1 if event.number is None else event.number
    if not turn.roll < number <= ROLLS:
        raise IllegalMove(f"The next roll of this turn is {turn.roll + 1} of {ROLLS}, it cannot be {number}.")
    _check_kept(turn, event, number)
    return Turn(turn.player, number, (*turn.rolls, event))


def _check_kept(turn: Turn, event: Rolled, number: int) -> None:
    kept = _words(event.kept)
    if len(event.kept) >= DICE:
        raise IllegalMove("All five dice are kept, so nothing was thrown: choose what to score.")
    if event.kept and number == 1:
        raise IllegalMove("This is the first roll of the turn: there is nothing to keep from before.")
    if changed := missing(event.kept, event.dice):
        raise IllegalMove(
            f"A kept die cannot change: {kept} were kept, but the roll {_words(event.dice)} lacks "
            f"{_words(changed)}. Correct the dice, or which were kept."
        )
    # Where a roll in between was not recorded, nothing is known of what was kept from it.
    if number == turn.roll + 1 and turn.dice and (unknown := missing(event.kept, turn.dice)):
        raise IllegalMove(
            f"Only dice of the roll before can be kept: {_words(turn.dice)} has no {_words(unknown)} to keep {kept}."
        )


def _scored(position: Position, turn: Turn, event: Scored | Passed) -> Position:
    game, state, dice = position.game, position.state, turn.dice
    if dice is None:
        raise IllegalMove("There is no roll to score yet: roll, or enter the dice, first.")
    if isinstance(event, Passed):
        option = game.choose(state, dice, None)
    else:
        option = game.choose(state, dice, event.box, scratch=event.scratch, source=event.source)
    state = game.take(state, dice, option)
    if game.keeps_roll(state):
        return _next(position, state, turn)
    player = game.turn(state)
    return _next(position, state, None if player is None else Turn(player))


def _tidy_name(number: int, name: str) -> str:
    tidy = name.strip()
    categories = [unicodedata.category(character) for character in tidy]
    # Cc control, Cs half a surrogate pair, Zl and Zp line ends: none can be shown in one line of text.
    # The direction marks U+202A to U+202E and U+2066 to U+2069 would turn round the text beside the name.
    turning = any(0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069 for c in tidy)
    if turning or not {"Cc", "Cs", "Zl", "Zp"}.isdisjoint(categories):
        raise BadPlayers(f"The name of player {number} holds characters that cannot be shown: write it anew.")
    if all(c[0] in "CZM" or sign in BLANKS for c, sign in zip(categories, tidy, strict=True)):
        raise BadPlayers(f"Player {number} has no name: enter one.")
    if len(tidy) > MAX_NAME:
        raise BadPlayers(f"The name of player {number} is too long: at most {MAX_NAME} characters.")
    return tidy


def _words(dice: Iterable[int]) -> str:
    return " ".join(map(str, dice))
