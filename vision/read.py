"""What a die shows: a region to a crop, and the reader's output to a class with its confidence. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame, Region


@dataclass(frozen=True, slots=True)
class Seen:
    """What the reader saw in one region.

    kind: logits of the config's classes; body, ink: logits of its colours, as the network names them; body_pixels,
    ink_pixels: the same from the pixels alone (see `vision.colours`; zeros where no value was read); counted: pips on
    the top face, counted apart from the class.
    """

    kind: NDArray[np.float32]
    body: NDArray[np.float32]
    ink: NDArray[np.float32]
    body_pixels: NDArray[np.float64]
    ink_pixels: NDArray[np.float64]
    counted: float


def crop(frame: Frame, region: Region, size: int, context: float) -> Frame:
    """The square around a region's centre, `context` times its longer side, at size x size pixels.

    What lies outside the picture repeats its edge.
    """
    side = max(region.size * context, 2.0)
    x, y = region.centre
    if side > 2 * size:  # reduce first, or thin pips vanish between the samples
        x0, y0 = int(max(0, x - side)), int(max(0, y - side))
        x1, y1 = int(min(frame.shape[1], x + side)) + 1, int(min(frame.shape[0], y + side)) + 1
        part = frame[y0:y1, x0:x1]
        shrink = 1.5 * size / side
        w, h = max(1, round(part.shape[1] * shrink)), max(1, round(part.shape[0] * shrink))
        sx, sy = w / part.shape[1], h / part.shape[0]
        part = np.asarray(cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
        x, y, side_x, side_y = (x - x0) * sx, (y - y0) * sy, side * sx, side * sy
    else:
        part, side_x, side_y = frame, side, side
    kx, ky = size / side_x, size / side_y
    matrix = np.array([[kx, 0, size / 2 - x * kx - 0.5 + 0.5 * kx], [0, ky, size / 2 - y * ky - 0.5 + 0.5 * ky]])
    out = cv2.warpAffine(part, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def tensor(crops: Sequence[Frame]) -> NDArray[np.float32]:
    """N x 3 x size x size float32, 0-255, BGR."""
    return np.ascontiguousarray(np.stack(crops).transpose(0, 3, 1, 2), np.float32)


def softmax(logits: NDArray[np.float32], temperature: float = 1.0) -> NDArray[np.float64]:
    """Along the last axis."""
    scaled = logits.astype(np.float64) / temperature
    powers = np.exp(scaled - scaled.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))
