"""The scenes' generator, as far as it goes without a renderer."""

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.training.render import clutter, die, labels, others, palette, patterned, place, table
from models.training.render.develop import develop
from models.training.render.misread import MISREAD
from models.training.render.scene import Scene, draw_plan, generator, sample
from models.training.render.shapes import apart, box, turn
from models.training.render.shots import SHOTS, Shot

SAMPLES = Path(__file__).parents[2] / "samples"

COLOURS = {"black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown"}


def with_dice(count: int, *, held_out: bool = False) -> list[Scene]:
    """The first scenes that hold dice."""
    seeds = (s for s in range(1000) if draw_plan(generator(s), held_out=held_out).dice)
    return [sample(next(seeds), held_out=held_out) for _ in range(count)]


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return with_dice(8)


def truth(scene: Scene, side: int = 640) -> dict[str, object]:
    return labels.of_scene(scene, [1.0] * (len(scene.dice) + len(scene.others)), side, side)


def test_the_same_seed_gives_the_same_scene() -> None:
    one, two = sample(7), sample(7)
    assert truth(one) == truth(two)
    assert np.array_equal(one.things()[0].world(), two.things()[0].world())
    pictures = [t.material.picture for s in (one, two) for t in s.clutter if t.name == "table"]
    assert pictures[0] is not None
    assert pictures[1] is not None
    assert np.array_equal(pictures[0], pictures[1])


def test_another_seed_gives_another_scene() -> None:
    assert truth(sample(7)) != truth(sample(8))


def test_labels_are_of_the_contract_and_boxes_hold_their_faces(scenes: list[Scene]) -> None:
    seen = 0
    for scene in scenes:
        for label in labels.of_scene(scene, [1.0] * 99, 640, 640)["dice"]:
            seen += 1
            assert label["value"] in range(1, 7)
            assert {label["body"], label["ink"]} <= COLOURS
            assert label["body"] != label["ink"]
            x0, y0, x1, y1 = label["box"]
            centre = np.mean(label["quad"], axis=0)
            assert x0 < centre[0] < x1
            assert y0 < centre[1] < y1
            assert label["inside"] == (x0 >= 0 and y0 >= 0 and x1 <= 640 and y1 <= 640)
            sides = np.roll(label["quad"], -1, 0) - np.array(label["quad"])
            around = sides[:, 0] * np.roll(sides, -1, 0)[:, 1] - sides[:, 1] * np.roll(sides, -1, 0)[:, 0]
            assert (around > 0).all() or label["upright"] < labels.COCKED
    assert seen >= 15


def test_dice_do_not_run_into_each_other(scenes: list[Scene]) -> None:
    for scene in scenes:
        flat = [d for d in scene.dice if abs(d.thing.at[2] - d.style.size / 2) < 1e-6]
        for k, one in enumerate(flat):
            for other in flat[:k]:
                assert apart(one.thing.footprint(), other.thing.footprint(), -0.01)


def test_flat_dice_stand_on_the_table(scenes: list[Scene]) -> None:
    for scene in scenes:
        for d in scene.dice:
            low = float(d.thing.world()[:, 2].min())
            assert low > -0.02
            if abs(d.thing.at[2] - d.style.size / 2) < 1e-6:
                assert low < 0.01


@pytest.mark.parametrize("mirrored", [False, True])
def test_opposite_faces_sum_to_seven_and_chirality_differs(mirrored: bool) -> None:
    values = die.face_values(mirrored)
    assert sorted(values) == [1, 2, 3, 4, 5, 6]
    assert all(values[k] + values[k + 1] == 7 for k in (0, 2, 4))
    where = {v: np.eye(3)[axis] * side for v, (axis, side) in zip(values, die.AXES, strict=True)}
    # x, y, z run anticlockwise round the corner between them: so do 1, 2, 3 where this is right-handed.
    assert np.linalg.det([where[1], where[2], where[3]]) == pytest.approx(-1 if mirrored else 1)


def test_a_face_shows_as_many_pips_as_its_value() -> None:
    rng = np.random.default_rng(3)
    twos = set()
    for _ in range(60):
        style = die.sample_style(rng)
        twos.add(style.two)
        for value in range(1, 7):
            drawn = (die.picture_of(style, value, 240) > 0.5).astype(np.uint8)
            assert cv2.connectedComponents(drawn)[0] - 1 == value
    assert twos == {"diagonal", "close", "row", "close-row", "edge"}


