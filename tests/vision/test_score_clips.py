"""Throws told and throws that were: what counts as found, missed and invented."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vision.score_clips import Clip, Result, Throw, Told, by_kind, figures, labelled_clips, result, table
from vision.steady import Settled
from vision.types import Colour, Die, Region

FIRST = Throw(1, 1, 2.0, 4.0, (2, 4, 4, 5, 6), ())
SECOND = Throw(1, 2, 6.0, 8.0, (1, 1, 3, 4, 4), (4, 4))
THIRD = Throw(2, 1, 10.0, 12.0, (1, 2, 3, 4, 5), ())


def clip(*throws: Throw, kinds: tuple[str, ...] = ("plain",)) -> Clip:
    return Clip(Path("clip-1.mp4"), 15.0, kinds, throws)


def told(n: int, turn: int, roll: int, t: float, *values: int, kept: int = 0, sure: bool = True) -> Told:
    dice = tuple(
        Die(Region(20.0 * i, 10, 15, 15, 0.9), value, Colour("black", 0.9), Colour("white", 0.9), 0.99)
        for i, value in enumerate(values)
    )
    flags = tuple(i < kept for i in range(len(values)))
    doubts = () if sure else ("it may not be",)
    return Told(Settled(n, turn, roll, t, dice, flags, (False,) * len(values), doubts), 0.1)


RIGHT = (
    told(1, 1, 1, 2.4, 6, 2, 4, 4, 5),
    told(2, 1, 2, 6.3, 4, 4, 1, 1, 3, kept=2),
    told(3, 2, 1, 10.4, 1, 2, 3, 4, 5),
)


def test_all_right() -> None:
    got = result(clip(FIRST, SECOND, THIRD), RIGHT)
    assert got.faults() == []
    row = figures([got])
    assert (row.throws, row.found, row.missed, row.twice, row.invented) == (3, 3, 0, 0, 0)
    assert (row.sure, row.silent, row.values, row.kept, row.numbered) == (1, 0, 1, 1, 1)
    assert row.delay == pytest.approx((0.5, 0.5, 0.5))
    assert row.to_json()["delay_sure"] == {"median": 0.5, "p95": 0.5, "max": 0.5}
    assert row.to_json()["delay"] == {"median": 0.5, "p95": 0.5, "max": 0.5}


@pytest.mark.parametrize(("t", "found"), [(1.99, 0), (2.0, 1), (4.49, 1), (4.5, 0)])
def test_a_throw_is_told_in_its_time_or_it_is_missed_and_invented(t: float, found: int) -> None:
    row = figures([result(clip(FIRST), [told(1, 1, 1, t, 2, 4, 4, 5, 6)])])
    assert (row.found, row.missed, row.invented, row.invented_sure) == (found, 1 - found, 1 - found, 1 - found)


def test_what_comes_after_the_next_throw_is_not_the_last_one() -> None:
    near = Throw(1, 2, 4.2, 5.0, (1, 1, 3, 4, 4), (4, 4))
    some = [told(1, 1, 1, 2.4, 2, 4, 4, 5, 6), told(2, 1, 2, 4.3, 4, 4, 1, 1, 3, kept=2)]
    assert figures([result(clip(FIRST, near), some)]).found == 2


def test_told_twice_is_not_found() -> None:
    got = result(clip(FIRST), [told(1, 1, 1, 2.4, 2, 4, 4, 5, 6), told(2, 1, 2, 3.4, 2, 4, 4, 5, 6, sure=False)])
    row = figures([got])
    assert (row.found, row.missed, row.twice, row.invented, row.invented_sure) == (0, 0, 1, 1, 0)
    assert got.faults() == [
        "clip-1.mp4: turn 1, roll 1 at 2.00 s was not told just once",
        "clip-1.mp4: turn 1, roll 2 was invented at 3.40 s: 2 4 4 5 6",
    ]


def test_a_correction_is_the_same_throw() -> None:
    row = figures(
        [result(clip(FIRST), [told(1, 1, 1, 2.4, 2, 3, 4, 5, 6, sure=False), told(1, 1, 1, 3.2, 6, 2, 4, 4, 5)])]
    )
    assert (row.found, row.invented, row.sure, row.values) == (1, 0, 1, 1)
    assert row.delay == pytest.approx((1.3, 1.3, 1.3))


def test_what_is_wrong_with_a_throw_found() -> None:
    wrong = [told(1, 1, 1, 2.4, 2, 3, 4, 5, 6), told(2, 2, 1, 6.5, 4, 4, 1, 1, 3, kept=1, sure=False)]
    got = result(clip(FIRST, SECOND), wrong)
    row = figures([got])
    assert (row.found, row.sure, row.silent, row.values, row.kept, row.numbered) == (2, 0.5, 1, 0.5, 0.5, 0.5)
    assert got.faults() == [
        "clip-1.mp4: turn 1, roll 1 at 2.00 s: 2 3 4 5 6 (sure) instead of 2 4 4 5 6",
        "clip-1.mp4: turn 1, roll 2 at 6.00 s: kept 4 instead of 4 4",
        "clip-1.mp4: turn 1, roll 2 at 6.00 s was called turn 2, roll 1",
    ]


def test_nothing_told_and_nothing_to_tell() -> None:
    row = figures([result(clip(FIRST), [])])
    assert (row.found, row.missed, row.sure, row.silent, row.delay, row.delay_sure) == (0, 1, None, None, None, None)
    assert figures([result(clip(), [])]).throws == 0
    assert table({"all": row})[1].split() == ["all", "1", "1", "0", "1", "0", "0", *["-"] * 10]


def test_a_slow_one_shows_in_the_tail() -> None:
    throws = [Throw(n, 1, 10.0 * n, 10.0 * n + 5, (1,), ()) for n in range(1, 21)]
    some = [told(n, n, 1, 10.0 * n + (3.0 if n == 7 else 0.4), 1) for n in range(1, 21)]
    assert figures([result(clip(*throws), some)]).delay == pytest.approx((0.5, 0.5, 3.1))


def test_figures_by_kind() -> None:
    results = [
        result(clip(FIRST, kinds=("plain", "cup")), RIGHT[:1]),
        result(clip(FIRST, kinds=("cup",)), []),
    ]
    rows = by_kind(results)
    assert list(rows) == ["cup", "plain"]
    assert (rows["cup"].throws, rows["cup"].found, rows["plain"].throws) == (2, 1, 1)


def test_a_turn_is_cut_short_where_another_follows_before_the_third_roll() -> None:
    assert clip(FIRST, SECOND, THIRD).turns_cut_short == (8.0,)
    third = Throw(1, 3, 9.0, 9.5, (1, 1, 1, 1, 1), ())
    assert clip(FIRST, SECOND, third, THIRD).turns_cut_short == ()
    assert clip().turns_cut_short == ()


def test_an_index_of_clips(tmp_path: Path) -> None:
    roll = {"turn": 1, "roll": 2, "rest": 6.0, "until": 8, "values": [4, 1, 3, 1, 4], "kept": [4, 4], "dice": []}
    row = {"file": "clip-1.mp4", "fps": 30, "seconds": 15.0, "kinds": ["plain"], "rolls": [roll]}
    index = tmp_path / "index.jsonl"
    index.write_text(f"{json.dumps(row)}\n")
    assert labelled_clips(index) == [Clip(tmp_path / "clip-1.mp4", 15.0, ("plain",), (SECOND,))]
    index.write_text(f"{json.dumps(row)}\n{json.dumps({**row, 'rolls': [{'turn': 1}]})}\n")
    with pytest.raises(ValueError, match=r"line 2 of .*index.jsonl is no labelled film: 'values'"):
        labelled_clips(index)


def test_the_order_of_what_was_invented_is_that_of_time() -> None:
    got: Result = result(clip(FIRST), [told(1, 1, 1, 9.0, 1), told(2, 1, 2, 2.5, 1), told(3, 1, 3, 2.6, 1)])
    assert [one.settled.t for one in got.invented] == [2.6, 9.0]
