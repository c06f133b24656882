"""The reducer, without any picture: looks in, settled rolls out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.places import together, within
from vision.steady import AGAIN, ENOUGH, PATIENCE, Look, Settled, Table
from vision.types import Colour, Die, Doubt, Reading, Region

SIZE = 40.0
Spot = tuple[float, float]


def die(value: int, spot: Spot, confidence: float = 0.99) -> Die:
    return Die(Region(*spot, SIZE, SIZE, 0.9), value, Colour("black", 1.0), Colour("white", 1.0), confidence)


def reading(dice: Sequence[Die], *leftovers: Doubt) -> Reading:
    return Reading(tuple(sorted(dice, key=lambda d: d.region.centre)), 0, 1280, 720, "test", 0.9, leftovers)


def look(t: float, *dice: Die, since: float | None = None, leftovers: Sequence[Doubt] = ()) -> Look:
    return Look(t, t - 0.3 if since is None else since, reading(dice, *leftovers))


def row(*values: int, y: float = 100, x: float = 100, confidence: float = 0.99) -> list[Die]:
    return [die(value, (x + 80 * i, y), confidence) for i, value in enumerate(values)]


def after(table: Table, *looks: Look) -> tuple[Table, list[Settled]]:
    """All looks, each at a rest of its own unless its `since` is that of the one before."""
    settled: list[Settled] = []
    since = None
    for one in looks:
        if one.since != since:
            table = table.moved()
        since = one.since
        table, new = table.saw(one)
        settled += new
    return table, settled


def test_a_throw_that_lies_still_is_one_roll_however_often_it_is_looked_at() -> None:
    dice = row(2, 4, 4, 5, 6)
    table, settled = after(Table(5), *(look(t, *dice) for t in (1, 2, 3, 4)))
    (roll,) = settled
    assert (roll.n, roll.turn, roll.roll, roll.t) == (1, 1, 1, 1)
    assert roll.values == (2, 4, 4, 5, 6)
    assert roll.sure
    assert not any(roll.kept)
    assert table.state == "settled"
    assert table.next_look() is None


def test_dice_that_stay_are_kept_and_the_others_thrown() -> None:
    first, thrown = row(2, 4, 4, 5, 6), [die(1, (100, 400)), die(3, (300, 500)), die(6, (600, 300))]
    _, settled = after(Table(5), look(1, *first), look(3, first[1], first[2]), look(5, first[1], first[2], *thrown))
    again = settled[1]
    assert (again.turn, again.roll) == (1, 2)
    assert again.kept_values == (4, 4)
    assert again.thrown_values == (1, 3, 6)


def test_dice_pushed_aside_while_the_others_are_away_are_kept() -> None:
    aside = [die(4, (900, 600)), die(4, (960, 600))]
    thrown = [die(4, (100, 400)), die(3, (300, 500)), die(6, (600, 300))]
    _, settled = after(Table(5), look(1, *row(2, 4, 4, 5, 6)), look(3, *aside), look(5, *aside, *thrown))
    assert settled[1].kept_values == (4, 4)
    assert [d.region.x for d, kept in zip(settled[1].dice, settled[1].kept, strict=True) if kept] == [900, 960]


def test_dice_pushed_about_are_no_throw_and_are_known_where_they_lie_now() -> None:
    pushed = row(4, 4, 2, 5, 6, y=600)
    table, settled = after(Table(5), look(1, *row(2, 4, 4, 5, 6)), look(3, *pushed))
    assert len(settled) == 1
    thrown = [die(1, (100, 300)), die(1, (300, 300)), die(1, (600, 300))]
    _, settled = after(table, look(5, *pushed[:2]), look(7, *pushed[:2], *thrown))
    assert settled[0].kept_values == (4, 4)


def test_the_same_values_thrown_again_are_a_roll_if_the_dice_were_away() -> None:
    _, settled = after(Table(5), look(1, *row(2, 4, 4, 5, 6)), look(3), look(5, *row(2, 4, 4, 5, 6, y=500)))
    assert [roll.roll for roll in settled] == [1, 2]
    assert not any(settled[1].kept)


def test_the_fourth_roll_is_the_first_of_the_next_turn() -> None:
    looks = [look(2.0 * i, *row(1, 2, 3, 4, 5 + i % 2, y=100 + 90.0 * i)) for i in range(7)]
    _, settled = after(Table(5), *looks)
    assert [(roll.turn, roll.roll) for roll in settled] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1)]
    assert [roll.n for roll in settled] == [1, 2, 3, 4, 5, 6, 7]


def test_a_turn_may_be_said_to_be_over_and_the_dice_that_lie_are_no_new_throw() -> None:
    dice = row(2, 4, 4, 5, 6)
    table, _ = after(Table(5), look(1, *dice))
    table = table.new_turn()
    assert table.latest is None
    assert table.new_turn() == table
    table, settled = after(table, look(3, *dice))
    assert settled == []
    _, settled = after(table, look(5), look(7, *row(2, 4, 4, 5, 5, y=500)))
    assert [(roll.turn, roll.roll) for roll in settled] == [(2, 1)]


def test_in_the_first_roll_of_a_turn_nothing_is_kept() -> None:
    dice = row(2, 4, 4, 5, 6)
    table, _ = after(Table(5), look(1, *dice))
    _, settled = after(table.new_turn(), look(3, dice[0]), look(5, dice[0], *row(1, 1, 3, 3, y=500)))
    assert settled[0].kept_values == ()


def test_what_is_unsure_is_looked_at_again_before_anybody_is_asked() -> None:
    vague = [*row(2, 4, 4, 5), die(6, (900, 100), 0.7)]
    clear = [*row(2, 4, 4, 5), die(6, (900, 100), 0.99)]
    looks = [look(1 + t, *clear, since=0.7) for t in (0.1, 0.2, 0.3)]
    _, settled = after(Table(5), look(1, *vague, since=0.7), *looks)
    assert [(roll.t, roll.sure) for roll in settled] == [(1.3, True)]
    table, settled = after(Table(5), *(look(1 + 0.1 * i, *vague, since=0.7) for i in range(ENOUGH)))
    (roll,) = settled
    assert roll.t == pytest.approx(1 + 0.1 * (ENOUGH - 1))
    assert roll.doubtful == (False, False, False, False, True)
    assert roll.doubts == ("the die at the top right may not be a 6",)
    assert table.state == "unsure"


def test_an_unsure_throw_that_becomes_sure_is_corrected_and_is_no_second_one() -> None:
    vague = [*row(2, 4, 4, 5), die(6, (900, 100), 0.7)]
    clear = [*row(2, 4, 4, 5), die(5, (900, 100), 0.99)]
    table, _ = after(Table(5), *(look(1 + 0.1 * i, *vague, since=0.7) for i in range(ENOUGH)))
    table, settled = after(table, look(4, *clear))
    (better,) = settled
    assert (better.n, better.turn, better.roll, better.values, better.sure) == (1, 1, 1, (2, 4, 4, 5, 5), True)
    assert after(table, look(6, *clear))[1] == []


def test_what_the_player_says_holds() -> None:
    vague = [*row(2, 4, 4, 5), die(6, (900, 100), 0.7)]
    table, _ = after(Table(5), *(look(1 + 0.1 * i, *vague, since=0.7) for i in range(ENOUGH)))
    table = table.fixed((2, 4, 4, 5, 5))
    assert table.latest is not None
    assert table.latest.sure
    table, settled = after(table, look(4, *vague))
    assert settled == []
    kept = [*row(2, 4, 4, 5)[:2], die(6, (900, 100), 0.7)]
    table, settled = after(table, look(6, *kept), look(8, *kept, *row(1, 1, y=500)))
    assert settled[0].kept_values == (2, 4, 5)  # a die that is kept can't change its value
    with pytest.raises(ValueError, match="so many dice"):
        table.fixed((1, 2))


def test_a_kept_die_settles_the_doubt_about_it() -> None:
    first = row(2, 4, 4, 5, 6)
    vague = [replace(first[1], value=5, confidence=0.6), replace(first[2], confidence=0.6)]
    _, settled = after(Table(5), look(1, *first), look(3, *vague), look(5, *vague, *row(1, 1, 3, y=500)))
    assert settled[1].sure
    assert settled[1].values == (1, 1, 3, 4, 4)
    assert settled[1].kept_values == (4, 4)


def test_a_die_left_lying_that_seems_another_is_asked_for() -> None:
    first, thrown = row(2, 4, 4, 5, 6), row(1, 1, 3, y=500)
    odd = [first[1], replace(first[2], value=6)]
    looks = [look(5 + 0.1 * i, *odd, *thrown, since=4.7) for i in range(ENOUGH)]
    _, settled = after(Table(5), look(1, *first), look(3, first[1], first[2]), *looks)
    assert not settled[1].sure
    assert sum(settled[1].doubtful) == 1


def test_a_thrown_die_may_come_to_lie_where_another_lay() -> None:
    first = row(2, 4, 4, 5, 6)
    new = [die(1, (100, 100)), *row(1, 3, y=500)]
    _, settled = after(Table(5), look(1, *first), look(3, first[1], first[2]), look(5, first[1], first[2], *new))
    assert settled[1].kept_values == (4, 4)
    assert settled[1].values == (1, 1, 3, 4, 4)


def test_dice_in_a_hand_are_no_roll() -> None:
    dice = row(2, 4, 4, 5, 6)
    held = replace(look(1, *dice), on_table=False)
    table, settled = after(Table(5), held, held)
    assert settled == []
    assert table.state == "hand"
    assert len(after(table, look(3, *dice))[1]) == 1


def test_fewer_dice_are_no_roll_and_a_hidden_one_is_told() -> None:
    four = row(2, 4, 4, 5)
    table, settled = after(Table(5), look(1, *four, since=0.7), look(1.2, *four, since=0.7))
    assert settled == []
    assert table.state == "missing"
    assert table.next_look() is not None


def test_a_throw_of_which_a_die_is_never_seen_counts_after_a_while_as_unsure() -> None:
    four = row(2, 4, 4, 5)
    looks = [look(0.3 + 0.4 * i, *four, since=0.0) for i in range(6)]
    table, settled = after(Table(5), *looks)
    (roll,) = settled
    assert roll.t >= PATIENCE
    assert roll.doubts == ("4 dice were read where 5 are expected",)
    table, settled = after(table, look(9, *four, die(1, (500, 500))))
    (better,) = settled
    assert (better.n, better.sure, better.values) == (1, True, (1, 2, 4, 4, 5))


def test_dice_thrown_to_where_the_last_ones_lay_are_a_throw_though_one_is_hardly_seen() -> None:
    first, again = row(2, 3, 3, 2, 5), row(4, 1, 6, 3)
    fifth = die(3, (420, 110), 0.55)
    looks = [look(5.3 + 0.4 * i, *again, *[fifth] * (i % 2), since=5.0) for i in range(6)]
    _, settled = after(Table(5), look(1, *first), look(3), *looks)
    assert [(roll.roll, roll.kept_values) for roll in settled] == [(1, ()), (2, ())]
    assert within((1, 3, 4, 6), settled[1].values)
    assert not settled[1].sure


LEANING = Doubt("a die on the right leans, is cut off or is hidden", Region(900, 300, 40, 40, 0.9), is_die=True)


def test_a_leaning_die_is_waited_for() -> None:
    four = row(2, 4, 4, 5)
    looks = [look(0.3 + 0.5 * i, *four, since=0.0, leftovers=[LEANING]) for i in range(20)]
    table, settled = after(Table(5), *looks)
    assert settled == []
    assert table.state == "missing"
    _, settled = after(table, look(20, *four, die(6, (900, 300))))
    assert [(roll.n, roll.sure) for roll in settled] == [(1, True)]


def test_a_leaning_die_that_is_left_so_counts_once_the_dice_are_taken_up() -> None:
    four, next_ = row(2, 4, 4, 5), row(1, 1, 3, y=500)
    table, settled = after(Table(5), look(1, *four, since=0.5, leftovers=[LEANING]), look(3, *four[1:3]))
    (roll,) = settled
    assert (roll.n, roll.roll, roll.t, roll.values, roll.sure) == (1, 1, 1, (2, 4, 4, 5), False)
    _, settled = after(table, look(5, *four[1:3], *next_))
    assert [(roll.n, roll.roll, roll.values) for roll in settled] == [(2, 2, (1, 1, 3, 4, 4))]
    assert settled[0].kept_values == (4, 4)


def test_a_throw_in_doubt_counts_when_its_dice_are_taken_up_before_it_is_told() -> None:
    vague = [*row(2, 4, 4, 5), die(6, (900, 100), 0.7)]
    table, settled = after(Table(5), look(1, *vague, since=0.7), look(1.2, *vague, since=0.7))
    assert settled == []
    _, settled = after(table, look(3, *vague[1:3]))
    assert [(roll.n, roll.values, roll.t, roll.sure) for roll in settled] == [(1, (2, 4, 4, 5, 6), 1.2, False)]


def test_a_die_that_leaned_and_was_read_is_set_right_within_the_same_throw() -> None:
    vague = [*row(2, 4, 4, 5), die(6, (900, 100), 0.6)]
    table, _ = after(Table(5), look(1, *vague, since=0.7), look(1.2, *vague, since=0.7))
    _, settled = after(table, look(3, *vague[:4], die(1, (940, 120))))
    assert [(roll.n, roll.values, roll.sure) for roll in settled] == [(1, (1, 2, 4, 4, 5), True)]


def test_a_die_thrown_back_to_where_it_lay_is_a_throw() -> None:
    first = row(1, 2, 5, 5, 6)
    again = [*first[:3], replace(first[3], value=2), first[4]]
    _, settled = after(Table(5), look(1, *first), look(3, *first[:3], first[4]), look(5, *again))
    assert [(roll.roll, roll.values) for roll in settled] == [(1, (1, 2, 5, 5, 6)), (2, (1, 2, 2, 5, 6))]
    assert settled[1].kept_values == (1, 2, 5, 6)


def test_in_a_larger_picture_the_dice_lie_where_they_lay() -> None:
    dice = row(2, 4, 4, 5, 6)
    table, _ = after(Table(5), look(1, *dice))
    large = [replace(d, region=Region(2 * d.region.x, 2 * d.region.y, 2 * SIZE, 2 * SIZE, 0.9)) for d in dice]
    assert after(table.enlarged(2), look(3, *large))[1] == []


def test_a_throw_still_in_doubt_at_the_end_is_told_as_it_is() -> None:
    vague = [*row(2, 4, 4, 5), die(6, (900, 100), 0.7)]
    table, _ = after(Table(5), look(1, *vague, since=0.7), look(1.2, *vague, since=0.7))
    table, last = table.ended()
    assert last is not None
    assert (last.n, last.values, last.sure) == (1, (2, 4, 4, 5, 6), False)
    assert table.ended()[1] is None


def test_a_moment_of_rest_in_a_throw_is_none() -> None:
    vague = [*row(2, 4, 4, 5), die(6, (900, 100), 0.7)]
    _, settled = after(Table(5), look(1, *vague, since=0.75), look(3, *row(2, 4, 4, 5, 6, y=400)))
    assert [(roll.n, roll.t) for roll in settled] == [(1, 3)]


def test_a_kept_die_that_can_not_be_read_where_it_lies_is_known_all_the_same() -> None:
    first, thrown = row(2, 4, 4, 5, 6), row(1, 1, 3, y=500)
    hidden = Doubt("a die leans, is cut off or is hidden", first[2].region, is_die=True)
    looks = [look(1, *first), look(3, first[1], first[2])]
    _, settled = after(Table(5), *looks, look(5, first[1], *thrown, leftovers=[hidden]))
    assert settled[1].sure
    assert settled[1].kept_values == (4, 4)


def test_dice_taken_up_one_after_the_other_are_no_rolls() -> None:
    dice = row(2, 4, 4, 5, 6)
    looks = [look(1 + 3.0 * n + 0.5 * i, *dice[n:], since=0.7 + 3 * n) for n in range(6) for i in range(5)]
    table, settled = after(Table(5), *looks)
    assert len(settled) == 1
    assert table.state == "waiting"


def test_what_looks_a_little_like_a_die_is_none_where_all_dice_are_sure() -> None:
    button = Doubt("something top left may be a die", Region(10, 10, 40, 40, 0.5))
    dice = row(2, 4, 4, 5, 6)
    assert after(Table(5), look(1, *dice, leftovers=[button]))[1][0].sure
    sixth = die(1, (900, 600), 0.6)
    _, settled = after(Table(5), *(look(1 + 0.1 * i, *dice, sixth, since=0.7) for i in range(ENOUGH)))
    assert settled[0].values == (2, 4, 4, 5, 6)
    assert settled[0].sure


def test_a_sixth_die_that_is_sure_is_told_and_is_no_roll() -> None:
    six = row(1, 2, 3, 4, 5, 6)
    table, settled = after(Table(5), *(look(1 + 0.1 * i, *six, since=0.7) for i in range(9)))
    assert settled == []
    assert table.state == "missing"


def test_dice_printed_on_a_pad_are_known_from_before_the_throw() -> None:
    pad = row(1, 2, 3, y=650)
    table, settled = after(Table(5), look(1, *pad, since=0.5), look(1.2, *pad, since=0.5))
    assert settled == []
    thrown = row(2, 4, 4, 5, 6)
    table, settled = after(table, look(3, *pad, *thrown))
    assert [roll.values for roll in settled] == [(2, 4, 4, 5, 6)]
    _, settled = after(table, look(5, *pad, *thrown[:2]), look(7, *pad, *thrown[:2], *row(1, 1, 1, y=400)))
    assert [(roll.values, roll.kept_values) for roll in settled] == [((1, 1, 1, 2, 4), (2, 4))]


def test_of_dice_that_lie_there_from_the_start_none_is_taken_for_printed() -> None:
    dice = row(2, 4, 4, 5, 6)
    _, settled = after(Table(5), look(1, *dice[1:], since=0.8), look(1.2, *dice[1:], since=0.8), look(3, *dice))
    assert [roll.values for roll in settled] == [(2, 4, 4, 5, 6)]


def test_a_die_seen_at_the_end_of_the_throw_was_not_kept() -> None:
    first, kept, thrown = row(2, 4, 4, 5, 6), row(4, 4, y=600), row(5, 1, 1, y=400)
    table, _ = after(Table(5), look(1, *first), look(3, *kept))
    table, _ = table.moved().peeked(look(4.4, *kept, thrown[0]))
    _, settled = after(table, look(5.3, *kept, *thrown, since=5.0))
    assert settled[0].kept_values == (4, 4)


def test_a_die_that_was_away_is_not_kept_where_another_comes_to_lie_in_its_place() -> None:
    first = row(2, 4, 4, 5, 6)
    vague = replace(first[3], value=2, confidence=0.6)
    table, _ = after(Table(5), look(1, *first))
    table, _ = table.moved().peeked(look(2, *first[2:4]))
    table, settled = after(table, look(3))
    looks = [look(5 + 0.1 * i, vague, *row(1, 2, 3, 6, y=500), since=4.7) for i in range(ENOUGH)]
    _, settled = after(table, *looks)
    assert [(roll.values, roll.kept_values, roll.sure) for roll in settled] == [((1, 2, 2, 3, 6), (), False)]


def test_a_hand_that_rests_over_a_kept_die_does_not_make_it_thrown() -> None:
    first, thrown = row(2, 4, 4, 5, 6), row(1, 1, 3, y=500)
    covered = replace(look(3, first[1]), hidden=True)
    _, settled = after(Table(5), look(1, *first), covered, look(5, first[1], first[2], *thrown))
    assert settled[1].kept_values == (4, 4)


def test_a_throw_that_shows_values_of_the_last_one_is_no_pushing_about() -> None:
    first = row(1, 2, 3, 3, 6)
    four = [*first[2:4], die(1, (200, 400)), die(2, (300, 500))]
    looks = [look(5 + 0.4 * i, *four, since=4.7) for i in range(6)]
    table, settled = after(Table(5), look(1, *first), look(3, *first[2:4]), *looks)
    assert [(roll.roll, roll.values, roll.sure) for roll in settled[1:]] == [(2, (1, 2, 3, 3), False)]
    _, settled = after(table, look(9, *four, die(6, (500, 500))))
    assert [(roll.roll, roll.values, roll.kept_values) for roll in settled] == [(2, (1, 2, 3, 3, 6), (3, 3))]


def test_a_nudged_camera_is_no_roll_and_the_dice_are_known_after_it() -> None:
    dice = row(2, 4, 4, 5, 6)
    moved = [die(d.value, (d.region.x + 33, d.region.y - 12)) for d in dice]
    table, settled = after(Table(5), look(1, *dice), replace(look(3, *moved), shift=(33, -12)))
    assert len(settled) == 1
    _, settled = after(table, look(5, *moved[:3], *row(1, 1, y=500)))
    assert settled[0].kept_values == (2, 4, 4)


def test_not_a_roll_takes_the_throw_back_and_the_dice_are_not_taken_for_another() -> None:
    dice = row(2, 4, 4, 5, 6)
    table, _ = after(Table(5), look(1, *dice))
    table = table.not_a_roll()
    assert table.latest is None
    assert after(table, look(3, *dice))[1] == []
    _, settled = after(table, look(5), look(7, *row(1, 4, 4, 5, 6, y=500)))
    assert [(roll.n, roll.turn, roll.roll) for roll in settled] == [(2, 1, 1)]


def test_reading_again_corrects_the_throw() -> None:
    table, _ = after(Table(5), look(1, *row(2, 4, 4, 5, 6)))
    _, settled = after(table.reading_again(), look(3, *row(2, 4, 4, 5, 5)))
    assert [(roll.n, roll.roll, roll.values, roll.sure) for roll in settled] == [(1, 1, (2, 4, 4, 5, 5), True)]


def test_reading_again_takes_what_lies_there_for_a_throw_where_none_was_told() -> None:
    dice = row(2, 4, 4, 5, 6)
    table, _ = after(Table(5), look(1, *dice))
    table = table.not_a_roll()
    assert len(after(table.reading_again(), look(3, *dice))[1]) == 1


def test_the_sheet_may_say_which_roll_comes() -> None:
    table, _ = after(Table(5), look(1, *row(2, 4, 4, 5, 6)))
    _, settled = after(table.expecting(4, 3), look(3, *row(1, 1, 1, 1, 1, y=500)))
    assert [(roll.turn, roll.roll) for roll in settled] == [(4, 3)]


def test_looks_are_put_together_by_vote_and_mean() -> None:
    spot = (100.0, 100.0)
    looks = [look(1, die(5, spot, 0.6)), look(2, die(6, spot, 0.9)), look(3, die(6, spot, 0.8))]
    (one,) = together([one.reading for one in looks]).dice
    assert one.value == 6
    assert one.confidence == pytest.approx(1.7 / 3)
    once = [look(1, die(5, spot)), look(2), look(3)]
    assert together([one.reading for one in once]).dice == ()


# ---- Any evening at the table


@dataclass
class Evening:
    """A table played at random, and what must be told of it."""

    rng: random.Random
    table: Table
    t: float = 1.0
    dice: tuple[Die, ...] = ()
    told: int = 0
    roll: int = 0

    def look(self, dice: Sequence[Die], shift: Spot = (0.0, 0.0)) -> Settled | None:
        self.t += self.rng.uniform(0.8, 3)
        self.table, settled = self.table.moved().saw(replace(look(self.t, *dice), shift=shift))
        assert len(settled) <= 1
        return settled[0] if settled else None

    def spot(self, taken: Sequence[Die]) -> Spot:
        """A place where no die lay or lies."""
        while True:
            x, y = self.rng.uniform(0, 1200), self.rng.uniform(0, 650)
            if all(abs(d.region.x - x) > SIZE or abs(d.region.y - y) > SIZE for d in taken):
                return x, y

    def laid(self, values: Sequence[int], taken: Sequence[Die]) -> list[Die]:
        new: list[Die] = []
        for value in values:
            new.append(die(value, self.spot([*taken, *new])))
        return new

    def throw(self) -> None:
        self.roll = self.roll % 3 + 1
        kept = list(self.rng.sample(self.dice, self.rng.randint(0, 4))) if self.roll > 1 else []
        if self.rng.random() < 0.4:  # pushed aside
            kept = self.laid([d.value for d in kept], self.dice)
            again = None
        else:
            again = self.rng.random() < 0.3
        if again is None or self.rng.random() < 0.7:
            assert self.look(kept) is None, "no roll while dice are away"
            self.t += 1
        values = [self.rng.randint(1, 6) for _ in range(5 - len(kept))]
        if self.table.aside is None and Counter(values + [d.value for d in kept]) == Counter(
            d.value for d in self.dice
        ):
            values[0] = values[0] % 6 + 1  # nothing tells that from dice pushed about
        thrown = self.laid(values, [*self.dice, *kept])
        settled = self.look([*kept, *thrown])
        self.dice = (*kept, *thrown)
        assert settled is not None, "a throw is told"
        self.told += 1
        assert (settled.n, settled.roll) == (self.told, self.roll)
        assert settled.values == tuple(sorted(d.value for d in self.dice))
        assert settled.kept_values == tuple(sorted(d.value for d in kept))
        assert settled.sure

    def cover(self) -> None:
        """A hand covers some dice and goes away."""
        assert self.look(self.rng.sample(self.dice, self.rng.randint(0, 4))) is None
        self.again()

    def again(self) -> None:
        """The same dice, shaken a little, in a blurred or badly lit look perhaps."""
        shaken = [
            die(d.value, (d.region.x + self.rng.uniform(-3, 3), d.region.y + self.rng.uniform(-3, 3)))
            for d in self.dice
        ]
        assert self.look(shaken) is None

    def blur(self) -> None:
        vague = [replace(d, value=self.rng.randint(1, 6), confidence=0.6) for d in self.dice]
        assert self.look(self.rng.sample(vague, self.rng.randint(1, 5))) is None
        assert self.look(self.dice) is None

    def push(self) -> None:
        pushed = self.laid([d.value for d in self.dice], self.dice)
        assert self.look(pushed) is None
        self.dice = tuple(pushed)

    def nudge(self) -> None:
        by = (self.rng.uniform(-60, 60), self.rng.uniform(-60, 60))
        self.dice = tuple(die(d.value, (d.region.x + by[0], d.region.y + by[1])) for d in self.dice)
        assert self.look(self.dice, by) is None


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 2**32), st.lists(st.sampled_from(["throw", "cover", "again", "blur", "push", "nudge"]), max_size=25)
)
def test_every_throw_is_told_once_and_nothing_else(seed: int, doings: list[str]) -> None:
    evening = Evening(random.Random(seed), Table(5))
    evening.throw()
    for doing in doings:
        getattr(evening, doing)()


def test_the_waits_between_looks_grow() -> None:
    table, waits = Table(5), []
    for i in range(8):
        wait = table.next_look()
        assert wait is not None
        waits.append(wait)
        table, _ = table.saw(look(1 + i, *row(1, 2), since=0.5))
    assert waits == [0.0, *AGAIN, AGAIN[-1]]
