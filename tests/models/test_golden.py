"""The shipped weights read the samples as they did when they were made, and the command that records it does that."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import models
from models.training import golden
from models.training.scenes import SAMPLES
from vision.pipeline import open_reader

NAME = "wood.jpg"


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    readings: dict[str, Any] = json.loads(golden.recorded().read_text(encoding="utf-8"))
    return readings


def test_the_shipped_weights_read_the_samples_as_recorded(recorded: dict[str, Any]) -> None:
    assert list(golden.differences(recorded, golden.readings(open_reader(), SAMPLES))) == []


def test_all_samples_are_recorded(recorded: dict[str, Any], root: Path) -> None:
    files = {file.relative_to(root / "samples").as_posix() for file in (root / "samples").rglob("*.jpg")}
    assert files <= set(recorded)
    assert len(files) > 10


def test_the_command_writes_them_anew_and_says_what_changed(
    recorded: dict[str, Any],
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, folder = tmp_path / "readings.json", tmp_path / "samples"
    folder.mkdir()
    (folder / NAME).write_bytes((root / "samples" / NAME).read_bytes())
    monkeypatch.setattr(golden, "recorded", lambda: file)
    monkeypatch.setattr(golden, "SAMPLES", folder)
    golden.main()
    first = file.read_text(encoding="utf-8")
    assert list(golden.differences({NAME: recorded[NAME]}, json.loads(first))) == []
    golden.main()
    assert file.read_text(encoding="utf-8") == first
    assert capsys.readouterr().out == ""
    file.write_text(first.replace('"value": 1', '"value": 2'), encoding="utf-8")
    golden.main()
    assert file.read_text(encoding="utf-8") == first
    assert "value was 2 and is 1" in capsys.readouterr().out


def test_differences_are_told_beyond_the_tolerance(recorded: dict[str, Any]) -> None:
    die = recorded[NAME]["dice"][0]
    for part, near, far in (
        ("confidence", die["confidence"] - 0.02, die["confidence"] - 0.05),
        ("box", [edge + 1.5 for edge in die["box"]], [die["box"][0] + 3, *die["box"][1:]]),
        ("value", die["value"], 7 - die["value"]),
        ("ink", die["ink"], {**die["ink"], "name": "pink"}),
    ):
        now = copy.deepcopy(recorded)
        now[NAME]["dice"][0][part] = near
        assert list(golden.differences(recorded, now)) == []
        now[NAME]["dice"][0][part] = far
        (told,) = golden.differences(recorded, now)
        assert told.startswith(f"samples: {NAME}: dice 1: {part}")
    one = {NAME: recorded[NAME]}
    assert list(golden.differences({}, one)) == [f"samples: {NAME} is new"]
    assert list(golden.differences(one, {})) == [f"samples: {NAME} is gone"]
    none = {NAME: recorded[NAME] | {"dice": []}}
    assert list(golden.differences(one, none)) == [f"samples: {NAME}: dice were 5 and are 0"]


def test_every_version_has_its_card_and_its_entry_in_the_changelog(root: Path) -> None:
    log = (root / "models/CHANGELOG.md").read_text(encoding="utf-8")
    headings = [line.removeprefix("## ") for line in log.splitlines() if line.startswith("## ")]
    versions = sorted(config.parent.name for config in (root / "models").glob("*/config.json"))
    assert models.DEFAULT in versions
    for version in versions:
        assert headings.count(version) == 1
        card = (root / "models" / version / "README.md").read_text(encoding="utf-8")
        assert card.startswith(f"# {version}")
    assert headings[0] == models.DEFAULT, "the newest version stands first"
