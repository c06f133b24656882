"""What can go wrong with a photo, each kind at three strengths: what the robustness of a reader is measured under.

Training draws such things at random (`augment.py`); here a kind, a strength and a seed give the same picture each
time. None of them changes what the dice show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.scenes import Box
from vision.types import Frame

Boxes = Sequence[Box]
"""Of all dice in the picture, x0 y0 x1 y1 in pixels."""
Disturb = Callable[[Frame, Boxes, float, np.random.Generator], Frame | None]
"""Picture, dice, amount -> the picture disturbed; None where this can't be done to it."""

LEAST, MOST = 14, 600  # pixels of a die that a reader is meant for
SKIN = ((148, 166, 214), (96, 124, 182), (62, 84, 130))  # BGR


@dataclass(frozen=True, slots=True)
class Kind:
    """A disturbance, its three amounts from mild to hard, and what the amounts are."""

    make: Disturb
    amounts: tuple[float, float, float]
    unit: str


def blurred(frame: Frame, _: Boxes, amount: float, __: np.random.Generator) -> Frame:
    """Out of focus; amount: the Gaussian's deviation in thousandths of the longer side."""
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), amount / 1000 * max(frame.shape)), np.uint8)


def shaken(frame: Frame, _: Boxes, amount: float, rng: np.random.Generator) -> Frame:
    """Moved while the shutter was open; amount: the way in thousandths of the longer side, in any direction."""
    length = amount / 1000 * max(frame.shape)
    angle, half = rng.uniform(0, np.pi), int(np.ceil(length / 2))
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for step in np.linspace(-length / 2, length / 2, 8 * half + 1):
        kernel[round(half + step * np.sin(angle)), round(half + step * np.cos(angle))] += 1
    return np.asarray(cv2.filter2D(frame, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.uint8)


def glaring(frame: Frame, boxes: Boxes, amount: float, rng: np.random.Generator) -> Frame:
    """A lamp's reflection on or beside a die, a fifth of the picture wide; amount: how white its middle gets, 0-1."""
    height, width = frame.shape[:2]
    x, y = width / 2, height / 2
    if boxes:
        x0, y0, x1, y1 = boxes[int(rng.integers(len(boxes)))]
        x, y = rng.uniform(x0, x1), rng.uniform(y0, y1)
    down, across = np.mgrid[:height, :width].astype(np.float32)
    away = ((across - x) ** 2 + (down - y) ** 2) / (0.1 * max(height, width)) ** 2
    share = (amount * np.exp(-away * np.sqrt(away)))[..., None]
    return _bytes(frame * (1 - share) + 255 * share)


def noisy(frame: Frame, _: Boxes, amount: float, rng: np.random.Generator) -> Frame:
    """A sensor's noise; amount: its deviation in grey levels of 256."""
    return _bytes(frame + amount * rng.standard_normal(frame.shape, np.float32))


def compressed(frame: Frame, _: Boxes, amount: float, __: np.random.Generator) -> Frame:
    """Packed by JPEG; amount: the quality."""
    packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, int(amount)])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def dark(frame: Frame, boxes: Boxes, amount: float, rng: np.random.Generator) -> Frame:
    """Under-exposed, with the noise that goes with it; amount: stops."""
    return noisy(_bytes(frame * np.float32(2 ** (-amount / 2.2))), boxes, 2 + amount, rng)


def warm(frame: Frame, _: Boxes, amount: float, __: np.random.Generator) -> Frame:
    """White balance off, as under a bulb; amount: how many times more red than blue."""
    return _bytes(frame * np.array([amount**-0.5, 1, amount**0.5], np.float32))


def cold(frame: Frame, _: Boxes, amount: float, __: np.random.Generator) -> Frame:
    """White balance off, as in shade; amount: how many times more blue than red."""
    return _bytes(frame * np.array([amount**0.5, 1, amount**-0.5], np.float32))


def covered(frame: Frame, boxes: Boxes, amount: float, rng: np.random.Generator) -> Frame | None:
    """Something plain over a part without dice; amount: the part in per cent of the picture."""
    height, width = frame.shape[:2]
    for _ in range(200):
        wide = np.sqrt(amount / 100 * rng.uniform(0.5, 2))
        w, h = wide * width, amount / 100 / wide * height
        x, y = rng.uniform(0, max(1, width - w)), rng.uniform(0, max(1, height - h))
        free = all(x + w < x0 - 3 or x > x1 + 3 or y + h < y0 - 3 or y > y1 + 3 for x0, y0, x1, y1 in boxes)
        if free and w <= width and h <= height:
            out = frame.copy()
            out[int(y) : int(y + h), int(x) : int(x + w)] = rng.integers(20, 236, 3)
            return out
    return None


def fingered(frame: Frame, boxes: Boxes, amount: float, rng: np.random.Generator) -> Frame | None:
    """A finger from the picture's edge over one die and no other; amount: how far over it its tip is, in per cent."""
    for number in rng.permutation(len(boxes)):
        x0, y0, x1, y1 = boxes[number]
        middle, radius = np.array([x0 + x1, y0 + y1]) / 2, max(x1 - x0, y1 - y0) / 2
        others = [box for i, box in enumerate(boxes) if i != number]
        for angle in rng.permutation(np.arange(24)) * np.pi / 12:
            way = np.array([np.cos(angle), np.sin(angle)])
            thick = 0.7 * radius
            tip = middle + way * (radius * (1 - amount / 50) + thick)
            end = tip + way * 2 * max(frame.shape)
            if not any(_near(box, tip, end, thick) for box in others):
                return _with_finger(frame, tip, end, thick, rng)
    return None


