from __future__ import annotations

import numpy as np
import pytest

from vision.read import crop, softmax, tensor
from vision.types import Region


def test_crop_is_centred_on_the_region() -> None:
    frame = np.zeros((200, 300, 3), np.uint8)
    frame[90:111, 140:161] = 255  # a white square around (150, 100)
    out = crop(frame, Region(130, 80, 41, 41, 1.0), size=64, context=1.0)
    ys, xs = np.nonzero(out[..., 0] > 128)
    assert ys.mean() == pytest.approx(31.5, abs=0.7)
    assert xs.mean() == pytest.approx(31.5, abs=0.7)
    assert np.ptp(xs) == pytest.approx(64 * 21 / 41, abs=2)


@pytest.mark.parametrize("zoom", [1, 2, 4, 8])
def test_a_larger_photo_of_the_same_die_gives_the_same_crop(zoom: int) -> None:
    rng = np.random.default_rng(0)
    small = np.asarray(np.kron(rng.integers(0, 255, (12, 12, 1)), np.ones((10, 10, 3))), np.uint8)
    large = np.asarray(np.kron(small, np.ones((zoom, zoom, 1), np.uint8)), np.uint8)
    a = crop(small, Region(30, 40, 50, 40, 1.0), 64, 1.25)
    b = crop(large, Region(30 * zoom, 40 * zoom, 50 * zoom, 40 * zoom, 1.0), 64, 1.25)
    assert np.abs(a.astype(int) - b).mean() < 6


def test_beyond_the_edge_the_edge_goes_on() -> None:
    frame = np.full((50, 50, 3), 90, np.uint8)
    out = crop(frame, Region(-20, -20, 40, 40, 1.0), 64, 1.25)
    assert out.shape == (64, 64, 3)
    assert np.all(out == 90)


def test_tensor_stacks_crops_channels_first() -> None:
    assert tensor([np.zeros((64, 64, 3), np.uint8)] * 5).shape == (5, 3, 64, 64)


def test_softmax_sums_to_one_and_heat_softens_it() -> None:
    logits = np.array([[2.0, 0.0, -1.0]], np.float32)
    assert softmax(logits).sum() == pytest.approx(1)
    assert softmax(logits, 4).max() < softmax(logits).max()
    assert np.isfinite(softmax(np.array([1e4, -1e4], np.float32))).all()
