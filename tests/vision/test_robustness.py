"""Reading when something is wrong with the photo: the shipped weights on the samples, under mild disturbances."""

from __future__ import annotations

import pytest

from models.training.disturb import KINDS
from models.training.render.shots import SHOTS
from models.training.robustness import Outcome, outcome, readings, sample_scenes
from models.training.scenes import SAMPLES
from vision.images import Picture
from vision.pipeline import Pipeline
from vision.types import Reading

SCENES = {scene.path.stem: scene for scene in sample_scenes(SAMPLES)}
# From low down a die turned upside down shows another face on top, and nothing but the picture's upright tells.
FROM_ABOVE = [shot.name for shot in SHOTS if shot.plan.dice and shot.plan.elevation >= 70]
OF_THEIR_OWN = ("finger", "turned", "quarters", "smaller", "larger")
MILD = [kind for kind in KINDS if kind not in OF_THEIR_OWN]

# What these weights still call sure though it is wrong, by kind: better weights must make it less.
STILL_SILENT: dict[str, set[str]] = {
    # Their hidden die is passed over: who expects five dice is told that four were read.
    "finger": {"black-cloth", "numerals-beside", "touching", "yamslam-flush", "yamslam-straight"},
}  # fmt: skip


@pytest.fixture(scope="module")
def plain(reader: Pipeline) -> dict[str, Reading]:
    """The samples as they are."""
    return {name: reader.read(Picture.of(scene.picture())) for name, scene in SCENES.items()}


def outcomes(
    reader: Pipeline, plain: dict[str, Reading], kind: str, strengths: tuple[int, ...], names: list[str] | None = None
) -> list[tuple[str, Outcome]]:
    return [
        (name, outcome(SCENES[name], reading, plain[name]))
        for name in names or SCENES
        for _, reading in readings(reader, SCENES[name], [(kind, strength) for strength in strengths])
    ]


def silent(found: list[tuple[str, Outcome]]) -> set[str]:
    return {name for name, one in found if one.result.sure and not one.result.right}


@pytest.mark.parametrize("kind", MILD)
def test_mildly_disturbed_the_samples_are_read_as_before_and_not_silently_wrong(
    reader: Pipeline, plain: dict[str, Reading], kind: str
) -> None:
    found = outcomes(reader, plain, kind, (0,))
    assert silent(found) == STILL_SILENT.get(kind, set())
    assert sum(one.same for _, one in found) >= 0.9 * len(found) - 1


def test_a_die_under_a_finger_is_not_silently_read_wrong(reader: Pipeline, plain: dict[str, Reading]) -> None:
    found = outcomes(reader, plain, "finger", (0, 1, 2))
    assert len(found) >= 30
    assert silent(found) == STILL_SILENT["finger"]
    assert [name for name, one in found if one.told_sure and not one.result.right] == []


@pytest.mark.parametrize("kind", ["smaller", "larger"])
def test_at_half_and_double_size_the_values_are_the_same(
    reader: Pipeline, plain: dict[str, Reading], kind: str
) -> None:
    found = outcomes(reader, plain, kind, (1,))
    assert silent(found) == STILL_SILENT.get(kind, set())
    assert [name for name, one in found if not one.same] == []


def test_turned_by_right_angles_the_values_are_the_same(reader: Pipeline, plain: dict[str, Reading]) -> None:
    found = outcomes(reader, plain, "quarters", (0, 1, 2), FROM_ABOVE)
    assert len(found) == 3 * len(FROM_ABOVE) >= 12
    assert [name for name, one in found if not one.same] == []
    assert not silent(found)


def test_turned_by_any_angle_the_values_are_the_same(reader: Pipeline, plain: dict[str, Reading]) -> None:
    found = outcomes(reader, plain, "turned", (0, 1, 2), FROM_ABOVE)
    assert sum(one.same for _, one in found) >= 0.9 * len(found)
    assert not silent(found)
