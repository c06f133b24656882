"""A reading drawn on its picture."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from vision.types import Die, Frame, Reading, Region

SURE = (60, 160, 0)
UNSURE = (0, 110, 255)
DARK, LIGHT = (0, 0, 0), (255, 255, 255)
FONT = cv2.FONT_HERSHEY_SIMPLEX
DIGIT = 20.5  # height in pixels of a digit of this font at size 1

Point = tuple[int, int]
Box = tuple[int, int, int, int]  # left, top, right, bottom


def annotate(frame: Frame, reading: Reading) -> Frame:
    """A copy of the picture with each die outlined, with its value, and with its doubt where there is one.

    A sure die has a solid green outline and its value; an unsure one a dashed orange outline and its value
    with a question mark and the confidence; what may be a die a dashed orange outline and a question mark.
    The frame (H x W x 3, BGR) may be of another size than the photo that was read.
    """
    out = frame.copy()
    scale = frame.shape[1] / reading.width
    marks = [(_box(doubt.region, scale), "?") for doubt in reading.leftovers if doubt.region is not None]
    marks += [(_box(die.region, scale), _label(die, reading.is_doubtful(die))) for die in reading.dice]
    for box, label in marks:
        _outline(out, box, UNSURE if "?" in label else SURE, dashed="?" in label)
    taken = [box for box, _ in marks]
    for box, label in marks:
        taken.append(_write(out, box, label, UNSURE if "?" in label else SURE, taken))
    return out


def _label(die: Die, doubtful: bool) -> str:
    return f"{die.value}? {die.confidence:.0%}" if doubtful else str(die.value)


def _box(region: Region, scale: float) -> Box:
    edges = (region.x, region.y, region.x + region.w, region.y + region.h)
    left, top, right, bottom = (round(edge * scale) for edge in edges)
    return left, top, right, bottom


def _outline(out: Frame, box: Box, colour: tuple[int, int, int], *, dashed: bool) -> None:
    thick = max(1, round(min(out.shape[:2]) / 300))
    left, top, right, bottom = box
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    for start, end in pairwise(corners):
        for a, b in _dashes(start, end, 4 * thick + 4) if dashed else [(start, end)]:
            cv2.line(out, a, b, DARK, thick + 2)  # a dark rim: seen on any ground
            cv2.line(out, a, b, colour, thick)


def _dashes(start: Point, end: Point, length: int) -> list[tuple[Point, Point]]:
    """Pieces of a line, as long as the gaps between them."""
    count = max(1, round(np.hypot(end[0] - start[0], end[1] - start[1]) / length / 2)) * 2 + 1
    points = np.linspace(start, end, count + 1).round().astype(int)
    return [((int(a[0]), int(a[1])), (int(b[0]), int(b[1]))) for a, b in list(pairwise(points))[::2]]


def _write(out: Frame, box: Box, label: str, colour: tuple[int, int, int], taken: list[Box]) -> Box:
    """The label on a ground of its colour, beside the die where it hides least; gives the place it took."""
    height, width = out.shape[:2]
    left, top, right, bottom = box
    least, most = max(11.0, min(height, width) / 45), min(height, width) / 14
    tall = min(max(least, 0.3 * max(right - left, bottom - top)), max(least, most))  # of a digit, in pixels
    size = tall / DIGIT
    stroke = max(1, round(tall / 8))
    (wide, _), _ = cv2.getTextSize(label, FONT, size, stroke)
    room = max(2, round(tall / 4))
    w, h = wide + 2 * room, round(tall) + 2 * room
    places = []
    for x, y in ((left, top - h), (left, bottom), (right, top), (left - w, top)):
        x, y = min(max(0, x), max(0, width - w)), min(max(0, y), max(0, height - h))
        places.append((x, y, x + w, y + h))
    place = min(places, key=lambda place: sum(_shared(place, other) for other in taken))
    cv2.rectangle(out, place[:2], place[2:], colour, cv2.FILLED)
    cv2.putText(out, label, (place[0] + room, place[3] - room), FONT, size, LIGHT, stroke, cv2.LINE_AA)
    return place


def _shared(a: Box, b: Box) -> int:
    """Pixels that two boxes have in common."""
    return max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))
