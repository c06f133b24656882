"""PNG in bands of rows: a library decodes it whole, which at a hundred megapixels takes 300 MB and more.

Rows are inflated a band at a time; Pillow undoes the filters of a band, to which the last row of the band
above is put first; here the samples become BGR. Interlaced pictures are seven small ones, each read so.
Names and numbers are those of the PNG specification (W3C, third edition).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.codecs import (
    CUT_OFF,
    DAMAGED,
    Stored,
    exif_orientation,
    on_white,
    reduced,
    reduced_bands,
    rows_of_a_band,
)
from vision.errors import BadImage
from vision.types import Frame

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Of each colour type: grey, RGB, palette, grey + alpha, RGB + alpha.
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class _Header:
    width: int
    height: int
    depth: int
    colour: int
    interlaced: bool
    palette: bytes
    transparent: bytes

    @property
    def channels(self) -> int:
        return _CHANNELS[self.colour]

    def row_bytes(self, width: int) -> int:
        """Of a row without its filter byte."""
        return (width * self.channels * self.depth + 7) // 8


def open_png(data: bytes) -> Stored:
    """The header of a PNG. Raises BadImage where it makes no sense."""
    start, parts, palette, transparent, orientation = b"", [], b"", b"", 1
    for name, body in _chunks(data):
        if name == b"IHDR":
            start = bytes(body)
        elif name == b"PLTE":
            palette = bytes(body)
        elif name == b"tRNS":
            transparent = bytes(body)
        elif name == b"eXIf":
            orientation = exif_orientation(bytes(body))
        elif name == b"IDAT":
            parts.append(body)
        elif name == b"IEND":
            break
    else:
        raise BadImage(CUT_OFF)
    if len(start) != 13 or start[9] not in _CHANNELS or start[8] not in _DEPTHS[start[9]] or not parts:
        raise BadImage(DAMAGED)
    header = _Header(
        int.from_bytes(start[:4]),
        int.from_bytes(start[4:8]),
        start[8],
        start[9],
        bool(start[12]),
        palette,
        transparent,
    )

    def bands(factor: int) -> Iterator[Frame]:
        inflated = _Inflated(parts)
        if header.interlaced:
            whole = _interlaced(header, inflated)
            inflated.finish()
            yield from reduced_bands(whole, factor)
        else:
            step = rows_of_a_band(header.width, factor)
            for band in _rows(header, inflated, header.width, header.height, step):
                yield reduced(band, factor)
            inflated.finish()

    def working_bytes(factor: int) -> int:
        pixels = header.width * header.height
        return 3 * pixels // factor**2 + (3 * pixels if header.interlaced else 0)

    kind = "interlaced PNG" if header.interlaced else "PNG"
    return Stored(kind, header.width, header.height, orientation, bands, working_bytes)


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """The chunks up to where the data ends; the sums of those that matter are checked."""
    view, at = memoryview(data), len(SIGNATURE)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4])
        if end > len(data):
            return
        name = data[at + 4 : at + 8]
        needed = name[:1].isupper()  # ancillary chunks have a small first letter
        if needed and zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end]):
            raise BadImage(DAMAGED)
        yield name, view[at + 8 : end - 4]
        at = end


class _Inflated:
    """The inflated bytes of the IDAT chunks, taken as many at a time as are asked for."""

    def __init__(self, parts: list[memoryview]) -> None:
        self._inflate = zlib.decompressobj()
        self._pieces = (part[at : at + _PIECE] for part in parts for at in range(0, len(part), _PIECE))

    def take(self, count: int) -> bytes:
        """The next `count` bytes. Raises BadImage where there are fewer."""
        got = bytearray()
        try:
            while len(got) < count:
                piece = self._inflate.unconsumed_tail or next(self._pieces, b"")
                more = self._inflate.decompress(piece, count - len(got))
                if not more and not piece:
                    raise BadImage(DAMAGED)
                got += more
        except zlib.error:
            raise BadImage(DAMAGED) from None
        return bytes(got)

    def finish(self) -> None:
        """Check the sum at the end of the data. Raises BadImage where it is wrong."""
        try:
            while not self._inflate.eof:
                piece = self._inflate.unconsumed_tail or next(self._pieces, b"")
                if self._inflate.decompress(piece, 1) or not piece:
                    return  # more than the picture needs: some programs pad; or no sum: harmless
        except zlib.error:
            raise BadImage(DAMAGED) from None


def _interlaced(header: _Header, inflated: _Inflated) -> Frame:
    whole = np.empty((header.height, header.width, 3), np.uint8)
    for x, y, dx, dy in _PASSES:
        part = whole[y::dy, x::dx]
        if part.size:
            height, width = part.shape[:2]
            top = 0
            for band in _rows(header, inflated, width, height, rows_of_a_band(width, 1)):
                part[top : top + len(band)] = band
                top += len(band)
    return whole


def _rows(header: _Header, inflated: _Inflated, width: int, height: int, step: int) -> Iterator[Frame]:
    """The rows of a picture, or of an interlaced one's pass, as BGR bands of `step` rows."""
    lookup = _lookup(header)
    above = b""
    for top in range(0, height, step):
        rows = min(step, height - top)
        length = 1 + header.row_bytes(width)
        raw = np.frombuffer(inflated.take(rows * length), np.uint8).reshape(rows, length)
        if header.depth == 16:  # filters work byte by byte, so the low bytes can be left out beforehand
            raw = np.concatenate((raw[:, :1], raw[:, 1::2]), axis=1)
        plain = _unfiltered(raw, above, header.channels)
        above = plain[-1].tobytes()
        yield _bgr(plain, header, width, lookup)


