from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[train]' runs these tests")

from models.training import calibrate, palette
from models.training.scenes import COLOURS, Label, Scene
from vision import colours
from vision.types import Region

WHITE, RED = COLOURS.index("white"), COLOURS.index("red")


def scene(folder: Path) -> Scene:
    """A white die with a red two on a grey table, and one whose pips are not known."""
    image = np.full((120, 200, 3), 110, np.uint8)
    image[30:90, 30:90] = 235
    pips = np.array([[45, 45], [75, 75]], np.float32)
    for x, y in pips:
        cv2.circle(image, (int(x), int(y)), 7, (20, 20, 190), -1)
    path = folder / "scene.png"
    cv2.imwrite(str(path), image)
    quad = np.array([[30, 30], [90, 30], [90, 90], [30, 90]], np.float32)
    known = Label((30, 30, 90, 90), "die", 2, "white", "red", quad, pips)
    unknown = Label((130, 30, 190, 90), "die", 2, "white", "red", quad + np.array([100, 0], np.float32))
    return Scene(path, "renders/made", (known, unknown))


def test_samples_are_measured_as_in_reading(tmp_path: Path) -> None:
    found = palette.samples([scene(tmp_path)])
    assert found.named_body.tolist() == [WHITE] * palette.VIEWS
    assert found.named_ink.tolist() == [RED] * palette.VIEWS
    assert found.body[0] == pytest.approx(colours.LINEAR[[235, 235, 235]], abs=0.02)
    assert found.ink[0] == pytest.approx(colours.LINEAR[[20, 20, 190]], abs=0.03)
    assert palette.samples([scene(tmp_path)]).ink == pytest.approx(found.ink)  # the same from the same seed


def test_masks_lie_on_face_and_pips(tmp_path: Path) -> None:
    label = scene(tmp_path).labels[0]
    face, pips = palette.masks(label, Region(30, 30, 60, 60, 1.0), np.random.default_rng(0))
    assert face[5:11, 5:11].min() > 0.7
    assert face[[0, -1]].max() < 0.3
    for x, y in ((5, 5), (11, 11)):  # a fifth in from each corner of a face of 12.8 cells
        near = pips[y - 1 : y + 2, x - 1 : x + 2]
        assert near.sum() > 0.5
        assert near.max() > 3 * np.median(pips)
    with pytest.raises(ValueError, match="no pips"):
        palette.masks(scene(tmp_path).labels[1], Region(30, 30, 60, 60, 1.0), np.random.default_rng(0))


def test_fit_finds_the_colours_back() -> None:
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 3, (len(COLOURS), 4))
    labels = np.repeat(np.arange(len(COLOURS)), 30)
    fitted = palette.fit(centres[labels] + rng.normal(0, 0.3, (len(labels), 4)), labels)
    unseen = centres[labels] + rng.normal(0, 0.3, (len(labels), 4))
    assert np.mean(fitted.logits(unseen).argmax(1) == labels) > 0.95
    with pytest.raises(ValueError, match="no die of brown"):
        palette.fit(centres[labels[:-30]], labels[:-30])


def test_a_witness_that_knows_nothing_gets_no_weight() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, len(COLOURS), 400)
    knows = colours.shares(np.eye(len(COLOURS))[labels] * 4 + rng.normal(0, 1, (400, 11)))
    noise = colours.shares(rng.normal(0, 3, (400, 11)))
    alone, both = calibrate.best_mix(knows, noise, labels), calibrate.best_mix(knows, knows, labels)
    assert alone[1] <= 0.1
    assert both[1] > 0.1 or both[0] < 1


def test_tables_count_right_ones() -> None:
    labels = np.array([WHITE, WHITE, RED])
    logits = np.eye(11)[[WHITE, RED, RED]]
    lines = palette.table("body", logits, labels)
    assert lines[0] == "body: 3 dice, right 0.6667, right or close 0.6667"
    assert "white       2  right 0.500, most often taken for red" in lines[1]
    assert palette.told_apart(logits, labels, "red", "black") == "red against black: 1.0000 of 1"


def test_the_written_palette_is_read_back() -> None:
    text = palette.written(COLOURS, colours.BODY, colours.INK)
    data = json.loads(text)
    assert data["names"] == list(COLOURS)
    assert np.array(data["ink"]["anchors"]) == pytest.approx(colours.INK.anchors, abs=1e-4)
    assert max(map(len, text.splitlines())) < 200
