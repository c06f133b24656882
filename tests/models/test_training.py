"""The training code, on a handful of made pictures: it runs, learns something and exports what it trained."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[train]' runs these tests")
pytest.importorskip("onnx", reason="onnx is not installed: pip install -e '.[train]' runs these tests")

import models  # noqa: E402
from models.training import (  # noqa: E402
    augment,
    calibrate,
    disagreements,
    export,
    fit,
    locator,
    networks,
    reader,
    scenes,
)
from vision.locate import WITHIN, inside  # noqa: E402
from vision.read import Seen  # noqa: E402
from vision.types import Region  # noqa: E402

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


@pytest.mark.parametrize("turns", range(4))
def test_boxes_are_turned_with_their_picture_whatever_its_shape(turns: int) -> None:
    image = np.zeros((40, 60, 3), np.uint8)
    image[5:12, 20:30] = 255
    image, boxes = locator.turned(image, np.array([[20.0, 5, 30, 12]]), turns)
    ys, xs = np.nonzero(image[..., 0])
    assert boxes.tolist() == [[xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]]


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
    image, labels, maps = reader.ReaderSamples(chips, 50, seed=1)[3]
    assert image.shape == (3, reader.SIZE, reader.SIZE)
    assert labels.shape == (3,)
    assert maps.shape == (2, reader.FACE, reader.FACE)


def test_each_pip_counts_once_in_the_density_wherever_it_lies() -> None:
    centres = np.array([[3.2, 4.9], [10.0, 11.5], [0.1, 15.9]], np.float32)
    density = reader.density(centres)
    assert density.sum() == pytest.approx(3)
    assert density[3:7, 1:6].sum() == pytest.approx(1, abs=0.02)


def test_something_over_a_face_hides_the_share_of_it_that_is_told() -> None:
    image = np.zeros((reader.SIZE, reader.SIZE, 3), np.uint8)
    face = np.array([[16, 16], [48, 16], [48, 48], [16, 48]], np.float32)
    shares = []
    for seed in range(60):
        covered, share = reader.under(image, face, np.random.default_rng(seed))
        shares.append(share)
        assert float((covered.max(2) > 40)[16:48, 16:48].mean()) == pytest.approx(share, abs=0.2)
    assert min(shares) < reader.MUCH < max(shares)


def test_a_printed_die_is_neither_a_die_nor_a_lesson_for_the_reader(made: list[scenes.Scene]) -> None:
    scene = replace(made[0], labels=tuple(replace(label, kind="print") for label in made[0].labels))
    assert (reader.cut([scene], seed=0).kind == networks.CLASSES.index("none")).all()
    assert (locator.LocatorSamples([scene], 1, seed=0)[0][1][0] < 1).all()


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


def test_corrections_are_of_labels_that_are_there(shared: Path) -> None:
    """`shared`: only there it can be seen whether a correction still meets its die."""
    rows = {Path(row["file"]).name: row for row in scenes.records(shared / "photos" / "index.jsonl")}
    corrections = json.loads(scenes.CORRECTIONS.read_text(encoding="utf-8"))
    for die in corrections["dice"]:
        row = rows[die["file"]]
        assert row["split"] == "train"
        assert row["dice"][die["die"]]["value"] == die["labelled"] != die["is"]
        assert die["is"] in {*scenes.VALUES, None}
    corrected = {scene.path.name: scene for scene in scenes.photo_scenes()}
    assert not {photo["file"] for photo in corrections["photos"]} & set(corrected)
    first = next(die for die in corrections["dice"] if die["is"])
    assert corrected[first["file"]].labels[first["die"]].value == first["is"]


def test_hardly_two_dice_overlap_so_much_that_they_would_count_as_one(shared: Path) -> None:
    """The training photos and the shared renders bear out `vision.locate.WITHIN`."""
    dice, merged = 0, 0
    for scene in [*scenes.photo_scenes(), *scenes.rendered_scenes(shared / "renders")]:
        if not scene.has_boxes:
            continue
        regions = [Region(x0, y0, x1 - x0, y1 - y0, 1) for x0, y0, x1, y1 in (d.box for d in scene.labels)]
        dice += len(regions)
        for i, one in enumerate(regions):
            for other in regions[:i]:
                smaller, larger = sorted((one, other), key=lambda region: region.size)
                alike = smaller.size > 0.45 * larger.size
                merged += alike and inside(smaller, larger) > WITHIN
    assert dice > 10_000
    assert merged < dice / 1000


def test_a_label_that_the_reader_contradicts_is_told(made: list[scenes.Scene]) -> None:
    told = [int(label.value) for scene in made for label in scene.labels]
    lied = [
        replace(scene, labels=tuple(replace(label, value=7 - label.value) for label in scene.labels)) for scene in made
    ]

    class Reader:
        config = models.load().config

        def see(self, image: Any, regions: list[Any]) -> list[Seen]:
            truth, told[:] = told[: len(regions)], told[len(regions) :]
            nothing = np.zeros(11, np.float32)
            kinds = np.eye(len(self.config.classes), dtype=np.float32)[[value - 1 for value in truth]] * 9
            return [Seen(kind, nothing, nothing, nothing.astype(float), nothing.astype(float), 0.0) for kind in kinds]

    honest, found = list(told), list(disagreements.disagreements(cast(Any, Reader()), lied))
    assert [int(one.seen) for one in found] == honest
    assert [one.labelled for one in found] == [7 - value for value in honest]
    told[:] = honest
    assert not list(disagreements.disagreements(cast(Any, Reader()), made))


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
    for ours, theirs in zip(same(example), network(example), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-5)
    off = export.export_checked(same, [example[:2], example], {0: "dice"}, tmp_path / "reader.onnx")
    assert off < export.TOLERANCE


def test_a_run_begins_with_anothers_weights_as_far_as_that_had_them(made: list[scenes.Scene], tmp_path: Path) -> None:
    torch.manual_seed(0)
    before = networks.Reader().state_dict()
    del before["to8.3.first.0.weight"]
    torch.save({"average": before}, tmp_path / "before.pt")
    samples = reader.ReaderSamples(reader.cut(made, seed=0), 0, seed=1)
    begun = fit.fit(
        networks.Reader(),
        samples,
        reader.reader_loss,
        tmp_path / "run.pt",
        batch=16,
        peak_rate=1e-3,
        workers=0,
        start_from=tmp_path / "before.pt",
    )
    for name, value in before.items():
        assert torch.equal(begun.state_dict()[name], value)


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
