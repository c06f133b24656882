"""The icons of the page when it is installed, drawn as `static/icon.svg`; `python -m web.serving.icons` writes them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "static" / "icons"
FELT, PIP = (0x50, 0x6A, 0x1D), (0xF3, 0xFC, 0xFF)  # blue, green, red
EDGE, CORNER, SPOT = 4, 22, 9.5  # of a hundred units a side, as the pips
PIPS = ((28, 28), (72, 28), (50, 50), (28, 72), (72, 72))
SMOOTH = 8
"""It is drawn so many times larger and then made small, which gives the edges their steps between."""
# A phone cuts a maskable icon to its own shape, of which a circle 80 % as wide as the icon is always seen.
SAFE = 0.9

ICONS = {
    "icon-192.png": (192, False),
    "icon-512.png": (512, False),
    "maskable-512.png": (512, True),
    "apple-touch-icon.png": (180, True),
}
"""Each with its side in pixels, and whether it fills the whole square."""

Picture = NDArray[np.uint8]


def draw(side: int, full: bool) -> Picture:
    """The die as a picture, side x side x 4, blue first; what is not die is clear unless it is to be `full`."""
    large = side * SMOOTH
    scale = large / 100 * (SAFE if full else 1)
    left = (large - 100 * scale) / 2
    colour = np.full((large, large, 3), FELT, np.uint8)
    alpha = np.full((large, large), 255 if full else 0, np.uint8)

    def at(place: float) -> int:
        return round(left + place * scale)

    if not full:
        corner = round(CORNER * scale)
        low, high = at(EDGE), at(100 - EDGE)
        cv2.rectangle(alpha, (low + corner, low), (high - corner, high), 255, cv2.FILLED)
        cv2.rectangle(alpha, (low, low + corner), (high, high - corner), 255, cv2.FILLED)
        for x in (low + corner, high - corner):
            for y in (low + corner, high - corner):
                cv2.circle(alpha, (x, y), corner, 255, cv2.FILLED)
    for x, y in PIPS:
        cv2.circle(colour, (at(x), at(y)), round(SPOT * scale), PIP, cv2.FILLED)
    small = cv2.resize(np.dstack((colour, alpha)), (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def write(folder: Path = FOLDER) -> None:
    """Write all icons. Raises OSError if the folder can't be written."""
    folder.mkdir(exist_ok=True)
    for name, (side, full) in ICONS.items():
        written, data = cv2.imencode(".png", draw(side, full), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        assert written
        (folder / name).write_bytes(data.tobytes())


if __name__ == "__main__":
    write()
