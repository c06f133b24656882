"""What is done to pictures to see how well they are still read, on a drawn picture."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training import robustness
from models.training.disturb import KINDS, rotated
from models.training.scenes import Box, Label, Scene
from vision.images import Picture
from vision.types import Colour, Die, Frame, Reading, Region

BOXES: list[Box] = [(60.0, 50, 100, 90), (180, 120, 220, 160), (250, 40, 290, 80)]
WHITE = 250


@pytest.fixture
def frame() -> Frame:
    """320 x 480, grey, with three white squares for dice."""
    out = np.full((320, 480, 3), 90, np.uint8)
    for x0, y0, x1, y1 in BOXES:
        out[int(y0) : int(y1), int(x0) : int(x1)] = WHITE
    return out


def made(kind: str, strength: int, frame: Frame, seed: int = 3) -> Frame:
    out = KINDS[kind].make(frame, BOXES, KINDS[kind].amounts[strength], np.random.default_rng(seed))
    assert out is not None
    return out


def squares(frame: Frame) -> list[tuple[int, int]]:
    """Width and height of each white square still in the picture, from left to right."""
    stats = cv2.connectedComponentsWithStats((frame.min(2) > 170).astype(np.uint8))[2][1:]
    return [(int(w), int(h)) for _, _, w, h, _ in sorted(stats.tolist())]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_changes_the_picture_the_same_way_each_time_and_leaves_the_original(kind: str, frame: Frame) -> None:
    before = frame.copy()
    for strength in range(3):
        one, again = (made(kind, strength, frame) for _ in range(2))
        assert np.array_equal(one, again)
        assert one.dtype == np.uint8
        assert not np.array_equal(one, frame)
    assert np.array_equal(frame, before)


@pytest.mark.parametrize("kind", ["blur", "motion", "noise", "jpeg", "low light", "warm", "cold"])
def test_a_harder_strength_changes_more(kind: str, frame: Frame) -> None:
    change = [np.abs(made(kind, strength, frame).astype(float) - frame).mean() for strength in range(3)]
    assert change == sorted(change)
    assert change[2] > 1.3 * change[0]


def test_warm_light_is_redder_and_cold_light_bluer(frame: Frame) -> None:
    blue, _, red = made("warm", 1, frame).mean((0, 1))
    assert red / blue > 1.4
    blue, _, red = made("cold", 1, frame).mean((0, 1))
    assert blue / red > 1.4


@pytest.mark.parametrize("seed", range(10))
def test_what_covers_a_part_hides_no_die(seed: int, frame: Frame) -> None:
    out = made("covered", 1, frame, seed)
    assert (out != frame).any(2).mean() == pytest.approx(0.12, abs=0.01)
    for x0, y0, x1, y1 in BOXES:
        assert (out[int(y0) : int(y1), int(x0) : int(x1)] == WHITE).all()


def test_where_there_is_no_room_nothing_is_covered(frame: Frame) -> None:
    everywhere: list[Box] = [(0.0, 0, 480, 320)]
    assert KINDS["covered"].make(frame, everywhere, 5, np.random.default_rng(0)) is None


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("strength", range(3))
def test_a_finger_lies_over_one_die_and_comes_from_outside(seed: int, strength: int, frame: Frame) -> None:
    hidden = (made("finger", strength, frame, seed) != frame).any(2)
    shares = sorted(float(hidden[int(y0) : int(y1), int(x0) : int(x1)].mean()) for x0, y0, x1, y1 in BOXES)
    assert shares[:2] == [0, 0]
    low, high = ((0.05, 0.35), (0.2, 0.6), (0.35, 0.85))[strength]
    assert low < shares[2] < high
    edge = np.concatenate([hidden[0], hidden[-1], hidden[:, 0], hidden[:, -1]])
    assert edge.any()


@pytest.mark.parametrize("degrees", [10, 45, 90, 137, 180, 270])
def test_turning_keeps_every_die_whole(degrees: float, frame: Frame) -> None:
    out = rotated(frame, BOXES, degrees)
    assert (out.min(2) > 170).sum() == pytest.approx(3 * 40 * 40, rel=0.03)
    assert len(squares(out)) == 3
    assert out.shape[0] >= 320
    assert out.shape[1] >= 480


def test_a_picture_without_dice_is_turned_about_its_middle() -> None:
    frame = np.full((240, 320, 3), 90, np.uint8)
    frame[115:125, 155:165] = WHITE
    out = rotated(frame, [], 90)
    assert out.shape == frame.shape
    assert (out[116:124, 156:164] > 240).all()


def test_dice_are_made_no_smaller_or_larger_than_can_be_read(frame: Frame) -> None:
    assert squares(made("smaller", 1, frame)) == [(20, 20)] * 3
    assert squares(made("larger", 1, frame)) == [(80, 80)] * 3
    rng = np.random.default_rng(0)
    assert KINDS["smaller"].make(frame, BOXES, 0.3, rng) is None
    assert KINDS["larger"].make(frame, BOXES, 20, rng) is None


def reading(*values: int, confidence: float = 0.99) -> Reading:
    white = Colour("white", 1.0)
    dice = tuple(Die(Region(x0, y0, x1 - x0, y1 - y0, 1.0), value, white, white, confidence)
                 for value, (x0, y0, x1, y1) in zip(values, BOXES, strict=False))  # fmt: skip
    return Reading(dice, 0, 320, 240, "test", 0.9)


def test_a_die_that_is_passed_over_is_silent_unless_its_number_is_told() -> None:
    scene = Scene(Path("x.jpg"), "made", tuple(Label(box, "die", 4) for box in BOXES))
    plain = reading(4, 4, 4)
    missed = robustness.outcome(scene, reading(4, 4), plain)
    assert (missed.result.right, missed.result.sure, missed.told_sure, missed.same) == (False, True, False, False)
    wrong = robustness.outcome(scene, reading(4, 4, 5), plain)
    assert (wrong.result.right, wrong.result.sure, wrong.told_sure) == (False, True, True)
    right = robustness.outcome(scene, plain, plain)
    assert (right.result.right, right.told_sure, right.same) == (True, True, True)


def test_the_samples_become_scenes(tmp_path: Path) -> None:
    die = {"value": 3, "box": [10, 20, 30, 40], "body": "white", "ink": "black"}
    entry = {"values": [3], "dice": [die], "unreadable": [[1, 2, 3, 4]], "other": 0, "note": ""}
    (tmp_path / "labels.json").write_text(json.dumps({"a.jpg": entry}), encoding="utf-8")
    (scene,) = robustness.sample_scenes(tmp_path)
    assert scene.path == tmp_path / "a.jpg"
    assert scene.labels[0] == Label((10, 20, 40, 60), "die", 3, "white", "black")
    assert scene.labels[1] == Label((1, 2, 4, 6), "unreadable")


class Blind:
    """Reads three fours, or nothing where the picture is dark."""

    def read(self, picture: Picture) -> Reading:
        return reading(4, 4, 4) if picture.pixels.max() > 170 else reading()


def test_the_table_has_a_row_for_each_kind_and_strength(frame: Frame, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), frame)
    scene = Scene(tmp_path / "a.png", "made", tuple(Label(box, "die", 4) for box in BOXES))
    rows = robustness.robustness(Blind(), [scene])
    assert list(rows) == [robustness.AS_IT_IS, *KINDS]
    assert [row["exact"] for row in rows["low light"]] == [1, 0, 0]
    assert [row["same"] for row in rows["low light"]] == [1, 0, 0]
    assert [row["pictures"] for row in rows["smaller"]] == [1, 1, 1]
    lines = robustness.markdown(rows)
    assert len(lines) == 2 + 1 + 3 * len(KINDS)
    assert "| low light | 2 stops | 1 | 0 | 0 | – | – | 0 |" in lines
