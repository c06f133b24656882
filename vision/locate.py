"""Where the dice are: a picture to the locator's input, and its output to regions. Pure; arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame, Region

MULTIPLE = 32  # the locator halves its input five times
# Share of a region within another of like size from which both are one die. Of two labelled dice hardly any pair
# overlaps so much, which a test holds on the training photos.
WITHIN = 0.75
MOST = 80  # regions of one look; more are a woven cloth, not dice


def input_size(width: int, height: int, long_side: int) -> tuple[int, int]:
    """Width and height of the locator's input for a picture: about `long_side` on the longer one, multiples of 32.

    Rounding to multiples instead of padding bends a picture by a few per cent at most.
    """
    scale = long_side / max(width, height)
    return (
        max(MULTIPLE, round(width * scale / MULTIPLE) * MULTIPLE),
        max(MULTIPLE, round(height * scale / MULTIPLE) * MULTIPLE),
    )


def resized(frame: Frame, width: int, height: int) -> Frame:
    """The frame at another size, without moiré when it shrinks."""
    # Halving is far quicker than any other reduction, and of a large picture its pixels are the same mean.
    while min(frame.shape[1] / width, frame.shape[0] / height) >= 4:
        rows, columns = frame.shape[0] // 2, frame.shape[1] // 2
        frame = np.asarray(cv2.resize(frame[: 2 * rows, : 2 * columns], (columns, rows), interpolation=cv2.INTER_AREA))
    shrinks = width * height < frame.shape[0] * frame.shape[1]
    out = cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    return np.asarray(out, np.uint8)


def tensor(frame: Frame) -> NDArray[np.float32]:
    """1 x 3 x H x W float32, 0-255, BGR: what both networks take (they normalise it themselves)."""
    return np.ascontiguousarray(frame.transpose(2, 0, 1)[None], np.float32)


def regions(output: NDArray[np.float32], width: float, height: float, threshold: float) -> list[Region]:
    """The regions in one output map of the locator, best first.

    output: 5 x rows x columns (logit of a centre, offset x and y in cells, log width and height in cells);
    width, height: of the picture that it was made from, in whose pixels the regions are given.
    """
    rows, columns = output.shape[1:]
    score = 1 / (1 + np.exp(-output[0].astype(np.float64)))
    peak = score >= cv2.dilate(score, np.ones((3, 3), np.uint8))
    found = []
    for row, column in zip(*np.nonzero(peak & (score >= threshold)), strict=True):
        dx, dy, log_w, log_h = output[1:, row, column].astype(np.float64)
        x, y = column + 0.5 + dx, row + 0.5 + dy
        w, h = np.exp(np.clip([log_w, log_h], -3, 6))
        sx, sy = width / columns, height / rows
        found.append(
            Region(
                float((x - w / 2) * sx),
                float((y - h / 2) * sy),
                float(w * sx),
                float(h * sy),
                float(score[row, column]),
            )
        )
    return sorted(found, key=lambda region: -region.score)[:MOST]


def overlap(a: Region, b: Region) -> float:
    """Intersection over union."""
    w = min(a.x + a.w, b.x + b.w) - max(a.x, b.x)
    h = min(a.y + a.h, b.y + b.h) - max(a.y, b.y)
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / (a.w * a.h + b.w * b.h - w * h)


def inside(part: Region, whole: Region) -> float:
    """The share of one region that lies within another."""
    w = min(part.x + part.w, whole.x + whole.w) - max(part.x, whole.x)
    h = min(part.y + part.h, whole.y + whole.h) - max(part.y, whole.y)
    return w * h / (part.w * part.h) if w > 0 and h > 0 else 0.0


def is_part(part: Region, whole: Region) -> bool:
    """Whether one region lies for the most part within a much larger one, as a pip does within its die."""
    return part.size < 0.6 * whole.size and inside(part, whole) > 0.6


def is_same(a: Region, b: Region, limit: float) -> bool:
    """Whether two regions are of one die.

    They overlap by more than `limit`, lie about one centre, or one of like size lies nearly whole within the other.
    """
    smaller, larger = sorted((a, b), key=lambda region: region.size)
    apart = max(abs(a.centre[0] - b.centre[0]), abs(a.centre[1] - b.centre[1]))
    alike = smaller.size > 0.45 * larger.size
    return overlap(a, b) > limit or (alike and (apart < 0.3 * larger.size or inside(smaller, larger) > WITHIN))


def distinct(found: Sequence[Region], limit: float) -> list[Region]:
    """The best region of each die, best first (non-maximum suppression)."""
    kept: list[Region] = []
    for region in sorted(found, key=lambda region: -region.score):
        if not any(is_same(region, other, limit) for other in kept):
            kept.append(region)
    return kept
