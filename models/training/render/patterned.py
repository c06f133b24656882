"""Tables whose pattern is what a reader takes for pips: coarse weaves, tartans, printed pages, keys, spots."""

import math

import cv2
import numpy as np

from models.training.render.shapes import Floats, Rng

SIZE = 1024
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-"


def _noise(rng: Rng, cells: int) -> Floats:
    """Smooth relief about 0, (SIZE, SIZE)."""
    coarse = rng.standard_normal((cells, cells))
    return np.asarray(cv2.resize(coarse, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC), float)


def _two(rng: Rng, least: float) -> tuple[Floats, Floats]:
    """Two colours that differ by at least so much, summed over the channels; undyed, or of two hues."""
    dyed = 1.0 if rng.random() < 0.4 else 0.2
    warm = np.array([1.0, rng.uniform(0.75, 1.0), rng.uniform(0.5, 1.0)])
    while True:
        one, two = ((1 - dyed + dyed * rng.random(3)) * rng.uniform(0.03, 0.95) * warm for _ in range(2))
        if np.abs(one - two).sum() >= least:
            return one, two


def _word(rng: Rng, most: int = 9) -> str:
    return "".join(rng.choice(list("aeinorstlmdu"), int(rng.integers(1, most))))


def basket(rng: Rng) -> Floats:
    """Yarns, straw or rattan going over and under each other, each a little lighter or darker than the next."""
    across = int(rng.integers(16, 90))
    up = max(8, round(across * rng.uniform(0.5, 1.6)))
    waver = rng.uniform(0, 0.25)
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    u = x * across + waver * _noise(rng, 12)
    v = y * up + waver * _noise(rng, 12)
    over = int(rng.integers(1, 4))  # how many yarns are passed over at a time
    level = (np.floor(u / over) + np.floor(v)) % 2 == 0
    round_u, round_v = (0.55 + 0.45 * np.sin(math.pi * (t % 1.0)) for t in (u, v))
    warp, weft = _two(rng, rng.uniform(0.05, 1.2))
    shade = rng.uniform(0.7, 1.2, (2, 512))
    lit_u = round_u * shade[0][np.floor(u).astype(int) % 512]
    lit_v = round_v * shade[1][np.floor(v).astype(int) % 512]
    picture = np.where(level[..., None], warp * lit_u[..., None], weft * lit_v[..., None])
    fleck = rng.random((SIZE // 4, SIZE // 4)) < rng.uniform(0, 0.12)
    flecks = cv2.resize(fleck.astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_LINEAR)[..., None]
    return np.asarray(picture * (1 - 0.6 * flecks) + 0.5 * flecks * warp, float)


def tartan(rng: Rng) -> Floats:
    """Bands of colours across and up a cloth, whole or in dashes, on a plain or a fine checked ground."""
    ground = np.ones((SIZE, SIZE, 3)) * (rng.uniform(0.6, 0.95, 3) if rng.random() < 0.7 else rng.uniform(0.05, 0.4, 3))
    tints = rng.random((6, 3)) * 0.9
    for turned in (False, True):
        picture = ground.swapaxes(0, 1) if turned else ground
        at = float(rng.uniform(0, 60))
        step = rng.uniform(40, 220)
        while at < SIZE:
            wide = int(rng.integers(4, 26))
            dash = np.ones(SIZE, bool)
            if rng.random() < 0.65:
                period = int(rng.integers(8, 44))
                dash = (np.arange(SIZE) // max(2, int(period * rng.uniform(0.3, 0.7)))) % 2 == 0
            strength = rng.uniform(0.4, 0.95)
            band = picture[int(at) : int(at) + wide]
            band[:, dash] = band[:, dash] * (1 - strength) + tints[rng.integers(6)] * strength
            at += step * (1.0 if rng.random() < 0.6 else rng.uniform(0.15, 1.3))
    threads = rng.uniform(60, 260)
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    weave = np.sin(2 * math.pi * threads * x) * np.sin(2 * math.pi * threads * y)
    return np.asarray(ground * (0.9 + 0.1 * weave + 0.08 * _noise(rng, 5))[..., None], float)


def page(rng: Rng) -> Floats:
    """A printed page: columns of text, headings, tables with tinted cells, bars, boxes."""
    paper = tuple(int(255 * c) for c in rng.uniform(0.75, 1.0) * rng.uniform(0.92, 1.0, 3))
    picture = np.full((SIZE, SIZE, 3), paper, np.uint8)
    if rng.random() < 0.12:
        picture = 255 - picture
    columns = int(rng.integers(1, 5))
    for column in range(columns):
        left, wide = column * SIZE // columns, SIZE // columns - int(rng.integers(6, 40))
        y = int(rng.integers(0, 40))
        while y < SIZE:
            tint = rng.integers(40, 250, 3).tolist()
            ink = rng.integers(0, 110, 3).tolist()
            kind = int(rng.integers(5))
            if kind == 0:  # a heading, in a bar or without
                high = int(rng.integers(18, 60))
                if rng.random() < 0.6:
                    cv2.rectangle(picture, (left, y), (left + wide, y + high), tint, -1)
                cv2.putText(picture, _word(rng).upper(), (left + 6, y + high - 6), 2, high / 40, ink, 2, cv2.LINE_AA)
                y += high
            elif kind in (1, 2):  # lines of text
                size = float(rng.uniform(0.25, 0.8))
                for _ in range(int(rng.integers(2, 9))):
                    text = " ".join(_word(rng) for _ in range(int(wide / (70 * size)) + 1))
                    mark = rng.random()
                    if mark < 0.2:
                        cv2.circle(picture, (left + 5, y + 4), int(8 * size), ink, -1, cv2.LINE_AA)
                    elif mark < 0.3:
                        cv2.rectangle(picture, (left, y - 6), (left + 16, y + 10), ink, 1 if mark < 0.25 else -1)
                    cv2.putText(picture, text, (left + 22, y + 10), 0, size, ink, 1, cv2.LINE_AA)
                    y += int(34 * size) + 6
            elif kind == 3:  # a table
                rows, cells = int(rng.integers(2, 8)), int(rng.integers(2, 9))
                high = int(rng.integers(16, 60))
                for row in range(rows):
                    for cell in range(cells):
                        a = (left + cell * wide // cells, y + row * high)
                        b = (left + (cell + 1) * wide // cells, y + (row + 1) * high)
                        if rng.random() < 0.6:
                            shade = [min(255, int(t * f)) for t, f in zip(tint, rng.uniform(0.8, 1.2, 3), strict=True)]
                            cv2.rectangle(picture, a, b, shade, -1)
                        cv2.rectangle(picture, a, b, ink, 1)
                        text = str(rng.choice(list(LETTERS))) + (_word(rng, 3) if rng.random() < 0.5 else "")
                        cv2.putText(picture, text, (a[0] + 3, b[1] - 4), 0, high / 60 + 0.2, ink, 1, cv2.LINE_AA)
                y += rows * high
            else:  # rounded bars, one below the other
                for _ in range(int(rng.integers(2, 7))):
                    end = left + int(wide * rng.uniform(0.3, 1))
                    cv2.line(picture, (left + 10, y + 10), (end, y + 10), tint, int(rng.integers(8, 24)), cv2.LINE_AA)
                    y += 34
            y += int(rng.integers(6, 40))
    return np.asarray(picture / 255.0, float)


def keys(rng: Rng) -> Floats:
    """A keyboard: rows of keys with their letters, dark on light or glowing on black."""
    dark = rng.random() < 0.7
    ground, cap = (rng.integers(3, 20), rng.integers(8, 36)) if dark else (rng.integers(130, 200), 230)
    picture = np.full((SIZE, SIZE, 3), ground, np.uint8)
    light = [int(v) for v in rng.uniform(130, 255) * np.array([1.0, rng.random(), rng.random()])] if dark else [25] * 3
    if dark and rng.random() < 0.35:
        picture[:] = [v // 4 for v in light]  # the glow between the keys
    side = int(rng.integers(60, 130))
    gap, inset = max(3, int(side * rng.uniform(0.06, 0.2))), float(rng.uniform(0.25, 0.6))
    for row, y in enumerate(range(0, SIZE, side)):
        x = -int(side * rng.random())
        while x < SIZE:
            wide = side if rng.random() < 0.88 else int(side * rng.uniform(1.25, 2.5))
            shade = [int(cap * rng.uniform(0.85, 1.1))] * 3
            cv2.rectangle(picture, (x + gap, y + gap), (x + wide - gap, y + side - gap), shade, -1, cv2.LINE_AA)
            text = str(rng.choice(list(LETTERS))) if row else f"F{rng.integers(1, 13)}"
            place = (x + int(side * inset), y + int(side * rng.uniform(0.45, 0.6)))
            cv2.putText(picture, text, place, 0, side / 70, light, max(1, side // 40), cv2.LINE_AA)
            if rng.random() < 0.3:
                below = (place[0], y + int(side * 0.8))
                cv2.putText(picture, str(rng.choice(list(".,;:!?/"))), below, 0, side / 80, light, 2, cv2.LINE_AA)
            x += wide
    return np.asarray(picture / 255.0, float)


def spots(rng: Rng) -> Floats:
    """The coat of an animal: blots of a second colour, each its own shape, filled or as rings."""
    ground, blot = _two(rng, 0.8)
    cells = int(rng.integers(10, 46))
    field = _noise(rng, cells) + 0.35 * _noise(rng, 3 * cells)
    edge = float(rng.uniform(0.2, 0.9))
    share = np.clip((field - edge) * 8, 0, 1)
    if rng.random() < 0.3:
        share *= 1 - 0.8 * np.clip((field - edge - 0.5) * 8, 0, 1)
    threads = rng.uniform(80, 240)
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    weave = 0.9 + 0.15 * np.sin(2 * math.pi * threads * x) * np.sin(2 * math.pi * threads * y)
    return np.asarray((ground * (1 - share[..., None]) + blot * share[..., None]) * weave[..., None], float)
