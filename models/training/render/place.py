"""Where dice come to lie: flat, touching, leaning on something, or one on another; nothing overlaps."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from models.training.render.clutter import Maker
from models.training.render.palette import any_colour
from models.training.render.shapes import Floats, Material, Rng, Thing, apart, box, hull, turn

CUBE: Floats = np.array(list(itertools.product((-1, 1), repeat=3)), float)


@dataclass(frozen=True, slots=True)
class Pose:
    """A die's turn and place, its outline on the table, and what it leans on."""

    rotation: Floats
    at: Floats
    outline: Floats
    yaw: float
    half: float
    props: tuple[Thing, ...] = ()


def any_face_up(rng: Rng) -> Floats:
    """One of the 24 ways a cube can lie, straight."""
    rolled = turn(int(rng.integers(4)) * math.pi / 2)
    return turn(int(rng.integers(4)) * math.pi / 2, int(rng.integers(2))) @ _tip(rng) @ rolled


def _tip(rng: Rng) -> Floats:
    face = int(rng.integers(6))
    return turn(face * math.pi / 2, 0) if face < 4 else turn((face * 2 - 9) * math.pi / 2, 1)


def outline(half: float, rotation: Floats, at: Floats) -> Floats:
    """A cube's outline from above."""
    return hull(CUBE * half @ rotation.T + at)


def flat(rng: Rng, half: float, spot: Floats, yaw: float) -> Pose:
    """Flat on the table."""
    rotation = turn(yaw) @ any_face_up(rng)
    at = np.array([spot[0], spot[1], half])
    return Pose(rotation, at, outline(half, rotation, at), yaw, half)


def touching(rng: Rng, half: float, beside: Pose) -> Pose:
    """Flat, its side or corner against a die that lies already."""
    yaw = beside.yaw + (rng.normal(0, 0.02) if rng.random() < 0.6 else rng.uniform(0, 2 * math.pi))
    toward = beside.yaw + int(rng.integers(4)) * math.pi / 2
    off = abs((yaw - beside.yaw + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    reach = beside.half + half * (math.cos(off) + math.sin(off)) + 0.004
    ahead = np.array([math.cos(toward), math.sin(toward)])
    along = np.array([-ahead[1], ahead[0]]) * rng.uniform(-0.8, 0.8) * beside.half
    return flat(rng, half, beside.at[:2] + ahead * reach + along, yaw)


def stacked(rng: Rng, half: float, below: Pose) -> Pose:
    """On top of a die that lies flat."""
    yaw = float(rng.uniform(0, 2 * math.pi))
    shift = rng.uniform(-0.5, 0.5, 2) * below.half
    pose = flat(rng, half, below.at[:2] + shift, yaw)
    at = pose.at + np.array([0, 0, 2 * below.half])
    return Pose(pose.rotation, at, pose.outline, yaw, half)


def leaning(rng: Rng, half: float, edge: float, spot: Floats) -> Pose:
    """One edge on the table, the bottom on the rim of a low block."""
    tilt, yaw = math.radians(rng.uniform(14, 40)), float(rng.uniform(0, 2 * math.pi))
    c, s = math.cos(tilt), math.sin(tilt)
    height = (half - edge) * (c + s) + edge
    rotation = turn(yaw) @ turn(-tilt, 1) @ any_face_up(rng)
    at = np.array([spot[0], spot[1], height])
    along = rng.uniform(0.0, 0.6) * half
    rim = np.array([half * s + along * c, height - half * c + along * s])
    width, depth = rng.uniform(1.8, 4), rng.uniform(1.5, 4.5)
    middle = turn(yaw) @ np.array([rim[0] + width / 2, rng.uniform(-0.2, 0.2) * depth, 0])
    place = np.array([spot[0], spot[1], 0.0]) + middle
    block = Thing("block", box(width, depth, rim[1] - 0.004, 0.02), Material(any_colour(rng), 0.5), turn(yaw), place)
    both = hull(np.concatenate([CUBE * half @ rotation.T + at, block.world()]))
    return Pose(rotation, at, both, yaw, half, (block,))


def throw(rng: Rng, sizes: list[tuple[float, float]], reach: float, *, touch: bool, tumble: bool) -> list[Pose | None]:
    """Poses for dice of (half edge, rounding) in cm, most within `reach` of the middle; None for want of room."""
    poses: list[Pose | None] = []
    for half, edge in sizes:
        lying = [p for p in poses if p is not None]
        level = [p for p in lying if not p.props and abs(p.at[2] - p.half) < 1e-6]
        way = rng.random()
        pose = None
        for attempt in range(120):
            spot = rng.normal(0, reach * (0.5 + attempt / 120), 2)
            pile = False
            if tumble and way < 0.12 and level and attempt < 20:
                under = level[int(rng.integers(len(level)))]
                trial, pile = stacked(rng, half, under), True
                others = [p for p in lying if p is not under]
            elif tumble and way < 0.35 and attempt < 60:
                trial, others = leaning(rng, half, edge, spot), lying
            elif touch and level and way > 0.4 and attempt < 40:
                trial, others = touching(rng, half, level[int(rng.integers(len(level)))]), lying
            else:
                trial, others = flat(rng, half, spot, float(rng.uniform(0, 2 * math.pi))), lying
            gap = 0.001 if touch or pile else 0.06
            if all(apart(trial.outline, p.outline, gap) for p in others):
                pose = trial
                break
        poses.append(pose)
    return poses


def find_spot(rng: Rng, lying: list[Floats], make: Maker, low: float, high: float) -> list[Thing]:
    """Things made at a free spot between `low` and `high` cm of the middle; none where no spot is free."""
    for _ in range(25):
        angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(low, high)
        things = make(rng, np.array([away * math.cos(angle), away * math.sin(angle)]))
        whole = hull(np.concatenate([t.world() for t in things]))
        if all(apart(whole, other, 0.03) for other in lying):
            return things
    return []
