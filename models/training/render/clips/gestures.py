"""What hands do over a table: where they come from, and their ways. Centimetres, seconds, radians."""

import math
from dataclasses import dataclass, replace

import numpy as np

from models.training.render.clips.flight import UP, Pose
from models.training.render.clips.hands import Grip, palm
from models.training.render.clips.lens import Lens
from models.training.render.clips.timeline import Track
from models.training.render.shapes import Floats, Rng

Keys = list[tuple[float, Grip]]
CLEAR = 5.0
"""How far outside the picture the fingertips are when the hand is away."""
OPEN = 0.28
"""Curl of the hand on whose palm dice lie."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table: from where the arm comes (radians on the table), and how fast."""

    lens: Lens
    side: float
    pace: float

    @staticmethod
    def sits(lens: Lens, rng: Rng) -> "Player":
        """Mostly at the picture's lower edge, sometimes opposite the camera or beside it."""
        middle = lens.ground(lens.width / 2, lens.height / 2)
        edges = [(0.5, 1.0), (0.0, 0.5), (1.0, 0.5), (0.5, 0.0)]
        x, y = edges[int(rng.choice(4, p=[0.5, 0.17, 0.18, 0.15]))]
        way = lens.ground(x * lens.width, y * lens.height) - middle
        return Player(lens, math.atan2(way[1], way[0]) + float(rng.normal(0, 0.2)), float(rng.uniform(0.9, 1.2)))

    def way(self, heading: float) -> Floats:
        """Up the arm, along the table, (2,)."""
        return np.array([math.cos(heading), math.sin(heading)])

    def edge(self, spot: Floats, heading: float, clear: float) -> Floats:
        """Where from `spot` (2,) along the arm the picture ends, and `clear` cm further (negative: before)."""
        far = 0.0
        while far < 150 and self.lens.shows(np.array([[*(spot + far * self.way(heading)), 1.0]]), 0):
            far += 0.5
        return spot + (far + clear) * self.way(heading)

    def away(self, grip: Grip) -> Grip:
        """The same hand drawn back out of the picture."""
        out = self.edge(grip.at[:2], grip.heading, CLEAR)
        return replace(grip, at=np.array([*out, max(grip.at[2], 4.0)]))


def reach(player: Player, t: float, stops: Keys) -> Track[Grip]:
    """A hand that comes at t, goes through stops (times from then on), and leaves."""
    first, last = stops[0][1], stops[-1][1]
    end = stops[-1][0] + 0.5 * player.pace
    return Track([(t, player.away(first)), *stops, (end, player.away(last))])


def taking(player: Player, t: float, spots: list[Pose], heading: float) -> tuple[Keys, list[float]]:
    """Keys of a hand over dice one after the other from t on, and when it has each."""
    keys: Keys = []
    had = []
    now = t + 0.5 * player.pace
    for spot in spots:
        x, y, z = spot.at
        above = Grip(np.array([x, y, z + 3.2]), heading, 0.35, pitch=0.3)
        down = Grip(np.array([x, y, z + 0.25]), heading, 0.62, pitch=0.3)
        keys += [(now, above), (now + 0.14 * player.pace, down), (now + 0.22 * player.pace, replace(down, curl=0.75))]
        had.append(now + 0.2 * player.pace)
        keys.append((now + 0.34 * player.pace, Grip(np.array([x, y, z + 2.4]), heading, 0.85, pitch=0.3)))
        now += 0.5 * player.pace
    return keys, had


def pushing(player: Player, t: float, spot: Floats, by: Floats, heading: float) -> tuple[Keys, float, float]:
    """Keys of fingertips that push what is at `spot` (2,) along `by` (2,), and from when to when they do."""
    start, end = np.array([*spot, 1.0]), np.array([*(spot + by), 1.0])
    begin = t + 0.75 * player.pace
    finish = begin + 0.5 * player.pace
    low = Grip(start, heading, 0.4, pitch=0.3)
    keys = [
        (t + 0.5 * player.pace, replace(low, at=start + 3.0 * UP)),
        (begin - 0.05, low),
        (begin, low),
        (finish, replace(low, at=end)),
        (finish + 0.15, replace(low, at=end + 2.5 * UP)),
    ]
    return keys, begin, finish


def shaking(
    player: Player, rng: Rng, t: float, spot: Floats, heading: float, seconds: float, *, open_hand: bool
) -> Keys:
    """Keys of a hand that shakes what is in it at `spot` (3,), and holds it still for a moment."""
    grip = Grip(spot, heading, OPEN if open_hand else 0.95, palm_up=1.0 if open_hand else 0.25, pitch=0.1)
    now = t + 0.5 * player.pace
    keys = [(now, grip)]
    while now < t + 0.5 * player.pace + seconds:
        now += 0.09
        away = rng.uniform(-1, 1, 3) * (1.3, 1.3, 0.8)
        keys.append((now, replace(grip, at=spot + away, palm_up=grip.palm_up + float(rng.normal(0, 0.02)))))
    return [*keys, (now + 0.15, grip), (now + 0.75, grip)]


def in_palm(rng: Rng, sizes: tuple[float, ...], rotations: list[Floats], scale: float) -> list[Pose]:
    """Dice lying on the palm of a hand of this scale, in its own frame."""
    spread = ((-1.1, -0.75), (0.0, 0.8), (1.1, -0.7), (-1.1, 1.0), (1.2, 0.9))
    flip = np.diag([1.0, -1.0, -1.0])
    found = []
    for (x, y), size, rotation in zip(spread, sizes, rotations, strict=True):
        off = np.array([*(np.array([x, y]) * size + rng.normal(0, 0.08, 2)), -size / 2])
        found.append(Pose(flip @ rotation, palm(OPEN, scale) + off))
    return found


def trembling(grip: Grip, t: float) -> Grip:
    """A hand is never quite still."""
    off = 0.04 * np.array([math.sin(23 * t), math.sin(31 * t + 1), math.sin(17 * t + 2)])
    return replace(grip, at=grip.at + off)
