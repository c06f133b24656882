"""Pictures of kinds that earlier weights read wrong: none may be silently wrong again."""

from __future__ import annotations

import pytest

from models.training.robustness import sample_scenes
from models.training.scenes import SAMPLES
from models.training.tallies import photo
from vision.evaluate import result
from vision.images import decode
from vision.pipeline import Pipeline

SCENES = {scene.path.stem: scene for scene in sample_scenes(SAMPLES / "misread")}

# What these weights still call sure though it is wrong: better weights must make it less. How all are read stands in
# the golden readings beside the weights.
STILL_SILENT: set[str] = set()


@pytest.mark.parametrize("name", SCENES)
def test_what_was_misread_is_now_read_right_or_doubted(reader: Pipeline, name: str) -> None:
    scene = SCENES[name]
    found = result(photo(scene), reader.read(decode(scene.path.read_bytes())))
    assert (found.sure and not found.right) == (name in STILL_SILENT)


def test_the_pictures_are_small_and_all_there() -> None:
    files = sorted((SAMPLES / "misread").glob("*.jpg"))
    assert [file.stem for file in files] == sorted(SCENES)
    assert all(file.stat().st_size < 100_000 for file in files)
