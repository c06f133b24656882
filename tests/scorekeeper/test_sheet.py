"""Filling the columns: who is next, jokers, the prime, scratches, sums, and the highest totals there are."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
import yatzy_solver

from scorekeeper.dice import Roll, make_roll
from scorekeeper.errors import BadPlayers, IllegalMove
from scorekeeper.game import PASS, AnyGame, Option
from scorekeeper.rulebooks import make_game
from scorekeeper.sheet import SheetGame, SheetState

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
ROLLS = [make_roll(dice) for dice in itertools.product(range(1, 7), repeat=5)]


def alike(face: int) -> Roll:
    return face, face, face, face, face


def play(game: AnyGame, moves: Iterable[tuple[str, Roll]], state: Any = None, scratch: bool = False) -> Any:
    state = game.start(1) if state is None else state
    for box, roll in moves:
        state = game.take(state, roll, game.choose(state, roll, box, scratch=scratch))
    return state


def zeros(*boxes: str) -> list[tuple[str, Roll]]:
    """Fill these boxes with a roll that is worth nothing there: a zero that is no choice."""
    return [(box, (1, 2, 2, 5, 6) if box in ("threes", "fours") else (3, 3, 4, 4, 1)) for box in boxes]


def options(game: AnyGame, state: Any, roll: Roll) -> dict[str | None, int]:
    return {option.box: option.points for option in game.options(state, roll)}


def boxes_of(game: AnyGame, *, upper: bool) -> set[str]:
    return {box for box in game.boxes if (box in UPPER) == upper}


# --- turns ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(1, 9))
def test_everybody_plays_in_turn_until_all_columns_are_full(players: int) -> None:
    game, first = make_game("yams"), players // 2
    state = game.start(players, first)
    seats = []
    for box in game.boxes:
        for _ in range(players):
            player = game.turn(state)
            assert player is not None
            seats.append(player)
            state = play(game, [(box, (1, 2, 3, 4, 6))], state)
    assert seats == [(first + turn) % players for turn in range(13 * players)]
    assert game.turn(state) is None
    assert game.options(state, alike(1)) == game.scratches(state, alike(1)) == ()
    assert [len(filled) for filled in game.filled(state)] == [13] * players
    with pytest.raises(IllegalMove, match="over"):
        game.choose(state, alike(1), "ones")


@pytest.mark.parametrize("players, first", [(0, 0), (9, 0), (-1, 0), (2, 2), (2, -1)])
def test_wrong_players_are_refused(players: int, first: int) -> None:
    with pytest.raises(BadPlayers):
        make_game("scandinavian").start(players, first)


def test_a_box_is_filled_once() -> None:
    game = make_game("yams")
    state = play(game, [("chance", (1, 2, 3, 4, 6))])
    assert "chance" not in options(game, state, alike(6))
    with pytest.raises(IllegalMove, match="'chance' is filled already"):
        game.choose(state, alike(6), "chance")
    with pytest.raises(IllegalMove, match="filled already"):
        game.take(state, alike(6), Option("chance", 30))


def test_a_zero_is_not_an_empty_box() -> None:
    game = make_game("yams")
    state = play(game, [("yams", (1, 2, 3, 4, 6))])
    assert game.filled(state) == ({"yams": 0},)
    assert "yams" not in options(game, state, alike(6))


@pytest.mark.parametrize(
    "box, scratch, source, said",
    [
        ("flush", False, None, "its boxes are ones, twos"),
        ("x" * 5000, False, None, "no box"),
        (None, False, None, "cannot be passed"),
        ("ones", False, "rack", "Only Yamslam"),
    ],
)
def test_what_a_sheet_does_not_know_is_refused(box: str | None, scratch: bool, source: Any, said: str) -> None:
    game = make_game("yams")
    with pytest.raises(IllegalMove, match=said) as refused:
        game.choose(game.start(1), alike(1), box, scratch=scratch, source=source)
    assert len(str(refused.value)) < 250


def test_points_must_be_what_the_roll_is_worth() -> None:
    game = make_game("yams")
    state = game.start(1)
    for wrong in (Option("ones", 6), Option("ones", 5, prime=100), Option("ones", 0), PASS):
        with pytest.raises(IllegalMove):
            game.take(state, alike(1), wrong)
    assert game.filled(state) == ({},)


# --- scratches -----------------------------------------------------------------------------------------


def test_a_scratch_is_a_zero_by_choice_and_apart_from_the_options() -> None:
    game = make_game("yams")
    state = game.start(1)
    roll = (2, 2, 4, 4, 4)
    assert not any(option.scratch for option in game.options(state, roll))
    assert [option.box for option in game.scratches(state, roll)] == [
        "twos",
        "fours",
        "three_of_a_kind",
        "full_house",
        "chance",
    ]
    assert all(option.points == 0 and option.scratch for option in game.scratches(state, roll))
    state = game.take(state, roll, game.choose(state, roll, "chance", scratch=True))
    assert game.filled(state) == ({"chance": 0},)
    # Where the roll gives zero anyway a scratch is just that zero.
    assert game.choose(state, roll, "ones", scratch=True) == Option("ones", 0)


# --- jokers --------------------------------------------------------------------------------------------

FULL = {"full_house": 25, "small_straight": 30, "large_straight": 40}


@pytest.mark.parametrize("game_id, five", [("yams", "yams"), ("yatzy", "yatzy")])
class TestJoker:
    def test_none_scores_like_any_roll(self, game_id: str, five: str) -> None:
        game = make_game(game_id)
        state = play(game, [(five, alike(4)), ("fours", alike(4))])
        found = options(game, state, alike(4))
        assert set(found) == set(game.boxes) - {five, "fours"}
        assert {box: found[box] for box in FULL} == dict.fromkeys(FULL, 0)

    def test_seeds_opens_the_free_lower_boxes_only(self, game_id: str, five: str) -> None:
        game = make_game(game_id, {"joker": "seeds"})
        state = play(game, [(five, alike(4)), ("fours", alike(4)), ("chance", (1, 2, 3, 4, 6))])
        assert options(game, state, alike(4)) == FULL | {"three_of_a_kind": 20, "four_of_a_kind": 20}
        for scratch in (False, True):
            with pytest.raises(IllegalMove, match="joker and may not go into 'ones'; it may go into three_of"):
                game.choose(state, alike(4), "ones", scratch=scratch)
        assert {option.box for option in game.scratches(state, alike(4))} == {
            *FULL,
            "three_of_a_kind",
            "four_of_a_kind",
        }

    def test_seeds_without_a_lower_box_gives_a_zero_above(self, game_id: str, five: str) -> None:
        game = make_game(game_id, {"joker": "seeds"})
        lower = boxes_of(game, upper=False) - {five}
        state = play(game, [(five, alike(4)), ("fours", alike(4)), *zeros(*sorted(lower))])
        assert options(game, state, alike(4)) == {box: 0 for box in UPPER if box != "fours"}

    def test_seeds_needs_the_box_of_the_face_filled(self, game_id: str, five: str) -> None:
        game = make_game(game_id, {"joker": "seeds"})
        state = play(game, [(five, alike(4)), ("twos", alike(2))])
        found = options(game, state, alike(4))
        assert set(found) == set(game.boxes) - {five, "twos"}
        assert found["fours"] == 20
        assert found["full_house"] == 0

    @pytest.mark.parametrize("scratch", [False, True])
    def test_seeds_needs_fifty_in_the_box(self, game_id: str, five: str, scratch: bool) -> None:
        game = make_game(game_id, {"joker": "seeds"})
        roll = alike(4) if scratch else (1, 1, 2, 3, 4)
        state = play(game, [(five, roll)], scratch=scratch)
        # The further yams in the chance box does not count either.
        state = play(game, [("fours", alike(4)), ("chance", alike(4))], state)
        found = options(game, state, alike(4))
        assert set(found) == set(game.boxes) - {five, "fours", "chance"}
        assert {box: found[box] for box in FULL} == dict.fromkeys(FULL, 0)

    def test_seeds_yams_scored_elsewhere_leaves_the_box_open(self, game_id: str, five: str) -> None:
        game = make_game(game_id, {"joker": "seeds", "prime": "yes"})
        state = play(game, [("fours", alike(4)), ("chance", alike(4))])
        found = game.options(state, alike(4))
        assert {option.box for option in found} == set(game.boxes) - {"fours", "chance"}
        assert all(option.prime == 0 for option in found)
        assert {option.box: option.points for option in found}[five] == 50

    @pytest.mark.parametrize("held", [alike(2), (1, 1, 2, 3, 4)], ids=["fifty", "zero"])
    def test_forced_must_open_the_box_of_the_face(self, game_id: str, five: str, held: Roll) -> None:
        game = make_game(game_id, {"joker": "forced"})
        state = play(game, [(five, held)])
        assert options(game, state, alike(4)) == {"fours": 20}
        with pytest.raises(IllegalMove, match="it may go into fours"):
            game.choose(state, alike(4), "full_house")
        assert [option.box for option in game.scratches(state, alike(4))] == ["fours"]

    @pytest.mark.parametrize("held", [alike(2), (1, 1, 2, 3, 4)], ids=["fifty", "zero"])
    def test_forced_then_lower_then_a_zero_above(self, game_id: str, five: str, held: Roll) -> None:
        game = make_game(game_id, {"joker": "forced"})
        state = play(game, [(five, held), ("fours", (1, 2, 2, 5, 6))])
        assert options(game, state, alike(4)) == FULL | {
            "three_of_a_kind": 20,
            "four_of_a_kind": 20,
            "chance": 20,
        }
        state = play(game, zeros(*sorted(boxes_of(game, upper=False) - {five})), state)
        assert options(game, state, alike(4)) == {box: 0 for box in UPPER if box != "fours"}

    def test_forced_waits_for_the_five_alike_box(self, game_id: str, five: str) -> None:
        game = make_game(game_id, {"joker": "forced"})
        state = play(game, [("fours", alike(4))])
        assert set(options(game, state, alike(4))) == set(game.boxes) - {"fours"}
        assert options(game, state, alike(4))["full_house"] == 0

    @pytest.mark.parametrize("held", [alike(2), (1, 1, 2, 3, 4)], ids=["fifty", "zero"])
    def test_free_opens_everything(self, game_id: str, five: str, held: Roll) -> None:
        game = make_game(game_id, {"joker": "free"})
        state = play(game, [(five, held), ("fours", (1, 2, 2, 5, 6))])
        assert options(game, state, alike(4)) == FULL | {
            **dict.fromkeys(("ones", "twos", "threes", "fives", "sixes"), 0),
            **dict.fromkeys(("three_of_a_kind", "four_of_a_kind", "chance"), 20),
        }

    def test_free_needs_the_box_of_the_face_filled(self, game_id: str, five: str) -> None:
        game = make_game(game_id, {"joker": "free"})
        state = play(game, [(five, alike(2))])
        assert options(game, state, alike(4))["large_straight"] == 0

    @pytest.mark.parametrize("joker", ["none", "seeds", "forced", "free"])
    def test_a_joker_is_five_alike(self, game_id: str, five: str, joker: str) -> None:
        game = make_game(game_id, {"joker": joker})
        state = play(game, [(five, alike(4)), ("fours", alike(4))])
        assert options(game, state, (4, 4, 4, 4, 3)) == {
            box: points for box, points in game.points((4, 4, 4, 4, 3)).items() if box not in (five, "fours")
        }


def test_seeds_against_the_text_of_its_rule() -> None:
    """Over random columns: the legal boxes and points, put together box by box from the rule's sentences."""

    def allowed(box: str, filled: Mapping[str, int], face: int) -> int | None:
        if box in filled:
            return None
        open_lower = {"three_of_a_kind", "four_of_a_kind", "yams", "chance", *FULL} - filled.keys()
        applies = filled.get("yams") == 50 and UPPER[face - 1] in filled
        if box in UPPER:
            return None if applies and open_lower else 5 * face * (box == UPPER[face - 1])
        if box in FULL:
            return FULL[box] if applies else 0
        return 50 if box == "yams" else 5 * face

    game = make_game("yams", {"joker": "seeds"})
    chance = random.Random(5)
    seen = set()
    for _ in range(1000):
        boxes = chance.sample(game.boxes, chance.randint(0, 12))
        first = [("yams", alike(chance.randint(1, 6)))] if chance.random() < 0.6 else []
        state = play(game, first)
        for box in boxes:
            roll = chance.choice(ROLLS)
            if box in options(game, state, roll):
                state = play(game, [(box, roll)], state)
        if game.turn(state) is None:
            continue
        face = chance.randint(1, 6)
        (filled,) = game.filled(state)
        rule = {box: points for box in game.boxes if (points := allowed(box, filled, face)) is not None}
        assert options(game, state, alike(face)) == rule
        seen.add((filled.get("yams"), UPPER[face - 1] in filled, bool(set(rule) - set(UPPER))))
    # Every combination of yams box, face box and free lower boxes that there can be came up.
    assert len(seen) == 12 - 2


