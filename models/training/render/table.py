"""Tables to throw on: procedural pictures, the same for the same random numbers."""

import math

import cv2
import numpy as np

from models.training.render.patterned import SIZE, basket, keys, page, spots, tartan
from models.training.render.shapes import Floats, Picture, Rgb, Rng

TABLES: dict[str, float] = {
    "wood": 0.19, "cloth": 0.11, "felt": 0.09, "white": 0.06, "black": 0.06, "plain": 0.07, "stone": 0.05,
    "print": 0.05, "check": 0.03, "stripe": 0.02, "carton": 0.03,
    "basket": 0.09, "tartan": 0.05, "page": 0.05, "keys": 0.02, "spots": 0.03,
}  # fmt: skip
HELD_OUT_TABLES: dict[str, float] = {"leather": 0.25, "terrazzo": 0.25, "flowers": 0.25, "parquet": 0.25}
ROUGHNESS = {
    "wood": (0.15, 0.6),
    "parquet": (0.15, 0.5),
    "stone": (0.05, 0.3),
    "terrazzo": (0.05, 0.4),
    "plain": (0.1, 0.9),
}
RELIEF = {
    "cloth": 0.03, "felt": 0.03, "black": 0.02, "leather": 0.05, "wood": 0.006, "check": 0.01, "polka": 0.02,
    "basket": 0.04, "tartan": 0.01,
}  # fmt: skip
WOODS: tuple[tuple[Rgb, Rgb, Rgb], ...] = (
    ((0.15, 0.08, 0.04), (0.33, 0.19, 0.10), (0.46, 0.28, 0.15)),
    ((0.54, 0.37, 0.21), (0.74, 0.55, 0.35), (0.84, 0.67, 0.46)),
    ((0.29, 0.15, 0.08), (0.49, 0.26, 0.14), (0.61, 0.36, 0.20)),
    ((0.34, 0.31, 0.27), (0.54, 0.50, 0.45), (0.67, 0.62, 0.56)),
    ((0.69, 0.59, 0.44), (0.84, 0.76, 0.61), (0.91, 0.84, 0.71)),
)
FELTS: tuple[Rgb, ...] = (
    (0.05, 0.33, 0.15), (0.36, 0.04, 0.07), (0.05, 0.12, 0.35), (0.08, 0.08, 0.09), (0.25, 0.10, 0.30),
    (0.55, 0.50, 0.42),
)  # fmt: skip
WORDS = ("YAMS", "DICE", "KNIFFEL", "START", "BONUS", "20", "JOKER", "GAME", "ROLL")


