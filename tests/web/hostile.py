"""Pictures that nobody takes with a camera, as bytes."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pillow_heif
from PIL import Image

pillow_heif.register_heif_opener()

HUGE = 60_000
PLAIN = Image.fromarray(np.random.default_rng(3).integers(90, 160, (48, 64, 3), np.uint8))


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


JPEG, PNG = saved(PLAIN, "JPEG"), saved(PLAIN, "PNG")
WEBP, GIF, TIFF = saved(PLAIN, "WEBP"), saved(PLAIN, "GIF"), saved(PLAIN, "TIFF")
HEIC, AVIF = saved(PLAIN, "HEIF"), saved(PLAIN, "AVIF")


def png_chunk(name: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4) + name + body + zlib.crc32(name + body).to_bytes(4)


def png_of(width: int, height: int, pixels: bytes = b"", depth: int = 8, colour: int = 2, interlaced: int = 0) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    body = zlib.compress(pixels, 9)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        png_chunk(name, part) for name, part in ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
    )


def png_bomb() -> bytes:
    """Its header says 64 x 48, its data 200 MB."""
    return png_of(64, 48, bytes(200_000_000))


def jpeg_of(width: int, height: int, data: bytes = JPEG) -> bytes:
    return data.replace(struct.pack(">HH", 48, 64), struct.pack(">HH", height, width))


def webp_of(width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + (10).to_bytes(4, "little") + bytes(4) + sides + WEBP[12:]
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def isobmff_of(width: int, height: int, data: bytes = HEIC) -> bytes:
    """A HEIC or AVIF whose property `ispe` says another size."""
    at = data.index(b"ispe") + 8
    return data[:at] + struct.pack(">II", width, height) + data[at + 8 :]


def tiff_of(width: int, height: int) -> bytes:
    entries = struct.pack("<HHHII", 2, 256, 4, 1, width) + struct.pack("<HHII", 257, 4, 1, height)
    return b"II*\0" + struct.pack("<I", 8) + entries + bytes(4)


def segment(marker: int, body: bytes, data: bytes = JPEG) -> bytes:
    """The JPEG with one more segment right at its beginning."""
    return data[:2] + bytes((0xFF, marker)) + (len(body) + 2).to_bytes(2) + body + data[2:]


def exif(*entries: tuple[int, int, int, int], after: int = 0, claimed: int | None = None) -> bytes:
    """The JPEG with a directory of such entries: tag, type, count, value; `after`: where the next directory lies."""
    count = len(entries) if claimed is None else claimed
    directory = struct.pack("<H", count) + b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return segment(0xE1, b"Exif\0\0II*\0" + struct.pack("<I", 8) + directory + struct.pack("<I", after))


def orientation(value: int, kind: int = 3, count: int = 1) -> bytes:
    return exif((274, kind, count, value))


def icc(body: bytes, number: int = 1, of: int = 1) -> bytes:
    return segment(0xE2, b"ICC_PROFILE\0" + bytes((number, of)) + body)


def moving(kind: str, frames: int = 20) -> bytes:
    others = [PLAIN.rotate(n) for n in range(1, frames)]
    return saved(PLAIN, kind, save_all=True, append_images=others, duration=40)


def cmyk() -> bytes:
    return saved(PLAIN.convert("CMYK"), "JPEG")


def deep() -> bytes:
    return saved(Image.fromarray(np.arange(64 * 48, dtype=np.uint16).reshape(48, 64) * 20), "PNG")


def long_and_thin(width: int, height: int, kind: str) -> bytes:
    return saved(Image.new("RGB", (width, height), (90, 120, 90)), kind)


def cuts(data: bytes) -> list[bytes]:
    """The file cut off at every hundredth."""
    return [data[: len(data) * percent // 100] for percent in range(1, 100)]


def small_sample(root: Path, kind: str) -> bytes:
    """A photo of the samples, made small so that a hundred pieces of it cost little."""
    with Image.open(root / "samples" / "wood.jpg") as image:
        return saved(image.resize((160, 120)), kind)
