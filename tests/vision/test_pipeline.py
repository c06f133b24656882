"""Recognition itself, with the shipped weights, on the project's own rendered samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import models
from vision.images import Picture, decode
from vision.pipeline import Pipeline

SAMPLES = Path(__file__).parents[2] / "samples"
LABELS: dict[str, dict[str, Any]] = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))
FIVE = next(name for name in LABELS if len(LABELS[name]["values"]) == 5)


def sample(name: str) -> Picture:
    return decode((SAMPLES / name).read_bytes())


@pytest.mark.parametrize("name", LABELS)
def test_samples_are_read_right_or_not_called_sure(reader: Pipeline, name: str) -> None:
    reading = reader.read(sample(name))
    if reading.sure():
        assert list(reading.values) == LABELS[name]["values"]


def test_most_samples_are_read_right(reader: Pipeline) -> None:
    right = [list(reader.read(sample(name)).values) == LABELS[name]["values"] for name in LABELS]
    assert sum(right) >= 0.8 * len(right)


@pytest.mark.parametrize("name", [name for name in LABELS if LABELS[name].get("game") == "yamslam"])
def test_yamslam_inks_are_told_apart(reader: Pipeline, name: str) -> None:
    dice = reader.read(sample(name)).dice
    assert len(dice) == 5
    for die in dice:
        assert die.ink.name == ("red" if die.value % 2 == 0 else "black")


def test_boxes_lie_on_the_labelled_dice(reader: Pipeline) -> None:
    dice = reader.read(sample(FIVE)).dice
    assert len(dice) == 5
    for die in dice:
        x, y = die.region.centre
        near = [
            label
            for label in LABELS[FIVE]["dice"]
            for left, top, width, height in [label["box"]]
            if left < x < left + width and top < y < top + height
        ]
        assert [label["value"] for label in near][:1] == [die.value]


def test_dice_are_given_from_left_to_right(reader: Pipeline) -> None:
    xs = [die.region.centre[0] for die in reader.read(sample(FIVE)).dice]
    assert len(xs) == 5
    assert xs == sorted(xs)


def test_an_empty_table_is_a_reading_without_dice(reader: Pipeline) -> None:
    reading = reader.read(Picture.of(np.full((480, 640, 3), 120, np.uint8)))
    assert reading.dice == ()
    assert reading.sure(expect=0)
    assert not reading.sure(expect=5)


@pytest.mark.parametrize("size", [(1, 1), (7, 3000), (3000, 7), (33, 33)])
def test_odd_sizes_are_read(reader: Pipeline, size: tuple[int, int]) -> None:
    assert reader.read(Picture.of(np.full((*size, 3), 90, np.uint8))).dice == ()


@pytest.mark.parametrize("zoom", [0.5, 2.0])
def test_the_same_throw_at_half_and_double_size(reader: Pipeline, zoom: float) -> None:
    pixels = sample(FIVE).pixels
    other = cv2.resize(pixels, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
    reading = reader.read(Picture.of(np.asarray(other, np.uint8)))
    assert list(reading.values) == LABELS[FIVE]["values"] or not reading.sure()


def test_a_reduced_picture_is_told_in_full_size_pixels(reader: Pipeline) -> None:
    whole = sample(FIVE)
    told = reader.read(Picture(whole.pixels, 4 * whole.width, 4 * whole.height, 0.25))
    plain = reader.read(whole)
    assert (told.width, told.height) == (4 * whole.width, 4 * whole.height)
    assert [d.region.x for d in told.dice] == pytest.approx([4 * d.region.x for d in plain.dice])


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(FileNotFoundError, match="nosuch"):
        models.load("nosuch")


def test_broken_weights_raise_and_are_never_no_dice() -> None:
    weights = models.load()
    broken = models.Weights(weights.locator[:1000], weights.reader, weights.config)
    with pytest.raises(Exception, match=r"(?i)protobuf|load|model"):
        Pipeline(broken)
