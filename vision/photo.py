"""A photo's bytes to a Reading, decoded no finer than its dice ask for.

To decode a phone's twelve megapixels takes longer than to read them, and of most photos less would do: the reader is
shown each die at 64 x 64 pixels. So a large photo is decoded to a part of its size first, and once more, finer, only if
its dice turn out small.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from types import MappingProxyType
from typing import Protocol

from vision import images
from vision.images import Picture
from vision.reader import Reader
from vision.types import Reading

SMALL = 40.0
"""Pixels of a die below which the photo is decoded finer. Labelled photos whose smallest die has 80 to 140 pixels are
read right as often at half their size."""


class Decode(Protocol):
    """Decodes a photo, as `images.decode`. Raises BadImage."""

    def __call__(self, data: bytes, /, *, coarse: bool) -> Picture: ...


def read_photo(reader: Reader, data: bytes, decode: Decode = images.decode) -> Reading:
    """The reading of a photo; its `ms` has what decoding took, too. Raises BadImage."""
    reading, enough = _read(reader, data, decode, coarse=True)
    if enough:
        return reading
    finer, _ = _read(reader, data, decode, coarse=False)
    ms = {stage: took + reading.ms.get(stage, 0.0) for stage, took in finer.ms.items()}
    return replace(finer, ms=MappingProxyType(ms))


def _read(reader: Reader, data: bytes, decode: Decode, *, coarse: bool) -> tuple[Reading, bool]:
    """A reading, and whether a finer picture could show no more."""
    began = perf_counter()
    picture = decode(data, coarse=coarse)
    took = 1000 * (perf_counter() - began)
    reading = reader.read(picture)
    regions = [die.region for die in reading.dice] + [doubt.region for doubt in reading.leftovers if doubt.region]
    smallest = min((region.size * picture.scale for region in regions), default=0.0)
    reading = replace(reading, ms=MappingProxyType({"decode": took, **reading.ms}))
    return reading, not picture.coarse or smallest >= SMALL
