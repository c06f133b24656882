"""Numerals and letters as small pictures."""

from functools import lru_cache

import cv2
import numpy as np

from models.training.render.shapes import Picture

CELL = 128
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


@lru_cache(maxsize=512)
def glyph(text: str, font: int, weight: float, height: float = 0.55) -> Picture:
    """The text in the middle of a square, white on black, (CELL, CELL), 0 to 1.

    `height` of the numeral and `weight` of its strokes are shares of the square, resp. of the height.
    A trailing full stop or underscore marks 6 and 9 as on real dice.
    """
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
