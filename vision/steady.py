"""From looks at a table over time to settled rolls. Pure: every step gives a new value, no picture, no clock.

A look is a reading of a frame in which nothing moved. From one rest to the next the dice are told apart by their
places: what lies where it lay, with its value, was kept, and so was what still lay there while other dice were away
(that follows dice that are pushed aside). Unsure readings are put together over several looks before anybody is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vision.places import SAME_PLACE, Aside, apart, enlarged, informed, matched, shifted, together, within
from vision.sentences import Sentence
from vision.types import EVEN, Die, Reading, doubtful, miscounted

ROLLS = 3  # in a turn
REST = 0.25  # seconds without motion, from which a picture is at rest
AGAIN = (0.12, 0.2, 0.3, 0.5, 0.8, 1.5)  # seconds between the looks at one rest while it is in doubt; then the last
ENOUGH = 4  # looks after which what is unsure is said to be so
RESTED = 0.45  # seconds at rest from which a throw in doubt counts if the dice are then taken up
PATIENCE = 1.2  # seconds at rest after which a throw counts although a die is missing
BEFORE = 0.8  # seconds between a look at the dice that were kept and the rest of those that were thrown

ASKED = Sentence("it is being read again")

State = Literal["starting", "waiting", "rolling", "hand", "reading", "settled", "unsure", "missing"]


@dataclass(frozen=True, slots=True)
class Look:
    """A reading of the frame of the time `t`.

    `since`: when the dice came to rest. `on_table`: they lie on the table, not in a hand; `hidden`: a hand may hide
    dice where some lay before. `shift`: how far, in pixels, the picture as a whole has moved since the look before, as
    when the camera is nudged.
    """

    t: float
    since: float
    reading: Reading
    on_table: bool = True
    hidden: bool = False
    shift: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Settled:
    """A throw that has come to rest; a second one with the same `n` corrects the first.

    `n` counts the throws, `turn` from 1, `roll` from 1 to 3 within it; `t` seconds of the source's clock when it was
    read; `dice` from left to right in the frame's pixels, and of each whether it was `kept` (lay there before, and
    was not thrown) and whether its value is `doubtful`; `doubts` say in words why it is not `sure`.
    """

    n: int
    turn: int
    roll: int
    t: float
    dice: tuple[Die, ...]
    kept: tuple[bool, ...]
    doubtful: tuple[bool, ...]
    doubts: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        return not self.doubts

    @property
    def values(self) -> tuple[int, ...]:
        """All values, sorted."""
        return tuple(sorted(die.value for die in self.dice))

    @property
    def kept_values(self) -> tuple[int, ...]:
        """Those of the dice kept, sorted."""
        return tuple(sorted(die.value for die, kept in zip(self.dice, self.kept, strict=True) if kept))

    @property
    def thrown_values(self) -> tuple[int, ...]:
        """Those of the dice thrown, sorted."""
        return tuple(sorted(die.value for die, kept in zip(self.dice, self.kept, strict=True) if not kept))


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of the dice on a table; each method gives the table after something has happened.

    `lying`: the dice when all of them last lay at rest; `aside`: those seen since then while others were away (None: no
    such look). `fixtures`: what looks like dice and is none, as those printed on a pad; `early`: what lay there before
    the first throw, and may be such. `looks`: those at the present rest as long as it is in doubt; `decided`: it is
    not. `n`, `turn` and `roll` are those of the last settled throw, which is `latest` if it still counts; `pending`: a
    throw that was in doubt when it was last looked at, and has not been told yet.
    """

    expect: int
    n: int = 0
    turn: int = 1
    roll: int = 0
    lying: tuple[Die, ...] = ()
    aside: Aside | None = None
    fixtures: tuple[Die, ...] = ()
    early: tuple[Die, ...] = ()
    looks: tuple[Look, ...] = ()
    decided: bool = False
    latest: Settled | None = None
    pending: Settled | None = None
    state: State = "starting"

    def moved(self) -> Table:
        """Something moves: the next rest is another one."""
        return replace(self, looks=(), decided=False)

    def next_look(self) -> float | None:
        """Seconds after the last look of this rest at which another is wanted; None if none is."""
        if self.decided:
            return None
        return 0.0 if not self.looks else AGAIN[min(len(self.looks), len(AGAIN)) - 1]

    def saw(self, look: Look) -> tuple[Table, tuple[Settled, ...]]:
        """The dice were looked at while they were at rest; the throws that have settled with it."""
        if not look.on_table:
            return replace(self.moved(), state="hand"), ()
        table = self if look.shift == (0.0, 0.0) else self._placed(lambda die: shifted(die, look.shift))
        table = replace(table, looks=(*table.looks, look))
        reading = table._movable(together([one.reading for one in table.looks]))
        reading = table._filled(reading).expecting(self.expect)
        table, late = table._late(look, reading)
        table, settled = table._read(look, reading)
        return table, tuple(one for one in (late, settled) if one is not None)

    def _read(self, look: Look, reading: Reading) -> tuple[Table, Settled | None]:
        table = self
        if len(reading.dice) == self.expect:
            return table._all_there(look, reading)
        if len(reading.dice) > self.expect and (fewer := self._without_extras(reading)) is not None:
            extras = tuple(die for die in reading.dice if die not in fewer.dice)
            table = replace(table, fixtures=(*self.fixtures, *extras), early=())
            return table._all_there(look, fewer.expecting(self.expect))
        if len(reading.dice) > self.expect:
            return table._wait_for(look, reading)
        if not table.lying and len(table.looks) > 1:
            table = replace(table, early=reading.dice)
        return table._some_there(look, reading)

    def _movable(self, reading: Reading) -> Reading:
        """The reading without what is known to be no die."""
        fixed = matched(reading.dice, self.fixtures)
        return replace(reading, dice=tuple(die for i, die in enumerate(reading.dice) if i not in fixed))

    def _without_extras(self, reading: Reading) -> Reading | None:
        """The reading without what is known to be no die, or is unsure where all dice are there and sure; else None."""
        early = matched(reading.dice, self.early)
        new = tuple(die for i, die in enumerate(reading.dice) if i not in early)
        sure = tuple(die for die in reading.dice if not reading.is_doubtful(die))
        for dice in (new, sure if len(self.looks) > 1 else ()):
            if len(dice) == self.expect:
                return replace(reading, dice=dice)
        return None

    def peeked(self, look: Look) -> tuple[Table, tuple[Settled, ...]]:
        """The dice were looked at while something moved elsewhere: it only shows which were left lying."""
        reading = self._movable(look.reading)
        count = len(reading.dice) + sum(doubt.region is not None for doubt in reading.leftovers)
        if not look.on_table or count >= self.expect:
            return self, ()
        table, late = self, None
        # A hand may only be about to set a leaning die right.
        if self.pending is not None and len(self.pending.dice) == self.expect:
            table, late = self._late(replace(look, since=look.t), reading)
        if table.lying:
            table = table._with_aside(look, reading, rest=False)
        return table, () if late is None else (late,)

    def ended(self) -> tuple[Table, Settled | None]:
        """No look will follow: a throw that is still in doubt is told as it is."""
        if self.pending is None:
            return self, None
        last = replace(self.pending, n=self.n + 1)
        return self._with(last), last

    def new_turn(self) -> Table:
        """The turn is over: the next roll is the first of another."""
        return self.expecting(self.turn + 1, 1) if self.roll else self

    def expecting(self, turn: int, roll: int) -> Table:
        """The next roll is said to be this one."""
        latest = self.latest if (turn, roll) == (self.turn, self.roll + 1) else None
        table = replace(self, turn=turn, roll=roll - 1, latest=latest, pending=None)
        return replace(table, state=table._at_rest()) if self.state in ("settled", "unsure") else table

    def not_a_roll(self) -> Table:
        """The last settled throw was none. The dice stay known, so that they are not taken for a throw again."""
        if self.latest is None:
            return self
        return replace(self, turn=self.latest.turn, roll=self.latest.roll - 1, latest=None, state="waiting")

    def reading_again(self) -> Table:
        """The resting dice shall be read anew: what was settled is in doubt."""
        table = self.moved()
        if self.latest is None:
            return replace(table, lying=())  # whatever lies there is a throw
        return replace(table, latest=replace(self.latest, doubts=(*self.latest.doubts, ASKED)), state="reading")

    def fixed(self, values: Sequence[int]) -> Table:
        """The player says what the dice of the last settled throw are, from left to right.

        Raises ValueError unless there is a throw of so many dice.
        """
        latest = self.latest
        if latest is None or len(values) != len(latest.dice):
            raise ValueError("there is no settled throw of so many dice")
        dice = tuple(replace(d, value=v, confidence=1.0) for d, v in zip(latest.dice, values, strict=True))
        latest = replace(latest, dice=dice, doubtful=(False,) * len(dice), doubts=())
        return replace(self, lying=dice, latest=latest, decided=True, state="settled")

    # -- All dice are there

    def _all_there(self, look: Look, reading: Reading) -> tuple[Table, Settled | None]:
        pairs = matched(reading.dice, self.lying)
        if self.lying and len(pairs) == len(self.lying) and not self._swapped(reading, pairs):
            return self._same(look, reading, pairs)
        values = reading.values
        if values == tuple(sorted(die.value for die in self.lying)) and self.aside is None:
            # Other places, the same values, and no die was ever away: they were pushed about, not thrown.
            return replace(self, lying=reading.dice, decided=True, looks=(), state=self._at_rest()), None
        settled = self._thrown(look, reading)
        if not settled.sure and len(self.looks) < ENOUGH:
            return self._postponed(settled, look, "reading"), None
        return self._with(settled), settled

    def _swapped(self, reading: Reading, pairs: dict[int, int]) -> bool:
        """Whether a die that was away has come to lie where it lay, surely with another value."""
        left = self.aside.left if self.aside else self.lying
        return any(
            self.lying[old] not in left
            and informed(reading.dice[new], self.lying[old], reading.threshold) is None
            and not reading.is_doubtful(reading.dice[new])
            for new, old in pairs.items()
        )

    def _lie_where_they_lay(self, reading: Reading) -> int:
        """How many dice lie where one lay; none if a value was sure and is another, just as surely."""
        pairs = [(reading.dice[new], self.lying[old]) for new, old in matched(reading.dice, self.lying).items()]
        thrown = any(
            new.value != old.value and min(new.confidence, old.confidence) >= reading.threshold for new, old in pairs
        )
        return 0 if thrown else len(pairs)

    def _same(self, look: Look, reading: Reading, pairs: dict[int, int]) -> tuple[Table, Settled | None]:
        """The dice lie where they lay: no throw. What was unsure may have become sure."""
        latest = self.latest
        known = {new: self.lying[old] for new, old in pairs.items()}
        if latest is None or latest.sure:
            dice = tuple(
                replace(die, value=old.value, confidence=max(old.confidence, die.confidence * (die.value == old.value)))
                for die, old in ((die, known.get(i, die)) for i, die in enumerate(reading.dice))
            )
            return replace(self, lying=dice, aside=None, decided=True, looks=(), state=self._at_rest()), None
        kept = tuple(i in pairs and latest.kept[pairs[i]] for i in range(self.expect))
        dice = tuple(
            replace(die, value=known[i].value, confidence=known[i].confidence)
            if kept[i] and known[i].confidence > die.confidence
            else die
            for i, die in enumerate(reading.dice)
        )
        better = replace(self._settled(look, (latest.turn, latest.roll), reading, dice, kept), n=latest.n)
        if better.sure:
            return self._with(better), better
        stop = len(self.looks) >= len(AGAIN)
        return replace(self, aside=None, decided=stop, looks=() if stop else self.looks, state="unsure"), None

    def _thrown(self, look: Look, reading: Reading) -> Settled:
        """The reading as the next throw."""
        roll = self._next_roll()
        kept = self._kept(reading, look.since) if roll[1] > 1 else {}
        dice = tuple(kept.get(i, die) for i, die in enumerate(reading.dice))
        return self._settled(look, roll, reading, dice, tuple(i in kept for i in range(len(dice))))

    def _kept(self, reading: Reading, since: float) -> dict[int, Die]:
        """Which dice were kept, by their number in the reading, with what is known of each."""
        aside = self.aside.until(since - BEFORE) if self.aside else ()
        known = (*aside, *(self.aside.left if self.aside else self.lying))
        kept: dict[int, Die] = {}
        for new, old in matched(reading.dice, known).items():
            if (die := informed(reading.dice[new], known[old], reading.threshold)) is not None:
                kept[new] = die
            elif old < len(aside):
                # It was seen lying while others were away, and a die that is kept can't change its value.
                kept[new] = replace(reading.dice[new], confidence=min(reading.dice[new].confidence, EVEN))
        return kept if len(kept) < self.expect else {}

    def _settled(
        self, look: Look, roll: tuple[int, int], reading: Reading, dice: tuple[Die, ...], kept: tuple[bool, ...]
    ) -> Settled:
        unsure = tuple(reading.is_doubtful(die) for die in dice)
        doubts: list[str] = [doubtful(die, reading.width, reading.height) for die in dice if reading.is_doubtful(die)]
        doubts += [doubt.text for doubt in reading.leftovers]
        if len(dice) != self.expect:
            doubts.append(miscounted(len(dice), self.expect))
        return Settled(self.n + 1, *roll, look.t, dice, kept, unsure, tuple(doubts))

    # -- Not all are there

    def _some_there(self, look: Look, reading: Reading) -> tuple[Table, Settled | None]:
        regions = sum(doubt.region is not None for doubt in reading.leftovers)
        count = len(reading.dice) + regions
        if count < self.expect and self.lying and self._left(reading):
            # Dice were taken up, and the rest lies where or as it lay.
            table = self._with_aside(look, reading, rest=True)
            rested = len(self.looks) >= ENOUGH
            return replace(table, decided=rested, looks=() if rested else table.looks, state="waiting"), None
        if not reading.dice and not regions:
            rested = len(self.looks) >= 2
            table = self._with_aside(look, reading, rest=True) if self.lying else self
            return replace(table, decided=rested, looks=() if rested else table.looks, state="waiting"), None
        return self._wait_for(look, reading)

    def _left(self, reading: Reading) -> bool:
        """Whether these may be dice that were left when others were taken up, moved perhaps, and not thrown ones."""
        if self._lie_where_they_lay(reading) == len(reading.dice):
            return True
        more = self.aside is not None and self.aside.least is not None and len(reading.dice) > self.aside.least
        return not more and within(reading.values, [die.value for die in self.lying])

    def _wait_for(self, look: Look, reading: Reading) -> tuple[Table, Settled | None]:
        """Dice are missing, or there are too many. After a while the throw counts all the same, as unsure."""
        table = replace(self, state="missing" if len(self.looks) > 1 else "reading")
        nearly = bool(reading.dice) and len(reading.dice) >= self.expect - 1
        fresh = self._lie_where_they_lay(reading) < min(len(reading.dice), len(self.lying) or 1)
        if not nearly or not fresh:
            return table, None
        settled = self._thrown(look, reading)
        leans = any(doubt.is_die for doubt in reading.leftovers)
        if leans or look.t - look.since < PATIENCE or len(self.looks) < ENOUGH:
            return self._postponed(settled, look, table.state), None
        return self._with(settled), settled

    def _postponed(self, settled: Settled, look: Look, state: State) -> Table:
        """The throw is not told yet: it may become sure, or a die that leans may be set right."""
        rested = look.t - look.since >= RESTED
        return replace(self, pending=settled if rested else self.pending, state=state)

    def _late(self, look: Look, reading: Reading) -> tuple[Table, Settled | None]:
        """The throw that was in doubt, if it was left so: once its dice are missing or lie elsewhere.

        It is not told if all dice are there and only such moved as were in doubt: a die that leaned was set right.
        """
        if self.pending is None or look.since <= self.pending.t:
            return self, None
        stay = matched(self.pending.dice, reading.dice)
        gone = [i for i in range(len(self.pending.dice)) if i not in stay]
        if not gone:
            return self, None
        if len(reading.dice) >= self.expect and all(self.pending.doubtful[i] for i in gone):
            return replace(self, pending=None), None
        late = replace(self.pending, n=self.n + 1)
        return replace(self._with(late), looks=self.looks, decided=False), late

    def _filled(self, reading: Reading) -> Reading:
        """With the dice that can't be read where they lie, but are known from when the others were away."""
        aside = self.aside.until(float("inf")) if self.aside else ()
        known = [die for die in aside if die.confidence >= reading.threshold]
        dice, left = list(reading.dice), []
        for doubt in reading.leftovers:
            near = [d for d in known if doubt.region is not None and apart(d.region, doubt.region) <= SAME_PLACE]
            if near and doubt.region is not None and len(dice) < self.expect:
                dice.append(replace(near[0], region=doubt.region))
            else:
                left.append(doubt)
        dice.sort(key=lambda die: die.region.centre)
        return replace(reading, dice=tuple(dice), leftovers=tuple(left))

    # -- Helpers

    def _with(self, settled: Settled) -> Table:
        return replace(
            self,
            n=settled.n,
            turn=settled.turn,
            roll=settled.roll,
            lying=settled.dice,
            aside=None,
            looks=() if settled.sure else self.looks,
            decided=settled.sure,
            latest=settled,
            pending=None,
            state="settled" if settled.sure else "unsure",
        )

    def _with_aside(self, look: Look, reading: Reading, *, rest: bool) -> Table:
        aside = self.aside or Aside((), self.lying)
        return replace(self, aside=aside.seeing(look.t, reading, rest=rest, hidden=look.hidden))

    def _next_roll(self) -> tuple[int, int]:
        return (self.turn, self.roll + 1) if self.roll < ROLLS else (self.turn + 1, 1)

    def _at_rest(self) -> State:
        return "waiting" if self.latest is None else "settled" if self.latest.sure else "unsure"

    def enlarged(self, by: float) -> Table:
        """The picture has become so many times as large."""
        return self._placed(lambda die: enlarged(die, by))

    def _placed(self, place: Callable[[Die], Die]) -> Table:
        def all_of(dice: tuple[Die, ...]) -> tuple[Die, ...]:
            return tuple(map(place, dice))

        return replace(
            self,
            lying=all_of(self.lying),
            aside=self.aside and self.aside.placed(place),
            fixtures=all_of(self.fixtures),
            early=all_of(self.early),
            looks=(),
        )
