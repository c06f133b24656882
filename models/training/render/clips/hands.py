"""A hand with its arm, and a dice cup, as soft solids, drawn by marching along the pixels' rays."""

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.render.clips.bodies import Patch
from models.training.render.clips.flight import UP
from models.training.render.clips.lens import Lens
from models.training.render.clips.light import Light
from models.training.render.palette import linear
from models.training.render.shapes import Floats, Ints, Rgb, turn

Reals = NDArray[np.floating[Any]]

STEPS = 18
MELT = 0.22


@dataclass(frozen=True, slots=True)
class Grip:
    """Where a hand is and how it is held.

    `at` (3,): its fingertips; `heading`: the way from the fingertips up the arm; `curl`: 0 flat to 1 a fist;
    `palm_up`: 0 reaching down to 1 lying open on its back; `pitch`: how much the arm rises.
    """

    at: Floats
    heading: float
    curl: float = 0.5
    palm_up: float = 0.0
    pitch: float = 0.25

    def frame(self) -> Floats:
        """The hand's axes (3, 3): -x is where the fingers point."""
        return turn(self.heading) @ turn(-self.pitch, 1) @ turn(math.pi * self.palm_up, 0)

    def between(self, other: "Grip", share: float) -> "Grip":
        """The hand on its way to another grip."""
        way = (other.heading - self.heading + math.pi) % (2 * math.pi) - math.pi
        return Grip(
            self.at + share * (other.at - self.at),
            self.heading + share * way,
            *(a + share * (b - a) for a, b in (
                (self.curl, other.curl), (self.palm_up, other.palm_up), (self.pitch, other.pitch)
            )),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limbs:
    """Round sticks: ends (n, 3) each, radii (n,) each, and whether each is sleeve (n,)."""

    starts: Floats
    ends: Floats
    radii: Floats
    end_radii: Floats
    sleeve: Floats

    def placed(self, grip: Grip) -> "Limbs":
        """The same sticks where the hand is."""
        frame = grip.frame()
        return replace(self, starts=self.starts @ frame.T + grip.at, ends=self.ends @ frame.T + grip.at)


def limbs(curl: float, size: float = 1.0, sleeve: float | None = 15.0) -> Limbs:
    """A hand in its own frame, the middle of its fingertips at the origin; the sleeve begins so far up the arm."""
    sticks: list[tuple[Floats, Floats, float, float, float]] = []
    tips = []
    for k, (y, length) in enumerate(zip((-2.7, -0.9, 0.9, 2.7), (6.0, 7.4, 7.8, 6.8), strict=True)):
        joint, bend = np.array([0.0, y, 0.0]), 0.1 + 0.35 * curl
        radius = 0.88
        for part, more in zip((0.46, 0.31, 0.23), (0.75, 0.85, 0.6), strict=True):
            side = (k - 1.5) * 0.09 * (1 - 0.8 * curl)
            end = joint + part * length * np.array([-math.cos(bend), side, -math.sin(bend)])
            sticks.append((joint, end, radius, radius - 0.09, 0.0))
            joint, radius, bend = end, radius - 0.09, bend + more * curl
        tips.append(joint)
    sticks += [
        (np.array([0.3, y, 0.0]), np.array([4.8, 0.62 * y, 0.25]), 1.0, 1.25, 0.0) for y in (-2.5, -0.85, 0.85, 2.5)
    ]
    thumb = [np.array([4.2, -2.6, -0.4]), np.array([1.4, -4.3 + curl, -1.0]), np.array([-1.6, -4.4 + 2.2 * curl, -1.7])]
    sticks += [(thumb[0], thumb[1], 1.25, 0.95, 0.0), (thumb[1], thumb[2], 0.95, 0.72, 0.0)]
    sticks.append((np.array([4.8, 0.0, 0.2]), np.array([17.0, 0.0, 0.6]), 1.9, 2.7, 0.0))
    middle = np.mean(tips, axis=0)
    if sleeve is None:
        sticks.append((np.array([17.0, 0.0, 0.6]), np.array([34.0, 0.0, 1.2]), 2.7, 3.6, 0.0))
    else:
        sticks.append((np.array([sleeve - 8.0, 0.0, 0.3]), np.array([34.0, 0.0, 1.2]), 3.0, 4.4, 1.0))
    starts, ends = (np.array([s[k] for s in sticks]) - middle for k in (0, 1))
    radii, end_radii, kinds = (np.array([s[k] for s in sticks]) for k in (2, 3, 4))
    return Limbs(size * starts, size * ends, size * radii, size * end_radii, kinds)


def palm(curl: float, size: float) -> Floats:
    """The middle of the palm's skin (3,) in the hand's own frame; its normal is -z."""
    hand = limbs(curl, size)
    bones = slice(12, 16)
    return (hand.starts[bones] + hand.ends[bones]).mean(0) / 2 - np.array([0.0, 0.0, 1.1 * size])


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup standing on its rim: the middle (3,) of its mouth, its radius, its height, how far it leans (radians)."""

    at: Floats
    radius: float
    height: float
    lean: float = 0.0

    def between(self, other: "Cup", share: float) -> "Cup":
        """The cup on its way to another place."""
        return replace(
            self, at=self.at + share * (other.at - self.at), lean=self.lean + share * (other.lean - self.lean)
        )

    def distance(self, points: Reals) -> Reals:
        """How far points (n, 3) are from its outside, negative within."""
        own = (points - self.at) @ turn(self.lean, 1)
        out, up = np.hypot(own[:, 0], own[:, 1]), own[:, 2]
        wall = (out - self.radius + 0.12 * self.radius * up / self.height) * 0.99
        return np.maximum(np.maximum(wall, up - self.height), -up) - 0.15


@dataclass(frozen=True, slots=True)
class Cast:
    """What may come into the picture beside dice, and its colours (sRGB)."""

    skin: Rgb
    cloth: Rgb
    leather: Rgb
    size: float
    sleeve: float | None


def draw(
    lens: Lens, cast: Cast, grip: Grip | None, cup: Cup | None, light: Light, step: int, blur: Floats | None = None
) -> Patch | None:
    """The hand and the cup, a ray for every `step`th pixel; `blur` (2,): pixels it moves while the picture is taken."""
    arm = limbs(grip.curl, cast.size, cast.sleeve).placed(grip) if grip else None
    across, down = np.arange(step / 2, lens.width, step), np.arange(step / 2, lens.height, step)
    x, y = np.meshgrid(across, down)
    ways = lens.rays(x.ravel(), y.ravel()).astype(np.float32)
    picked, enters = _near(lens.camera.eye, ways, arm, cup)
    if not len(picked):
        return None
    ways = ways[picked]
    footprint = step / lens.scale
    reach, closest = _march(lens.camera.eye.astype(np.float32), ways, arm, cup, enters, footprint)
    cover = np.clip(1.1 - closest / footprint, 0, 1)
    on = cover > 0
    if not on.any():
        return None
    points = (lens.camera.eye + reach[on, None] * ways[on]).astype(np.float32)
    normals, albedo = _surface(points, arm, cup, cast)
    light_of = light.on(normals, albedo, ways[on], 0.55)
    small, soft = np.zeros((*x.shape, 3), np.float32), np.zeros(x.shape, np.float32)
    place = picked[on]
    small.reshape(-1, 3)[place] = light_of * cover[on, None]
    soft.reshape(-1)[place] = cover[on]
    if blur is not None and np.hypot(*blur) > 1.5 * step:
        kernel = _streak(blur / step)
        small, soft = (cv2.filter2D(a, -1, kernel, borderType=cv2.BORDER_REPLICATE) for a in (small, soft))
    whole = (len(across) * step, len(down) * step)
    big, cover_big = (cv2.resize(a, whole, interpolation=cv2.INTER_LINEAR) for a in (small, soft))
    part = np.s_[: lens.height, : lens.width]
    return Patch(0, 0, big[part].astype(np.float32), cover_big[part].astype(np.float32))


def _streak(way: Floats) -> Floats:
    half = int(np.ceil(np.abs(way).max() / 2)) + 1
    kernel = np.zeros((2 * half + 1,) * 2, np.float32)
    ends = [(round(half + s * way[0] / 2), round(half + s * way[1] / 2)) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return kernel / kernel.sum()


def _near(eye: Floats, ways: Reals, arm: Limbs | None, cup: Cup | None) -> tuple[Ints, Reals]:
    """Which rays (n, 3) pass close to the hand or the cup, and from how far on: by balls round its parts."""
    balls = []
    if arm is not None:
        for k in range(len(arm.starts)):
            parts = 7 if arm.sleeve[k] else 2
            half = float(np.linalg.norm(arm.ends[k] - arm.starts[k])) / (2 * parts)
            for share in (np.arange(parts) + 0.5) / parts:
                middle = arm.starts[k] + share * (arm.ends[k] - arm.starts[k])
                balls.append((middle - eye, max(arm.radii[k], arm.end_radii[k]) + half + 0.3))
    if cup is not None:
        balls.append((cup.at + cup.height / 2 * UP - eye, float(np.hypot(cup.radius, cup.height / 2)) + 1))
    middles = np.array([middle for middle, _ in balls], np.float32)
    squares = np.array([radius**2 for _, radius in balls], np.float32) - (middles**2).sum(1)
    along = ways @ middles.T
    inside = along**2 + squares
    inside[along < 0] = -1
    enters = np.where(inside > 0, along - np.sqrt(np.maximum(inside, 0)), np.inf).min(1)
    picked = np.flatnonzero(np.isfinite(enters))
    return picked, np.maximum(enters[picked], 3.0)


def _march(
    eye: Reals, ways: Reals, arm: Limbs | None, cup: Cup | None, start: Reals, footprint: float
) -> tuple[Reals, Reals]:
    """How far along each ray the nearest skin is, and how near the ray came to it, there, per distance."""
    reach = start.astype(np.float32)
    best, closest = reach.copy(), np.full(len(ways), np.inf, np.float32)
    active = np.arange(len(ways))
    for _ in range(STEPS):
        away = _away(eye + reach[active, None] * ways[active], arm, cup)[0]
        rate = away / reach[active]
        better = rate < closest[active]
        best[active[better]], closest[active[better]] = reach[active[better]], rate[better]
        reach[active] += np.maximum(away, 0.02)
        active = active[(rate > 0.1 * footprint) & (reach[active] < 260)]
        if not len(active):
            break
    return best, np.maximum(closest, 0)


def _sticks(points: Reals, arm: Limbs, which: Ints) -> Reals:
    """Distance (n,) of points to the sticks chosen, melted together."""
    starts, along = arm.starts[which].astype(np.float32), (arm.ends - arm.starts)[which].astype(np.float32)
    squares = np.maximum((along**2).sum(1), 1e-9)
    share = np.clip((points @ along.T - (starts * along).sum(1)) / squares, 0, 1)
    # |p - a - s d|² = |p - a|² - 2 s (p - a)·d + s² |d|²
    off = (points**2).sum(1)[:, None] - 2 * points @ starts.T + (starts**2).sum(1)
    dot = points @ along.T - (starts * along).sum(1)
    apart = np.sqrt(np.maximum(off - 2 * share * dot + share**2 * squares, 0))
    apart -= arm.radii[which] + share * (arm.end_radii - arm.radii)[which]
    least = apart.min(1)
    return least - MELT * np.log(np.exp(-np.minimum((apart - least[:, None]) / MELT, 40)).sum(1))


def _away(points: Reals, arm: Limbs | None, cup: Cup | None) -> tuple[Reals, Ints]:
    """Distance (n,) to the nearest solid, and which: 0 skin, 1 cloth, 2 the cup."""
    rows = []
    if arm is not None:
        rows.append(_sticks(points, arm, np.flatnonzero(arm.sleeve == 0)))
        if arm.sleeve.any():
            rows.append(_sticks(points, arm, np.flatnonzero(arm.sleeve == 1)))
    kinds = [0, 1][: len(rows)]
    if cup is not None:
        rows.append(cup.distance(points))
        kinds.append(2)
    table = np.stack(rows)
    return table.min(0), np.array(kinds)[table.argmin(0)]


def _surface(points: Reals, arm: Limbs | None, cup: Cup | None, cast: Cast) -> tuple[Floats, Floats]:
    """Normals (n, 3) and linear colours (n, 3)."""
    base, kinds = _away(points, arm, cup)
    small = 0.05
    steps = [_away(points + small * np.eye(3, dtype=np.float32)[k], arm, cup)[0] - base for k in range(3)]
    normals = np.stack(steps, 1).astype(float)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    colours = np.array([linear(cast.skin), linear(cast.cloth), linear(cast.leather)])[kinds]
    own = points - (arm.starts[0] if arm is not None else cup.at if cup is not None else 0)
    weave = np.sin(own @ np.array([[7.0, 3.0], [-3.0, 7.0], [4.0, 5.0]])).prod(1)
    patchy = np.sin(own @ np.array([1.1, 1.7, 0.9])) * np.sin(own @ np.array([-1.3, 0.8, 1.9]))
    rough = np.where(kinds == 1, 0.16 * weave, 0.05 * patchy)
    # Less light comes from below, where the table is near.
    near = np.clip(0.55 + 0.15 * points[:, 2], 0.55, 1)
    return normals, colours * (1 + rough)[:, None] * near[:, None]