def _near(box: Box, tip: NDArray[np.float64], end: NDArray[np.float64], thick: float) -> bool:
    """Whether a line comes closer to a box than `thick` pixels and a few more."""
    reach = round(thick) + 4
    x0, y0, x1, y1 = (round(v) for v in box)
    rect = (x0 - reach, y0 - reach, x1 - x0 + 2 * reach, y1 - y0 + 2 * reach)
    ends = [(round(p[0]), round(p[1])) for p in (tip, end)]
    hit, _, _ = cv2.clipLine(rect, *ends)
    return bool(hit)


def _with_finger(
    frame: Frame, tip: NDArray[np.float64], end: NDArray[np.float64], thick: float, rng: np.random.Generator
) -> Frame:
    """A round rod in skin's colour from `tip` to `end`, `thick` pixels from its middle line to its side."""
    (x, y), (right, below) = tip.tolist(), ((end - tip) / np.linalg.norm(end - tip)).tolist()
    limits = np.array([tip, end]).clip(0, frame.shape[1::-1])
    x0, y0 = (int(max(0, low - thick - 1)) for low in limits.min(0))
    x1, y1 = (int(high + thick + 2) for high in limits.max(0))
    part = frame[y0:y1, x0:x1]
    down, across = np.mgrid[: part.shape[0], : part.shape[1]].astype(np.float32)
    across, down = across + (x0 - x), down + (y0 - y)
    along = np.maximum(0, across * right + down * below)
    off = np.hypot(across - along * right, down - along * below) / thick
    shade = np.sqrt(np.clip(1 - (0.9 * off) ** 2, 0.1, 1))[..., None]
    finger = np.array(SKIN[int(rng.integers(len(SKIN)))], np.float32) * (0.45 + 0.6 * shade)
    share = np.clip((1 - off) * thick + 0.5, 0, 1)[..., None]
    out = frame.copy()
    out[y0:y1, x0:x1] = _bytes(part * (1 - share) + finger * share)
    return out


def turned(frame: Frame, boxes: Boxes, amount: float, rng: np.random.Generator) -> Frame:
    """Turned about the middle of the dice; amount: the most degrees, either way. No die leaves the picture."""
    return rotated(frame, boxes, rng.uniform(-amount, amount))


def quarters(frame: Frame, _: Boxes, amount: float, __: np.random.Generator) -> Frame:
    """Turned by right angles, to the pixel; amount: the degrees."""
    return np.ascontiguousarray(np.rot90(frame, round(amount / 90)))


def resized(frame: Frame, boxes: Boxes, amount: float, _: np.random.Generator) -> Frame | None:
    """The same picture at another size; amount: times as wide. None where dice would leave the sizes to be read."""
    sides = [max(x1 - x0, y1 - y0) * amount for x0, y0, x1, y1 in boxes]
    if sides and not LEAST <= min(sides) <= max(sides) <= MOST:
        return None
    how = cv2.INTER_AREA if amount < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(frame, None, fx=amount, fy=amount, interpolation=how), np.uint8)


def rotated(frame: Frame, boxes: Boxes, degrees: float) -> Frame:
    """Turned about the middle of the dice, which stays in the middle; larger where a die would else leave it.

    What lies beyond the picture gets the mean colour of its border.
    """
    height, width = frame.shape[:2]
    whole = np.array([[0.0, 0.0, width, height]])
    held = np.array(boxes, float).reshape(-1, 4) if len(boxes) else whole
    middle = (held[:, :2].min(0) + held[:, 2:].max(0)) / 2
    turn = cv2.getRotationMatrix2D(middle.tolist(), degrees, 1.0)
    corners = np.concatenate([held[:, [i, j]] for i in (0, 2) for j in (1, 3)]) @ turn[:, :2].T + turn[:, 2]
    reach = np.abs(corners - middle).max(0) + 4 if len(boxes) else np.zeros(2)
    w, h = (int(max(side, 2 * np.ceil(r))) for side, r in zip((width, height), reach, strict=True))
    turn[:, 2] += np.array([w, h]) / 2 - middle
    border = np.concatenate([frame[0], frame[-1], frame[:, 0], frame[:, -1]]).mean(0)
    out = cv2.warpAffine(frame, turn, (w, h), flags=cv2.INTER_LINEAR, borderValue=border.tolist())
    return np.asarray(out, np.uint8)


def _bytes(values: NDArray[Any]) -> Frame:
    return np.asarray(np.clip(np.rint(values), 0, 255), np.uint8)


KINDS: dict[str, Kind] = {
    "blur": Kind(blurred, (1, 2, 3), "‰ of the longer side"),
    "motion": Kind(shaken, (4, 8, 14), "‰ of the longer side"),
    "glare": Kind(glaring, (0.4, 0.7, 1.0), "of white"),
    "noise": Kind(noisy, (8, 16, 28), "grey levels"),
    "jpeg": Kind(compressed, (40, 20, 10), "quality"),
    "low light": Kind(dark, (1, 2, 3), "stops"),
    "warm": Kind(warm, (1.3, 1.7, 2.4), "red to blue"),
    "cold": Kind(cold, (1.3, 1.7, 2.4), "blue to red"),
    "covered": Kind(covered, (5, 12, 25), "% of the picture"),
    "finger": Kind(fingered, (25, 50, 75), "% of a die"),
    "turned": Kind(turned, (15, 45, 180), "degrees at most"),
    "quarters": Kind(quarters, (90, 180, 270), "degrees"),
    "smaller": Kind(resized, (0.7, 0.5, 0.35), "times as wide"),
    "larger": Kind(resized, (1.4, 2, 3), "times as wide"),
}
