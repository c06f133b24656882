"""How many of the 7,776 rolls pass each test, as the rules count them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

import pytest

from scorekeeper import patterns
from scorekeeper.dice import Roll, make_roll

ROLLS = [make_roll(dice) for dice in itertools.product(range(1, 7), repeat=5)]


@pytest.mark.parametrize(
    "test, count",
    [
        (patterns.alike(5), 6),
        (patterns.alike(4), 156),
        (patterns.alike(3), 1656),
        (patterns.alike(2), 7056),
        (patterns.full_house, 300),
        (patterns.full_house_or_five_alike, 306),
        (patterns.run(4), 1200),
        (patterns.run(5), 240),
        (patterns.exactly(1, 2, 3, 4, 5), 120),
        (patterns.exactly(2, 3, 4, 5, 6), 120),
        (patterns.one_colour, 486),
        (patterns.two_pairs, 2100),
        (patterns.two_pairs_or_four_alike, 2256),
    ],
)
def test_one_roll_counts(test: Callable[[Roll], bool], count: int) -> None:
    assert sum(map(test, ROLLS)) == count


@pytest.mark.parametrize(
    "score",
    [
        patterns.total,
        patterns.sum_of(4),
        patterns.sum_of_alike(3),
        patterns.sum_of_two_pairs,
        patterns.sum_of_two_pairs_or_four_alike,
        patterns.worth(25, patterns.full_house),
        patterns.total_if(patterns.alike(4)),
    ],
)
def test_the_order_of_the_dice_does_not_matter(score: Callable[[Roll], int]) -> None:
    for roll in itertools.combinations_with_replacement(range(1, 7), 5):
        assert len({score(make_roll(order)) for order in itertools.permutations(roll)}) == 1


def test_scores_of_a_few_dice_only() -> None:
    assert patterns.sum_of_alike(2)((3, 3, 6, 6, 6)) == 12
    assert patterns.sum_of_alike(3)((5, 5, 5, 5, 5)) == 15
    assert patterns.sum_of_two_pairs((3, 3, 6, 6, 6)) == 18
    assert patterns.sum_of_two_pairs((4, 4, 4, 4, 2)) == 0
    assert patterns.sum_of_two_pairs_or_four_alike((4, 4, 4, 4, 2)) == 16
    assert patterns.sum_of_two_pairs_or_four_alike((4, 4, 4, 4, 4)) == 16


def test_sums_are_spread_as_five_dice_spread() -> None:
    ways = Counter([0])
    for _ in range(5):
        ways = Counter(total + face for total in ways.elements() for face in range(1, 7))
    assert Counter(map(patterns.total, ROLLS)) == ways
