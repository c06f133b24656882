"""What else lies on a table: things with dots that are no dice, and everyday things."""

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from models.training.render.palette import BODIES, INKS, SKIN, any_colour, jitter
from models.training.render.shapes import (
    Floats,
    Material,
    Mesh,
    Picture,
    Rgb,
    Rng,
    Thing,
    box,
    capsule,
    flat_place,
    joined,
    lathe,
    sheet,
    shifted,
    turn,
)

Maker = Callable[[Rng, Floats], list[Thing]]
PAPER: tuple[Rgb, ...] = ((0.95, 0.95, 0.92), (0.97, 0.95, 0.85), (0.90, 0.94, 0.97))
METALS: tuple[Rgb, ...] = ((0.80, 0.56, 0.26), (0.75, 0.75, 0.76), (0.72, 0.45, 0.31))
SPOTS = {
    0: [], 1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)], 6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}  # fmt: skip
ROWS = (
    "Aces",
    "Twos",
    "Threes",
    "Fours",
    "Fives",
    "Sixes",
    "Bonus",
    "3 alike",
    "4 alike",
    "Full house",
    "Small",
    "Large",
    "Yams",
)


def _blank(height: int, width: int, colour: Rgb) -> np.ndarray:
    return np.full((height, width, 3), [round(255 * c) for c in colour], np.uint8)


def _bytes(colour: Rgb) -> tuple[int, int, int]:
    r, g, b = (round(255 * c) for c in colour)
    return (r, g, b)


def _unit(picture: np.ndarray) -> Picture:
    return (picture / 255.0).astype(np.float32)


def _slab(
    rng: Rng, spot: Floats, name: str, size: tuple[float, float, float], body: Material, picture: Picture
) -> list[Thing]:
    """A flat box with a picture on its top."""
    width, depth, height = size
    rotation, at = flat_place(rng, spot)
    edge = min(0.08, height / 4)
    top = shifted(sheet(width - 2 * edge, depth - 2 * edge), 0, 0, height + 0.004)
    face = replace(body, picture=picture)
    return [
        Thing(name, box(width, depth, height, edge), body, rotation, at),
        Thing(f"{name} top", top, face, rotation, at),
    ]


def domino(rng: Rng, spot: Floats) -> list[Thing]:
    """A domino, light or dark."""
    light = rng.random() < 0.6
    body: Rgb = jitter(rng, (0.93, 0.91, 0.85) if light else (0.05, 0.05, 0.055))
    ink = (12, 12, 14) if light else (240, 240, 236)
    picture = _blank(256, 128, body)
    cv2.line(picture, (12, 128), (116, 128), ink, 3)
    for middle in (64, 192):
        for x, y in SPOTS[int(rng.integers(7))]:
            cv2.circle(picture, (64 + 32 * x, middle + 32 * y), 11, ink, -1, cv2.LINE_AA)
    size = rng.uniform(0.8, 1.15)
    material = Material(body, float(rng.uniform(0.15, 0.5)))
    return _slab(rng, spot, "domino", (2.2 * size, 4.4 * size, 0.8 * size), material, _unit(picture))


def tile(rng: Rng, spot: Floats) -> list[Thing]:
    """A square card or tile with a die printed on it, as board games have them."""
    body = jitter(rng, PAPER[int(rng.integers(3))])
    ink = _bytes(list(INKS.values())[int(rng.integers(4))])
    picture = _blank(160, 160, body)
    spacing, reach = int(rng.integers(26, 44)), int(rng.integers(8, 15))
    cv2.rectangle(picture, (18, 18), (142, 142), ink, 3, cv2.LINE_AA)
    for x, y in SPOTS[int(rng.integers(1, 7))]:
        cv2.circle(picture, (80 + spacing * x, 80 + spacing * y), reach, ink, -1, cv2.LINE_AA)
    side = float(rng.uniform(1.8, 6))
    return _slab(rng, spot, "tile", (side, side, 0.12), Material(body, 0.6), _unit(picture))


