from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import models
from vision.evaluate import CLOSE, Mark, Photo, die_at, labelled_photos, report, result
from vision.types import Colour, Die, Reading, Region


def reading(*values: int, confidence: float = 0.99, ink: str = "white") -> Reading:
    body, pips = Colour("white", 1.0), Colour(ink, 1.0)
    dice = tuple(Die(Region(10.0 * i, 0, 8, 8, 1.0), value, pips, body, confidence) for i, value in enumerate(values))
    return Reading(dice, 0, 100, 100, "test", 0.9)


def photo(*values: int, unreadable: int = 0, source: str = "a", marks: tuple[Mark, ...] = ()) -> Photo:
    return Photo(Path("x.jpg"), source, values, unreadable, marks)


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


def test_sure_where_the_number_is_told_stands_apart() -> None:
    vague = reading(1, 2, confidence=0.6)
    vague = replace(vague, dice=tuple(replace(die, given=0.99) for die in vague.dice), threshold_given=0.95)
    results = [result(photo(1, 2), vague), result(photo(1, 3), vague), result(photo(1, 2, 2), vague)]
    results.append(result(photo(1, 2, unreadable=1), vague))
    figures = report(results).all
    assert figures.sure == 0
    assert figures.sure_told == pytest.approx(2 / 3)
    assert figures.silent_told == 0.5


@pytest.mark.parametrize(
    ("labels", "read", "mistakes"),
    [
        (photo(1, 5, 6), (6, 1, 5), ()),
        (photo(1, 5), (1, 6), ("5>6",)),
        (photo(5, 5, 5), (6, 6, 5), ("5>6", "5>6")),
        (photo(5, 5), (6,), ("5>6", "5>missed")),
        (photo(5), (6, 6), ("5>6", "invented>6")),
        (photo(2), (), ("2>missed",)),
        (photo(), (2,), ("invented>2",)),
        (photo(2, 5), (3, 6), ("2>missed", "5>missed", "invented>3", "invented>6")),  # which is which nobody knows
        (photo(5, unreadable=1), (6, 3), ("5>missed",)),  # each of the two may be the unreadable die
    ],
)
def test_mistakes_are_named(labels: Photo, read: tuple[int, ...], mistakes: tuple[str, ...]) -> None:
    assert result(labels, reading(*read)).mistakes == mistakes


def test_five_and_six_and_two_and_three_are_told_apart() -> None:
    results = [result(photo(5, 6, 6, 2), reading(5, 6, 5, 2)), result(photo(2, 3), reading(3, 3))]
    figures = report(results).all
    assert figures.five_six == pytest.approx(1 / 3)
    assert figures.two_three == pytest.approx(1 / 3)
    assert figures.mistakes == {"2>3": 1, "6>5": 1}
    assert report(results[1:]).all.five_six is None


def test_a_photo_that_could_not_be_read_misses_all_its_dice() -> None:
    assert result(photo(1, 4), None).mistakes == ("1>missed", "4>missed")


def test_photos_without_dice_stand_apart() -> None:
    results = [result(photo(), reading()), result(photo(), reading(4)), result(photo(3), reading())]
    results.append(result(photo(unreadable=1), reading()))  # there is a die
    figures = report(results).all
    assert figures.no_dice == 0.5
    assert report(results[2:]).all.no_dice is None


def test_the_die_at_a_point_is_the_nearest_of_those_around_it() -> None:
    seen = reading(1, 2)
    wide = replace(seen.dice[0], region=Region(0, 0, 30, 8, 1.0), value=6)
    seen = replace(seen, dice=(wide, *seen.dice))
    assert (die := die_at(seen, 4, 4)) is not None
    assert die.value == 1
    assert (die := die_at(seen, 25, 4)) is not None
    assert die.value == 6
    assert die_at(seen, 25, 9) is None


def test_colours_count_where_they_are_labelled_and_a_die_was_read() -> None:
    marks = (
        Mark(4, 4, "ivory", "black"),  # called white, and white
        Mark(14, 4, None, "white"),
        Mark(24, 4, "red", None),  # called white
        Mark(60, 60, "red", "red"),  # no die was read here
    )
    figures = report([result(photo(1, 2, 3, 4, marks=marks), reading(1, 2, 3))]).all
    assert (figures.body, figures.ink) == (0.5, 0.5)
    assert (report([result(photo(1), reading(1))]).all.body) is None


def test_colours_are_as_close_as_the_collection_says(shared: Path) -> None:
    spec = importlib.util.spec_from_file_location("score", shared / "photos" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    for said, close in CLOSE.items():
        assert close == {name for name in models.load().config.colours if score.same_colour(said, name)}
    assert set(CLOSE) >= set().union(*score.NEIGHBOURS)


def test_the_table_says_it_all() -> None:
    results = [result(photo(5, 1, source="b/one"), reading(6, 1)), result(photo(), reading())]
    lines = report(results).table()
    assert lines[0].split() == ["photos", "dice", "exact", "five", "recall", "precision", "sure", "silent"]
    assert lines[2].split() == ["b/one", "1", "2", "0.0", "-", "0.5", "0.5", "1.0", "1.0"]
    assert lines[3].split()[:4] == ["all", "2", "2", "0.5"]
    assert lines[4:] == [
        "macro 0.5: the mean of exact over the sources",
        "where the number of dice is told: sure 1.0, silent 0.5",
        "colours right: body -, ink -",
        "photos without pip dice in which none was read: 1.0",
        "read as the other: five and six 1.0, two and three -",
        "mistakes: 5>6 1",
    ]


def test_macro_is_the_mean_over_sources_with_small_ones_pooled() -> None:
    good, bad = reading(4), reading(5)
    results = [result(photo(4, source="large"), good)] * 10
    results += [result(photo(4, source="small"), bad)] * 3 + [result(photo(4, source="tiny"), good)] * 1
    assert report(results).macro == pytest.approx((1.0 + 0.25) / 2)


def test_index_lines_become_photos_beside_the_index(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {
            "file": "dev/a.jpg",
            "source": "s",
            "split": "dev",
            "values": [1, 6],
            "unreadable": 2,
            "points": [{"value": 1, "xy": [3, 4.5], "body": "clear-red"}, {"value": 6, "xy": [9, 9], "ink": "gold"}],
        },
        {"file": "train/b.jpg", "source": "s", "split": "train", "values": [1]},
        {"file": "dev/c.jpg", "source": "s", "split": "dev"},
    ]
    index = tmp_path / "index.jsonl"
    index.write_text("\n".join(map(json.dumps, rows)))
    marks = (Mark(3, 4.5, "red", None), Mark(9, 9, None, "gold"))
    assert labelled_photos(index, "dev") == [Photo(tmp_path / "dev/a.jpg", "s", (1, 6), 2, marks)]
    point = {"xy": [1, 2], "ink": "turquoise"}
    for wrong in ("not json", json.dumps({**rows[0], "points": [point]}), json.dumps({**rows[0], "points": [{}]})):
        index.write_text(f"{wrong}\n")
        with pytest.raises(ValueError, match="line 1"):
            labelled_photos(index)