def _unfiltered(raw: NDArray[np.uint8], above: bytes, channels: int) -> NDArray[np.uint8]:
    """Rows of a filter byte and samples, as rows of samples; `above` is the row before, empty at the top."""
    if raw[:, 0].max() > 4:
        raise BadImage(DAMAGED)
    mode = ("L", "LA", "RGB", "RGBA")[channels - 1]
    first = b"\0" + above if above else b""
    packed = zlib.compress(first + raw.tobytes(), 0)
    size = ((raw.shape[1] - 1) // channels, len(raw) + bool(above))
    try:
        image = Image.frombytes(mode, size, packed, "zip", (mode, 0))
    except (ValueError, OSError):
        raise BadImage(DAMAGED) from None
    plain = np.frombuffer(image.tobytes(), np.uint8).reshape(size[1], -1)
    return plain[1:] if above else plain


def _lookup(header: _Header) -> NDArray[np.uint8]:
    """BGR on white of each value of a grey or palette picture: 1 x 256 x 3."""
    table = np.zeros((256, 4), np.uint8)
    table[:, 3] = 255
    if header.colour == 3:
        palette = np.frombuffer(header.palette[: len(header.palette) // 3 * 3], np.uint8).reshape(-1, 3)[:256]
        table[: len(palette), :3] = palette[:, ::-1]
        opacity = np.frombuffer(header.transparent[:256], np.uint8)
        table[: len(opacity), 3] = opacity
    elif header.colour == 0:
        levels = 2 ** min(header.depth, 8)
        table[:levels, :3] = (np.arange(levels) * 255 // (levels - 1))[:, None]
        if len(header.transparent) == 2 and header.depth <= 8:
            table[header.transparent[1], 3] = 0
    return on_white(table[None])


def _bgr(plain: NDArray[np.uint8], header: _Header, width: int, lookup: NDArray[np.uint8]) -> Frame:
    """Rows of samples as BGR on white."""
    if header.channels == 1:
        if header.depth < 8:
            bits = np.unpackbits(plain, axis=1).reshape(len(plain), -1, header.depth)
            plain = np.right_shift(np.packbits(bits, axis=2)[:, :, 0], 8 - header.depth, dtype=np.uint8)
        return np.asarray(cv2.LUT(cv2.cvtColor(plain[:, :width], cv2.COLOR_GRAY2BGR), lookup), np.uint8)
    samples = plain.reshape(len(plain), width, header.channels)
    if header.colour == 4:
        return on_white(samples[:, :, [0, 0, 0, 1]])
    if header.colour == 6:
        return on_white(samples[:, :, [2, 1, 0, 3]])
    bgr = np.ascontiguousarray(samples[:, :, ::-1])
    if len(header.transparent) == 6 and header.depth == 8:
        bgr[(samples == np.frombuffer(header.transparent, np.uint8)[1::2]).all(axis=2)] = 255
    return bgr
