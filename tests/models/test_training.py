"""The training code, on a handful of made pictures: it runs, learns something and exports what it trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[train]' runs these tests")
pytest.importorskip("onnx", reason="onnx is not installed: pip install -e '.[train]' runs these tests")

from models.training import augment, calibrate, export, fit, locator, networks, reader, scenes  # noqa: E402

SIZE = 320


def made_scene(folder: Path, seed: int) -> scenes.Scene:
    """Three flat dice with one to six pips on a plain table."""
    rng = np.random.default_rng(seed)
    image = np.full((SIZE, SIZE, 3), rng.integers(40, 120, 3), np.uint8)
    labels = []
    for k in range(3):
        value, side = int(rng.integers(1, 7)), int(rng.integers(40, 70))
        x, y = 20 + 100 * k, int(rng.integers(20, SIZE - 100))
        cv2.rectangle(image, (x, y), (x + side, y + side), (235, 235, 235), -1)
        for pip in range(value):
            centre = (x + side // 4 + side // 2 * (pip % 2), y + side // 5 + side * 3 // 10 * (pip // 2))
            cv2.circle(image, centre, side // 10, (10, 10, 10), -1, cv2.LINE_AA)
        quad = np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)
        labels.append(scenes.Label((x, y, x + side, y + side), "die", value, "white", "black", quad))
    path = folder / f"{seed}.png"
    cv2.imwrite(str(path), image)
    return scenes.Scene(path, "renders/made", tuple(labels))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[scenes.Scene]:
    folder = tmp_path_factory.mktemp("scenes")
    return [made_scene(folder, seed) for seed in range(6)]


def test_same_seed_same_samples(made: list[scenes.Scene]) -> None:
    first, again = (locator.LocatorSamples(made, 8, seed=5) for _ in range(2))
    other = locator.LocatorSamples(made, 8, seed=6)
    for i in range(8):
        assert np.array_equal(first[i][0], again[i][0])
        assert np.array_equal(first[i][1], again[i][1])
    assert any(not np.array_equal(first[i][0], other[i][0]) for i in range(8))


def test_maps_say_where_a_die_is_and_how_large() -> None:
    out = locator.maps([(np.array([100.0, 60, 140, 90]), "die")], 256)
    assert np.argwhere(out[0] == 1).tolist() == [[18, 30]]  # centre (120, 75), cells of 4
    assert (30.5 + out[1, 18, 30]) * 4 == pytest.approx(120)
    assert (18.5 + out[2, 18, 30]) * 4 == pytest.approx(75)
    assert np.exp(out[3:5, 18, 30]) * 4 == pytest.approx([40, 30])


def test_what_is_ignored_has_no_weight() -> None:
    out = locator.maps([(np.array([100.0, 60, 140, 90]), "ignore")], 256)
    assert out[0].max() < 1
    assert out[5, 18, 30] == 0
    assert out[5, 0, 0] == 1


def test_chips_are_dice_with_their_faces_and_places_that_are_none(made: list[scenes.Scene]) -> None:
    chips = reader.cut(made, seed=0)
    dice = chips.kind < 6
    assert dice.sum() == 18
    assert (chips.kind[~dice] == networks.CLASSES.index("none")).all()
    assert np.isfinite(chips.quad[dice]).all()
    assert {scenes.COLOURS[i] for i in chips.body[dice]} == {"white"}
    image, labels, face = reader.ReaderSamples(chips, 50, seed=1)[3]
    assert image.shape == (3, reader.SIZE, reader.SIZE)
    assert labels.shape == (3,)
    assert face.shape == (reader.FACE, reader.FACE)


def test_a_sign_is_painted_on_the_top_face_alone(made: list[scenes.Scene]) -> None:
    chips = reader.cut(made[:1], seed=0)
    chip, quad = chips.pictures[0], chips.quad[0]
    painted = augment.repainted(chip, quad, augment.sign(96, np.random.default_rng(0)))
    changed = np.abs(painted.astype(int) - chip).max(2) > 8
    assert changed.any()
    ys, xs = np.nonzero(changed)
    margin = 3  # the edge of the paint is soft
    assert quad[:, 0].min() - margin <= xs.min() <= xs.max() <= quad[:, 0].max() + margin
    assert quad[:, 1].min() - margin <= ys.min() <= ys.max() <= quad[:, 1].max() + margin


def test_training_lowers_the_loss_resumes_and_exports_what_it_trained(made: list[scenes.Scene], tmp_path: Path) -> None:
    chips = reader.cut(made, seed=0)
    losses: list[float] = []

    def noted(network: Any, batch: fit.Batch) -> tuple[Any, dict[str, float]]:
        loss, figures = reader.reader_loss(network, batch)
        losses.append(loss.item())
        return loss, figures

    torch.manual_seed(0)
    samples = reader.ReaderSamples(chips, 16 * 24, seed=1)
    network = fit.fit(networks.Reader(), samples, noted, tmp_path / "run.pt", batch=16, peak_rate=3e-3, workers=0)
    assert np.mean(losses[-6:]) < 0.8 * np.mean(losses[:3])

    losses.clear()  # the run is complete: nothing is left to train
    fit.fit(networks.Reader(), samples, noted, tmp_path / "run.pt", batch=16, peak_rate=3e-3, workers=0)
    assert losses == []

    same = fit.trained(networks.Reader(), tmp_path / "run.pt")
    example = torch.rand(3, 3, reader.SIZE, reader.SIZE) * 255
    assert torch.allclose(same(example), network(example), atol=1e-5)
    off = export.export_checked(same, [example[:2], example], {0: "dice"}, tmp_path / "reader.onnx")
    assert off < export.TOLERANCE


def test_the_locators_export_takes_any_size(tmp_path: Path) -> None:
    torch.manual_seed(0)
    examples = [torch.rand(1, 3, 64, 96) * 255, torch.rand(1, 3, 128, 32) * 255]
    network = networks.Locator().eval()
    assert export.export_checked(network, examples, {2: "h", 3: "w"}, tmp_path / "l.onnx") < export.TOLERANCE


def test_an_overconfident_reader_is_cooled() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 4000)
    logits = rng.normal(size=(4000, 3)).astype(np.float32)
    logits[np.arange(4000), labels] += 1.5
    fitted = calibrate.best_temperature(3 * logits, labels)
    assert fitted == pytest.approx(3 * calibrate.best_temperature(logits, labels), rel=0.12)
