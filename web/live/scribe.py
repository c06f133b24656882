"""Puts the rolls that a camera has seen onto the sheet of one session, as the JSON interface would.

A roll that is sure is recorded at once. One that is not waits for a player's word, and one that comes before a box was
chosen waits for that. What players do on the sheet always holds: the camera is told which roll is next.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from scorekeeper.dice import DICE, Roll, make_roll
from scorekeeper.errors import IllegalMove, NoSession, RuleError, StaleSeq, StoreError
from scorekeeper.events import Recorded, Rolled
from scorekeeper.sentences import Sentence
from scorekeeper.session import Position, Session
from scorekeeper.store import Store
from scorekeeper.turn import ROLLS_A_TURN, Turn
from vision.follow import Follower
from vision.steady import Settled
from web.words import mark

SURE_INK = 0.8
"""From so sure an ink on it may speak against the counted pips."""

WRONG_INKS = {
    "black": mark("the red die read as %(value)s should be black: look again"),
    "red": mark("the black die read as %(value)s should be red: look again"),
}
"""By the ink that a die should have."""

Order = Callable[[Follower], None]


@dataclass(frozen=True, slots=True)
class Throw:
    """A settled roll, with the turn and roll of the sheet that it is, or is taken for until it is written.

    `still` is the picture it was read from, as a JPEG; `told` are the dice as a player has said them.
    """

    settled: Settled
    still: bytes
    told: Roll | None = None

    @property
    def values(self) -> tuple[int, ...]:
        """The dice, from left to right."""
        return self.told or tuple(die.value for die in self.settled.dice)

    @property
    def sure(self) -> bool:
        return self.told is not None or (self.settled.sure and len(self.settled.dice) == DICE)

    def said(self, dice: Roll) -> Throw:
        """The same with a player's word on what the dice are."""
        settled = replace(self.settled, doubts=(), doubtful=(False,) * len(self.settled.dice))
        if len(dice) == len(settled.dice):
            pairs = zip(settled.dice, dice, strict=True)
            settled = replace(
                settled,
                dice=tuple(die if die.value == is_ else replace(die, value=is_, confidence=1.0) for die, is_ in pairs),
            )
        return replace(self, settled=settled, told=dice)

    def at(self, turn: int, roll: int) -> Throw:
        """The same as another roll of the sheet."""
        return replace(self, settled=replace(self.settled, turn=turn, roll=roll))