def button(rng: Rng, spot: Floats) -> list[Thing]:
    """A button with two or four holes."""
    radius = float(rng.uniform(0.5, 1.3))
    colour = any_colour(rng)
    rim = [
        (0, 0),
        (radius, 0),
        (radius, 0.2),
        (0.93 * radius, 0.26),
        (0.8 * radius, 0.25),
        (0.7 * radius, 0.17),
        (0, 0.17),
    ]
    rotation, at = flat_place(rng, spot)
    holes = int(rng.choice([2, 4]))
    hole = lathe([(0.13 * radius, 0), (0, 0.003)], 16, smooth=False)
    away = 0.3 * radius
    around = [k * 2 * math.pi / holes for k in range(holes)]
    dots = joined([shifted(hole, away * math.cos(a), away * math.sin(a), 0.172) for a in around])
    r, g, b = (0.1 * np.array(colour)).tolist()
    return [
        Thing("button", lathe(rim), Material(colour, 0.25), rotation, at),
        Thing("holes", dots, Material((r, g, b), 0.9), rotation, at),
    ]


def ladybird(rng: Rng, spot: Floats) -> list[Thing]:
    """A ladybird of wood or chocolate, with five to seven spots."""
    radius = float(rng.uniform(0.5, 1.2))
    arc = np.linspace(0, math.pi / 2, 10)
    dome = lathe([(radius * math.cos(t), 0.6 * radius * math.sin(t)) for t in arc], 32)
    picture = _blank(128, 128, jitter(rng, (0.80, 0.06, 0.05)))
    cv2.line(picture, (64, 0), (64, 128), (8, 8, 8), 3)
    cv2.rectangle(picture, (0, 0), (128, 26), (8, 8, 8), -1)
    spots = [(40, 48), (88, 48), (34, 80), (94, 80), (50, 102), (78, 102), (64, 40)]
    for place in spots[: int(rng.integers(5, 8))]:
        cv2.circle(picture, place, 9, (8, 8, 8), -1, cv2.LINE_AA)
    rotation, at = flat_place(rng, spot)
    return [Thing("ladybird", dome, Material((0.8, 0.06, 0.05), 0.15, picture=_unit(picture)), rotation, at)]


def brick(rng: Rng, spot: Floats) -> list[Thing]:
    """A building brick with studs."""
    across, up = ((2, 2), (2, 3), (2, 4), (1, 2), (1, 1), (3, 3))[int(rng.integers(6))]
    height = float(rng.choice([0.32, 0.96]))
    tints = [c for shades in BODIES.values() for _, c in shades]
    material = Material(jitter(rng, tints[int(rng.integers(len(tints)))]), 0.2)
    stud = lathe([(0.24, 0), (0.24, 0.17), (0, 0.17)], 20, smooth=False)
    places = [((i - (across - 1) / 2) * 0.8, (j - (up - 1) / 2) * 0.8) for i in range(across) for j in range(up)]
    studs = joined([shifted(stud, x, y, height) for x, y in places])
    rotation, at = flat_place(rng, spot)
    body = box(across * 0.8, up * 0.8, height, 0.02)
    return [Thing("brick", body, material, rotation, at), Thing("studs", studs, material, rotation, at)]


