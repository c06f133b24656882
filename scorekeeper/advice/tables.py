"""Tables of the values of positions: those that come with the package, those in a folder, and building them.

A file holds a head (what it is, the start value, how many values), the values as float32, compressed, and a CRC-32 of
both. Its name is its key: a hash of the rules as the solver sees them, with the solver's version in it. So games
with equal rules share a table, and a changed rule never meets an old one.
"""

from __future__ import annotations

import os
import struct
import tempfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice.types import Progress

_MAGIC: Final = b"dicescribe table"
_HEAD: Final = struct.Struct("<16s40sdQ")
"""Magic, key, start value, number of values."""
_VALUE: Final = np.dtype("<f4")
_BITS: Final = np.dtype("<u4")
_SUM: Final = struct.Struct("<I")
"""CRC-32 of all before it."""

SHIPPED: Final = resources.files("scorekeeper.advice") / "shipped"


@dataclass(frozen=True, slots=True)
class Table:
    """Values of all positions of a game, (n,) float32 in the order of its solver; the start value in float64."""

    values: NDArray[np.float32]
    start: float


Build = Callable[[Progress], Table]


def load_or_build(key: str, build: Build, cache: Path | None, progress: Progress | None = None) -> Table:
    """The table of that key: from the package or the folder ``cache``; else built, and put into the folder.

    ``key`` is ASCII, at most 40 characters, and fit for a file name. What ``progress`` raises ends the build.
    """
    table = _find(key, cache)
    if table is None:
        table = build(progress or (lambda _: None))
        if cache is not None:
            _keep(key, table, cache)
    return table


def stored(key: str, cache: Path | None) -> bool:
    """Whether the table can be had without building it."""
    return _find(key, cache) is not None


def to_bytes(key: str, table: Table) -> bytes:
    """The content of a table's file."""
    data = _HEAD.pack(_MAGIC, key.encode(), table.start, len(table.values)) + _packed(table.values)
    return data + _SUM.pack(zlib.crc32(data))


def from_bytes(key: str, content: bytes) -> Table | None:
    """The table in a file's content; None where it is damaged, cut off, or of another key."""
    if len(content) < _HEAD.size + _SUM.size:
        return None
    data = memoryview(content)[: -_SUM.size]
    magic, name, start, size = _HEAD.unpack_from(data)
    if (magic, name.rstrip(b"\0")) != (_MAGIC, key.encode()) or _SUM.pack(zlib.crc32(data)) != content[-_SUM.size :]:
        return None
    try:
        return Table(_unpacked(data[_HEAD.size :], size), start)
    except (zlib.error, ValueError):  # whole, but not written by us
        return None


def _packed(values: NDArray[np.float32]) -> bytes:
    # Neighbours are much alike, so of their bits as numbers the differences are small, and the high bytes of those
    # nearly all equal: taken together they almost vanish.
    bits = values.astype(_VALUE).view(_BITS)
    steps = np.diff(bits, prepend=_BITS.type(0))
    return zlib.compress(steps.view(np.uint8).reshape(-1, _BITS.itemsize).T.tobytes())


def _unpacked(data: memoryview, size: int) -> NDArray[np.float32]:
    planes = np.frombuffer(zlib.decompress(data), np.uint8).reshape(_BITS.itemsize, size)
    steps = np.ascontiguousarray(planes.T).view(_BITS)[:, 0]
    return np.cumsum(steps, dtype=_BITS).view(_VALUE).astype(np.float32, copy=False)


def file_name(key: str) -> str:
    """The name of a table's file."""
    return f"{key}.table"


def _find(key: str, cache: Path | None) -> Table | None:
    for folder in (SHIPPED, cache):
        if folder is not None:
            with suppress(OSError):
                table = from_bytes(key, (folder / file_name(key)).read_bytes())
                if table is not None:
                    return table
    return None


def _keep(key: str, table: Table, cache: Path) -> None:
    """Write the file whole or not at all; a folder that can't be written costs the next start a build, no more."""
    with suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f"{key}.", suffix=".part", dir=cache)
        part = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(to_bytes(key, table))
            part.replace(cache / file_name(key))
        except OSError:
            part.unlink(missing_ok=True)
