from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.locate import distinct, input_size, is_part, overlap, regions, resized, tensor
from vision.types import Region


def output(rows: int = 16, columns: int = 24) -> NDArray[np.float32]:
    out = np.zeros((5, rows, columns), np.float32)
    out[0] = -10
    return out


@pytest.mark.parametrize(
    ("size", "wanted"),
    [((1280, 720), (416, 224)), ((720, 1280), (224, 416)), ((640, 640), (416, 416)), ((4000, 10), (416, 32))],
)
def test_input_is_multiples_of_32(size: tuple[int, int], wanted: tuple[int, int]) -> None:
    assert input_size(*size, 416) == wanted


def test_a_centre_becomes_a_region_in_the_pictures_pixels() -> None:
    out = output()
    out[:, 5, 8] = (3.0, 0.25, -0.25, np.log(6), np.log(4))
    (region,) = regions(out, width=24 * 8, height=16 * 8, threshold=0.3)  # one cell is 8 pixels here
    assert region.score == pytest.approx(1 / (1 + np.exp(-3)))
    assert (region.w, region.h) == pytest.approx((48, 32))
    assert region.centre == pytest.approx((8 * 8.75, 8 * 5.25))


def test_only_peaks_above_the_threshold_count_best_first() -> None:
    out = output()
    out[0, 3, 3], out[0, 3, 4], out[0, 10, 20], out[0, 14, 2] = 2.0, 1.0, 4.0, -3.0
    assert [round(r.score, 3) for r in regions(out, 96, 64, threshold=0.3)] == [0.982, 0.881]


def test_nothing_there_is_no_region() -> None:
    assert regions(output(), 96, 64, threshold=0.1) == []


def test_overlap_of_a_half_shifted_square_is_a_third() -> None:
    assert overlap(Region(0, 0, 10, 10, 1), Region(5, 0, 10, 10, 1)) == pytest.approx(1 / 3)
    assert overlap(Region(0, 0, 10, 10, 1), Region(10, 0, 10, 10, 1)) == 0


def test_of_two_on_one_die_the_better_stays_and_touching_dice_both_stay() -> None:
    best, twin, neighbour = Region(0, 0, 10, 10, 0.9), Region(1, 1, 10, 10, 0.5), Region(9, 0, 10, 10, 0.4)
    concentric = Region(2, 2, 6, 6, 0.8)
    assert distinct([twin, neighbour, best, concentric], limit=0.5) == [best, neighbour]


def test_tensor_is_one_float_picture_channels_first() -> None:
    frame = np.arange(2 * 4 * 3, dtype=np.uint8).reshape(2, 4, 3)
    out = tensor(frame)
    assert out.shape == (1, 3, 2, 4)
    assert out.dtype == np.float32
    assert out[0, 2, 1, 3] == frame[1, 3, 2]


def test_shrinking_averages() -> None:
    stripes = np.zeros((8, 8, 3), np.uint8)
    stripes[:, ::2] = 200
    assert np.all(resized(stripes, 4, 4) == 100)


def test_a_pip_is_part_of_its_die_and_a_neighbour_is_not() -> None:
    die = Region(100, 100, 80, 80, 0.9)
    assert is_part(Region(110, 110, 20, 20, 0.9), die)
    assert not is_part(die, Region(110, 110, 20, 20, 0.9))
    assert not is_part(Region(170, 100, 80, 80, 0.9), die)
    assert not is_part(Region(175, 120, 20, 20, 0.9), die)  # a small die that leans on it


def test_a_region_nearly_whole_within_one_of_like_size_is_the_same_die() -> None:
    die, with_its_shadow = Region(458, 198, 160, 160, 0.84), Region(430, 234, 238, 238, 0.28)
    assert distinct([die, with_its_shadow], 0.55) == [die]
    beside = Region(560, 300, 170, 170, 0.8)
    assert distinct([die, beside], 0.55) == [die, beside]
