"""The clips in samples/: their truth is of one piece, and of their files."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import pytest

from models.training.render.clips.samples import halved

SAMPLES = Path(__file__).parents[2] / "samples/clips"


def samples() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / "index.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_samples_are_a_turn_a_quiet_one_and_a_cup() -> None:
    kinds = {truth["file"]: set(truth["kinds"]) for truth in samples()}
    assert len(kinds) == 3
    assert sum("keep" in kind for kind in kinds.values()) >= 1
    assert any({"hover", "refocus", "lamp"} <= kind for kind in kinds.values())
    assert any("cup" in kind for kind in kinds.values())
    assert {file.name for file in SAMPLES.iterdir()} == {*kinds, "index.jsonl"}


@pytest.mark.parametrize("truth", samples(), ids=lambda truth: str(truth["file"]))
def test_the_truth_of_a_sample_is_of_one_piece_and_of_its_file(truth: dict[str, Any]) -> None:
    assert check(truth) == []
    video = cv2.VideoCapture(str(SAMPLES / truth["file"]))
    assert video.get(cv2.CAP_PROP_FPS) == pytest.approx(truth["fps"])
    size = [round(video.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)]
    assert size == [640, 360]
    frames = 0
    while video.grab():
        frames += 1
    assert frames == pytest.approx(truth["fps"] * truth["seconds"], abs=1)
    boxes = [die["box"] for roll in truth["rolls"] for die in roll["dice"]]
    assert all(x >= 0 and y >= 0 and x + w <= size[0] and y + h <= size[1] for x, y, w, h in boxes)
    assert (SAMPLES / truth["file"]).stat().st_size < 1.2 * 2**20


def test_halving_a_truth_halves_its_boxes_only() -> None:
    die = {"value": 2, "box": [10.0, 20.0, 31.0, 40.2], "kept": False}
    truth = {"file": "clip-01.mp4", "fps": 15, "rolls": [{"rest": 1.2, "dice": [die]}]}
    half = halved(truth, "turn.mp4")
    assert half == {
        **truth,
        "file": "turn.mp4",
        "rolls": [{"rest": 1.2, "dice": [{**die, "box": [5.0, 10.0, 15.5, 20.1]}]}],
    }


def check(truth: dict[str, Any]) -> list[str]:
    """What is wrong with a clip's truth."""
    wrong = []
    end = 0.0
    for number, roll in enumerate(truth["rolls"], 1):
        kept = Counter(roll["kept"])
        dice = roll["dice"]
        wrong += ["order"] * (roll["roll"] != number or not end <= roll["rest"] < roll["until"] <= truth["seconds"])
        wrong += ["values"] * (roll["values"] != sorted(d["value"] for d in dice) or len(dice) != 5)
        wrong += ["kept"] * (sorted(d["value"] for d in dice if d["kept"]) != roll["kept"])
        wrong += ["from left to right"] * ([d["box"][0] for d in dice] != sorted(d["box"][0] for d in dice))
        if number > 1:
            wrong += ["kept out of nothing"] * bool(kept - Counter(truth["rolls"][number - 2]["values"]))
        end = roll["until"]
    wrong += ["still"] * any(not 0 <= a < b <= truth["seconds"] for a, b, _ in truth["still_but_no_roll"])
    return wrong