def noise(rng: Rng, across: float, up: float, octaves: int = 4, gain: float = 0.5) -> Floats:
    """Smooth random relief, (SIZE, SIZE), 0 to 1, with so many bumps across and up."""
    total, share = np.zeros((SIZE, SIZE)), 1.0
    for octave in range(octaves):
        cells = [int(min(SIZE, max(2, f * 2**octave))) for f in (up, across)]
        total += share * cv2.resize(rng.standard_normal(cells), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
        share *= gain
    low, high = float(total.min()), float(total.max())
    return (total - low) / (high - low)


def ramp(t: Floats, colours: tuple[Rgb, ...]) -> Floats:
    """Colours along 0 to 1, blended, (..., 3)."""
    stops = np.linspace(0, 1, len(colours))
    return np.stack([np.interp(t, stops, [c[k] for c in colours]) for k in range(3)], -1)


def paint(rng: Rng, kind: str) -> Picture:
    """A table of this kind, sRGB (SIZE, SIZE, 3), 0 to 1.

    Raises:
        KeyError: there is no such kind of table.
    """
    return np.clip(PAINTERS[kind](rng), 0, 1).astype(np.float32)


def _axes() -> tuple[Floats, Floats]:
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    return x, y


def _wood(rng: Rng) -> Floats:
    _, y = _axes()
    boards = int(rng.integers(3, 9)) if rng.random() < 0.6 else 1
    board = np.floor(y * boards).astype(int)
    bend = noise(rng, 2, 6) * rng.uniform(3, 9)
    rings = np.sin((y * rng.uniform(12, 50) + bend + (rng.random(boards) * 40)[board]) * 2 * math.pi) * 0.5 + 0.5
    tone = (
        0.35 * rings + 0.4 * noise(rng, 3, 200, 3) + 0.35 * noise(rng, 1, 12) + (rng.random(boards) * 0.25 - 0.1)[board]
    )
    picture = ramp(np.clip(tone, 0, 1), WOODS[int(rng.integers(len(WOODS)))])
    if boards > 1:
        gap = np.abs(y * boards - np.round(y * boards)) < 0.0013 * boards
        picture *= 1 - 0.6 * gap[..., None]
    return picture


def _parquet(rng: Rng) -> Floats:
    x, y = _axes()
    tiles = int(rng.integers(2, 5))
    odd = (np.floor(x * tiles) + np.floor(y * tiles)) % 2
    strip = np.where(odd, x, y) * tiles * 5
    tone = (
        0.3
        * rng.random(500)[(np.floor(strip) * 7 + np.floor(x * tiles) * 31 + np.floor(y * tiles) * 57).astype(int) % 500]
    )
    tone += np.where(odd, noise(rng, 150, 4), noise(rng, 4, 150)) * 0.6
    gap = np.abs(strip - np.round(strip)) < 0.03
    return ramp(np.clip(tone, 0, 1), WOODS[int(rng.integers(len(WOODS)))]) * (1 - 0.5 * gap[..., None])


def _weave(rng: Rng, base: Floats) -> Floats:
    x, y = _axes()
    threads = rng.uniform(90, 240)
    wave = [np.sin(2 * math.pi * threads * v + noise(rng, 20, 20, 2) * 3) for v in (x, y)]
    return base * (0.8 + 0.22 * wave[0] * wave[1] + 0.3 * noise(rng, 4, 4))[..., None]


def _cloth(rng: Rng) -> Floats:
    x, y = _axes()
    base = np.ones((SIZE, SIZE, 3)) * (rng.random(3) ** 0.8 * 0.85 + 0.06)
    if rng.random() < 0.35:
        count = int(rng.integers(4, 20))
        squares = (np.floor(x * count) % 2 + np.floor(y * count) % 2)[..., None] / 2
        base = base * (1 - 0.8 * squares) + rng.random(3) * 0.8 * squares
    return _weave(rng, base)


def _felt(rng: Rng) -> Floats:
    colour = np.array(FELTS[int(rng.integers(len(FELTS)))]) * rng.uniform(0.8, 1.25)
    return colour * (0.72 + 0.4 * noise(rng, 300, 300, 3, 0.8) + 0.25 * noise(rng, 3, 3))[..., None]


def _white(rng: Rng) -> Floats:
    base = np.ones((SIZE, SIZE, 3)) * np.array([0.93, 0.925, 0.91]) * rng.uniform(0.85, 1.03)
    return _weave(rng, base) if rng.random() < 0.4 else base * (0.95 + 0.07 * noise(rng, 6, 6))[..., None]


def _black(rng: Rng) -> Floats:
    base = np.ones((SIZE, SIZE, 3)) * rng.uniform(0.035, 0.13) * rng.uniform(0.9, 1.1, 3)
    return _weave(rng, base) if rng.random() < 0.6 else base * (0.7 + 0.5 * noise(rng, 200, 200, 3))[..., None]


def _plain(rng: Rng) -> Floats:
    return rng.random(3) ** 0.7 * (0.93 + 0.1 * noise(rng, 60, 60))[..., None]


def _carton(rng: Rng) -> Floats:
    colour = np.array([0.72, 0.58, 0.42]) * rng.uniform(0.8, 1.15)
    return colour * (0.85 + 0.2 * noise(rng, 3, 260, 3) + 0.1 * noise(rng, 4, 4))[..., None]


def _stone(rng: Rng) -> Floats:
    x, y = _axes()
    veins = np.sin((x * rng.uniform(1, 4) + y * rng.uniform(1, 4) + noise(rng, 4, 4, 6) * 3) * 2 * math.pi)
    light: tuple[Rgb, ...] = ((0.4, 0.4, 0.42), (0.82, 0.82, 0.82), (0.93, 0.92, 0.90))
    dark: tuple[Rgb, ...] = ((0.70, 0.66, 0.58), (0.16, 0.16, 0.17), (0.07, 0.07, 0.08))
    return ramp(np.abs(veins) ** rng.uniform(0.2, 0.6), light if rng.random() < 0.6 else dark)


def _terrazzo(rng: Rng) -> Floats:
    picture = np.full((SIZE, SIZE, 3), tuple(int(v) for v in rng.integers(120, 235, 3)), np.uint8)
    tints = rng.integers(20, 240, (5, 3))
    for _ in range(int(rng.integers(200, 600))):
        middle = rng.integers(0, SIZE, 2)
        chip = (middle + rng.normal(0, rng.uniform(3, 14), (5, 2))).astype(np.int32)
        cv2.fillConvexPoly(picture, cv2.convexHull(chip), tints[rng.integers(5)].tolist(), cv2.LINE_AA)
    return picture / 255.0


def _leather(rng: Rng) -> Floats:
    base = np.array(
        [(0.27, 0.13, 0.07), (0.08, 0.07, 0.07), (0.42, 0.10, 0.08), (0.10, 0.20, 0.13)][int(rng.integers(4))]
    )
    return base * (0.5 + noise(rng, 90, 90, 3))[..., None]


def _flowers(rng: Rng) -> Floats:
    picture = np.full((SIZE, SIZE, 3), tuple(int(v) for v in rng.integers(30, 250, 3)), np.uint8)
    tints = rng.integers(20, 250, (4, 3))
    for _ in range(int(rng.integers(20, 70))):
        x, y = rng.uniform(0, SIZE, 2)
        radius, petals = rng.uniform(12, 50), int(rng.integers(4, 8))
        tint = tints[rng.integers(4)].tolist()
        for angle in np.arange(petals) * 2 * math.pi / petals + rng.uniform(0, 3):
            spot = (int(x + radius * math.cos(angle)), int(y + radius * math.sin(angle)))
            cv2.ellipse(
                picture,
                spot,
                (int(radius * 0.7), int(radius * 0.4)),
                math.degrees(angle),
                0,
                360,
                tint,
                -1,
                cv2.LINE_AA,
            )
        cv2.circle(picture, (int(x), int(y)), int(radius * 0.4), tints[rng.integers(4)].tolist(), -1, cv2.LINE_AA)
    return _weave(rng, picture / 255.0)


def _check(rng: Rng) -> Floats:
    x, y = _axes()
    count = int(rng.integers(6, 24))
    odd = ((np.floor(x * count) + np.floor(y * count)) % 2)[..., None]
    return (odd * rng.random(3) + (1 - odd) * rng.random(3)) * (0.85 + 0.25 * noise(rng, 20, 20, 5))[..., None]


def _stripe(rng: Rng) -> Floats:
    x, _ = _axes()
    tints = rng.random((4, 3)) * 0.9 + 0.05
    edges = np.sort(rng.random(int(rng.integers(5, 25))))
    return _weave(rng, tints[np.searchsorted(edges, x) % 4])


def _print(rng: Rng) -> Floats:
    """A board game or a printed mat: shapes, lines and words."""
    picture = np.full((SIZE, SIZE, 3), tuple(int(v) for v in rng.integers(20, 245, 3)), np.uint8)
    for _ in range(int(rng.integers(15, 60))):
        colour = rng.integers(0, 255, 3).tolist()
        x, y = (int(v) for v in rng.integers(0, SIZE, 2))
        reach, fill = int(rng.integers(10, 160)), -1 if rng.random() < 0.5 else 4
        shape = int(rng.integers(5))
        if shape == 0:
            cv2.circle(picture, (x, y), reach, colour, fill, cv2.LINE_AA)
        elif shape == 1:
            cv2.rectangle(picture, (x, y), (x + reach, y + reach), colour, fill)
        elif shape == 2:
            scale = float(rng.uniform(0.6, 3))
            cv2.putText(picture, str(rng.choice(WORDS)), (x, y), int(rng.integers(5)), scale, colour, 3, cv2.LINE_AA)
        elif shape == 3:
            around = np.arange(6) * math.pi / 3
            six = np.stack([x + reach * np.cos(around), y + reach * np.sin(around)], 1).astype(np.int32)
            cv2.fillConvexPoly(picture, six, colour, cv2.LINE_AA)
        else:
            end = (int(rng.integers(SIZE)), int(rng.integers(SIZE)))
            cv2.line(picture, (x, y), end, colour, int(rng.integers(1, 8)), cv2.LINE_AA)
    return picture / 255.0


def _polka(rng: Rng) -> Floats:
    """A cloth with dots, which are no pips."""
    count = int(rng.integers(6, 22))
    ground, dots = (rng.random(3) * 0.85 + 0.08 for _ in range(2))
    while np.abs(ground - dots).sum() < 0.6:
        dots = rng.random(3) * 0.85 + 0.08
    cell, radius = SIZE / count, SIZE / count * rng.uniform(0.12, 0.36)
    shift = 0.5 if rng.random() < 0.5 else 0.0
    mask = np.zeros((SIZE, SIZE), np.uint8)
    for i in range(-1, count + 1):
        for j in range(-1, count + 1):
            middle = ((i + 0.5 + shift * (j % 2)) * cell * 16, (j + 0.5) * cell * 16)
            cv2.circle(mask, (int(middle[0]), int(middle[1])), int(radius * 16), 255, -1, cv2.LINE_AA, 4)
    share = mask[..., None] / 255.0
    return _weave(rng, ground * (1 - share) + dots * share)


PAINTERS = {
    "wood": _wood, "parquet": _parquet, "cloth": _cloth, "felt": _felt, "white": _white, "black": _black,
    "plain": _plain, "carton": _carton, "stone": _stone, "terrazzo": _terrazzo, "leather": _leather,
    "flowers": _flowers, "check": _check, "stripe": _stripe, "print": _print, "polka": _polka,
    "basket": basket, "tartan": tartan, "page": page, "keys": keys, "spots": spots,
}  # fmt: skip
