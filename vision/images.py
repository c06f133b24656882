"""Bytes to an upright picture. With its helpers `codecs` and `png` the only part that knows file formats.

JPEG, PNG, WebP and HEIC are read, whatever the file is called. What a photo may cost is bounded before it
is decoded: by its size in bytes, and by the width and height in its header. Large pictures are reduced
while they are decoded, so that the whole process stays below 400 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np

from vision import codecs, png
from vision.codecs import Stored
from vision.errors import BadImage
from vision.sentences import Sentence
from vision.types import Frame

MAX_BYTES = 40 * 2**20
MAX_PIXELS = 120_000_000
MAX_SIDE = 65_535
KEPT_PIXELS = 25_000_000
"""Pictures of more pixels are reduced; today's 24-megapixel phones are just below."""
COARSE_PIXELS = 8_000_000
"""So many are enough for a first look at a photo; see `vision.photo`."""

_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
_NOT_READ = (
    (b"GIF8", Sentence("a GIF")),
    (b"BM", Sentence("a BMP picture")),
    (b"II*\0", Sentence("a TIFF or raw picture")),
    (b"MM\0*", Sentence("a TIFF or raw picture")),
    (b"%PDF", Sentence("a PDF")),
    (b"PK\x03\x04", Sentence("a ZIP file")),
)


@dataclass(frozen=True, slots=True)
class Picture:
    """An upright picture, ready to be looked at.

    `pixels` is H x W x 3, BGR, C-contiguous; `width` and `height` are those of the upright full-size photo,
    of which `pixels` holds the share `scale` (1.0, or 1/2, 1/4, 1/8 where it was reduced) along each side.
    `coarse`: it was asked for so, and there is more to be had.
    """

    pixels: Frame
    width: int
    height: int
    scale: float
    coarse: bool = False

    @classmethod
    def of(cls, frame: Frame) -> Self:
        """The picture of an upright H x W x 3 BGR array of uint8. Raises ValueError for any other array."""
        if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8 or frame.size == 0:
            raise ValueError(f"a frame is H x W x 3 of uint8, not {frame.shape} of {frame.dtype}")
        height, width = frame.shape[:2]
        return cls(np.ascontiguousarray(frame), width, height, 1.0)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a photo's header says, and what will come of it.

    The sides in pixels as stored, before turning; the EXIF orientation (1-8); by how much the sides are divided; and
    whether that is more than needs be.
    """

    width: int
    height: int
    orientation: int
    factor: int
    coarse: bool = False

    @property
    def kept(self) -> tuple[int, int]:
        """How many rows and columns are decoded."""
        return -(-self.height // self.factor), -(-self.width // self.factor)


def decode(data: bytes, *, coarse: bool = False) -> Picture:
    """The upright picture in a file's bytes. Raises BadImage with a sentence that says what to do.

    `coarse`: a large one is reduced to COARSE_PIXELS if that takes less time.
    """
    return put_together(*planned(data, coarse=coarse))


def planned(data: bytes, longest: int = MAX_SIDE, *, coarse: bool = False) -> tuple[Plan, Iterator[Frame]]:
    """The header's plan, and the pixels to come: bands of rows, BGR, from top to bottom as stored, already reduced.

    `coarse` as for `decode`. Raises BadImage, at once or while the bands come; also where a side has more than
    `longest` pixels.
    """
    if not data:
        raise BadImage("The photo is empty: choose or take it again.")
    if len(data) > MAX_BYTES:
        raise BadImage(
            "The photo has more than %(most)s MB, which is too much: send it smaller.",
            most=MAX_BYTES // 2**20,
            too_large=True,
        )
    stored = _opened(data)
    if stored.width * stored.height > MAX_PIXELS or max(stored.width, stored.height) > longest:
        raise BadImage(
            "The photo has %(width)s x %(height)s pixels, and at most %(most)s megapixels are read: send it smaller.",
            width=stored.width,
            height=stored.height,
            most=MAX_PIXELS // 1_000_000,
            too_large=True,
        )
    finest = _factor(stored, KEPT_PIXELS)
    factor = _factor(stored, COARSE_PIXELS) if coarse and stored.scales else finest
    return Plan(stored.width, stored.height, stored.orientation, factor, factor > finest), stored.bands(factor)


def put_together(plan: Plan, bands: Iterator[Frame]) -> Picture:
    """The upright picture of a plan's bands. Raises BadImage where they do not make it up."""
    rows, columns = plan.kept
    lies = plan.orientation > 4  # turned by a quarter: sides change places
    pixels: Frame = np.empty((columns, rows, 3) if lies else (rows, columns, 3), np.uint8)
    top = 0
    for band in bands:
        _place(pixels, band, top, plan.orientation)
        top += len(band)
    if top != rows:
        raise BadImage("The photo is damaged: send it again, or take another.")
    width, height = (plan.height, plan.width) if lies else (plan.width, plan.height)
    return Picture(pixels, width, height, 1 / plan.factor, plan.coarse)


def _opened(data: bytes) -> Stored:
    """The header read and understood, by what the bytes are and not by what the file is called."""
    if data.startswith(b"\xff\xd8\xff"):
        return codecs.open_jpeg(data)
    if data.startswith(png.SIGNATURE):
        return png.open_png(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return codecs.open_webp(data)
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        return codecs.open_heic(data)
    what = next((name for start, name in _NOT_READ if data.startswith(start)), Sentence("no picture"))
    if data[4:8] == b"ftyp":
        what = Sentence("a film, or a picture of another kind")
    raise BadImage("This is %(what)s: send a photo as JPEG, PNG, WebP or HEIC.", what=what)


def _factor(stored: Stored, most: int) -> int:
    """By how much a picture is reduced: as little as `most` pixels and the memory for decoding allow."""
    for factor in (1, 2, 4, 8):
        kept = -(-stored.width // factor) * -(-stored.height // factor)
        if kept <= most and stored.working_bytes(factor) <= codecs.WORKING_BYTES:
            return factor
    raise BadImage(
        "A %(kind)s of %(width)s x %(height)s pixels is too large to be read: "
        "save it as an ordinary JPEG, or send it smaller.",
        kind=stored.kind,
        width=stored.width,
        height=stored.height,
        too_large=True,
    )


def _place(pixels: Frame, band: Frame, top: int, orientation: int) -> None:
    """Put rows `top`… of the picture as stored where they belong in the upright one (EXIF 2.3, tag 274)."""
    if orientation in (2, 3, 4):
        band = np.asarray(cv2.flip(band, {2: 1, 3: -1, 4: 0}[orientation]), np.uint8)
    elif orientation in (5, 6, 7, 8):
        if orientation == 7:
            band = np.asarray(cv2.flip(band, -1), np.uint8)
        band = np.asarray(cv2.transpose(band), np.uint8)
        if orientation == 6:
            band = np.asarray(cv2.flip(band, 1), np.uint8)
        elif orientation == 8:
            band = np.asarray(cv2.flip(band, 0), np.uint8)
    axis = 1 if orientation > 4 else 0
    n = band.shape[axis]
    start = pixels.shape[axis] - top - n if orientation in (3, 4, 6, 7) else top
    target = pixels[:, start : start + n] if axis else pixels[start : start + n]
    if start < 0 or target.shape != band.shape:
        raise BadImage("The photo is damaged: send it again, or take another.")
    target[...] = band