def pad(rng: Rng, spot: Floats) -> list[Thing]:
    """A score pad with words and figures, or with dice printed on it."""
    body = PAPER[int(rng.integers(3))]
    picture = _blank(512, 384, body)
    ink = _bytes(list(INKS.values())[int(rng.integers(4))])
    printed, filled = rng.random() < 0.5, rng.random() < 0.4
    for row, word in enumerate(ROWS):
        y = 36 + 36 * row
        cv2.line(picture, (0, y + 8), (384, y + 8), (150, 155, 170), 1, cv2.LINE_AA)
        if printed and row < 6:
            cv2.rectangle(picture, (12, y - 22), (40, y + 6), ink, -1 if filled else 2, cv2.LINE_AA)
            for i, j in SPOTS[row + 1]:
                cv2.circle(picture, (26 + 8 * i, y - 8 + 8 * j), 3, _bytes(body) if filled else ink, -1, cv2.LINE_AA)
        else:
            cv2.putText(picture, word, (10, y), 0, 0.6, (25, 25, 38), 1, cv2.LINE_AA)
        for column in range(3):
            if rng.random() < 0.5:
                figure = str(int(rng.integers(1, 31)))
                cv2.putText(picture, figure, (176 + 70 * column, y), 1, 1.5, (25, 30, 110), 2, cv2.LINE_AA)
    for column in range(4):
        cv2.line(picture, (165 + 70 * column, 0), (165 + 70 * column, 512), (150, 155, 170), 1)
    width = float(rng.uniform(7, 14))
    size = (width, width * 4 / 3, float(rng.uniform(0.05, 0.6)))
    return _slab(rng, spot, "pad", size, Material(body, 0.9), _unit(picture))


def pencil(rng: Rng, spot: Floats) -> list[Thing]:
    """A pencil or pen, lying."""
    rotation, at = flat_place(rng, spot, 0.36)
    rotation = rotation @ turn(math.pi / 2, 1)
    length = float(rng.uniform(8, 16))
    half = length / 2
    parts = [
        (lathe([(0, -half), (0.36, -half), (0.36, half)], 6, smooth=False), any_colour(rng)),
        (lathe([(0.35, half), (0.1, half + 1.6)], 24), (0.80, 0.62, 0.42)),
        (lathe([(0.1, half + 1.6), (0.0, half + 2)], 12), (0.1, 0.1, 0.1)),
    ]
    return [Thing("pencil", mesh, Material(colour, 0.35), rotation, at) for mesh, colour in parts]


def cup(rng: Rng, spot: Floats) -> list[Thing]:
    """A dice cup standing or lying, plain or dotted."""
    radius, height = float(rng.uniform(2.8, 4)), float(rng.uniform(6, 10))
    profile = [
        (0, 0),
        (0.93 * radius, 0),
        (1.05 * radius, height),
        (radius, height + 0.05),
        (0.97 * radius, height),
        (0.85 * radius, 0.3),
        (0, 0.3),
    ]
    mesh = lathe(profile, 64)
    colour = jitter(
        rng,
        ((0.25, 0.10, 0.05), (0.04, 0.04, 0.04), (0.85, 0.85, 0.84), (0.50, 0.05, 0.06), (0.05, 0.10, 0.40))[
            int(rng.integers(5))
        ],
    )
    rotation, at = flat_place(rng, spot)
    if rng.random() < 0.35:
        rotation, at = rotation @ turn(math.pi / 2, 1), np.array([spot[0], spot[1], 1.05 * radius])
    material = Material(colour, float(rng.uniform(0.2, 0.7)))
    things = [Thing("cup", mesh, material, rotation, at)]
    if rng.random() < 0.4:
        ink = any_colour(rng)
        dot = lathe([(0.35, 0), (0.3, 0.03), (0, 0.04)], 16)
        rings = [(a, z) for z in (0.25, 0.5, 0.75) for a in np.arange(8) * math.pi / 4 + z * 3]
        dots = []
        for angle, z in rings:
            out = turn(angle) @ turn(math.pi / 2, 1)
            reach = radius * (0.93 + 0.12 * z) + 0.005
            place = np.array([reach * math.cos(angle), reach * math.sin(angle), z * height])
            dots.append(replace(dot, points=dot.points @ out.T + place))
        things.append(Thing("cup dots", joined(dots), Material(ink, 0.5), rotation, at))
    return things


def coin(rng: Rng, spot: Floats) -> list[Thing]:
    """A coin."""
    radius = float(rng.uniform(0.8, 1.3))
    rim = [(0, 0), (radius, 0), (radius, 0.17), (0.9 * radius, 0.17), (0.88 * radius, 0.15), (0, 0.15)]
    rotation, at = flat_place(rng, spot)
    metal = METALS[int(rng.integers(3))]
    return [Thing("coin", lathe(rim, 40, smooth=False), Material(metal, 0.25, metallic=1.0), rotation, at)]


