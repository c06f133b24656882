"""Follows the dice on a table through the frames of a camera or a film: glance at each, read at rest, settle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision import placing, steady
from vision.glance import Eye, Floats, Glance
from vision.images import Picture
from vision.places import together
from vision.reader import Reader
from vision.sentences import Sentence
from vision.steady import Look, Settled, State, Table
from vision.types import Die, Frame, Reading, Region

IDLE = 1.0  # seconds of quiet after which fewer frames will do
IDLE_WAIT = 0.1  # seconds between those
CALM, CALM_SHARE = 0.3, 0.5  # seconds, and the share of the picture: it moves only elsewhere
BESIDE = 0.4  # seconds that dice must have lain still while something moves elsewhere
PEEK, LAZIEST_PEEK = 0.2, 1.5  # seconds between looks while something moves elsewhere
STEADIER = 1.2  # seconds for which no hand holds dice still: so long at rest, they lie on something
HELD = 0.5  # seconds until a hand that holds the dice may have put them down
FLICKER = 0.12  # seconds: shorter motions are not worth telling


@dataclass(frozen=True, slots=True)
class View:
    """What is known at the moment, for people to look at.

    `dice`: those last read, as far as they still lie there, in pixels of frames of `size` (width, height); `latest`:
    the last settled throw of the present turn; `help`: what is wrong with the camera's place or the light, and what
    to do about it.
    """

    state: State = "starting"
    words: str = "starting"
    dice: tuple[Die, ...] = ()
    size: tuple[int, int] = (0, 0)
    latest: Settled | None = None
    help: tuple[str, ...] = ()


class Follower:
    """Tells settled throws of `expect` dice. Not thread-safe, but for `view`, which may be read from anywhere."""

    def __init__(self, reader: Reader, expect: int = 5) -> None:
        self._reader = reader
        self._eye = Eye()
        self._table = Table(expect)
        self._glance: Glance | None = None
        self._at_rest: Floats | None = None  # the small picture of the last look
        self._looked = self._peeked = float("-inf")
        self._peek_wait = PEEK
        self._held_until = float("-inf")
        self._stirring = float("-inf")  # since when something moves
        self._resting: tuple[Region, ...] = ()  # where all dice lie untouched
        self._reading: Reading | None = None
        self.view = View()

    def wants(self, t: float) -> bool:
        """Whether a frame of the time `t` (seconds) is of interest; while nothing happens, ten a second are."""
        glance = self._glance
        if glance is None or t <= glance.t:
            return glance is None
        return glance.quiet < IDLE or self._table.next_look() is not None or t - glance.t >= IDLE_WAIT

    def feed(self, frame: Frame, t: float) -> tuple[Settled, ...]:
        """Take in a frame (H x W x 3, BGR) of the time `t`, in seconds; gives the throws that have settled with it.

        One whose time is not later than the last one's is dropped. Raises ValueError for what is no such array.
        """
        if not self.wants(t):
            return ()
        picture = Picture.of(frame)
        before = self._glance
        glance = self._glance = self._eye.glance(frame, t)
        if self.view.size not in ((0, 0), (picture.width, picture.height)):
            self._resized(picture.width / self.view.size[0])
        elif before is not None and glance.quiet <= 0:
            if before.quiet > FLICKER:
                self._stirring = t
            if not self._resting or glance.quiet_about(self._resting) < t - self._looked:
                self._table, self._resting = self._table.moved(), ()
        settled = self._look(picture, glance)
        self._tell(glance, frame)
        return settled

    def end(self) -> tuple[Settled, ...]:
        """The frames have ended: the throw that was still in doubt, if there is one."""
        table, last = self._table.ended()
        self._set(table)
        return () if last is None else (last,)

    def new_turn(self) -> None:
        """The turn is over: the next throw is the first of another."""
        self._set(self._table.new_turn())

    def expect_roll(self, turn: int, roll: int) -> None:
        """The next throw is said to be this roll (1-3) of this turn."""
        self._set(self._table.expecting(turn, roll))

    def not_a_roll(self) -> None:
        """The last settled throw was none; the next one counts in its place."""
        self._set(self._table.not_a_roll())

    def read_again(self) -> None:
        """Read the resting dice anew; if they are then sure, a throw with the same `n` comes."""
        self._set(self._table.reading_again())
        self._looked = float("-inf")

    def fixed(self, values: Sequence[int]) -> None:
        """The player says what the dice of the last settled throw are, from left to right.

        Raises ValueError if there is no throw of so many dice.
        """
        self._set(self._table.fixed(values))

    def _resized(self, by: float) -> None:
        """The frames have another size: so many times as wide as before."""
        self._table = self._table.moved().enlarged(by)
        self._resting, self._at_rest, self._reading = (), None, None

    def _set(self, table: Table) -> None:
        self._table = table
        self._show(table.state)

    def _look(self, picture: Picture, glance: Glance) -> tuple[Settled, ...]:
        """Read the frame, if it is time to."""
        if max(glance.quiet, glance.quiet_about(self._resting)) >= steady.REST:
            wait = self._table.next_look()
            first = not self._table.looks
            if wait is None or glance.t < self._held_until or (not first and glance.t - self._looked < wait):
                return ()
            self._peek_wait = PEEK
            return self._settle(self._read(picture, glance))
        if glance.t - self._peeked < self._peek_wait or glance.calm(CALM) < CALM_SHARE:
            return ()
        look = self._read(picture, glance)
        self._peeked = glance.t
        if len(look.reading.dice) == self._table.expect:
            self._peek_wait = PEEK  # they may come to rest any moment
            if look.t - look.since >= BESIDE:
                return self._settle(look)
        else:
            self._peek_wait = min(LAZIEST_PEEK, 1.5 * self._peek_wait)
        self._table, settled = self._table.peeked(look)
        return settled

    def _read(self, picture: Picture, glance: Glance) -> Look:
        reading = self._reader.read(picture)
        regions = [die.region for die in reading.dice]
        shift = (0.0, 0.0)
        if self._at_rest is not None and not self._table.looks:
            known = [die.region for die in self._table.lying]
            shift = self._eye.shift(self._at_rest, [*known, *regions])
        self._at_rest = self._eye.picture
        self._looked = glance.t
        self._reading = reading
        since = glance.t - glance.quiet_about(regions)
        hidden = glance.hides([die.region for die in self._table.lying])
        on_table = self._eye.on_table(regions) or glance.t - since >= STEADIER
        return Look(glance.t, since, reading, on_table, hidden, shift)

    def _settle(self, look: Look) -> tuple[Settled, ...]:
        self._table, settled = self._table.saw(look)
        if not look.on_table:
            self._held_until = look.t + HELD
        elif len(look.reading.dice) >= self._table.expect:  # none can come to lie elsewhere unseen
            self._resting = tuple(die.region for die in look.reading.dice)
        return settled

    def _tell(self, glance: Glance, frame: Frame) -> None:
        state = self._table.state
        if glance.quiet < FLICKER and glance.t - self._stirring >= FLICKER:
            state = "hand" if glance.reaching.any() else "rolling"
        elif glance.quiet < steady.REST and state != "hand":
            state = self.view.state
        elif self._table.next_look() is not None and not self._table.looks:
            state = "reading"
        help_ = placing.hints(frame, glance, self._reading if state != "rolling" else None)
        self._show(state, help_, (frame.shape[1], frame.shape[0]))

    def _show(self, state: State, help_: tuple[str, ...] | None = None, size: tuple[int, int] | None = None) -> None:
        table = self._table
        lying = table.lying if state in ("settled", "unsure") else self._reading.dice if self._reading else ()
        self.view = View(
            state=state,
            words=words(state, table),
            dice=() if state in ("rolling", "starting") else lying,
            size=size or self.view.size,
            latest=table.latest,
            help=self.view.help if help_ is None else help_,
        )


def words(state: State, table: Table) -> str:
    """What a player is told."""
    if state == "hand":
        return "hand in view"
    latest = table.latest
    if state in ("settled", "unsure") and latest is not None:
        read = f"roll {latest.roll} read: {' '.join(map(str, latest.values))}"
        if state == "settled":
            return read
        unsure = sum(latest.doubtful)
        return (
            f"{read} – {'one die is' if unsure == 1 else f'{unsure} dice are' if unsure else 'something is'} not sure"
        )
    if state == "missing" and table.looks:
        return missing(len(together([look.reading for look in table.looks]).dice), table.expect)
    return state


def missing(seen: int, expect: int) -> Sentence:
    """What a player is told where another number of dice is seen than was thrown."""
    if seen > expect:
        return Sentence("%(seen)s dice are in view, %(expect)s are thrown", seen=seen, expect=expect)
    unseen = expect - seen
    if unseen == 1:
        return Sentence("can't see one die")
    return Sentence("can't see %(unseen)s dice", unseen=unseen)
