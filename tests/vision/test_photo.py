"""A large photo is decoded no finer than its dice ask for, and the reading is that of the whole photo all the same."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.apart import Decoders
from vision.errors import BadImage
from vision.images import Picture, decode
from vision.photo import SMALL, read_photo
from vision.pipeline import Pipeline
from vision.types import Colour, Die, Doubt, Reading, Region

FULL, HALF = (4000, 3000), (2000, 1500)


class Seen:
    """Finds what it is told, in full-size pixels, and remembers the pictures that it was shown."""

    def __init__(self, *sizes: float, left: float | None = None) -> None:
        self.sizes, self.left = sizes, left
        self.pictures: list[tuple[int, int]] = []

    def read(self, picture: Picture, /) -> Reading:
        self.pictures.append(picture.pixels.shape[1::-1])
        dice = tuple(
            Die(Region(100 * n, 50, size, size, 0.9), 3, Colour("black", 0.9), Colour("white", 0.9), 0.99)
            for n, size in enumerate(self.sizes)
        )
        left = () if self.left is None else (Doubt("something", Region(9, 9, self.left, self.left, 0.5)), Doubt("else"))
        ms = MappingProxyType({"locate": 10.0, "read": 5.0})
        return Reading(dice, 0, picture.width, picture.height, "seen", 0.9, left, ms)


def photo(size: tuple[int, int], kind: str = "JPEG", **how: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "grey").save(file, kind, **how)
    return file.getvalue()


@pytest.fixture(scope="module")
def large() -> bytes:
    return photo(FULL)


def test_large_dice_need_no_more_than_half(large: bytes) -> None:
    seen = Seen(2 * SMALL, 300, left=2 * SMALL)
    reading = read_photo(seen, large)
    assert seen.pictures == [HALF]
    assert (reading.width, reading.height) == FULL
    assert set(reading.ms) == {"decode", "locate", "read"}
    assert (reading.ms["locate"], reading.ms["read"]) == (10.0, 5.0)


@pytest.mark.parametrize(
    "seen", [Seen(2 * SMALL - 1, 300), Seen(), Seen(300, left=2 * SMALL - 1)], ids=["a die", "nothing", "a doubt"]
)
def test_for_what_is_small_the_photo_is_decoded_as_a_whole(large: bytes, seen: Seen) -> None:
    reading = read_photo(seen, large)
    assert seen.pictures == [HALF, FULL]
    assert (reading.width, reading.height) == FULL
    assert reading.ms["locate"] == 20.0  # both looks took their time
    assert reading.ms["decode"] > 0


@pytest.mark.parametrize(
    "size, kind, how, shown",
    [
        ((3264, 2448), "JPEG", {}, [(3264, 2448)]),  # just below eight megapixels
        ((3000, 4000), "JPEG", {"progressive": True}, [(1500, 2000), (3000, 4000)]),
        ((4000, 3000), "PNG", {"compress_level": 1}, [(4000, 3000)]),  # takes as long at any size
        ((7000, 5000), "JPEG", {}, [(1750, 1250), (3500, 2500)]),  # what is as large as that is reduced anyway
    ],
    ids=["small", "progressive", "PNG", "larger"],
)
def test_what_is_decoded_first_and_then(
    size: tuple[int, int], kind: str, how: dict[str, object], shown: list[tuple[int, int]]
) -> None:
    seen = Seen()
    read_photo(seen, photo(size, kind, **how))
    assert seen.pictures == shown


def test_what_cannot_be_decoded_is_said(large: bytes) -> None:
    seen = Seen()
    for bad in (b"", b"no picture", large[: len(large) // 2]):
        with pytest.raises(BadImage):
            read_photo(seen, bad)
    assert seen.pictures == []


def test_a_process_apart_gives_the_same_picture(large: bytes) -> None:
    decoders = Decoders(1)
    try:
        for coarse in (True, False):
            got, want = decoders.decode(large, coarse=coarse), decode(large, coarse=coarse)
            assert (got.coarse, got.scale, got.width, got.height) == (coarse, 0.5 if coarse else 1.0, *FULL)
            np.testing.assert_array_equal(got.pixels, want.pixels)
    finally:
        decoders.close()


def test_samples_as_a_phone_takes_them_are_read_alike_at_half_their_size(root: Path, reader: Pipeline) -> None:
    """Each value, each box, and whether it is sure: as in the whole photo."""
    labels = json.loads((root / "samples/labels.json").read_text(encoding="utf-8"))
    compared = 0
    for name in sorted(labels):
        sample = decode((root / "samples" / name).read_bytes()).pixels
        scale = FULL[0] / max(sample.shape[:2])
        data = cv2.imencode(".jpg", cv2.resize(sample, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC))[1]
        got, want = read_photo(reader, data.tobytes()), reader.read(decode(data.tobytes()))
        assert got.values == want.values, name
        for one, other in zip(got.dice, want.dice, strict=True):
            assert abs(one.region.centre[0] - other.region.centre[0]) < 0.1 * other.region.size
            assert abs(one.region.centre[1] - other.region.centre[1]) < 0.1 * other.region.size
        compared += 1
    assert compared > 8
