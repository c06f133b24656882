"""What is where at each moment of a clip. Seconds from its start; nothing here is drawn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from models.training.render.clips.flight import Flight, Pose
from models.training.render.clips.hands import Cup, Grip
from models.training.render.shapes import turn


@dataclass(frozen=True, slots=True)
class Away:
    """Out of the picture, or hidden in a hand."""


@dataclass(frozen=True, slots=True)
class Lies:
    """As it is in a rendered picture of the resting table."""

    plate: str


@dataclass(frozen=True, slots=True)
class Flies:
    """Thrown at `since`."""

    flight: Flight
    which: int
    since: float

    def pose(self, t: float) -> Pose:
        return self.flight.pose(self.which, t - self.since)


@dataclass(frozen=True, slots=True)
class Slides:
    """Moved from one pose to another; `by` tips it over an edge on the way."""

    start: Pose
    end: Pose
    since: float
    until: float

    def pose(self, t: float) -> Pose:
        share = smooth((t - self.since) / (self.until - self.since))
        return Pose(part_turn(self.start, self.end, share), self.start.at + share * (self.end.at - self.start.at))


@dataclass(frozen=True, slots=True)
class Gripped:
    """Carried between the fingertips, or on the palm: `pose` is in the hand's frame where `palm`."""

    carried: Pose
    palm: bool = False

    def pose(self, grip: Grip) -> Pose:
        if not self.palm:
            return Pose(self.carried.rotation, grip.at + self.carried.at)
        frame = grip.frame()
        return Pose(frame @ self.carried.rotation, grip.at + frame @ self.carried.at)


State = Away | Lies | Flies | Slides | Gripped
Moving = TypeVar("Moving", bound="_Between")


class _Between(Protocol):
    def between(self, other: Any, share: float) -> Any: ...


@dataclass
class Track(Generic[Moving]):
    """Where a hand or a cup is at the times of its keys, and between; it is there from the first to the last."""

    keys: list[tuple[float, Moving]]

    def at(self, t: float) -> Moving | None:
        if not self.keys[0][0] <= t <= self.keys[-1][0]:
            return None
        for (t0, one), (t1, other) in zip(self.keys, self.keys[1:], strict=False):
            if t <= t1:
                moved: Moving = one.between(other, smooth((t - t0) / max(t1 - t0, 1e-6)))
                return moved
        return self.keys[-1][1]


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that happens to the picture: refocus, exposure, lamp, nudge or shake; amounts as its kind needs."""

    kind: str
    start: float
    end: float
    amounts: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Plate:
    """A resting table to be rendered: the dice on it, and whether the other lamp is on."""

    poses: dict[int, Pose]
    lamp: bool = False


@dataclass
class Roll:
    """A roll: its dice's values and poses by number, which were kept, and when the last came to rest."""

    turn: int
    roll: int
    rest: float
    plate: str
    values: dict[int, int]
    kept: set[int]


@dataclass
class Timeline:
    """A whole clip.

    `dice`: per die its states, each from its time on. `wholes`: (from, to, plate): nothing but this plate is seen.
    """

    seconds: float = 0.0
    dice: list[list[tuple[float, State]]] = field(default_factory=list)
    plates: dict[str, Plate] = field(default_factory=dict)
    wholes: list[tuple[float, float, str]] = field(default_factory=list)
    hands: list[Track[Grip]] = field(default_factory=list)
    cups: list[Track[Cup]] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    still: list[tuple[float, float, str]] = field(default_factory=list)

    def state(self, which: int, t: float) -> tuple[float, State]:
        """Since when a die is how."""
        return next(s for s in reversed(self.dice[which]) if s[0] <= t)

    def hand(self, t: float) -> Grip | None:
        return _present(self.hands, t)

    def cup(self, t: float) -> Cup | None:
        return _present(self.cups, t)


def _present(tracks: Sequence[Track[Moving]], t: float) -> Moving | None:
    return next((found for track in tracks if (found := track.at(t)) is not None), None)


def smooth(share: float) -> float:
    """0 to 1, slow at both ends."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def part_turn(start: Pose, end: Pose, share: float) -> np.ndarray:
    """The turn on the way from one pose's to another's, about one axis."""
    across = end.rotation @ start.rotation.T
    angle = math.acos(min(max((np.trace(across) - 1) / 2, -1.0), 1.0))
    if angle < 1e-6:
        return start.rotation
    axis = np.array([across[2, 1] - across[1, 2], across[0, 2] - across[2, 0], across[1, 0] - across[0, 1]])
    if np.linalg.norm(axis) < 1e-6:  # half a turn: any way round will do
        return (turn(share * angle) @ start.rotation) if share < 1 else end.rotation
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    part = share * angle
    return (np.eye(3) + math.sin(part) * cross + (1 - math.cos(part)) * cross @ cross) @ start.rotation
