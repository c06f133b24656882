"""Dice from one reading to the next, told apart by where they lie. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vision.types import Die, Doubt, Reading, Region

SAME_PLACE = 0.3  # of a die's size, that a die which was not touched may seem to have moved
SAME_SIZE = 1.35
MOST = 20  # dice seen aside that are remembered


def together(readings: Sequence[Reading]) -> Reading:
    """What several readings of the same resting dice say together, as the last one.

    A die counts if more than half of them have it; its value is that which has the most confidence in sum, and
    its confidence the mean of those for this value. A leftover counts if more than half of them have it, too.
    """
    last = readings[-1]
    if len(readings) == 1:
        return last
    groups: list[list[Die]] = []
    for reading in readings:
        for die in reading.dice:
            near = [group for group in groups if apart(die.region, group[0].region) <= SAME_PLACE]
            if near:
                min(near, key=lambda group: apart(die.region, group[0].region)).append(die)
            else:
                groups.append([die])
    dice = []
    for group in groups:
        if len(group) <= len(readings) / 2:
            continue
        said = {die.value: 0.0 for die in group}
        for die in group:
            said[die.value] += die.confidence
        value = max(said, key=lambda value: said[value])
        same = [die for die in group if die.value == value][-1]
        given = sum(die.confidence if die.given is None else die.given for die in group if die.value == value)
        dice.append(replace(same, confidence=said[value] / len(group), given=given / len(group)))
    left = tuple(
        doubt
        for doubt in last.leftovers
        if sum(any(_alike(doubt, other) for other in reading.leftovers) for reading in readings) > len(readings) / 2
        and not any(doubt.region and apart(doubt.region, die.region) <= SAME_PLACE for die in dice)
    )
    return replace(last, dice=tuple(sorted(dice, key=lambda die: die.region.centre)), leftovers=left)


def _alike(one: Doubt, other: Doubt) -> bool:
    if one.region is None or other.region is None:
        return one.region is other.region and one.text == other.text
    return apart(one.region, other.region) <= SAME_PLACE


def apart(one: Region, other: Region) -> float:
    """How far two dice lie from one another, in their size; infinite if their sizes are unlike."""
    small, large = sorted((max(one.size, 1e-6), max(other.size, 1e-6)))
    if large > SAME_SIZE * small:
        return float("inf")
    (x, y), (u, v) = one.centre, other.centre
    return float(((x - u) ** 2 + (y - v) ** 2) ** 0.5 / ((small + large) / 2))


def matched(new: Sequence[Die], old: Sequence[Die]) -> dict[int, int]:
    """Which of the old dice each new one is, by their numbers: those in the same place, the nearest first."""
    near = sorted(
        (distance, i, k)
        for i, die in enumerate(new)
        for k, other in enumerate(old)
        if (distance := apart(die.region, other.region)) <= SAME_PLACE
    )
    pairs: dict[int, int] = {}
    for _, i, k in near:
        if i not in pairs and k not in pairs.values():
            pairs[i] = k
    return pairs


def informed(die: Die, before: Die, threshold: float) -> Die | None:
    """A die with what was known of it; None if it is surely another value, and so another die or a thrown one."""
    if die.value == before.value:
        return replace(die, confidence=max(die.confidence, before.confidence))
    if die.confidence < threshold <= before.confidence:
        return replace(die, value=before.value, confidence=before.confidence)
    return None


def within(some: Sequence[int], all_of: Sequence[int]) -> bool:
    """Whether these values are among those, each as often."""
    rest = list(all_of)
    for value in some:
        if value not in rest:
            return False
        rest.remove(value)
    return True


def shifted(die: Die, by: tuple[float, float]) -> Die:
    """The die so many pixels further."""
    return replace(die, region=replace(die.region, x=die.region.x + by[0], y=die.region.y + by[1]))


def enlarged(die: Die, by: float) -> Die:
    """The die in a picture so many times as large."""
    one = die.region
    return replace(die, region=Region(one.x * by, one.y * by, one.w * by, one.h * by, one.score))


@dataclass(frozen=True, slots=True)
class Aside:
    """Which dice were seen lying while others were away: those that are kept, unless they are taken up later.

    `dice`: each with the time when it was first seen there; `left`: those that all lay there before, or, after a look
    at the whole table, which of them still did; `least`: the fewest that were seen at rest.
    """

    dice: tuple[tuple[Die, float], ...]
    left: tuple[Die, ...]
    least: int | None = None

    def seeing(self, t: float, reading: Reading, *, rest: bool, hidden: bool) -> Aside:
        """After another look, at rest or not. `hidden`: a hand may have hidden dice; else what was not seen is gone."""
        known = {new: self.left[old] for new, old in matched(reading.dice, self.left).items()}
        seen = [
            informed(die, known[i], reading.threshold) or die if i in known else die
            for i, die in enumerate(reading.dice)
        ]
        again = matched(seen, [die for die, _ in self.dice])
        now = tuple((die, self.dice[again[i]][1] if i in again else t) for i, die in enumerate(seen))
        least = min(len(seen), len(seen) if self.least is None else self.least) if rest else self.least
        if hidden or not rest:
            gone = tuple(one for k, one in enumerate(self.dice) if k not in again.values())
            return Aside((*now, *gone)[:MOST], self.left, least)
        places = [die.region for die in seen] + [doubt.region for doubt in reading.leftovers if doubt.region]
        left = tuple(die for die in self.left if any(apart(die.region, place) <= SAME_PLACE for place in places))
        return Aside(now, left, least)

    def until(self, t: float) -> tuple[Die, ...]:
        """The dice that were there by the time `t`, in seconds."""
        return tuple(die for die, since in self.dice if since <= t)

    def placed(self, place: Callable[[Die], Die]) -> Aside:
        """With all of them elsewhere in the picture."""
        dice = tuple((place(die), t) for die, t in self.dice)
        return Aside(dice, tuple(map(place, self.left)), self.least)
