"""The cheap look at frames: what moves, what is table, how far the picture has shifted."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.glance import ABSORBED, Eye, Glance
from vision.types import Frame, Region

WIDTH, HEIGHT, RATE = 1280, 720, 15
NOISE = np.random.default_rng(0).normal(0, 1, (4, HEIGHT, WIDTH, 3)).astype(np.float32)
DIE = Region(600, 300, 60, 60, 0.9)


def bytes_of(picture: NDArray[Any]) -> Frame:
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def cloth(seed: int = 1) -> Frame:
    coarse = np.random.default_rng(seed).normal(0, 12, (90, 160, 1)).astype(np.float32)
    grain = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return bytes_of(np.array([70, 120, 60]) + grain[..., None])


def with_die(frame: Frame, x: int = 600, y: int = 300, side: int = 60) -> Frame:
    frame = frame.copy()
    cv2.rectangle(frame, (x, y), (x + side, y + side), (225, 230, 235), cv2.FILLED)
    cv2.circle(frame, (x + side // 2, y + side // 2), side // 8, (20, 20, 20), cv2.FILLED)
    return frame


def with_hand(frame: Frame) -> Frame:
    """A hand from below, as grey as the cloth but of another colour."""
    frame = frame.copy()
    cv2.rectangle(frame, (480, 220), (800, HEIGHT), (85, 105, 130), cv2.FILLED)
    return frame


class Camera:
    """Shows frames to an eye, with noise of so many grey levels."""

    def __init__(self, noise: float = 3.0) -> None:
        self.eye, self.noise, self.count = Eye(), noise, 0

    def show(self, frame: Frame, seconds: float) -> Glance:
        for _ in range(round(seconds * RATE)):
            glance = self.one(frame)
        return glance

    def one(self, frame: Frame) -> Glance:
        noisy = bytes_of(frame + self.noise * NOISE[self.count % len(NOISE)])
        glance = self.eye.glance(noisy, self.count / RATE)
        self.count += 1
        return glance


@pytest.mark.parametrize("noise", [0.0, 3.0, 12.0])
def test_noise_is_no_motion_and_a_small_die_that_moves_is(noise: float) -> None:
    camera = Camera(noise)
    assert camera.show(with_die(cloth(), side=16), 1).quiet == pytest.approx(14 / RATE)
    moved = camera.one(with_die(cloth(), x=620, side=16))
    assert moved.quiet == 0
    assert 0 < moved.moving < 0.02


def test_a_frame_like_the_last_is_not_still_if_it_creeps() -> None:
    camera = Camera()
    camera.show(with_die(cloth()), 1)
    quiet = [camera.one(with_die(cloth(), x=600 + 2 * i)).quiet for i in range(30)]
    assert max(quiet[5:]) < 0.4


def test_what_films_leave_of_a_weave_when_they_are_packed_is_no_motion() -> None:
    weave = bytes_of(cloth() + 18.0 * (np.indices((HEIGHT, WIDTH)).sum(0) % 2)[..., None])
    camera = Camera()
    for quality in range(30):
        _, packed = cv2.imencode(".jpg", weave, [cv2.IMWRITE_JPEG_QUALITY, 40 + 7 * (quality % 4)])
        glance = camera.one(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8))
    assert glance.quiet > 0.5


@pytest.mark.parametrize("gain", [0.5, 0.8, 1.1])
def test_another_exposure_is_no_motion(gain: float) -> None:
    camera = Camera()
    camera.show(with_die(cloth()), 1)
    assert camera.show(bytes_of(with_die(cloth()) * gain), 0.5).quiet > 1


def test_motion_is_where_it_is() -> None:
    camera = Camera()
    camera.show(with_die(cloth()), 1)
    for i in range(8):
        glance = camera.one(with_die(with_die(cloth()), x=100, y=100 + 20 * (i % 2)))
    assert glance.quiet == 0
    assert glance.quiet_about([DIE]) > 1
    assert glance.quiet_about([DIE, Region(100, 100, 60, 60, 0.9)]) == 0
    assert glance.calm(0.5) > 0.9


def test_dice_in_a_hand_are_not_on_the_table() -> None:
    camera = Camera()
    camera.show(cloth(), 1)
    assert camera.eye.on_table([])
    glance = camera.one(with_die(with_hand(cloth())))
    assert not camera.eye.on_table([DIE])
    assert glance.reaching.mean() > 0.1
    assert glance.hides([DIE])
    assert not glance.hides([Region(50, 50, 60, 60, 0.9)])
    glance = camera.one(with_die(cloth()))
    assert camera.eye.on_table([DIE])
    assert not glance.reaching.any()


@pytest.mark.parametrize("gain", [0.85, 1.15])
def test_another_light_on_a_table_of_two_tones_is_no_hand(gain: float) -> None:
    two = cloth()
    two[:, 900:] = 190
    camera = Camera()
    camera.show(two, 1)
    assert not camera.one(bytes_of(two * gain)).reaching.any()


def test_a_hand_that_covered_nearly_all_is_not_taken_for_the_table() -> None:
    camera = Camera()
    camera.show(cloth(), 1)
    for i in range(12):
        hand = cloth()
        hand[:, 100 + 20 * (i % 2) :] = (85, 105, 130)
        camera.one(hand)
    camera.one(with_die(cloth()))
    assert camera.eye.on_table([DIE])


def test_what_lies_there_for_long_is_table() -> None:
    camera = Camera()
    camera.show(cloth(), 1)
    glance = camera.show(with_die(with_hand(cloth())), ABSORBED + 0.5)
    assert camera.eye.on_table([DIE])
    assert not glance.reaching.any()


def test_of_a_table_not_known_yet_nothing_is_said() -> None:
    camera = Camera()
    camera.one(np.zeros_like(cloth()))  # as many cameras begin
    camera.one(with_die(cloth()))
    assert camera.eye.on_table([DIE])


def test_another_table_is_learned_anew() -> None:
    camera = Camera()
    camera.show(cloth(), 1)
    camera.show(with_die(bytes_of(255.0 - cloth(2))), 0.7)
    assert camera.eye.on_table([DIE])


@pytest.mark.parametrize("by", [(24, 0), (-36, 20), (8, -44)])
def test_a_nudge_is_measured_and_dice_that_moved_are_none(by: tuple[int, int]) -> None:
    camera = Camera()
    camera.show(with_die(cloth()), 0.5)
    before = camera.eye.picture.copy()
    nudged = np.roll(with_die(cloth()), (by[1], by[0]), (0, 1))
    camera.one(nudged)
    moved = Region(DIE.x + by[0], DIE.y + by[1], 60, 60, 0.9)
    assert camera.eye.shift(before, [DIE, moved]) == pytest.approx(by, abs=2)
    camera.one(with_die(cloth(), x=700))
    assert camera.eye.shift(before, [DIE, Region(700, 300, 60, 60, 0.9)]) == (0, 0)
    assert camera.eye.picture.max() > 150  # as it was shown


def test_light_and_glare_are_shares_of_white() -> None:
    white = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    glance = Eye().glance(white, 0.0)
    assert (glance.light, glance.glare) == (255, 1)
    assert Eye().glance(np.zeros_like(white), 0.0).light == 0


@pytest.mark.parametrize("shape", [(4, 4), (16, 16), (479, 641), (1280, 720), (2160, 3840)])
def test_frames_of_any_size(shape: tuple[int, int]) -> None:
    eye = Eye()
    for t in (0.0, 0.1):
        glance = eye.glance(np.full((*shape, 3), 90, np.uint8), t)
    assert glance.quiet == pytest.approx(0.1)
    assert eye.on_table([Region(0, 0, 3, 3, 0.9)])
