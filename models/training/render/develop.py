"""From rendered light to a picture, and pictures side by side with their labels drawn in."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.render.shapes import Picture

Bytes = NDArray[np.uint8]


def develop(light: Picture, exposure: float) -> Bytes:
    """Linear light (h, w, 3) to BGR bytes: automatic exposure, shifted by `exposure` stops, and a soft shoulder.

    Noise, blur, white balance and compression are left to the training, which varies them anew each time.
    """
    return toned(light, gain(light, exposure))


def gain(light: Picture, exposure: float) -> float:
    """What automatic exposure multiplies this light with, shifted by `exposure` stops."""
    level = float(light.mean())
    bright = float(np.percentile(light.max(-1), 99.5))
    return min(0.19 / max(level, 1e-4) ** 0.85, 2.2 / max(bright, 1e-4)) * 2**exposure


def toned(light: Picture, times: float) -> Bytes:
    """Linear light (..., 3), multiplied, to BGR bytes, with a soft shoulder."""
    x = np.maximum(light, 0) * times
    x = np.clip(1.35 * x * (1 + x / 9) / (1 + x), 0, 1)
    srgb = np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
    return (srgb[..., ::-1] * 255 + 0.5).astype(np.uint8)


def overlay(picture: Bytes, labels: dict[str, Any]) -> Bytes:
    """A copy with boxes, top faces, values, bodies and inks drawn in."""
    drawn = picture.copy()
    for other in labels["other"]:
        _box(drawn, other["box"], other["kind"], (0, 60, 255))
    for die in labels["dice"]:
        words = f"{die['value']} {die['body'][:3]}/{die['ink'][:3]}" + (" leans" if die["cocked"] else "")
        _box(drawn, die["box"], words if die["visible"] > 0.99 else f"{words} {die['visible']}", (0, 220, 0))
        cv2.polylines(drawn, [np.round(die["quad"]).astype(np.int32)], True, (255, 0, 255), 1, cv2.LINE_AA)
    return drawn


def _box(picture: Bytes, box: list[float], words: str, colour: tuple[int, int, int]) -> None:
    x0, y0, x1, y1 = (round(v) for v in box)
    cv2.rectangle(picture, (x0, y0), (x1, y1), colour, 1)
    cv2.putText(picture, words, (max(0, x0), max(10, y0 - 3)), 0, 0.4, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, words, (max(0, x0), max(10, y0 - 3)), 0, 0.4, (0, 255, 255), 1, cv2.LINE_AA)


def contact_sheet(pictures: list[Bytes], columns: int = 4, side: int = 480) -> Bytes:
    """Pictures in rows, each fitted into a square."""
    cells = []
    for picture in pictures:
        scale = side / max(picture.shape[:2])
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cell = np.zeros((side, side, 3), np.uint8)
        cell[: small.shape[0], : small.shape[1]] = small
        cells.append(cell)
    cells += [np.zeros((side, side, 3), np.uint8)] * (-len(cells) % columns)
    return np.vstack([np.hstack(cells[i : i + columns]) for i in range(0, len(cells), columns)])
