"""What helps the camera see, and that it is not said without need: on the samples, sharp, blurred, darkened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.glance import Eye
from vision.images import Picture
from vision.pipeline import Pipeline
from vision.placing import GLARE, NOT_SHARP, SHAKES, TOO_DARK, TOO_FAR, TOO_FLAT, hints
from vision.types import Colour, Die, Doubt, Frame, Reading, Region


def shown(frame: Frame, reading: Reading | None) -> tuple[str, ...]:
    return hints(frame, Eye().glance(frame, 0.0), reading)


def sample(root: Path, name: str) -> Frame:
    return np.asarray(cv2.imread(str(root / "samples" / name)), np.uint8)


def names(root: Path) -> list[str]:
    labels: dict[str, Any] = json.loads((root / "samples" / "labels.json").read_text(encoding="utf-8"))
    return [name for name, label in labels.items() if label["values"]]


def test_nothing_is_said_of_the_samples(root: Path, reader: Pipeline) -> None:
    for name in names(root):
        frame = sample(root, name)
        assert shown(frame, reader.read(Picture.of(frame))) == (), name


def test_a_dark_picture_is_told(root: Path) -> None:
    frame = sample(root, "wood.jpg")
    assert shown(np.asarray(frame * 0.3, np.uint8), None) == (TOO_DARK,)


def test_small_dice_are_told(root: Path, reader: Pipeline) -> None:
    frame = sample(root, "wood.jpg")
    small = np.asarray(cv2.resize(frame, None, fx=0.14, fy=0.14, interpolation=cv2.INTER_AREA), np.uint8)
    assert TOO_FAR in shown(small, reader.read(Picture.of(small)))


@pytest.mark.parametrize("name", ["touching.jpg", "colourful.jpg"])
def test_a_blurred_picture_is_told_where_it_leaves_a_die_unsure(root: Path, reader: Pipeline, name: str) -> None:
    frame = np.asarray(cv2.GaussianBlur(sample(root, name), (0, 0), 8), np.uint8)
    assert NOT_SHARP in shown(frame, reader.read(Picture.of(frame)))


def die(x: float, confidence: float = 0.5, size: float = 40) -> Die:
    return Die(Region(x, 100, size, size, 0.9), 4, Colour("black", 1.0), Colour("white", 1.0), confidence)


def reading(*dice: Die, leftovers: tuple[Doubt, ...] = ()) -> Reading:
    return Reading(dice, 0, 640, 360, "test", 0.9, leftovers)


def test_glare_on_an_unsure_die_is_told() -> None:
    frame = np.full((360, 640, 3), 120, np.uint8)
    frame[100:140, 100:130] = 255
    assert GLARE in shown(frame, reading(die(100)))
    assert GLARE not in shown(frame, reading(die(100, confidence=0.99)))


def test_dice_that_all_seem_to_lean_are_seen_from_too_low() -> None:
    frame = np.full((360, 640, 3), 120, np.uint8)
    leaning = tuple(Doubt("leans", Region(x, 100, 40, 40, 0.9), is_die=True) for x in (200, 300))
    assert TOO_FLAT in shown(frame, reading(die(100), leftovers=leaning))
    assert TOO_FLAT not in shown(frame, reading(die(100), leftovers=leaning[:1]))


def test_a_picture_that_moves_as_a_whole_shakes() -> None:
    rng = np.random.default_rng(0)
    eye = Eye()
    coarse = rng.integers(0, 255, (90, 160, 3)).astype(np.uint8)
    frame = np.asarray(cv2.resize(coarse, (640, 360), interpolation=cv2.INTER_NEAREST), np.uint8)
    eye.glance(frame, 0.0)
    shaken = np.roll(frame, 20, 1)
    assert SHAKES in hints(shaken, eye.glance(shaken, 0.1), None)
