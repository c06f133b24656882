"""The figures that count, on real photos of sources that the networks never saw.

Every photo is read once, for all tests here: on two cores that is the better part of a minute.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.evaluate import Report, evaluate, labelled_photos
from vision.images import decode
from vision.pipeline import open_reader

# Of the shipped weights; see `vision.evaluate.Metrics`.
AT_LEAST = {
    "five": 0.97,
    "recall": 0.97,
    "precision": 0.98,
    "sure": 0.55,
    "sure_told": 0.84,
    "body": 0.97,
    "ink": 0.97,
    "no_dice": 1.0,
}
AT_MOST = {"silent": 0.01, "silent_told": 0.0, "five_six": 0.001, "two_three": 0.001}


@pytest.fixture(scope="module")
def report(shared: Path) -> Report:
    return evaluate(open_reader(), labelled_photos(shared / "photos" / "index.jsonl", "dev"))


def test_all_sources_are_read_about_as_well(report: Report) -> None:
    assert report.all.photos == 649
    assert report.macro is not None
    assert report.macro >= 0.97


@pytest.mark.parametrize(("name", "bound"), AT_LEAST.items())
def test_a_share_is_large_enough(report: Report, name: str, bound: float) -> None:
    share = getattr(report.all, name)
    assert share is not None
    assert share >= bound, report.all.mistakes


@pytest.mark.parametrize(("name", "bound"), AT_MOST.items())
def test_a_share_is_small_enough(report: Report, name: str, bound: float) -> None:
    share = getattr(report.all, name)
    assert share is not None
    assert share <= bound, report.all.mistakes


def test_untouched_phone_photos_are_read_as_they_lie(shared: Path) -> None:
    """Twelve megapixels, two of them on their side by EXIF: read right, or not called sure."""
    reader = open_reader()
    for photo in labelled_photos(shared / "photos" / "index.jsonl", "full"):
        reading = reader.read(decode(photo.path.read_bytes()))
        assert reading.values == tuple(sorted(photo.values)) or not reading.sure()
