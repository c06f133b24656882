"""The classic reader does what it is described to do, so that its figures are those of a fair opponent."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.training.baseline import Baseline, Pip, Settings, groups
from vision.images import Picture

PLACES = {  # of the pips on a die of side 1
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def table(*values: int, body: int, ink: int, ground: int = 120, side: int = 80) -> np.ndarray:
    """Flat dice in a row, a die's side apart."""
    image = np.full((3 * side, side * (2 * len(values) + 1), 3), ground, np.uint8)
    for place, value in enumerate(values):
        x, y = side * (2 * place + 1), side
        cv2.rectangle(image, (x, y), (x + side, y + side), (body,) * 3, -1)
        for across, down in PLACES[value]:
            centre = (x + side // 2 + across * side // 4, y + side // 2 + down * side // 4)
            cv2.circle(image, centre, side // 10, (ink,) * 3, -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(("body", "ink"), [(240, 20), (20, 240)])
def test_plain_dice_are_read_dark_on_light_and_light_on_dark(body: int, ink: int) -> None:
    reading = Baseline().read(Picture.of(table(6, 1, 2, 4, 3, 5, body=body, ink=ink)))
    assert [die.value for die in reading.dice] == [6, 1, 2, 4, 3, 5]
    assert reading.sure()


def test_boxes_are_in_pixels_of_the_full_size_photo() -> None:
    pixels = table(1, 6, body=240, ink=20, side=400)
    one, six = Baseline().read(Picture(pixels, 2 * pixels.shape[1], 2 * pixels.shape[0], 0.5)).dice
    assert one.region.centre == pytest.approx((1200, 1200), abs=20)
    assert six.region.centre == pytest.approx((2800, 1200), abs=20)
    assert 2 * 200 < six.region.w < 2 * 400  # its pips lie within the die, 200 apart


def test_pips_are_grouped_by_chains_of_near_and_like_ones() -> None:
    settings = Settings(reach=3.0, alike=1.5)
    chain = [Pip(0, 0, 10), Pip(28, 0, 10), Pip(56, 0, 10)]
    apart, large = Pip(90, 0, 10), Pip(0, 12, 16)
    found = groups([*chain, apart, large], settings)
    assert sorted(map(len, found)) == [1, 1, 3]


def test_seven_blobs_are_no_die() -> None:
    image = np.full((400, 400, 3), 240, np.uint8)
    for n in range(7):
        cv2.circle(image, (50 + 24 * n, 200), 8, (20, 20, 20), -1, cv2.LINE_AA)
    assert Baseline().read(Picture.of(image)).dice == ()


def test_an_empty_table_is_a_reading_without_dice() -> None:
    assert Baseline().read(Picture.of(np.full((480, 640, 3), 120, np.uint8))).dice == ()