# --- the bonus of 100 ----------------------------------------------------------------------------------


def test_prime_for_every_further_yams_wherever_it_scores() -> None:
    game = make_game("yams", {"prime": "yes"})
    state = play(game, [("yams", alike(1)), ("sixes", alike(6)), ("chance", alike(6))])
    state = play(game, [("large_straight", alike(5))], state)
    state = play(game, [("three_of_a_kind", alike(5))], state, scratch=True)
    assert game.sums(state)[0]["prime"] == 400
    assert game.sums(state)[0]["upper_subtotal"] == 30
    assert game.totals(state) == (50 + 30 + 30 + 400,)
    assert (game.sums(state)[0]["lower_subtotal"], game.sums(state)[0]["lower_total"]) == (80, 480)


def test_no_prime_after_a_zero_nor_for_the_first() -> None:
    game = make_game("yams", {"prime": "yes"})
    state = play(game, [("yams", alike(1)), ("ones", (1, 1, 1, 1, 2))])
    assert game.sums(state)[0]["prime"] == 0
    state = play(game, [("yams", (1, 1, 1, 1, 2)), ("sixes", alike(6))])
    assert game.sums(state)[0]["prime"] == 0
    state = play(game, [("yams", alike(1))], scratch=True)
    assert all(option.prime == 0 for option in game.options(state, alike(1)))