def test_the_mesh_is_closed_and_as_large_as_the_die() -> None:
    style = die.sample_style(np.random.default_rng(5))
    mesh = die.mesh(style, 24)
    assert np.ptp(mesh.points, axis=0) == pytest.approx([style.size] * 3, rel=0.02)
    edges = np.sort(np.concatenate([mesh.corners[:, [0, 1]], mesh.corners[:, [1, 2]], mesh.corners[:, [2, 0]]]), 1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()


def test_the_top_face_is_the_one_that_looks_up() -> None:
    for rotation in (np.eye(3), turn(math.pi / 2, 0), turn(-math.pi / 2, 1)):
        axis, side = die.AXES[die.top_face(rotation)]
        assert (rotation @ (np.eye(3)[axis] * side))[2] == pytest.approx(1)


def test_every_face_comes_up_equally_often() -> None:
    rng = np.random.default_rng(0)
    counts = np.bincount([die.top_face(place.any_face_up(rng)) for _ in range(3000)], minlength=6)
    assert counts.min() > 400
    assert counts.max() < 600


def test_yamslam_dice_are_black_on_odd_and_red_on_even_faces() -> None:
    style = die.sample_style(np.random.default_rng(1), yamslam=True)
    assert style.inks == ("black", "red") * 3


def test_the_held_out_styles_are_kept_apart() -> None:
    rng = np.random.default_rng(2)
    assert not set(table.TABLES) & set(table.HELD_OUT_TABLES)
    pairs = {(s.body, s.inks[1]) for s in (die.sample_style(rng) for _ in range(300)) if len(set(s.inks)) < 3}
    assert not pairs & die.HELD_OUT_PAIRS
    pairs = {(s.body, s.inks[1]) for s in (die.sample_style(rng, held_out=True) for _ in range(200))}
    assert len(pairs & die.HELD_OUT_PAIRS) >= 5
    for scene in with_dice(2, held_out=True):
        assert scene.plan.table in table.HELD_OUT_TABLES


def test_inks_stand_out_from_bodies() -> None:
    for body, tints in palette.BODIES.items():
        for _, colour in tints:
            for ink in palette.inks_for(body, colour):
                assert palette.contrast(colour, palette.INKS[ink]) >= palette.LEAST_CONTRAST
    assert "black" in palette.inks_for("white", (0.94, 0.94, 0.93))
    assert "blue" not in palette.inks_for("black", (0.04, 0.04, 0.045))


def test_plans_are_as_varied_as_the_recipe_says() -> None:
    plans = [draw_plan(generator(s)) for s in range(2000)]
    share = {
        "five": np.mean([p.dice == 5 for p in plans]),
        "none": np.mean([p.dice == 0 for p in plans]),
        "others": np.mean([p.others > 0 for p in plans]),
        "wide": np.mean([p.frame == "wide" for p in plans]),
        "near": np.mean([p.frame == "near" for p in plans]),
        "straight": np.mean([p.elevation > 84 for p in plans]),
        "yamslam": np.mean([p.yamslam for p in plans]),
        "crowd": np.mean([p.dice > 10 for p in plans]),
        "few among many": np.mean([0 < p.dice < 7 and p.others >= 6 for p in plans]),
    }
    wanted = {
        "five": 0.30, "none": 0.18, "others": 0.54, "wide": 0.21, "near": 0.13, "straight": 0.3, "yamslam": 0.10,
        "crowd": 0.13, "few among many": 0.15,
    }  # fmt: skip
    assert share == pytest.approx(wanted, abs=0.04)


@pytest.mark.parametrize("kind,corners", [("d4", 4), ("d6", 8), ("d8", 6), ("d10", 12), ("d12", 20), ("d20", 12)])
def test_polyhedra_are_closed_and_rest_on_a_face(kind: str, corners: int) -> None:
    normals, vertices, faces = others.solid(kind)
    assert len(vertices) == corners
    assert len(normals) == len(faces) == int(kind[1:])
    assert len(vertices) - sum(map(len, faces)) // 2 + len(faces) == 2
    rng = np.random.default_rng(4)
    mesh, mask, high = others.polyhedron(rng, kind, 2.0)
    heights = (mesh.points @ others.resting(rng, kind).T)[:, 2]
    assert heights.min() == pytest.approx(-high)
    assert (heights < -high + 1e-6).sum() >= 3
    assert mask.max() == pytest.approx(1.0)
    across = mesh.points[mesh.corners]
    outward = np.cross(across[:, 1] - across[:, 0], across[:, 2] - across[:, 0])
    assert ((outward * across.mean(1)).sum(1) > 0).all()


@pytest.mark.parametrize("kind", [*table.TABLES, *table.HELD_OUT_TABLES, "polka"])
def test_every_table_can_be_painted(kind: str) -> None:
    picture = table.paint(np.random.default_rng(6), kind)
    assert picture.shape == (patterned.SIZE, patterned.SIZE, 3)
    assert 0 <= picture.min() <= picture.max() <= 1
    assert picture.std() > 0.002


@pytest.mark.parametrize("kind", [*clutter.DOTTED, "hand", "pencil"])
def test_things_stand_on_the_table(kind: str) -> None:
    make = {**clutter.DOTTED, **{k: m for k, (m, _) in clutter.EVERYDAY.items()}}[kind]
    for thing in make(np.random.default_rng(9), np.array([3.0, 4.0])):
        assert thing.world()[:, 2].min() > -0.6


def test_outlines_touch_or_lie_apart() -> None:
    square = box(2, 2, 1).points[:, :2]
    aside = np.array([1.0, 0.0])
    assert apart(square, square + 2.5 * aside, 0.4)
    assert not apart(square, square + 2.5 * aside, 0.6)
    assert not apart(square, square + 1.5 * aside)


def test_a_camera_sees_its_target_in_the_middle(scenes: list[Scene]) -> None:
    camera = scenes[0].camera
    target = camera.eye + camera.focus * camera.axes[2]
    assert labels.project(camera, target[None], 640, 480)[0] == pytest.approx([320, 240])
    assert np.linalg.det(camera.axes) == pytest.approx(-1)
    with pytest.raises(ValueError, match="behind the camera"):
        labels.project(camera, (camera.eye - camera.axes[2])[None], 640, 480)


def test_developing_keeps_order_and_darkens_a_dim_scene() -> None:
    light = np.tile(np.linspace(0, 1, 64, dtype=np.float32)[None, :, None], (8, 1, 3))
    picture = develop(light, 0.0)
    assert (np.diff(picture[0, :, 0].astype(int)) >= 0).all()
    assert develop(light, -2.0).mean() < 0.7 * picture.mean()


@pytest.fixture(scope="module")
def samples() -> dict[str, dict[str, Any]]:
    return {shot.name: shot.truth() for shot in SHOTS}


@pytest.fixture(scope="module")
def misread() -> dict[str, dict[str, Any]]:
    return {shot.name: shot.truth() for shot in MISREAD}


def assert_labelled(folder: Path, shots: tuple[Shot, ...], truth: dict[str, dict[str, Any]]) -> None:
    written = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    assert list(written) == [f"{shot.name}.jpg" for shot in shots]
    for shot in shots:
        assert written[f"{shot.name}.jpg"] == truth[shot.name]
        picture = cv2.imread(str(folder / f"{shot.name}.jpg"))
        assert picture is not None
        assert picture.shape == (shot.height, shot.width, 3)


def test_the_samples_are_labelled_as_their_seeds_say(
    samples: dict[str, dict[str, Any]], misread: dict[str, dict[str, Any]]
) -> None:
    assert_labelled(SAMPLES, SHOTS, samples)
    assert_labelled(SAMPLES / "misread", MISREAD, misread)


def test_the_samples_show_what_their_notes_promise(samples: dict[str, dict[str, Any]]) -> None:
    assert {d["ink"] for d in samples["yamslam-flush"]["dice"]} == {"black"}
    assert {d["ink"] for d in samples["yamslam-straight"]["dice"]} == {"black", "red"}
    assert samples["yamslam-straight"]["values"] == [1, 2, 3, 4, 5]
    assert len({d["body"] for d in samples["colourful"]["dice"]}) == 5
    assert samples["dominoes"]["dice"] == []
    assert samples["numerals-beside"]["other"] == 3
    assert samples["close-twos"]["values"].count(2) >= 2
    assert all(len(t["values"]) == 5 for name, t in samples.items() if name != "dominoes")


def test_the_look_alikes_of_past_faults_show_what_their_notes_promise(misread: dict[str, dict[str, Any]]) -> None:
    def looks(name: str) -> set[tuple[str, str]]:
        return {(die["body"], die["ink"]) for die in misread[name]["dice"]}

    for name, values, other in (("among-polyhedra", 1, 9), ("among-numerals", 1, 10), ("filling", 1, 0)):
        assert (len(misread[name]["values"]), misread[name]["other"]) == (values, other)
    assert misread["large-ones"]["values"].count(1) == 3
    assert looks("gold-on-blue") == {("blue", "yellow")}
    assert all(looks(name) == {("white", "black")} for name in ("weave", "tartan", "page"))
    assert misread["two-close"]["values"].count(2) == 3
    assert all(misread[name]["dice"] == [] for name in ("dominoes-close", "keyboard", "printed-dice"))
    assert all(12 < max(die["box"][2:]) < 19 for die in misread["tiny"]["dice"])
    (large,) = misread["filling"]["dice"]
    assert large["box"][2] * large["box"][3] > 0.2 * 640 * 480
    assert all(len(misread[name]["unreadable"]) == 1 for name in ("leaning", "stacked"))
    for entry in misread.values():
        for x, y, width, height in [*(label["box"] for label in entry["dice"]), *entry.get("unreadable", [])]:
            assert 0 < x < x + width < 640
            assert 0 < y < y + height < 480
