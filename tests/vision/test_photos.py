"""The figures that count, on real photos of sources that the networks never saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.evaluate import Report, evaluate, labelled_photos
from vision.images import decode
from vision.pipeline import open_reader


@pytest.fixture(scope="module")
def report(shared: Path) -> Report:
    return evaluate(open_reader(), labelled_photos(shared / "photos" / "index.jsonl", "dev"))


def test_whole_photos_are_read_right(report: Report) -> None:
    assert report.all.photos == 649
    assert report.macro is not None
    assert report.macro >= 0.75
    assert report.all.five is not None
    assert report.all.five >= 0.75


def test_dice_are_found_and_none_invented(report: Report) -> None:
    assert report.all.recall is not None
    assert report.all.recall >= 0.95
    assert report.all.precision is not None
    assert report.all.precision >= 0.90


def test_what_is_called_sure_is_right(report: Report) -> None:
    assert report.all.sure is not None
    assert report.all.sure >= 0.5
    assert report.all.silent is not None
    assert report.all.silent <= 0.03


def test_untouched_phone_photos_are_read_as_they_lie(shared: Path) -> None:
    """Twelve megapixels, two of them on their side by EXIF: read right, or not called sure."""
    reader = open_reader()
    for photo in labelled_photos(shared / "photos" / "index.jsonl", "full"):
        reading = reader.read(decode(photo.path.read_bytes()))
        assert reading.values == tuple(sorted(photo.values)) or not reading.sure()
