"""What is true of a scene's picture: boxes, top faces, values and colours."""

import math
from typing import Any

import cv2
import numpy as np

from models.training.render import die
from models.training.render.clutter import DOTTED
from models.training.render.scene import RECIPE, Camera, Die, Scene
from models.training.render.shapes import Floats, Thing, hull

COCKED = 0.97
"""Cosine of the tilt under which a die leans: its value is not to be read."""


def project(camera: Camera, points: Floats, width: int, height: int) -> Floats:
    """Pixels (n, 2) of points (n, 3) in cm; the lens's angle spans the longer side.

    Raises:
        ValueError: a point lies behind the camera.
    """
    seen = (points - camera.eye) @ camera.axes.T
    if (seen[:, 2] < 0.5).any():
        raise ValueError("a point lies behind the camera")
    scale = max(width, height) / 2 / math.tan(camera.angle / 2)
    return np.array([width / 2, height / 2]) + scale * seen[:, :2] * (1, -1) / seen[:, 2:]


def outer_box(camera: Camera, thing: Thing, width: int, height: int) -> list[float] | None:
    """x0 y0 x1 y1 in pixels, also where it reaches outside; None behind the camera or wholly outside."""
    try:
        pixels = project(camera, thing.world(), width, height)
    except ValueError:
        return None
    (x0, y0), (x1, y1) = pixels.min(0), pixels.max(0)
    if x1 < 0 or y1 < 0 or x0 > width or y0 > height:
        return None
    return [round(float(v), 1) for v in (x0, y0, x1, y1)]


def top_corners(d: Die) -> Floats:
    """Corners (4, 3) of the upper face as if the edges were sharp, in the scene."""
    axis, side = die.AXES[die.top_face(d.thing.rotation)]
    half = d.style.size / 2
    corners = np.zeros((4, 3))
    corners[:, axis] = side * half
    corners[:, (axis + 1) % 3] = np.array([-1, 1, 1, -1]) * half
    corners[:, (axis + 2) % 3] = np.array([-1, -1, 1, 1]) * half
    return corners @ d.thing.rotation.T + d.thing.at


def outline(camera: Camera, thing: Thing, width: int, height: int) -> list[list[float]]:
    """The thing's convex outline in the picture, a corner every pixel or so at most; empty behind the camera."""
    try:
        around = hull(project(camera, thing.world(), width, height)).astype(np.float32)
    except ValueError:
        return []
    return _rounded(cv2.approxPolyDP(around[:, None], 0.4, closed=True)[:, 0].astype(float))


def top_pips(d: Die) -> Floats:
    """Centres (value, 3) of the upper face's pips, in the scene."""
    axis, side = die.AXES[die.top_face(d.thing.rotation)]
    places = die.pips(d.style, d.value)
    half = d.style.size / 2
    centres = np.zeros((len(places), 3))
    centres[:, axis] = side * half
    centres[:, (axis + 1) % 3], centres[:, (axis + 2) % 3] = half * places[:, 0], half * places[:, 1]
    return centres @ d.thing.rotation.T + d.thing.at


def _rounded(points: Floats) -> list[list[float]]:
    return [[round(float(v), 1) for v in point] for point in points]


def _die(scene: Scene, d: Die, visible: float, width: int, height: int) -> dict[str, Any] | None:
    box = outer_box(scene.camera, d.thing, width, height)
    if box is None:
        return None
    quad = project(scene.camera, top_corners(d), width, height)
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[0]
    if ax * by - ay * bx < 0:
        quad = quad[::-1]
    axis, side = die.AXES[die.top_face(d.thing.rotation)]
    upright = float(d.thing.rotation[2, axis] * side)
    return {
        "box": box,
        "quad": _rounded(quad),
        "pips": _rounded(project(scene.camera, top_pips(d), width, height)),
        "outline": outline(scene.camera, d.thing, width, height),
        "value": d.value,
        "body": d.style.body,
        "ink": d.ink,
        "upright": round(upright, 3),
        "cocked": upright < COCKED,
        "inside": box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height,
        "visible": round(visible, 2),
        "tint": d.style.tint,
        "material": d.style.finish,
        "layout": [d.style.two, d.style.three, round(d.style.radius, 3), round(d.style.one, 2)],
    }


def of_scene(scene: Scene, visible: list[float], width: int, height: int) -> dict[str, Any]:
    """The scene's labels, as a line of the index without the file's name.

    `visible`: the share of each die, then of each other die, that nothing hides from the camera.
    """
    shares = iter(visible)
    dice = [_die(scene, d, next(shares), width, height) for d in scene.dice]
    others = []
    for o in scene.others:
        share, box = next(shares), outer_box(scene.camera, o.thing, width, height)
        if box is not None:
            around = outline(scene.camera, o.thing, width, height)
            others.append({"box": box, "kind": o.kind, "visible": round(share, 2), "outline": around})
    clutter = [
        {"kind": thing.name, "outline": outline(scene.camera, thing, width, height)}
        for thing in scene.clutter
        if thing.name in DOTTED and outer_box(scene.camera, thing, width, height)
    ]
    plan = scene.plan
    modes = {
        "close": plan.frame == "near",
        "wide": plan.frame == "wide",
        "dim": plan.light == "dim",
        "side": plan.light == "side",
        "glare": plan.light == "glare",
        "touching": plan.touching,
        "tumbled": plan.tumbled,
        "yam": plan.yamslam,
        "distract": plan.dotted,
        "held_out": plan.held_out,
    }
    return {
        "w": width,
        "h": height,
        "seed": scene.seed,
        "recipe": RECIPE,
        "mode": [name for name, on in modes.items() if on],
        "table": plan.table,
        "elevation": round(plan.elevation, 1),
        "dice": [label for label in dice if label is not None],
        "other": others,
        "clutter": clutter,
    }
