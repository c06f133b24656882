"""The values that pass between the stages of reading. All frozen; pixels are those of the upright full-size photo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vision.sentences import Sentence

Frame = NDArray[np.uint8]
"""A picture: H x W x 3, BGR, upright."""

SEVERAL = 2  # dice, among which one that is none shows
EVEN = 0.5
"""The most that anything is worth, as a confidence, of which two witnesses disagree."""


@dataclass(frozen=True, slots=True)
class Region:
    """Where something die-like lies: a box in pixels (it may reach outside) and the locator's score, 0-1."""

    x: float
    y: float
    w: float
    h: float
    score: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    @property
    def size(self) -> float:
        """The longer side, in pixels."""
        return max(self.w, self.h)


@dataclass(frozen=True, slots=True)
class Colour:
    """One of the eleven colour names of the weights' config, and how sure (0-1)."""

    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Die:
    """A pip die as read: its top face's value, the colours of pips and body, how sure the value is (0-1).

    `given`: how sure the value is where it is known that this is a die (0-1); None: no surer than `confidence`.
    """

    region: Region
    value: int
    ink: Colour
    body: Colour
    confidence: float
    given: float | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """What keeps a reading from being sure, as a Sentence for a player; `region` says where, if it has a place.

    `is_die`: it is a die for certain, only one that can't be read as it lies.
    """

    text: str
    region: Region | None = None
    is_die: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in one picture. No dice at all is a normal reading.

    `dice` from left to right; `other` counts dice without pips; `threshold` is the confidence from which the
    model calls a die sure, and `threshold_given` the same for `Die.given`; `leftovers` are the die-like things that
    were neither read nor ruled out.
    """

    dice: tuple[Die, ...]
    other: int
    width: int
    height: int
    model: str
    threshold: float
    leftovers: tuple[Doubt, ...] = ()
    ms: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    threshold_given: float = 1.0

    @property
    def values(self) -> tuple[int, ...]:
        """The values read, sorted."""
        return tuple(sorted(die.value for die in self.dice))

    @property
    def confidence(self) -> float:
        """That of the weakest die; 1 when there is none."""
        return min((die.confidence for die in self.dice), default=1.0)

    def is_doubtful(self, die: Die) -> bool:
        return die.confidence < self.threshold

    def expecting(self, expect: int | None) -> Reading:
        """The reading as it is to whom it is known how many dice were thrown (None: it isn't).

        Where just as many were read, they are the dice: of each only the value remains in doubt, and among several
        what else may be a die is none. It would have to be one, and one of those read none, and of their size. Where
        dice without pips lie about, one of them may well have been read, so a die is no surer than it looks.
        """
        if expect is None or expect != len(self.dice) or any(doubt.is_die for doubt in self.leftovers):
            return self
        dice = tuple(
            replace(die, confidence=die.given)
            if die.given is not None and die.given >= self.threshold_given and not self.other and self.is_doubtful(die)
            else die
            for die in self.dice
        )
        return replace(self, dice=dice, leftovers=() if expect >= SEVERAL else self.leftovers)

    def doubts(self, expect: int | None = None) -> tuple[str, ...]:
        """What keeps the reading from being sure, in words for the player; empty when it is sure."""
        return self.expecting(expect)._said(expect)

    def _said(self, expect: int | None) -> tuple[str, ...]:
        said: list[str] = [doubtful(die, self.width, self.height) for die in self.dice if self.is_doubtful(die)]
        said += [doubt.text for doubt in self.leftovers]
        if expect is None and not self.dice and not said:
            said.append(Sentence("no die was found"))
        if expect is not None and len(self.dice) != expect:
            said.append(miscounted(len(self.dice), expect))
        return tuple(said)

    def sure(self, expect: int | None = None) -> bool:
        """Whether there are dice, each above the threshold, nothing die-like left over, and as many as `expecting`."""
        return not self.doubts(expect)


def miscounted(found: int, expect: int) -> Sentence:
    """The doubt that another number of dice was read than was thrown."""
    if not found:
        if expect == 1:
            return Sentence("no die was read where 1 is expected")
        return Sentence("no die was read where %(expect)s are expected", expect=expect)
    if found == 1:
        return Sentence("1 die was read where %(expect)s are expected", expect=expect)
    if expect == 1:
        return Sentence("%(found)s dice were read where 1 is expected", found=found)
    return Sentence("%(found)s dice were read where %(expect)s are expected", found=found, expect=expect)


def doubtful(die: Die, width: int, height: int) -> Sentence:
    """The doubt about a die's value, in a picture of width x height pixels."""
    where = place(die.region, width, height)
    return Sentence("the die %(place)s may not be a %(value)s", place=where, value=die.value)


EDGES = {
    "left": Sentence("at the left edge"),
    "right": Sentence("at the right edge"),
    "top": Sentence("at the top edge"),
    "bottom": Sentence("at the bottom edge"),
}
PLACES = {
    ("top", "left"): Sentence("at the top left"),
    ("top", ""): Sentence("at the top"),
    ("top", "right"): Sentence("at the top right"),
    ("", "left"): Sentence("on the left"),
    ("", ""): Sentence("in the middle"),
    ("", "right"): Sentence("on the right"),
    ("bottom", "left"): Sentence("at the bottom left"),
    ("bottom", ""): Sentence("at the bottom"),
    ("bottom", "right"): Sentence("at the bottom right"),
}


def place(region: Region, width: int, height: int) -> Sentence:
    """Where in the picture a region lies, as people say it: "at the left edge", "top right", "in the middle"."""
    x, y = region.centre
    column = ("left", "", "right")[min(2, max(0, int(3 * x / max(1, width))))]
    row = ("top", "", "bottom")[min(2, max(0, int(3 * y / max(1, height))))]
    if region.x < 1 or region.x + region.w > width - 1:
        return EDGES["left" if x < width / 2 else "right"]
    if region.y < 1 or region.y + region.h > height - 1:
        return EDGES["top" if y < height / 2 else "bottom"]
    return PLACES[row, column]