def hand(rng: Rng, spot: Floats) -> list[Thing]:
    """A hand that lies flat or reaches in, coming out of a sleeve; `spot` is where the fingertips are."""
    away = math.atan2(spot[1], spot[0])
    rotation = turn(away + rng.normal(0, 0.4))
    spread, curl = rng.uniform(0.05, 0.2), rng.uniform(0.0, 0.6)
    parts = [
        capsule(np.array([6.5, y, 1.4]), np.array([11.0, 0.7 * y, 2.0]), 1.25, 1.3) for y in (-2.4, -0.8, 0.8, 2.4)
    ]
    for k, (y, length) in enumerate(zip((-2.7, -0.9, 0.9, 2.7), (5.2, 6.6, 7.0, 6.2), strict=True)):
        side = (k - 1.5) * spread
        knuckle = np.array([6.2, y, 1.6])
        middle = knuckle + 0.5 * length * np.array([-math.cos(curl / 2), side, 0.25])
        tip = middle + 0.5 * length * np.array([-math.cos(curl), side, -0.45 - 0.3 * math.sin(curl)])
        tip[2] = max(tip[2], 0.7)
        parts += [capsule(knuckle, middle, 0.95, 0.8), capsule(middle, tip, 0.8, 0.65)]
    thumb = np.array([9.0, -3.2, 1.4]), np.array([5.8, -5.6, 1.1]), np.array([3.6, -5.9, 0.8])
    parts += [capsule(thumb[0], thumb[1], 1.2, 0.95), capsule(thumb[1], thumb[2], 0.95, 0.7)]
    parts.append(capsule(np.array([11.0, 0, 2.2]), np.array([20.0, 0, 3.0]), 2.3, 2.6))
    at = np.array([spot[0], spot[1], float(rng.uniform(0.0, 1.5))])
    skin = Material(jitter(rng, SKIN[int(rng.integers(len(SKIN)))], 0.05), 0.5, soft=0.3)
    things = [Thing("hand", joined(parts, fuse=True), skin, rotation, at)]
    if rng.random() < 0.7:
        start = float(rng.uniform(13, 17))
        sleeve = capsule(np.array([start, 0, 2.6]), np.array([34.0, 0, 3.4]), 3.2, 4.2)
        things.append(Thing("sleeve", sleeve, Material(any_colour(rng), 0.9), rotation, at))
    return things


def tray(rng: Rng, reach: float) -> list[Thing]:
    """The rim of a throwing tray of this inner radius around the middle: round, six- or four-sided."""
    sides = int(rng.choice([4, 6, 8, 64]))
    height, wall = float(rng.uniform(1.5, 3.5)), float(rng.uniform(0.3, 1.0))
    inner = reach / math.cos(math.pi / sides)
    profile = [(inner, 0), (inner + 0.2, height), (inner + 0.2 + wall, height), (inner + 0.4 + wall, 0)]
    mesh: Mesh = replace(lathe(profile, sides, smooth=sides > 8), bevel=0.0)
    material = Material(any_colour(rng), float(rng.uniform(0.3, 0.9)))
    return [Thing("tray", mesh, material, turn(rng.uniform(0, 2 * math.pi)), np.zeros(3))]


DOTTED: dict[str, Maker] = {
    "domino": domino, "tile": tile, "button": button, "ladybird": ladybird,
    "brick": brick, "pad": pad, "cup": cup, "coin": coin,
}  # fmt: skip
EVERYDAY: dict[str, tuple[Maker, float]] = {
    "pad": (pad, 0.2), "pencil": (pencil, 0.25), "cup": (cup, 0.15), "coin": (coin, 0.2), "hand": (hand, 0.15),
    "button": (button, 0.04), "domino": (domino, 0.08), "brick": (brick, 0.07), "tile": (tile, 0.05),
    "ladybird": (ladybird, 0.03),
}  # fmt: skip
"""Each with the share of scenes that it lies in."""
