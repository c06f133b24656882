"""Dice in motion, drawn by casting a ray for every pixel: fast, and near enough to the renderer's look for a blur."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from models.training.render import die
from models.training.render.clips.lens import Lens
from models.training.render.clips.light import Light
from models.training.render.palette import linear
from models.training.render.place import CUBE
from models.training.render.shapes import Floats, Picture

STEPS = 7
FACES = {(axis, side > 0): index for index, (axis, side) in enumerate(die.AXES)}


@dataclass(frozen=True, slots=True)
class Patch:
    """A drawn thing: its upper left pixel, linear light (h, w, 3) times cover, and cover (h, w), 0 to 1."""

    x: int
    y: int
    light: Picture
    cover: Picture


@lru_cache(maxsize=64)
def _painted(style: die.Style, value: int) -> Picture:
    return die.picture_of(style, value, 128)


def _distance(style: die.Style, p: Floats) -> tuple[Floats, Floats]:
    """How far points (n, 3) of the die's own frame lie from its skin, and their excess over the inner cube."""
    half = style.size / 2
    edge = style.edge * half
    excess = np.maximum(np.abs(p) - (half - edge), 0)
    away = np.linalg.norm(excess, axis=1) - edge
    if style.ball:
        away = np.maximum(away, np.linalg.norm(p, axis=1) - style.ball * half)
    return away, excess


def cast(
    style: die.Style, rotation: Floats, at: Floats, eye: Floats, ways: Floats, light: Light
) -> tuple[Floats, Floats]:
    """Linear light (n, 3) along rays (n, 3) from the eye, and which of them (n,) meet the die."""
    half = style.size / 2
    start, along = (eye - at) @ rotation, ways @ rotation
    safe = np.where(np.abs(along) < 1e-9, 1e-9, along)
    near = ((-np.sign(safe) * half - start) / safe).max(1)
    far = ((np.sign(safe) * half - start) / safe).min(1)
    hit = near < far
    reach = near.copy()
    for _ in range(STEPS):
        away, _ = _distance(style, start + reach[:, None] * along)
        reach += np.maximum(away, 0)
    hit &= reach < far + 0.05 * half
    points = start + reach[:, None] * along
    away, excess = _distance(style, points)
    hit &= away < 0.04 * half
    normals = np.sign(points) * excess
    if style.ball:
        beyond = np.linalg.norm(points, axis=1) > 0.995 * style.ball * half
        normals = np.where(beyond[:, None], points, normals)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    seen = light.on(normals @ rotation.T, _albedo(style, points), ways, style.material.roughness)
    return seen, hit


def _albedo(style: die.Style, points: Floats) -> Floats:
    """Linear colour (n, 3) of the skin at points of the die's own frame."""
    half = style.size / 2
    body = np.array(linear(style.material.colour))
    if style.material.swirl:
        body = 0.65 * body + 0.35 * np.array(linear(style.material.second))
    axis = np.abs(points).argmax(1)
    positive = np.take_along_axis(points, axis[:, None], 1)[:, 0] > 0
    colours = np.broadcast_to(body, points.shape).copy()
    for (which, side), face in FACES.items():
        on = np.flatnonzero((axis == which) & (positive == side))
        value = die.face_values(style.mirrored)[face]
        across = (points[on, (which + 1) % 3] / half + 1) * 63.5
        up = (points[on, (which + 2) % 3] / half + 1) * 63.5
        inked = _painted(style, value)[np.clip(up, 0, 127).astype(int), np.clip(across, 0, 127).astype(int)][:, None]
        colours[on] += inked * (np.array(linear(style.paints[value - 1])) - body)
    return colours


def draw(lens: Lens, style: die.Style, poses: list[tuple[Floats, Floats]], light: Light) -> Patch | None:
    """A die that goes through these poses (rotation, place) while the picture is taken; None out of the picture."""
    corners = np.concatenate([CUBE * style.size / 2 @ rotation.T + at for rotation, at in poses])
    try:
        seen = lens.pixels(corners)
    except ValueError:
        return None
    x0, y0 = np.maximum(np.floor(seen.min(0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(seen.max(0)).astype(int) + 3, (lens.width, lens.height))
    if x1 <= x0 or y1 <= y0:
        return None
    down, across = np.mgrid[y0:y1, x0:x1].astype(float)
    total, cover = np.zeros((*down.shape, 3)), np.zeros(down.shape)
    for number, (rotation, at) in enumerate(poses):
        # The fractions spread the rays over the pixel.
        part = np.array([(number * 0.618 + 0.25) % 1, (number * 0.382 + 0.35) % 1])
        ways = lens.rays(across.ravel() + part[0], down.ravel() + part[1])
        colours, hit = cast(style, rotation, at, lens.camera.eye, ways, light)
        total += (colours * hit[:, None]).reshape(total.shape)
        cover += hit.reshape(cover.shape)
    soft = [cv2.GaussianBlur(a / len(poses), (0, 0), 0.6).astype(np.float32) for a in (total, cover)]
    return Patch(int(x0), int(y0), soft[0], soft[1])


def outline(lens: Lens, size: float, rotation: Floats, at: Floats) -> Floats:
    """The die's outline (k, 2) in pixels, as if its edges were sharp."""
    seen = lens.pixels(CUBE * size / 2 @ rotation.T + at)
    return cv2.convexHull(seen.astype(np.float32))[:, 0].astype(float)