def test_prime_and_joker_are_independent() -> None:
    moves = [("yams", alike(4)), ("fours", alike(4)), ("full_house", alike(4))]
    totals = {
        (joker, prime): game.totals(play(game, moves))[0]
        for joker in ("none", "seeds", "forced", "free")
        for prime in ("no", "yes")
        for game in [make_game("yams", {"joker": joker, "prime": prime})]
    }
    assert totals == {
        ("none", "no"): 70,
        ("none", "yes"): 270,
        **{(joker, "no"): 95 for joker in ("seeds", "forced", "free")},
        **{(joker, "yes"): 295 for joker in ("seeds", "forced", "free")},
    }


# --- sums ----------------------------------------------------------------------------------------------

SIXTY_THREE = [(box, make_roll([face] * 3 + [face % 6 + 1] * 2)) for face, box in enumerate(UPPER, start=1)]


def test_the_bonus_begins_at_exactly_63() -> None:
    game = make_game("yams")
    assert game.sums(play(game, SIXTY_THREE))[0] == {
        "upper_subtotal": 63,
        "upper_bonus": 35,
        "upper_total": 98,
        "lower_subtotal": 0,
        "prime": 0,
        "lower_total": 0,
        "grand_total": 98,
    }
    just_below = [("ones", (1, 1, 2, 3, 4)), *SIXTY_THREE[1:]]
    assert game.sums(play(game, just_below))[0]["upper_bonus"] == 0
    assert game.totals(play(game, just_below)) == (62,)
    scandinavian = make_game("scandinavian")
    assert scandinavian.sums(play(scandinavian, SIXTY_THREE))[0] == {
        "upper_subtotal": 63,
        "upper_bonus": 50,
        "grand_total": 113,
    }


