"""JPEG, WebP and HEIC: headers read first, pixels in bands after, so that memory stays bounded.

Each `open_…` function reads the header alone and gives a `Stored`; nothing is decoded before the caller
asks for its bands. Headers are read here and not by the decoding libraries, for these warn, print or give
up on odd metadata that has nothing to do with the pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.errors import BadImage
from vision.sentences import Sentence
from vision.types import Frame

WORKING_BYTES = 260_000_000
"""What decoding may take beside the file, the libraries and the networks: together they stay below 400 MB."""

BAND_PIXELS = 1_000_000
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # or it prints its own account of a damaged WebP

CUT_OFF = Sentence("The photo is cut off, its end is missing: send it again.")
DAMAGED = Sentence("The photo is damaged or of a rare kind: send it again, or save it as an ordinary JPEG or PNG.")


@dataclass(frozen=True, slots=True)
class Stored:
    """A picture as it lies in its file: its sides in pixels before turning, and its EXIF orientation (1-8).

    `bands(factor)` gives the rows from top to bottom as BGR pieces, both sides divided by factor (1, 2, 4 or
    8) and rounded up; `working_bytes(factor)` says about how much memory that takes at its peak. `scales`: the
    smaller it is decoded, the quicker.
    """

    kind: str
    width: int
    height: int
    orientation: int
    bands: Callable[[int], Iterator[Frame]]
    working_bytes: Callable[[int], int]
    scales: bool = False

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise BadImage(DAMAGED)


def open_jpeg(data: bytes) -> Stored:
    """The header of a JPEG. Raises BadImage where it makes no sense."""
    orientation, adobe, at = 1, False, 2
    frame: tuple[int, ...] = ()  # marker, height, width, then the sampling of each component
    while True:
        marker, start, end = _jpeg_segment(data, at)
        if marker == 0xDA:
            break
        body = data[start:end]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            if len(body) < 6 or len(body) < 6 + 3 * body[5]:
                raise BadImage(DAMAGED)
            height, width = int.from_bytes(body[1:3]), int.from_bytes(body[3:5])
            frame = (marker, height, width, *body[7 : 6 + 3 * body[5] : 3])
        elif marker == 0xE1 and body.startswith(b"Exif\0\0") and orientation == 1:
            orientation = exif_orientation(body[6:])
        elif marker == 0xEE and body.startswith(b"Adobe"):
            adobe = True
        at = end
    if len(frame) not in (4, 6, 7):  # one, three or four components
        raise BadImage(DAMAGED)
    coding, height, width, *sampling = frame
    last = data.find(b"\xff\xd9", end)
    if last < 0:
        raise BadImage(CUT_OFF)

    # Only where the components come in several scans must the library hold the whole picture's coefficients.
    several = coding not in (0xC0, 0xC1) or (end > start and data[start] != len(sampling))
    scans = data.count(b"\xff\xda", at, last)
    if several and scans > 100:  # about ten are usual; thousands of empty ones would keep it busy for hours
        raise BadImage(DAMAGED)
    shares = [(s >> 4, s & 15) for s in sampling]  # along, and down
    most = max(along for along, _ in shares) * max(down for _, down in shares) or 1
    samples = sum(width * height * along * down // most for along, down in shares)
    coefficients = 2 * samples if several else 0
    mode = {1: "L", 3: "RGB", 4: "CMYK"}[len(sampling)]
    # Adobe's programs write CMYK inverted, as ink that is left out; others do not.
    raw = "CMYK;I" if mode == "CMYK" and adobe else mode

    def bands(factor: int) -> Iterator[Frame]:
        image = Image.new(mode, (-(-width // factor), -(-height // factor)), None)
        try:
            image.frombytes(data, "jpeg", (raw, "", factor, 0))
        except (ValueError, OSError):
            raise BadImage(DAMAGED) from None
        step = rows_of_a_band(image.width, 1)
        for top in range(0, image.height, step):
            band = image.crop((0, top, image.width, min(top + step, image.height)))
            if mode != "RGB":
                band = band.convert("RGB")
            yield np.frombuffer(band.tobytes("raw", "BGR"), np.uint8).reshape(band.height, band.width, 3)

    def working_bytes(factor: int) -> int:
        kept = -(-width // factor) * -(-height // factor)
        return max(4 * kept + coefficients, 7 * kept)

    kind = "JPEG" if not several else "progressive JPEG"
    return Stored(kind, width, height, orientation, bands, working_bytes, scales=True)


def _jpeg_segment(data: bytes, at: int) -> tuple[int, int, int]:
    """The marker at or after `at`, and where the bytes that belong to it begin and end."""
    at = data.find(b"\xff", at)
    while 0 <= at < len(data) - 3:
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif marker == 0xD9:
            break
        elif marker in (0x00, 0x01) or 0xD0 <= marker <= 0xD8:  # stand alone
            at = data.find(b"\xff", at + 2)
        else:
            end = at + 2 + int.from_bytes(data[at + 2 : at + 4])
            if end > len(data):
                break
            return marker, at + 4, max(end, at + 4)
    raise BadImage(CUT_OFF)


def open_webp(data: bytes) -> Stored:
    """The header of a WebP; of a moving one, the first picture. Raises BadImage if it makes no sense."""
    if 8 + int.from_bytes(data[4:8], "little") > len(data) or len(data) < 30:
        raise BadImage(CUT_OFF)
    kind, orientation = data[12:16], 1
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        for name, start, end in _riff_chunks(data, 12):
            if name == b"EXIF":
                orientation = exif_orientation(data[start:end].removeprefix(b"Exif\0\0"))
                break
    elif kind == b"VP8 ":
        width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (26, 28))
    elif kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        raise BadImage(DAMAGED)

    def bands(factor: int) -> Iterator[Frame]:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
        if image is None or image.shape[:2] != (height, width):
            raise BadImage(DAMAGED)
        yield from reduced_bands(np.asarray(image, np.uint8), factor)

    def working_bytes(factor: int) -> int:
        return 8 * width * height + 3 * width * height // factor**2

    return Stored("WebP", width, height, orientation, bands, working_bytes)


def _riff_chunks(data: bytes, at: int) -> Iterator[tuple[bytes, int, int]]:
    while at + 8 <= len(data):
        end = at + 8 + int.from_bytes(data[at + 4 : at + 8], "little")
        yield data[at : at + 4], at + 8, end
        at = end + end % 2


def open_heic(data: bytes) -> Stored:
    """The header of a HEIC photo. Raises BadImage where it makes no sense.

    HEIC has turning instructions of its own, which the library follows; the EXIF orientation says the same
    a second time and is not to be followed as well (ISO/IEC 23008-12).
    """
    import pillow_heif  # most photos are no HEIC: not worth the time of loading it each time

    try:
        file = pillow_heif.open_heif(data, bgr_mode=True)
        width, height = (int(side) for side in file.size)
    except Exception:  # whatever its parser stumbles over in bytes that may be anything
        raise BadImage(DAMAGED) from None

    def bands(factor: int) -> Iterator[Frame]:
        try:
            image = np.asarray(file)
        except Exception:
            raise BadImage(DAMAGED) from None
        if image.dtype != np.uint8 or image.shape[:2] != (height, width):
            raise BadImage(DAMAGED)
        yield from reduced_bands(image, factor)

    def working_bytes(factor: int) -> int:
        return int(4.5 * width * height) + 3 * width * height // factor**2

    return Stored("HEIC photo", width, height, 1, bands, working_bytes)


def rows_of_a_band(width: int, factor: int) -> int:
    """How many rows to treat at a time: about BAND_PIXELS, a multiple of factor."""
    return max(1, BAND_PIXELS // (width * factor)) * factor


def reduced_bands(image: NDArray[np.uint8], factor: int) -> Iterator[Frame]:
    """The bands of a decoded picture (grey, BGR or BGRA) as BGR on white, reduced."""
    step = rows_of_a_band(image.shape[1], factor)
    for top in range(0, len(image), step):
        yield reduced(on_white(image[top : top + step]), factor)


def reduced(band: Frame, factor: int) -> Frame:
    """A BGR band divided by factor, each pixel the mean of those it stands for; sides are rounded up."""
    if factor == 1:
        return band
    height, width = band.shape[:2]
    below, right = -height % factor, -width % factor
    whole = cv2.copyMakeBorder(band, 0, below, 0, right, cv2.BORDER_REPLICATE) if below or right else band
    size = ((width + right) // factor, (height + below) // factor)
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def on_white(band: NDArray[np.uint8]) -> Frame:
    """Grey (H x W), BGR or BGRA as BGR, C-contiguous; what is transparent shows white."""
    if band.ndim == 2 or band.shape[2] == 1:
        return np.asarray(cv2.cvtColor(band, cv2.COLOR_GRAY2BGR), np.uint8)
    if band.shape[2] == 3:
        return np.ascontiguousarray(band)
    alpha = band[:, :, 3:].astype(np.uint16)
    mixed = band[:, :, :3] * alpha + 255 * (255 - alpha)
    return ((mixed + 127) // 255).astype(np.uint8, order="C")  # or it lies as the band did


def exif_orientation(tiff: bytes) -> int:
    """Tag 274 of an EXIF block's first directory; 1 where that is missing, not 1-8, or makes no sense."""
    if tiff[:2] not in (b"II", b"MM"):
        return 1

    def number(at: int, size: int) -> int:
        return int.from_bytes(tiff[at : at + size], "little" if tiff[:1] == b"I" else "big")

    at = number(4, 4)
    for entry in range(at + 2, min(at + 2 + 12 * number(at, 2), len(tiff) - 11), 12):
        if number(entry, 2) == 274:
            kind = number(entry + 2, 2)
            value = number(entry + 8, {1: 1, 3: 2, 4: 4}.get(kind, 2))  # a byte, short or long
            return value if 1 <= value <= 8 else 1
    return 1
