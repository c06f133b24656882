"""The chances against counting all the ways in which the dice can fall."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import pytest

from scorekeeper.advice.odds import YAMSLAM, Hope, hopes
from scorekeeper.dice import FACES, make_roll
from scorekeeper.game import AnyGame
from scorekeeper.rulebooks import make_game

YAMS = make_game("yams")
BOXES = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "yams", "chance")


def by_box(game: AnyGame, keep: tuple[int, ...], rolls_left: int) -> dict[str, Hope]:
    return {hope.box: hope for hope in hopes(game, game.boxes, keep, rolls_left)}


@pytest.mark.parametrize("keep", [(), (6, 6), (4, 4, 4), (1, 2, 3, 4), (2, 3, 5), (5, 5, 2, 2), (6, 6, 6, 6)])
def test_with_one_roll_left_chances_and_points_are_those_of_all_ways_to_fall(keep: tuple[int, ...]) -> None:
    rolls = [make_roll((*keep, *thrown)) for thrown in product(FACES, repeat=5 - len(keep))]
    found = by_box(YAMS, keep, 1)
    for box in BOXES:
        points = [YAMS.points(roll)[box] for roll in rolls]
        chance = sum(map(bool, points)) / len(rolls)
        if 0 < chance < 1:
            assert found[box].chance == pytest.approx(chance, abs=1e-12)
            assert found[box].points == pytest.approx(sum(points) / len(rolls), abs=1e-12)
            assert found[box].count is None
        else:
            assert box not in found


@pytest.mark.parametrize("keep", [(), (6, 6), (4, 4, 4), (2, 3, 5)])
def test_with_two_left_it_is_the_best_play_that_holds_on_to_the_dice(keep: tuple[int, ...]) -> None:
    @cache
    def best(held: tuple[int, ...], rolls_left: int, box: str) -> float:
        if rolls_left == 0:
            return float(YAMS.points(make_roll(held))[box] > 0)
        thrown = list(product(FACES, repeat=5 - len(held)))
        after = [tuple(sorted((*held, *dice))) for dice in thrown]
        if rolls_left == 1:
            return sum(best(dice, 0, box) for dice in after) / len(after)
        return sum(max(best(more, 1, box) for more in _holding(keep, dice)) for dice in after) / len(after)

    found = by_box(YAMS, keep, 2)
    for box in ("full_house", "yams", "large_straight"):
        chance = best(keep, 2, box)
        assert found[box].chance == pytest.approx(chance, abs=1e-12) if chance else box not in found


def _holding(keep: tuple[int, ...], roll: tuple[int, ...]) -> set[tuple[int, ...]]:
    """What can be kept of the roll that holds the dice of `keep`."""
    return {
        part
        for size in range(len(keep), 6)
        for part in combinations(roll, size)
        if all(part.count(face) >= keep.count(face) for face in FACES)
    }


@pytest.mark.parametrize(
    "box, chance",
    [("yams", 0.04602864), ("full_house", 0.36288288), ("small_straight", 0.61544231), ("large_straight", 0.26109502)],
)
def test_the_best_chances_within_three_rolls(box: str, chance: float) -> None:
    assert by_box(YAMS, (), 3)[box].chance == pytest.approx(chance, abs=5e-9)


def test_the_flush_of_yamslam_within_three_rolls() -> None:
    assert by_box(make_game("yamslam"), (), 3)["flush"].chance == pytest.approx(0.64843750, abs=1e-12)


def test_five_alike_are_a_hope_of_their_own_where_they_win_any_chip() -> None:
    game = make_game("yamslam")
    found = hopes(game, ("flush", "full_house", "large_straight"), (2, 2, 2, 2), 1)
    assert [hope.box for hope in found] == ["flush", YAMSLAM]
    assert [hope.points for hope in found] == pytest.approx([25 / 2, 50 / 6])
    assert hopes(game, (), (2, 2, 2, 2), 1) == ()


def test_an_upper_box_hopes_for_three_of_its_face_or_one_more_than_are_kept() -> None:
    three = by_box(YAMS, (6, 6), 1)["sixes"]
    assert three.count == 3
    assert three.chance == pytest.approx(1 - (5 / 6) ** 3)
    assert three.points == pytest.approx(3.0)
    four = by_box(YAMS, (6, 6, 6), 1)["sixes"]
    assert four.count == 4
    assert four.chance == pytest.approx(11 / 36)
    assert four.points == pytest.approx(2.0)
    assert by_box(YAMS, (6, 6, 6, 6), 1)["sixes"].count == 5
    assert "fives" not in by_box(YAMS, (6, 6), 1)


def test_only_the_boxes_asked_for_the_most_points_first() -> None:
    found = hopes(YAMS, ("yams", "full_house", "four_of_a_kind", "three_of_a_kind"), (4, 4, 4), 1)
    assert [hope.box for hope in found] == ["four_of_a_kind", "full_house", "yams"]
    assert hopes(YAMS, (), (4, 4, 4), 1) == ()


@pytest.mark.parametrize("rolls_left", [0, 4])
def test_without_a_throw_nothing_is_hoped_for(rolls_left: int) -> None:
    with pytest.raises(ValueError, match="1 to 3 rolls"):
        hopes(YAMS, YAMS.boxes, (4, 4), rolls_left)