def test_rows_are_the_printed_sheet() -> None:
    assert make_game("yams").rows == (
        *UPPER,
        "upper_subtotal",
        "upper_bonus",
        "upper_total",
        "three_of_a_kind",
        "four_of_a_kind",
        "full_house",
        "small_straight",
        "large_straight",
        "yams",
        "chance",
        "lower_subtotal",
        "prime",
        "lower_total",
        "grand_total",
    )
    rows = make_game("scandinavian").rows
    assert rows[6:8] == ("upper_subtotal", "upper_bonus")
    assert rows[-2:] == ("yatzy", "grand_total")
    for game_id in ("yams", "yatzy", "scandinavian"):
        game = make_game(game_id)
        sums = tuple(game.sums(game.start(2))[1])
        assert sorted(game.rows) == sorted(game.boxes + sums)
        assert tuple(row for row in game.rows if row in sums) == sums


# --- what a box can hold, and a column from its numbers ------------------------------------------------


def sheet_game(game_id: str, **options: str) -> SheetGame:
    game = make_game(game_id, options)
    assert isinstance(game, SheetGame)
    return game


def test_what_a_box_can_hold() -> None:
    game = sheet_game("yams")
    sums = frozenset({0, *range(5, 31)})
    assert {box: game.possible(box) for box in game.boxes} == {
        **{box: frozenset(range(0, 5 * face + 1, face)) for face, box in enumerate(UPPER, start=1)},
        "three_of_a_kind": sums,
        "four_of_a_kind": sums,
        "full_house": {0, 25},
        "small_straight": {0, 30},
        "large_straight": {0, 40},
        "yams": {0, 50},
        "chance": sums,
    }
    game = sheet_game("scandinavian")
    assert game.possible("four_of_a_kind") == {0, 4, 8, 12, 16, 20, 24}
    assert game.possible("small_straight") == {0, 15}
    assert 30 not in game.possible("full_house")
    assert 30 in sheet_game("scandinavian", five_alike_full_house="yes").possible("full_house")
    with pytest.raises(IllegalMove, match="no box 'flush'"):
        game.possible("flush")


