"""The benchmark measures the real thing, and says so when it can't."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import models
from web.cli import main
from web.commands import bench


def test_a_picture_is_composed_at_its_own_scale() -> None:
    sample = np.full((480, 640, 3), 90, np.uint8)
    sample[200:240, 300:340] = 250
    large = bench.composed(sample, 4000, 3000)
    small = bench.composed(sample, 320, 240)
    assert large.shape == (3000, 4000, 3)
    assert (large == 250).all(axis=2).sum() == 40 * 40
    assert small.shape == (240, 320, 3)
    assert (small == 250).all(axis=2).sum() == 20 * 20


def test_the_figures_of_this_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], root: Path, tmp_path: Path
) -> None:
    """Small but real: the shipped networks on the samples, the command cold, the page over HTTP, the index."""
    monkeypatch.setattr(bench, "SIZES", {"640x480": (640, 480), "12 MP": (4000, 3000)})
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "PAGE_SECONDS", 0.5)
    monkeypatch.setattr(bench, "SETTLING", 15)
    monkeypatch.setattr(bench, "FOLLOWED", 30)
    labels: dict[str, Any] = json.loads((root / "samples/labels.json").read_text(encoding="utf-8"))
    index = tmp_path / "index.jsonl"
    rows = [
        {"file": str(root / "samples" / name), "source": "samples", "split": "dev", "values": label["values"]}
        for name, label in labels.items()
    ]
    index.write_text("".join(f"{json.dumps(row)}\n" for row in rows))

    (other := tmp_path / "other.onnx").write_bytes(models.load().locator)  # it takes pictures of that size too
    assert main(["bench", "--json", "--photos", str(index), "--split", "dev", "--beside", str(other)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    figures = json.loads(line)
    assert set(figures["ms"]) == {"640x480", "12 MP"}
    assert all(set(ms) == {"decode", "locate", "read", "both"} for ms in figures["ms"].values())
    assert all(value > 0 for ms in figures["ms"].values() for value in ms.values())
    beside = figures["beside"]
    assert beside["ratio"] == pytest.approx(beside["both"] / beside["other"], abs=0.01 + 0.1 / beside["other"])
    assert figures["frames_a_second"]["rest"] > 0
    assert figures["frames_a_second"]["motion"] > 0
    assert 0 < figures["networks_mb"] <= 8
    assert figures["cold_start_s"] > 0
    assert figures["pages_a_second"] > 0
    assert all(figures["advice_ms"][what] > 0 for what in ("load", "advice"))
    assert figures["photos"]["all"]["photos"] == len(labels)
    # The promise for a 12-megapixel photo, networks and all; the time is promised for an idle machine only.
    assert figures["peak_mb"] is None or figures["peak_mb"] <= 400

    lines = bench.table(figures)
    assert any(line.startswith("640x480") for line in lines)
    assert any(line.startswith("1280 x 720 in turn with the other network: ") for line in lines)
    assert lines[-1].startswith("median ms of advice: ")


def test_the_throws_are_the_samples_with_five_dice(root: Path) -> None:
    labels: dict[str, Any] = json.loads((root / "samples/labels.json").read_text(encoding="utf-8"))
    throws = bench.throws()
    assert len(throws) == sum(len(label["values"]) == 5 for label in labels.values()) > 8
    assert all(throw.dtype == np.uint8 for throw in throws)


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "No such file"), (b"no network", "no ONNX network"), (models.load().reader, "1 x 3 x 640 x 640")],
    ids=["missing", "words", "of another size"],
)
def test_a_network_beside_that_is_none(
    content: bytes | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.onnx"
    if content is not None:
        file.write_bytes(content)
    assert main(["bench", "--beside", str(file)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("what is this?", "line 1"),
        ('{"file": "a.jpg", "values": [1]}\n', "line 1"),
        ('{"file": "a.jpg"}\n', "no labelled photos"),
        ('{"file": "a.jpg", "source": "a", "values": [1]}\n', "a.jpg, which is not there"),
    ],
)
def test_an_index_that_is_none(
    content: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = tmp_path / "index.jsonl"
    if content is not None:
        index.write_text(content)
    assert main(["bench", "--photos", str(index)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_without_the_samples(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "SAMPLES", tmp_path)
    assert main(["bench"]) == 2
    assert "samples" in capsys.readouterr().err
