"""Numerals and letters as small pictures."""

from functools import lru_cache

import cv2
import numpy as np

from models.training.render.shapes import Picture

CELL = 128
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def _ornament(number: int, height: float) -> Picture:
    """Curls and dots, mirrored about the middle in most."""
    rng = np.random.default_rng(number)
    drawn = np.zeros((CELL, CELL), np.uint8)
    reach = int(height * CELL / 2)
    for _ in range(int(rng.integers(3, 12))):
        middle = (rng.integers(-reach, reach + 1, 2) + CELL // 2).tolist()
        axes = rng.integers(3, max(5, reach // 2), 2).tolist()
        turned, begin, sweep = rng.uniform(0, 360), rng.uniform(0, 360), rng.uniform(60, 330)
        cv2.ellipse(drawn, middle, axes, turned, begin, begin + sweep, 255, int(rng.integers(2, 9)), cv2.LINE_AA)
    if rng.random() < 0.7:
        drawn = np.maximum(drawn, drawn[:, ::-1])
    if rng.random() < 0.5:
        drawn = np.maximum(drawn, drawn[::-1])
    if rng.random() < 0.4:
        drawn = 255 - drawn
        drawn[:12], drawn[-12:], drawn[:, :12], drawn[:, -12:] = 0, 0, 0, 0
    return (drawn / 255.0).astype(np.float32)


@lru_cache(maxsize=512)
def glyph(text: str, font: int, weight: float, height: float = 0.55) -> Picture:
    """The text in the middle of a square, white on black, (CELL, CELL), 0 to 1.

    `height` of the numeral and `weight` of its strokes are shares of the square, resp. of the height.
    A trailing full stop or underscore marks 6 and 9 as on real dice. A leading "[" frames the square, as ornate dice
    have it; "~" and a number is an ornament, its own for each number.
    """
    if text.startswith("["):
        framed = glyph(text[1:], font, weight, 0.8 * height).copy()
        inset = round(CELL * (0.12 + 0.04 * (font % 3)))
        cv2.rectangle(framed, (inset, inset), (CELL - inset, CELL - inset), 1.0, 2 + 2 * (font % 4), cv2.LINE_AA)
        return framed
    if text.startswith("~"):
        return _ornament(int(text[1:]), height)
    face = FONTS[font % len(FONTS)]
    stroke = max(1, round(weight * height * CELL))
    bare = text.rstrip("._")
    (width, tall), _ = cv2.getTextSize(bare, face, 1.0, 1)
    scale = min(height * CELL / tall, 0.62 * CELL / width)
    drawn = np.zeros((CELL, CELL), np.uint8)
    x, y = (CELL - scale * width) / 2, (CELL + scale * tall) / 2
    cv2.putText(drawn, bare, (round(x), round(y)), face, scale, 255, stroke, cv2.LINE_AA)
    if text.endswith("_"):
        low = round(y + 0.09 * CELL)
        cv2.line(drawn, (round(x), low), (round(x + scale * width), low), 255, stroke, cv2.LINE_AA)
    elif text.endswith("."):
        cv2.circle(drawn, (round(x + scale * width + 0.06 * CELL), round(y)), stroke, 255, -1, cv2.LINE_AA)
    return (drawn / 255.0).astype(np.float32)
