"""The bonuses in reach, by hand."""

from __future__ import annotations

from scorekeeper.game import Stock
from scorekeeper.reach import Goal, reach

KINDS = ("two_pairs", "three_of_a_kind", "small_straight", "flush", "full_house", "four_of_a_kind", "large_straight")


def stock(rack: str, pile: str, *chips: str) -> Stock:
    """One digit a kind, in the order of the rack; the numbers of each kind add up to 4."""
    columns = [dict(zip(KINDS, map(int, digits), strict=True)) for digits in (rack, pile, *chips)]
    assert all(sum(column[kind] for column in columns) == 4 for kind in KINDS)
    return Stock(columns[0], columns[1], tuple(columns[2:]))


def test_at_the_start_all_is_open() -> None:
    (one,) = reach(stock("4444444", "0000000", "0000000"))
    assert one.golden == Goal("open", 7, KINDS)
    assert one.silver == Goal("open", 6, KINDS)
    assert one.stacks == {}


def test_what_others_hold_is_out_of_reach() -> None:
    ana, bo = reach(stock("2233320", "0000000", "1111100", "1100024"))
    assert ana.golden == Goal("gone", 2, ("four_of_a_kind",))
    assert ana.silver == Goal("open", 1, ("four_of_a_kind",))
    assert ana.stacks["two_pairs"].chance == "gone"
    assert ana.stacks["small_straight"] == Goal("open", 3, ("small_straight",))
    assert bo.golden == Goal("open", 3, ("small_straight", "flush", "full_house"))
    assert bo.stacks["large_straight"] == Goal("won", 0, ())
    assert bo.stacks["four_of_a_kind"] == Goal("open", 2, ("four_of_a_kind",))


def test_what_lies_in_the_pile_takes_a_yamslam() -> None:
    (ana, _) = reach(stock("2222100", "0000034", "2222200", "0000110"))
    assert ana.golden == Goal("yamslam", 2, ("four_of_a_kind", "large_straight"))
    assert ana.silver == Goal("yamslam", 1, ("four_of_a_kind", "large_straight"))
    assert ana.stacks["full_house"] == Goal("gone", 2, ("full_house",))
    assert ana.stacks["flush"] == Goal("open", 2, ("flush",))


def test_golden_and_silver_that_are_won() -> None:
    (six,) = reach(stock("3333330", "0000004", "1111110"))
    assert (six.silver, six.golden) == (Goal("won", 0, ()), Goal("yamslam", 1, ("large_straight",)))
    (seven,) = reach(stock("3333333", "0000000", "1111111"))
    assert (seven.golden, seven.silver) == (Goal("won", 0, ()), Goal("won", 0, ()))