def test_a_jokers_points_can_be_held_only_where_there_is_a_joker() -> None:
    odd = tuple(replace(box, joker=33) if box.joker == 30 else box for box in sheet_game("yams").lower)
    assert replace(sheet_game("yams"), lower=odd).possible("small_straight") == {0, 30}
    assert replace(sheet_game("yams", joker="free"), lower=odd).possible("small_straight") == {0, 30, 33}


def test_a_column_from_its_numbers() -> None:
    game = sheet_game("yams", prime="yes")
    assert game.column({}) == game.start(1).columns[0]
    column = game.column({"yams": 50, "ones": 0, "sixes": 30}, 2)
    state = SheetState((column,), 0)
    assert game.filled(state) == ({"ones": 0, "sixes": 30, "yams": 50},)
    assert game.totals(state) == (280,)


@pytest.mark.parametrize(
    "options, boxes, primes, said",
    [
        ({}, {"flush": 1}, 0, "no box 'flush'"),
        ({}, {"ones": 6}, 0, "'ones' cannot hold 6; possible is 0 to 5"),
        ({}, {"yams": 25}, 0, "possible is 0, 50"),
        ({}, {"chance": 4}, 0, "possible is 0, 5 to 30"),
        ({}, {"ones": True}, 0, "cannot hold True"),
        ({}, {"ones": 3.0}, 0, "cannot hold 3.0"),
        ({}, {"ones": "3"}, 0, "cannot hold '3'"),
        ({}, {"yams": 50, "ones": 3}, 1, "played without the prime"),
        ({"prime": "yes"}, {"ones": 3}, 1, "before the box 'yams' holds points"),
        ({"prime": "yes"}, {"ones": 3, "yams": 0}, 1, "before the box 'yams' holds points"),
        ({"prime": "yes"}, {"ones": 3, "yams": 50}, 2, "2 primes are more than the other boxes filled: 1"),
        ({"prime": "yes"}, {"ones": 3, "yams": 50}, -1, "a whole number from 0, not -1"),
        ({"prime": "yes"}, {"ones": 3, "yams": 50}, True, "a whole number from 0, not True"),
    ],
)
def test_a_column_that_cannot_be(options: dict[str, str], boxes: Any, primes: Any, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        sheet_game("yams", **options).column(boxes, primes)


# --- the highest totals --------------------------------------------------------------------------------

BEST_ROLLS = {
    **{box: alike(face) for face, box in enumerate(UPPER, start=1)},
    **dict.fromkeys(("three_of_a_kind", "four_of_a_kind", "chance", "one_pair"), alike(6)),
    "two_pairs": (6, 6, 5, 5, 1),
    "full_house": (6, 6, 6, 5, 5),
    "small_straight": (1, 2, 3, 4, 5),
    "large_straight": (2, 3, 4, 5, 6),
    "yams": alike(6),
    "yatzy": alike(6),
}


@pytest.mark.parametrize("game_id, highest", [("yams", 375), ("yatzy", 375), ("scandinavian", 374)])
def test_highest_total(game_id: str, highest: int) -> None:
    game = make_game(game_id)
    assert game.totals(play(game, [(box, BEST_ROLLS[box]) for box in game.boxes])) == (highest,)
    # More is not possible: no roll gives any box more than the one played.
    best = {box: game.points(BEST_ROLLS[box])[box] for box in game.boxes}
    assert all(points <= best[box] for roll in ROLLS for box, points in game.points(roll).items())


@pytest.mark.parametrize("joker", ["seeds", "forced", "free"])
def test_highest_total_with_joker_and_prime(joker: str) -> None:
    game = make_game("yams", {"joker": joker, "prime": "yes"})
    upper = [(box, alike(face)) for face, box in enumerate(UPPER, start=1)]
    lower = [(box, alike(6)) for box in game.boxes if box not in UPPER and box != "yams"]
    state = play(game, [("yams", alike(6)), *upper, *lower])
    # 375 as without them, for no box holds more as a joker, and all 12 further turns earn the bonus.
    assert game.totals(state) == (375 + 12 * 100,) == (1575,)


# --- against a program of others -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "variant, chosen",
    [
        ("american", {"joker": "free", "prime": "yes"}),
        ("american+forced-joker", {"joker": "forced", "prime": "yes"}),
        ("american+no-joker", {"joker": "none", "prime": "yes"}),
        ("american+no-bonus", {"joker": "none", "prime": "no"}),
        ("yatzy-scandinavian", {}),
        ("yatzy-scandinavian+fh5+tp4", {"five_alike_full_house": "yes", "four_alike_two_pairs": "yes"}),
    ],
)
def test_whole_games_like_yatzy_solver(variant: str, chosen: Mapping[str, str]) -> None:
    """In lockstep with its game: the same boxes are legal, and every score and sum is the same."""
    game = make_game("scandinavian" if "yatzy" in variant else "yams", chosen)
    rules = yatzy_solver.Variant(variant)
    chance = random.Random(variant)
    for _ in range(150):
        theirs, state = yatzy_solver.Game(rules), game.start(1)
        while game.turn(state) is not None:
            # Half of the rolls are five alike, of few faces, so that all joker rules come up.
            roll = alike(chance.choice((3, 4))) if chance.random() < 0.5 else chance.choice(ROLLS)
            situation = rules.start_turn(theirs.state, list(roll))
            legal = {
                action.removeprefix("score ").replace("five_of_a_kind", "yams")
                for action in rules.legal_actions(situation)
                if action.startswith("score ")
            }
            mine = game.options(state, roll)
            assert {option.box for option in mine} == legal
            option = chance.choice(mine)
            assert option.box
            before = game.totals(state)[0]
            state = game.take(state, roll, option)
            earned = theirs.score(list(roll), option.box.replace("yams", "five_of_a_kind"))
            assert (option.points, option.prime) == (earned["points"], earned["bonus"])
            assert game.totals(state)[0] - before == earned["total"]
        assert theirs.is_over
        assert game.totals(state) == (theirs.total,)