class Scribe:
    """Keeps one sheet up with one follower. Safe to use from several threads.

    The follower itself is not: what it is to be told is put into `orders`, for whoever feeds it.
    """

    def __init__(self, store: Store, session_id: str) -> None:
        self.session_id = session_id
        self.orders: deque[Order] = deque()
        self._store = store
        self._lock = threading.Lock()
        session = store.load(session_id)
        self._position = session.position
        self._turn = turn_number(session.position)
        self._waiting: tuple[Throw, ...] = ()
        self._last: Throw | None = None
        self._newest = 0  # the `n` of the newest roll
        self._written = 0  # the position (its `at`) that the camera's last roll on the sheet led to
        self._next: tuple[int, int] | None = (1, 1)  # turn and roll that the follower takes the next throw for
        # The dice of the sheet's roll may be lying there: seeing them is no new roll.
        self._lying = bool(session.position.turn and session.position.turn.dice)
        self._agree()

    @property
    def position(self) -> Position:
        """The sheet's position, as far as it is known here."""
        return self._position

    @property
    def pending(self) -> Throw | None:
        """The roll that waits for a player to say what it is."""
        first = next(iter(self._waiting), None)
        return first if first is not None and not first.sure and ready(self._position) else None

    @property
    def held(self) -> int:
        """How many rolls wait for a box to be chosen."""
        return 0 if ready(self._position) else len(self._waiting)

    @property
    def last(self) -> Throw | None:
        """The camera's last roll, unless it was taken back."""
        return self._last

    def take(self, settled: Settled, still: bytes) -> None:
        """A throw has come to rest. Raises NoSession, StoreError."""
        with self._lock:
            self._next = _roll_after(settled.turn, settled.roll)
            try:
                session = self._fresh()
            except NoSession:
                raise
            except StoreError:  # a full disk, perhaps: the roll waits until it can be written
                self._last = self._throw(settled, still)
                self._waiting, self._newest = (*self._waiting, self._last), settled.n
                raise
            position, last = session.position, self._last
            throw = self._throw(settled, still)
            if last is not None and last.settled.n == settled.n:
                self._take_again(session, last, throw)
                return
            if settled.n <= self._newest:
                return  # read once more, but what it was on the sheet has been told otherwise
            self._newest = settled.n
            self._last = throw
            turn = position.turn
            if self._lying and turn and turn.dice and settled.values == tuple(sorted(turn.dice)):
                self._last = throw.said(make_roll(throw.values)).at(self._turn, turn.roll)
                self._lying, self._written = False, position.at
                self._agree()
                return
            self._lying = False
            # Who throws on without saying what the roll before was has no use for it.
            self._waiting = (
                *(one for one in self._waiting if one.sure or one.settled.turn != throw.settled.turn),
                throw,
            )
            self._write(session)

    def settle(self, n: int, values: Sequence[int]) -> None:
        """A player says what the dice of settled roll `n` are, left to right.

        Raises BadRoll, IllegalMove when something else was done since, StaleSeq.
        """
        dice = make_roll(values)
        with self._lock:
            session = self._fresh()
            throw = next((one for one in self._waiting if one.settled.n == n), None) or self._last
            if throw is None or throw.settled.n != n:
                raise IllegalMove("This roll is no longer the camera's last one: look at the sheet again.")
            self.orders.append(lambda follower: _fix(follower, dice))
            self._replace(session, throw, throw.said(dice))

    def strike(self) -> None:
        """The camera's last roll was none. Raises IllegalMove when it is not the last thing on the sheet, StaleSeq."""
        with self._lock:
            session = self._fresh()
            if self._waiting:
                self._waiting = self._waiting[:-1]
            elif self._written == session.position.at:
                self._append(session, session.position.undo())
            else:
                raise IllegalMove("The camera's last roll is not the last thing on the sheet: use Undo there.")
            self._forget()

    @property
    def stuck(self) -> bool:
        """Whether a roll waits that nothing but a failure kept from the sheet."""
        return bool(self._waiting) and self._waiting[0].sure and ready(self._position)

    def look(self) -> None:
        """The sheet may have been changed by somebody. Raises NoSession, StoreError."""
        with self._lock:
            self._write(self._fresh())

    def _fresh(self) -> Session:
        session = self._store.load(self.session_id)
        self._follow(session.position)
        return session

    def _follow(self, new: Position) -> None:
        """See what others have done to the sheet."""
        old, before = self._position, self._turn
        if new.seq == old.seq:
            return
        self._position, self._turn = new, turn_number(new)
        if new.turn == old.turn:  # a corrected box, a new name
            return
        taken_back = self._written == old.at and old.before is not None and new.at == old.before.at
        if taken_back and not self._waiting:
            self._forget()
        elif self._turn > before:  # the box is chosen, and what came before that belongs to the turn after
            self._waiting = tuple(one for one in self._waiting if one.settled.turn >= self._turn)
            self._last = self._waiting[-1] if self._waiting else None
            self._lying = False
            if not self._waiting:
                self._agree()
        else:
            self._waiting, self._last = (), None
            self._lying = bool(new.turn and new.turn.dice)
            self._agree()

    def _agree(self) -> None:
        """Tell the follower which roll is next."""
        turn = self._position.turn
        if turn is None:
            return
        number, roll = _roll_after(self._turn, turn.roll)
        # Said without need, it would make the follower forget what it shows.
        if self._next != (number, roll):
            self._next = (number, roll)
            self.orders.append(lambda follower: follower.expect_roll(number, roll))

    def _forget(self) -> None:
        self._last, self._written = None, 0
        self.orders.append(lambda follower: follower.not_a_roll())
        self._next = None
        self._agree()

    def _throw(self, settled: Settled, still: bytes) -> Throw:
        doubtful, doubts = list(settled.doubtful), list(settled.doubts)
        if self._position.game.stock(self._position.state) is not None:
            for n, said in _wrong_inks(settled):
                doubtful[n] = True
                doubts.append(said)
        is_ready = ready(self._position)
        turn = self._turn + (not is_ready)
        done = self._position.turn.roll if is_ready and self._position.turn else 0
        # Where one before it was not recorded, its number is a later one than the next.
        roll = settled.roll if settled.turn == turn and settled.roll > done else done + 1
        return Throw(
            replace(settled, turn=turn, roll=roll, doubts=tuple(doubts), doubtful=tuple(doubtful)),
            still,
        )

    def _take_again(self, session: Session, last: Throw, throw: Throw) -> None:
        """The same dice were read once more: this reading stands for the one before."""
        if last.sure and (not throw.sure or sorted(throw.values) == sorted(last.values)):
            return
        with suppress(IllegalMove, StaleSeq):  # the sheet has moved on, and holds
            self._replace(session, last, throw.at(last.settled.turn, last.settled.roll))

    def _replace(self, session: Session, old: Throw, new: Throw) -> None:
        if old in self._waiting:
            self._waiting = tuple(new if one is old else one for one in self._waiting)
        elif self._written == session.position.at:
            session = self._append(session, session.position.undo())
            self._waiting = (new, *self._waiting)
        else:
            raise IllegalMove("This roll is on the sheet, and more has happened since: undo that first.")
        self._last = new if self._last is old else self._last
        self._write(session)

    def _write(self, session: Session) -> None:
        """Record what waits, in order, as far as it can be."""
        while self._waiting and not session.position.over:
            throw = self._waiting[0]
            turn = session.position.turn
            if turn is None or not throw.sure or not ready(session.position):
                break
            try:
                session = self._append(session, _rolled(throw, turn))
            except StaleSeq as stale:
                session = stale.session
                self._follow(session.position)
                continue
            except RuleError as problem:
                # Not ours to decide: the player sees the dice, and why they don't go.
                unsure = replace(throw.settled, doubts=(problem.sentence,))
                self._waiting = (replace(throw, settled=unsure, told=None), *self._waiting[1:])
                break
            self._waiting = self._waiting[1:]
            self._written = session.position.at
            if session.position.turn and self._last is throw:
                self._last = throw.at(self._turn, session.position.turn.roll)
            self._agree()
        if session.position.over:
            self._waiting = ()

    def _append(self, session: Session, event: Recorded) -> Session:
        """Record an event of the camera's own, of which the follower knows. Raises StaleSeq, RuleError."""
        after = self._store.append(self.session_id, session.seq, event)
        self._position, self._turn = after.position, turn_number(after.position)
        return after


