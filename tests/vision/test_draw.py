"""Readings drawn on pictures of many sizes."""

from dataclasses import replace

import numpy as np
import pytest

from vision.draw import SURE, UNSURE, annotate
from vision.types import Colour, Die, Doubt, Frame, Reading, Region

WHITE = Colour("white", 0.9)


def die(x: float, y: float, side: float, confidence: float = 0.99) -> Die:
    return Die(Region(x, y, side, side, 0.9), 4, WHITE, WHITE, confidence)


def reading(*dice: Die, size: tuple[int, int], leftovers: tuple[Doubt, ...] = ()) -> Reading:
    return Reading(dice, 0, *size, "dice_v1", 0.9, leftovers)


def grey(width: int, height: int) -> Frame:
    return np.full((height, width, 3), 128, np.uint8)


def where(frame: Frame, colour: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The pixels that have just this colour."""
    return np.asarray((frame == np.array(colour, np.uint8)).all(axis=2))


def test_the_picture_itself_stays_as_it_is() -> None:
    frame = grey(640, 480)
    out = annotate(frame, reading(die(100, 100, 60), size=(640, 480)))
    assert (frame == 128).all()
    assert (out != 128).any()


def test_no_dice_no_marks() -> None:
    frame = grey(640, 480)
    assert (annotate(frame, reading(size=(640, 480))) == frame).all()


def test_sure_and_unsure_dice_look_different() -> None:
    frame, size = grey(640, 480), (640, 480)
    sure = annotate(frame, reading(die(100, 100, 60), size=size))
    unsure = annotate(frame, reading(die(100, 100, 60, confidence=0.6), size=size))
    assert where(sure, SURE).any()
    assert not where(sure, UNSURE).any()
    assert where(unsure, UNSURE).any()
    assert not where(unsure, SURE).any()
    solid, dashed = where(sure, SURE)[160, 110:150], where(unsure, UNSURE)[160, 110:150]
    assert solid.all()
    assert 0.2 < dashed.mean() < 0.8


def test_what_may_be_a_die_is_marked_where_it_lies() -> None:
    doubt = Doubt("something top left may be a die", Region(300, 200, 50, 50, 0.4))
    out = annotate(grey(640, 480), reading(size=(640, 480), leftovers=(doubt, Doubt("no place"))))
    rows, columns = np.nonzero(where(out, UNSURE))
    assert rows.min() >= 160
    assert rows.max() <= 256
    assert columns.min() >= 295


@pytest.mark.parametrize("width", [300, 640, 1600, 4000])
def test_labels_can_be_read_at_any_size(width: int) -> None:
    """At least 11 pixels for a digit, and about a fiftieth of a large picture; outlines of at least a pixel."""
    height = width * 3 // 4
    out = annotate(grey(width, height), reading(die(width / 2, height / 2, width / 30), size=(width, height)))
    digit = np.asarray((out > 180).all(axis=2))
    rows = np.flatnonzero(digit.any(axis=1))
    assert rows[-1] - rows[0] + 1 >= max(10, height / 50)
    assert where(out, SURE).sum() > 4 * width / 30


@pytest.mark.parametrize(("x", "y"), [(-15, -15), (600, -15), (-15, 440), (610, 450), (300, 0), (0, 200), (590, 430)])
def test_the_label_stays_within_the_picture(x: float, y: float) -> None:
    out = annotate(grey(640, 480), reading(die(x, y, 45, confidence=0.55), size=(640, 480)))
    middle = annotate(grey(640, 480), reading(die(300, 200, 45, confidence=0.55), size=(640, 480)))
    ink = (255, 255, 255)
    assert where(out, ink).sum() == pytest.approx(where(middle, ink).sum(), rel=0.05)


def test_a_picture_of_another_size_than_the_photo() -> None:
    seen = reading(die(1000, 1000, 200), size=(4000, 3000))
    small = annotate(grey(400, 300), seen)
    rows, columns = np.nonzero(where(small, SURE))
    assert 98 <= columns.min() <= 102
    assert 117 <= rows.max() <= 123


def test_a_die_larger_than_the_picture() -> None:
    seen = reading(die(-50, -50, 900), size=(640, 480))
    out = annotate(grey(640, 480), replace(seen, threshold=1.0))
    assert where(out, UNSURE).any()
