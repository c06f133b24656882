from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import models
from vision import colours
from vision.colours import LINEAR, NAMES, combined, evidence, features, light, measured, named, shares
from vision.types import EVEN, Frame

BGR = {
    "black": (12, 12, 12),
    "white": (232, 234, 235),
    "red": (20, 20, 185),
    "yellow": (30, 205, 240),
    "green": (45, 120, 20),
    "blue": (150, 45, 20),
}
TABLE = (90, 95, 100)
PLACES = ((24, 24), (24, 40), (40, 24), (40, 40), (32, 32))  # of pips in the crop, x and y
NO_LIGHT = np.ones(3, np.float32)


def die(body: str, ink: str, pip: int = 4) -> Frame:
    """A crop of a five from above: a face of 40 pixels, pips of that radius in pixels."""
    crop = np.full((64, 64, 3), TABLE, np.uint8)
    crop[12:52, 12:52] = BGR[body]
    for place in PLACES:
        cv2.circle(crop, place, pip, BGR[ink], -1, cv2.LINE_AA)
    return crop


def masks(noise: float = 0.0, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Face and pips of `die`, with a network's doubts."""
    rng = np.random.default_rng(seed)
    face, pips = np.zeros((16, 16)), np.zeros((16, 16))
    face[3:13, 3:13] = 1
    y, x = np.mgrid[0.5:16:1, 0.5:16:1]
    for cx, cy in PLACES:
        bump = np.exp(-((x - cx / 4) ** 2 + (y - cy / 4) ** 2) / (2 * 0.7**2))
        pips += bump / bump.sum()
    face += rng.normal(0, noise, face.shape)
    pips += rng.normal(0, noise / 3, pips.shape)
    return np.clip(face, 0, 1).astype(np.float32), np.clip(pips, 0, None).astype(np.float32)


def linear(name: str) -> NDArray[np.float32]:
    return np.asarray(LINEAR[np.array(BGR[name])], np.float32)


def named_pair(crop: Frame, white: NDArray[np.float32], noise: float = 0.0) -> tuple[str, str]:
    face, pips = masks(noise)
    body, ink = evidence([crop], face[None], pips[None], white)
    return NAMES[int(body[0].argmax())], NAMES[int(ink[0].argmax())]


def lit(crop: Frame, gain: tuple[float, float, float]) -> Frame:
    """Under a light of another colour, which acts on linear light."""
    shown = np.clip(LINEAR[crop] * np.array(gain), 0, 1)
    return np.asarray(np.where(shown < 0.0031308, 12.92 * shown, 1.055 * shown ** (1 / 2.4) - 0.055) * 255, np.uint8)


PAIRS = [("white", "black"), ("white", "red"), ("red", "white"), ("black", "white"), ("yellow", "black")]


@pytest.mark.parametrize(("body", "ink"), [*PAIRS, ("blue", "white"), ("green", "white")])
def test_body_and_ink_are_those_that_were_painted(body: str, ink: str) -> None:
    face, pips = masks(noise=0.08)
    found = measured(die(body, ink), face, pips)
    assert found[0] == pytest.approx(linear(body), abs=0.02)
    assert found[1] == pytest.approx(linear(ink), abs=0.03)


@pytest.mark.parametrize(("body", "ink"), PAIRS)
def test_dice_are_named_under_a_plain_light(body: str, ink: str) -> None:
    assert named_pair(die(body, ink), NO_LIGHT * 0.8, noise=0.05) == (body, ink)


@pytest.mark.parametrize("ink", ["black", "red"])
@pytest.mark.parametrize("gain", [(0.55, 0.8, 1.0), (1.0, 0.85, 0.7), (0.2, 0.2, 0.2)], ids=["warm", "cold", "dim"])
def test_red_and_black_pips_stay_apart_under_another_light(ink: str, gain: tuple[float, float, float]) -> None:
    crop = lit(die("white", ink), gain)
    assert named_pair(crop, np.array(gain, np.float32) * 0.8)[1] == ink


def test_small_pips_are_not_paled_by_the_body_around_them() -> None:
    face, pips = masks()
    crop = die("white", "black", pip=2)
    assert measured(crop, face, pips)[1].max() < 0.08
    assert LINEAR[crop[20:28, 20:28]].mean() > 0.5  # the whole pip cells are mostly body


def test_glare_is_left_out() -> None:
    face, pips = masks()
    crop = die("red", "white")
    crop[14:22, 12:52] = 255
    assert measured(crop, face, pips)[0] == pytest.approx(linear("red"), abs=0.02)


def test_a_glint_in_the_pips_is_not_their_ink() -> None:
    face, pips = masks()
    crop = die("yellow", "black")
    for x, y in PLACES:
        crop[y - 1 : y + 1, x - 1 : x + 1] = 255
    assert measured(crop, face, pips)[1] == pytest.approx(linear("black"), abs=0.03)


def test_a_face_that_is_hardly_seen_still_gives_finite_evidence() -> None:
    nothing = np.zeros((1, 16, 16), np.float32)
    for body in evidence([die("white", "black")], nothing, nothing, NO_LIGHT):
        assert np.isfinite(body).all()
        assert np.exp(body).sum() == pytest.approx(1)


def test_no_die_gives_no_row() -> None:
    none = np.zeros((0, 16, 16), np.float32)
    assert [part.shape for part in evidence([], none, none, NO_LIGHT)] == [(0, 11), (0, 11)]


def test_dice_do_not_change_each_others_evidence() -> None:
    crops = [die("white", "black"), die("red", "white")]
    face, pips = masks()
    both = evidence(crops, np.stack([face] * 2), np.stack([pips] * 2), NO_LIGHT)
    for i, crop in enumerate(crops):
        one = evidence([crop], face[None], pips[None], NO_LIGHT)
        assert both[0][i] == pytest.approx(one[0][0])
        assert both[1][i] == pytest.approx(one[1][0])


def test_the_light_tells_cast_and_level() -> None:
    rng = np.random.default_rng(0)
    frame = np.asarray(rng.integers(20, 200, (90, 120, 1)).repeat(3, 2), np.uint8)
    plain, warm, dim = light(frame), light(lit(frame, (0.5, 0.8, 1.0))), light(lit(frame, (0.25, 0.25, 0.25)))
    assert np.ptp(plain) == pytest.approx(0, abs=1e-6)
    assert warm[0] < warm[1] < warm[2]
    assert warm[2] / warm[0] < 2  # held back: not all of a cast is the lamp's
    assert dim.mean() == pytest.approx(plain.mean() / 4, rel=0.1)


def test_burnt_pixels_say_nothing_of_the_light_unless_all_are() -> None:
    frame = np.full((96, 96, 3), (60, 90, 120), np.uint8)
    whole = light(frame)
    frame[:48] = 255
    assert light(frame) == pytest.approx(whole, rel=1e-4)
    assert light(np.full((20, 20, 3), 255, np.uint8)) == pytest.approx(np.ones(3), abs=0.01)
    assert np.isfinite(light(np.zeros((1, 1, 3), np.uint8))).all()


def test_the_ratio_of_ink_to_body_hardly_knows_the_light() -> None:
    body, ink = linear("white")[None], LINEAR[np.array([[90, 110, 200]])]
    lamps = np.array([[1.0, 1.0, 1.0], [0.6, 0.8, 1.0], [0.4, 0.4, 0.4]])
    ratios = features(body * lamps, ink * lamps, lamps)[1][:, 3:6]
    assert np.ptp(ratios, axis=0).max() < 0.15
    assert (ratios[:, 2] - ratios[:, 0]).min() > 0.5  # reddish: far more of it than of blue


def test_names_are_those_of_the_weights() -> None:
    assert models.load().config.colours == NAMES


def test_both_witnesses_count() -> None:
    classifier = np.array([1.0, 0.9, *[-5.0] * 9])
    pixels = shares(np.array([0.0, 2.0, *[-5.0] * 9]))
    joined = combined(classifier, pixels, temperature=1.0, weight=0.5)
    assert np.exp(joined).sum() == pytest.approx(1)
    assert classifier.argmax() == 0
    assert named(NAMES, classifier, pixels, 1.0, 0.5).name == NAMES[1]
    assert named(NAMES, classifier, pixels, 1.0, 0.0).name == NAMES[0]


def test_a_colour_is_worth_even_odds_at_most_where_the_witnesses_differ() -> None:
    sharp = np.array([9.0, *[0.0] * 10])
    agreed = named(NAMES, sharp, shares(sharp), 1.0, 0.5)
    assert agreed.confidence == pytest.approx(np.exp(combined(sharp, shares(sharp), 1.0, 0.5)[0]))
    assert agreed.confidence > 0.99
    contradicted = named(NAMES, sharp, shares(np.roll(sharp, 1)), 1.0, 0.01)
    assert (contradicted.name, contradicted.confidence) == (NAMES[0], EVEN)


def test_the_palettes_have_an_anchor_of_each_name_and_can_be_reckoned_with() -> None:
    assert colours.BODY.anchors.shape == (len(NAMES), 4)
    assert colours.INK.anchors.shape == (len(NAMES), 10)
    for palette in (colours.BODY, colours.INK):
        assert (palette.spread > 0).all()
        assert (palette.deviation > 0).all()
        at_anchors = palette.logits(palette.anchors * palette.deviation + palette.usual)
        assert np.isfinite(at_anchors).all()