def _fix(follower: Follower, values: Sequence[int]) -> None:
    with suppress(ValueError):  # other dice lie there by now
        follower.fixed(values)


def ready(position: Position) -> bool:
    """Whether the next thing at the table may be a roll."""
    turn = position.turn
    return turn is not None and turn.roll < ROLLS_A_TURN and not position.game.keeps_roll(position.state)


def turn_number(position: Position) -> int:
    """Which turn of the game this is, all players counted together, from 1."""
    number, after = 1, position
    while after.before is not None:
        before = after.before
        number += _ended(before.turn, after.turn)
        after = before
    return number


def _roll_after(turn: int, roll: int) -> tuple[int, int]:
    """The turn and the roll that come after this roll of this turn."""
    return (turn, roll + 1) if roll < ROLLS_A_TURN else (turn + 1, 1)


def _ended(before: Turn | None, after: Turn | None) -> bool:
    if before is None or after is None:
        return before is not after
    return before.player != after.player or len(after.rolls) < len(before.rolls)


def _rolled(throw: Throw, turn: Turn) -> Rolled:
    """The event of a roll: its dice as they lie, and of those that lay there before what the rules know as kept."""
    settled, values = throw.settled, throw.values
    number = max(settled.roll, turn.roll + 1)
    whole = len(settled.dice) == len(values)
    kept = Counter[int]()
    if number > 1 and whole:
        kept = Counter(value for value, stayed in zip(values, settled.kept, strict=True) if stayed)
        if number == turn.roll + 1 and turn.dice is not None:
            kept &= Counter(turn.dice)
    return Rolled(
        dice=make_roll(values),
        kept=tuple(sorted(kept.elements())) if kept.total() < DICE else (),
        source="camera",
        number=None if number == turn.roll + 1 else number,
        inks=tuple(die.ink.name for die in settled.dice) if whole else None,
        confidence=round(min(die.confidence for die in settled.dice), 4) if whole else None,
    )


def _wrong_inks(settled: Settled) -> list[tuple[int, Sentence]]:
    """Dice whose ink speaks against their value: in Yamslam odd faces are black and even ones red."""
    if not {"black", "red"} <= {die.ink.name for die in settled.dice}:
        return []  # plain dice
    wrong = []
    for n, die in enumerate(settled.dice):
        wanted = "black" if die.value % 2 else "red"
        if die.ink.name in ("black", "red") and die.ink.name != wanted and die.ink.confidence > SURE_INK:
            wrong.append((n, Sentence(WRONG_INKS[wanted], value=die.value)))
    return wrong
