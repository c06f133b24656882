from __future__ import annotations

import pytest

from scorekeeper.errors import BadRoll
from scorekeeper.starting import who_starts


def test_before_any_throw_everyone_is_in() -> None:
    assert who_starts([], 3, 5) == (0, 1, 2)
    assert who_starts([], 1, 5) == (0,)


def test_the_highest_sum_begins() -> None:
    assert who_starts([[(1, 1, 1, 1, 6), (6, 5, 5, 5, 5), (6, 6, 6, 1, 1)]], 3, 5) == (1,)
    assert who_starts([[(2,), (1,), (6,)]], 3, 1) == (2,)


def test_those_tied_throw_again_until_one_is_left() -> None:
    first = [(6,), (2,), (6,), (6,)]
    assert who_starts([first], 4, 1) == (0, 2, 3)
    second = [(1,), (5,), (5,)]
    assert who_starts([first, second], 4, 1) == (2, 3)
    assert who_starts([first, second, [(4,), (4,)]], 4, 1) == (2, 3)
    assert who_starts([first, second, [(3,), (4,)]], 4, 1) == (3,)


@pytest.mark.parametrize(
    "throws, said",
    [
        ([[(1,)]], "one throw for each of 2 players, not 1"),
        ([[(1,), (2,), (3,)]], "not 3"),
        ([[(1,), (1,)], [(1,)]], "Round 2 .* 2 players, not 1"),
        ([[(1,), (2,)], [(3,)]], "Player 1 begins already after round 1"),
        ([[(1,), (2, 2)]], "1 dice, each 1 to 6"),
        ([[(0,), (2,)]], "each 1 to 6"),
        ([[(True,), (2,)]], "each 1 to 6"),
    ],
)
def test_throws_that_do_not_fit_are_refused(throws: list[list[tuple[int, ...]]], said: str) -> None:
    with pytest.raises(BadRoll, match=said):
        who_starts(throws, 2, 1)


def test_one_player_may_throw_alone() -> None:
    assert who_starts([[[1, 2, 3, 4, 5]]], players=1, dice=5) == (0,)


@pytest.mark.parametrize("throw", [[1, 2, 3, 4, 7], [0, 2, 3, 4, 5], [1, 2, 3, 4, True]])
def test_each_die_of_a_throw_is_one(throw: list[int]) -> None:
    with pytest.raises(BadRoll, match="5 dice, each 1 to 6"):
        who_starts([[throw, [1, 2, 3, 4, 5]]], players=2, dice=5)
