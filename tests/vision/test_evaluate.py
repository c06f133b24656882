from __future__ import annotations

import json
from pathlib import Path

import pytest

from vision.evaluate import Photo, labelled_photos, report, result
from vision.types import Colour, Die, Reading, Region


def reading(*values: int, confidence: float = 0.99) -> Reading:
    plain = Colour("white", 1.0)
    dice = tuple(Die(Region(10.0 * i, 0, 8, 8, 1.0), value, plain, plain, confidence) for i, value in enumerate(values))
    return Reading(dice, 0, 100, 100, "test", 0.9)


def photo(*values: int, unreadable: int = 0, source: str = "a") -> Photo:
    return Photo(Path("x.jpg"), source, values, unreadable)


@pytest.mark.parametrize(
    ("labels", "read", "right"),
    [
        (photo(1, 2, 2), (2, 1, 2), True),
        (photo(1, 2, 2), (1, 2), False),  # one missed
        (photo(1, 2, 2), (1, 2, 3), False),  # one wrong
        (photo(1, 2), (1, 2, 2), False),  # one invented
        (photo(1, 2, unreadable=1), (1, 2, 6), True),  # the unreadable die may be read as anything
        (photo(1, 2, unreadable=1), (1, 2, 6, 6), False),
        (photo(), (), True),
    ],
)
def test_a_photo_is_right_when_every_die_is_and_none_is_invented(
    labels: Photo, read: tuple[int, ...], right: bool
) -> None:
    assert result(labels, reading(*read)).right is right


def test_a_picture_that_could_not_be_read_is_wrong_and_not_sure() -> None:
    failed = result(photo(1), None)
    assert not failed.right
    assert not failed.sure


def test_silent_counts_wrong_ones_among_the_sure() -> None:
    results = [
        result(photo(1), reading(1)),
        result(photo(1), reading(2)),
        result(photo(1), reading(3, confidence=0.5)),
        result(photo(1), reading(1, confidence=0.5)),
    ]
    figures = report(results).all
    assert figures.silent == 0.5
    assert figures.sure == 0.5
    assert figures.exact == 0.5
    assert (figures.recall, figures.precision) == (0.5, 0.5)
    assert figures.five is None


def test_macro_is_the_mean_over_sources_with_small_ones_pooled() -> None:
    good, bad = reading(4), reading(5)
    results = [result(photo(4, source="large"), good)] * 10
    results += [result(photo(4, source="small"), bad)] * 3 + [result(photo(4, source="tiny"), good)] * 1
    assert report(results).macro == pytest.approx((1.0 + 0.25) / 2)


def test_index_lines_become_photos_beside_the_index(tmp_path: Path) -> None:
    rows = [
        {"file": "dev/a.jpg", "source": "s", "split": "dev", "values": [1, 6], "unreadable": 2},
        {"file": "train/b.jpg", "source": "s", "split": "train", "values": [1]},
        {"file": "dev/c.jpg", "source": "s", "split": "dev"},
    ]
    index = tmp_path / "index.jsonl"
    index.write_text("\n".join(map(json.dumps, rows)))
    assert labelled_photos(index, "dev") == [Photo(tmp_path / "dev/a.jpg", "s", (1, 6), 2)]
    index.write_text("not json\n")
    with pytest.raises(ValueError, match="line 1"):
        labelled_photos(index)
