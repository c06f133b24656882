"""`dicescribe bench --clips`, with a follower that tells what it is told to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from vision.follow import View
from vision.score_clips import labelled_clips
from vision.steady import Settled
from vision.types import Colour, Die, Frame, Region
from web.commands import clips

if TYPE_CHECKING:
    from tests.web.conftest import Run

VALUES = (2, 4, 4, 5, 6)


class Scripted:
    """Tells a throw at 0.5 s, and, if it is told meanwhile that the turn is over, another one at 1.5 s."""

    made = 0

    def __init__(self, reader: object) -> None:
        type(self).made += 1
        self.turn, self.told = 1, 0
        self.view = View()

    def wants(self, t: float) -> bool:
        return True

    def end(self) -> tuple[Settled, ...]:
        return ()

    def feed(self, frame: Frame, t: float) -> tuple[Settled, ...]:
        if t < (0.5, 1.5, 99)[self.told]:
            return ()
        self.told += 1
        return (self._settled(t),)

    def new_turn(self) -> None:
        self.turn += 1

    def _settled(self, t: float) -> Settled:
        dice = tuple(Die(Region(9.0 * v, 9, 9, 9, 1), v, Colour("red", 1), Colour("red", 1), 1) for v in VALUES)
        return Settled(self.told, self.turn, 1, t, dice, (False,) * 5, (False,) * 5)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One clip of two seconds with two throws; the first turn ends after its only roll."""
    writer = cv2.VideoWriter(str(tmp_path / "a.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 20, (64, 48))
    for _ in range(40):
        writer.write(np.full((48, 64, 3), 90, np.uint8))
    writer.release()
    rolls: list[dict[str, Any]] = [
        {"turn": turn, "roll": 1, "rest": rest, "until": until, "values": VALUES, "kept": []}
        for turn, rest, until in ((1, 0.3, 1.0), (2, 1.2, 1.9))
    ]
    row = {"file": "a.mp4", "fps": 20, "seconds": 2.0, "kinds": ["plain"], "rolls": rolls}
    path = tmp_path / "index.jsonl"
    path.write_text(f"{json.dumps(row)}\n")
    monkeypatch.setattr(clips, "Follower", Scripted)
    monkeypatch.setattr(clips, "open_reader", lambda threads: None)
    return path


def test_clips_are_followed_and_turns_are_ended_as_at_a_table(run: Run, index: Path) -> None:
    ran = run("bench", "--clips", index, "--json")
    assert ran.code == 0
    (shown,) = ran.objects
    every = shown["clips"]["all"]
    assert (every["throws"], every["found"], every["invented"], every["numbered"]) == (2, 2, 0, 1)
    assert 0.2 <= every["delay"]["median"] < every["delay"]["max"] < 0.4
    assert shown["clips"]["kinds"] == {"plain": every}
    assert shown["clips"]["faults"] == []
    lines = run("bench", "--clips", index).out.splitlines()
    assert [line.split()[0] for line in lines] == ["clips", "plain", "all"]


def test_the_clips_of_the_samples_are_followed(run: Run, root: Path) -> None:
    """The real thing: our networks, a turn with dice kept, hands and lamps and a hunting focus, a cup."""
    ran = run("bench", "--clips", root / "samples/clips/index.jsonl", "--json")
    assert ran.code == 0
    shown = ran.objects[0]["clips"]
    every = shown["all"]
    assert every["throws"] == every["found"] > 4, shown["faults"]
    assert (every["invented"], every["numbered"], every["silent"]) == (0, 1, 0)
    assert (every["values"], every["kept"]) == (1, 1), shown["faults"]


def test_a_turn_of_the_samples_is_watched(run: Run, root: Path) -> None:
    index = (root / "samples/clips/index.jsonl").read_text(encoding="utf-8")
    truth = next(row for row in map(json.loads, index.splitlines()) if row["file"] == "turn.mp4")
    ran = run("watch", root / "samples/clips/turn.mp4", "--json")
    assert (ran.code, ran.err) == (0, "")
    for shown, wanted in zip(ran.objects, truth["rolls"], strict=True):
        assert {name: shown[name] for name in ("turn", "roll", "values", "kept")} == {
            name: wanted[name] for name in ("turn", "roll", "values", "kept")
        }
        assert wanted["rest"] <= shown["t"] <= wanted["until"]
        for die in shown["dice"]:
            x, y, w, h = die["box"]
            at = [d for d in wanted["dice"] if abs(d["box"][0] + d["box"][2] / 2 - x - w / 2) < w / 2]
            assert (die["value"], die["kept"]) in {
                (d["value"], d["kept"]) for d in at if abs(d["box"][1] + d["box"][3] / 2 - y - h / 2) < h / 2
            }


def test_what_went_wrong_is_said(run: Run, index: Path) -> None:
    index.write_text(index.read_text().replace("[2, 4, 4, 5, 6]", "[3, 4, 4, 5, 6]", 1))
    assert (
        "a.mp4: turn 1, roll 1 at 0.30 s: 2 4 4 5 6 (sure) instead of 3 4 4 5 6" in run("bench", "--clips", index).out
    )


def test_in_real_time_what_it_costs(run: Run, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = clips.soak(None, labelled_clips(index), 2.6)  # type: ignore[arg-type]
    # The second time it was cut short.
    assert found["loops"] == [{"clips": 1, "throws": 2, "found": 2, "invented": 0, "faults": []}]
    assert 0 <= found["cpu"]["action"] < 1
    assert found["memory_mb"] is None or 0 < found["memory_mb"]["first"] <= found["memory_mb"]["max"]
    lines = clips.soak_words(found)
    assert lines[0].startswith("in 3 s, shares of one core: ")
    assert lines[-1] == "loop 1: 1 clips, 2 throws, 2 found, 0 invented"

    asked: list[float] = []

    def soak(reader: object, some: object, seconds: float) -> dict[str, Any]:
        asked.append(seconds)
        return found

    monkeypatch.setattr(clips, "soak", soak)
    assert run("bench", "--clips", index, "--minutes", 2, "--json").objects == [{"soak": found}]
    assert asked == [120]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("what is this?", "line 1"),
        ("", "no labelled films"),
        ('{"file": "b.mp4", "seconds": 2, "rolls": []}\n', "b.mp4, which is not there"),
        ('{"file": "index.jsonl", "seconds": 2, "rolls": []}\n', "is no film"),
    ],
)
def test_an_index_that_is_none(run: Run, index: Path, content: str | None, words: str) -> None:
    if content is None:
        index.unlink()
    else:
        index.write_text(content)
    run("bench", "--clips", index).is_refused(words)


def test_minutes_need_films(run: Run) -> None:
    run("bench", "--minutes", 3).is_refused("--clips")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--clips", "index.jsonl", "--load"), "one of them alone"),
        (("--games", 10, "--photos", "index.jsonl"), "one of them alone"),
        (("--load", "--beside", "other.onnx"), "one of them alone"),
        (("--split", "dev"), "--photos"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, arguments: tuple[str | int, ...], words: str) -> None:
    run("bench", *arguments).is_refused(words)
