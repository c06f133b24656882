"""Yamslam: the rack, the pile, yamslams, rounds without a chip, the end and its bonuses, and the ways to play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.chips import ChipGame
from scorekeeper.dice import Roll
from scorekeeper.errors import BadPlayers, IllegalMove
from scorekeeper.game import PASS, AnyGame, Option, Source
from scorekeeper.rulebooks import make_game

NOTHING: Roll = (1, 2, 3, 5, 6)
TWO_PAIRS: Roll = (1, 1, 2, 2, 3)
THREE: Roll = (1, 1, 1, 2, 4)
FOUR: Roll = (1, 1, 1, 1, 2)
FULL_HOUSE: Roll = (1, 1, 1, 2, 2)
STRAIGHT: Roll = (1, 2, 3, 4, 5)
FLUSH: Roll = (2, 2, 2, 4, 6)
YAMSLAM: Roll = (3, 3, 3, 3, 3)
POINTS = {
    "two_pairs": 5,
    "three_of_a_kind": 10,
    "small_straight": 20,
    "flush": 25,
    "full_house": 30,
    "four_of_a_kind": 40,
    "large_straight": 50,
}

Move = tuple[Roll, str | None] | tuple[Roll, str | None, Source]


def chips_game(**options: str) -> ChipGame:
    game = make_game("yamslam", options)
    assert isinstance(game, ChipGame)
    return game


def play(game: AnyGame, state: Any, *moves: Move) -> Any:
    for roll, chip, *source in moves:
        state = game.take(state, roll, game.choose(state, roll, chip, source=source[0] if source else None))
        check_chips(game, state)
    return state


def check_chips(game: AnyGame, state: Any) -> None:
    """Nothing is lost: 28 chips, 720 points, four of each kind."""
    stock = game.stock(state)
    assert stock is not None
    sides = dict(zip(game.sides(len(stock.chips)), stock.chips, strict=True))
    everywhere = [stock.rack, stock.pile, *sides.values()]
    assert {kind: sum(place[kind] for place in everywhere) for kind in POINTS} == dict.fromkeys(POINTS, 4)
    assert sum(number * POINTS[kind] for place in everywhere for kind, number in place.items()) == 720


def rack(game: AnyGame, state: Any) -> dict[str, int]:
    stock = game.stock(state)
    assert stock is not None
    return dict(stock.rack)


def pile(game: AnyGame, state: Any) -> dict[str, int]:
    stock = game.stock(state)
    assert stock is not None
    return {kind: number for kind, number in stock.pile.items() if number}


def with_rack(state: Any, rack: tuple[int, ...]) -> Any:
    """The same position, but what else was on the rack went to the pile long ago."""
    away = [sum(numbers) for numbers in zip(rack, *state.held, strict=True)]
    return replace(state, rack=rack, pile=tuple(4 - number for number in away))


def test_the_rack_at_the_start() -> None:
    game = make_game("yamslam")
    state = game.start(3)
    assert rack(game, state) == dict.fromkeys(POINTS, 4)
    assert pile(game, state) == {}
    check_chips(game, state)
    assert game.filled(state) == ({}, {}, {})
    assert game.rows == (
        *POINTS,
        "chips",
        "golden_seven",
        "silver_six",
        "full_stacks",
        "last_chip",
        "grand_total",
    )


def test_a_choice_of_one_among_the_satisfied_chips() -> None:
    game = make_game("yamslam")
    state = game.start(2)
    assert game.options(state, FULL_HOUSE) == (
        Option("two_pairs", 5, source="rack"),
        Option("three_of_a_kind", 10, source="rack"),
        Option("full_house", 30, source="rack"),
    )
    assert game.scratches(state, FULL_HOUSE) == (PASS,)
    state = play(game, state, (FULL_HOUSE, "three_of_a_kind"))
    assert rack(game, state) == dict.fromkeys(POINTS, 4) | {"three_of_a_kind": 3}
    assert game.totals(state) == (10, 0)
    assert game.turn(state) == 1


def test_a_chip_that_ran_out_cannot_be_taken() -> None:
    game = make_game("yamslam")
    state = play(game, game.start(2), *[(STRAIGHT, "large_straight")] * 4)
    assert [option.box for option in game.options(state, STRAIGHT)] == ["small_straight"]
    with pytest.raises(IllegalMove, match="No chip 'large_straight' is left on the rack"):
        game.choose(state, STRAIGHT, "large_straight")


@pytest.mark.parametrize(
    "roll, chip, source, scratch, said",
    [
        (NOTHING, "flush", None, False, "does not win a chip 'flush'"),
        (FULL_HOUSE, "ones", None, False, "the chips are two_pairs"),
        (FULL_HOUSE, "full_house", "pile", False, "Only five alike"),
        (YAMSLAM, "full_house", "pile", False, "left in the discard pile"),
        (FULL_HOUSE, "full_house", None, True, "cannot be scratched"),
    ],
)
def test_what_cannot_be_taken(roll: Roll, chip: str, source: Source | None, scratch: bool, said: str) -> None:
    game = make_game("yamslam")
    with pytest.raises(IllegalMove, match=said):
        game.choose(game.start(2), roll, chip, source=source, scratch=scratch)


def test_a_chip_is_worth_what_it_says() -> None:
    game = make_game("yamslam")
    with pytest.raises(IllegalMove, match="worth 30, not 300"):
        game.take(game.start(2), FULL_HOUSE, Option("full_house", 300, source="rack"))


def test_a_round_without_a_chip_discards_one_of_the_highest() -> None:
    game = make_game("yamslam")
    state = play(game, game.start(3, first=1), (NOTHING, None), (FULL_HOUSE, None))
    assert pile(game, state) == {}
    assert game.turn(state) == 0
    state = play(game, state, (NOTHING, None))
    assert pile(game, state) == {"large_straight": 1}
    assert game.turn(state) == 1
    for _ in range(4):
        state = play(game, state, *[(NOTHING, None)] * 3)
    assert pile(game, state) == {"large_straight": 4, "four_of_a_kind": 1}


def test_a_chip_anywhere_in_the_round_saves_the_highest() -> None:
    game = make_game("yamslam")
    state = play(game, game.start(3), (NOTHING, None), (TWO_PAIRS, "two_pairs"), (NOTHING, None))
    assert pile(game, state) == {}
    # The next round begins anew.
    state = play(game, state, *[(NOTHING, None)] * 3)
    assert pile(game, state) == {"large_straight": 1}


def test_a_yamslam_takes_any_chip_and_plays_again_and_chains() -> None:
    game = make_game("yamslam")
    state = game.start(2)
    assert [option.box for option in game.options(state, YAMSLAM)] == list(POINTS)
    state = play(game, state, (YAMSLAM, "large_straight"), (YAMSLAM, "flush"))
    assert game.turn(state) == 0
    assert not game.keeps_roll(state)
    state = play(game, state, (NOTHING, None))
    assert game.turn(state) == 1
    assert game.totals(state) == (75, 0)
    # It counts for the round.
    assert pile(game, play(game, state, (NOTHING, None))) == {}


def test_a_yamslam_that_takes_nothing_plays_again_all_the_same() -> None:
    game = make_game("yamslam")
    state = play(game, game.start(2, first=1), (YAMSLAM, None))
    assert game.turn(state) == 1
    assert pile(game, play(game, state, (NOTHING, None), (NOTHING, None))) == {"large_straight": 1}


def test_only_a_yamslam_takes_from_the_pile() -> None:
    game = make_game("yamslam")
    state = play(game, game.start(2), (NOTHING, None), (NOTHING, None))
    options = game.options(state, YAMSLAM)
    assert options[-1] == Option("large_straight", 50, source="pile")
    assert len(options) == 8
    assert all(option.source == "rack" for option in game.options(state, STRAIGHT))
    state = play(game, state, (YAMSLAM, "large_straight", "pile"))
    assert pile(game, state) == {}
    assert rack(game, state)["large_straight"] == 3
    assert game.totals(state) == (50, 0)
    assert game.turn(state) == 0


def test_the_last_chip_from_the_rack_ends_the_game_with_a_bonus() -> None:
    game = make_game("yamslam")
    state = with_rack(game.start(2), (0, 1, 0, 0, 0, 0, 0))
    state = play(game, state, (NOTHING, None), (THREE, "three_of_a_kind"))
    assert game.turn(state) is None
    assert game.sums(state)[1] == {
        "chips": 10,
        "golden_seven": 0,
        "silver_six": 0,
        "full_stacks": 0,
        "last_chip": 20,
        "grand_total": 30,
    }
    assert game.options(state, YAMSLAM) == game.scratches(state, YAMSLAM) == ()
    with pytest.raises(IllegalMove, match="over"):
        game.choose(state, YAMSLAM, None)


def test_a_yamslam_that_takes_the_last_chip_ends_the_game_too() -> None:
    game = make_game("yamslam")
    state = with_rack(game.start(2), (0, 1, 0, 0, 0, 0, 0))
    from_pile = play(game, state, (YAMSLAM, "large_straight", "pile"))
    assert game.turn(from_pile) == 0
    assert game.totals(from_pile) == (50, 0)
    assert game.turn(play(game, from_pile, (YAMSLAM, "three_of_a_kind"))) is None


def test_a_discarded_last_chip_earns_nobody_the_bonus() -> None:
    game = make_game("yamslam")
    state = with_rack(game.start(2), (1, 0, 0, 0, 0, 0, 0))
    state = play(game, state, (NOTHING, None), (NOTHING, None))
    assert game.turn(state) is None
    assert game.totals(state) == (0, 0)


@pytest.mark.parametrize(
    "held, bonus",
    [
        ((1, 1, 1, 1, 1, 1, 1), {"golden_seven": 50}),
        ((1, 1, 1, 1, 1, 1, 0), {"silver_six": 20}),
        ((0, 1, 2, 1, 1, 3, 1), {"silver_six": 20}),
        ((1, 1, 1, 1, 1, 0, 0), {}),
        ((4, 0, 0, 0, 0, 0, 0), {"full_stacks": 30}),
        ((4, 4, 3, 1, 1, 1, 4), {"golden_seven": 50, "full_stacks": 90}),
    ],
)
def test_bonuses(held: tuple[int, ...], bonus: dict[str, int]) -> None:
    game = make_game("yamslam")
    state = replace(game.start(2), held=(held, (0,) * 7))
    sums = game.sums(state)[0]
    names = ("golden_seven", "silver_six", "full_stacks", "last_chip")
    assert {name: sums[name] for name in names if sums[name]} == bonus
    chips = sum(number * points for number, points in zip(held, POINTS.values(), strict=True))
    assert (sums["chips"], sums["grand_total"]) == (chips, chips + sum(bonus.values()))


def test_four_alike_as_two_pairs_is_an_option() -> None:
    assert set(make_game("yamslam").points(FOUR)) == {"two_pairs", "three_of_a_kind", "four_of_a_kind"}
    other = make_game("yamslam", {"four_alike_two_pairs": "no"})
    assert set(other.points(FOUR)) == {"three_of_a_kind", "four_of_a_kind"}
    assert set(other.points(YAMSLAM)) == set(POINTS)


class TestSolo:
    game = make_game("yamslam", {"mode": "solo"})

    def test_every_turn_without_a_chip_discards(self) -> None:
        state = play(self.game, self.game.start(1), (NOTHING, None), (FLUSH, "flush"), (FLUSH, None))
        assert pile(self.game, state) == {"large_straight": 2}

    def test_a_yamslam_takes_two_chips_from_rack_or_pile(self) -> None:
        game = self.game
        state = play(game, game.start(1), (NOTHING, None), (YAMSLAM, "full_house"))
        assert game.keeps_roll(state)
        state = play(game, state, (YAMSLAM, "large_straight", "pile"))
        assert not game.keeps_roll(state)
        assert game.totals(state) == (80,)
        assert pile(game, state) == {}
        # The further turn is a turn of its own.
        assert pile(game, play(game, state, (NOTHING, None))) == {"large_straight": 1}

    def test_the_second_chip_may_be_left(self) -> None:
        game = self.game
        state = play(game, game.start(1), (YAMSLAM, "full_house"), (YAMSLAM, None))
        assert not game.keeps_roll(state)
        assert pile(game, state) == {}
        assert pile(game, play(game, state, (YAMSLAM, None))) == {"large_straight": 1}

    def test_the_last_chip_ends_it_before_a_second(self) -> None:
        game = self.game
        state = with_rack(game.start(1), (0, 1, 0, 0, 0, 0, 0))
        state = play(game, state, (YAMSLAM, "three_of_a_kind"))
        assert game.turn(state) is None
        assert not game.keeps_roll(state)

    def test_the_best_total_is_1000(self) -> None:
        game = self.game
        state = game.start(1)
        for kind in POINTS:
            state = play(game, state, *[(YAMSLAM, kind)] * 4)
        assert game.turn(state) is None
        assert game.sums(state) == (
            {
                "chips": 720,
                "golden_seven": 50,
                "silver_six": 0,
                "full_stacks": 210,
                "last_chip": 20,
                "grand_total": 1000,
            },
        )

    def test_is_for_one(self) -> None:
        with pytest.raises(BadPlayers, match="exactly 1 player, not 2"):
            self.game.start(2)


class TestTeams:
    game = make_game("yamslam", {"mode": "teams"})

    def test_partners_share_chips_and_total(self) -> None:
        game = self.game
        state = play(
            game,
            game.start(4, first=3),
            (FLUSH, "flush"),
            (STRAIGHT, "large_straight"),
            (NOTHING, None),
            (TWO_PAIRS, "two_pairs"),
        )
        assert game.sides(4) == (0, 1, 0, 1)
        assert game.totals(state) == (55, 25, 55, 25)
        assert game.turn(state) == 3
        stock = game.stock(state)
        assert stock is not None
        assert stock.chips[0] == stock.chips[2]
        assert stock.chips[0]["two_pairs"] == 1

    def test_a_round_is_all_four(self) -> None:
        state = play(self.game, self.game.start(4), *[(NOTHING, None)] * 3)
        assert pile(self.game, state) == {}
        assert pile(self.game, play(self.game, state, (NOTHING, None))) == {"large_straight": 1}

    @pytest.mark.parametrize("players", [2, 3, 5])
    def test_is_for_four(self, players: int) -> None:
        with pytest.raises(BadPlayers, match="exactly 4"):
            self.game.start(players)


def test_several_games_are_added_and_the_start_moves_on() -> None:
    game = make_game("yamslam", {"games": "2"})
    state = with_rack(game.start(2), (0, 1, 0, 0, 0, 0, 0))
    state = play(game, state, (THREE, "three_of_a_kind"))
    assert game.turn(state) == 1
    assert rack(game, state) == dict.fromkeys(POINTS, 4)
    assert game.totals(state) == (30, 0)
    assert game.sums(state)[0] == {
        "chips": 0,
        "golden_seven": 0,
        "silver_six": 0,
        "full_stacks": 0,
        "last_chip": 0,
        "earlier_games": 30,
        "grand_total": 30,
    }
    assert game.rows[-2:] == ("earlier_games", "grand_total")
    state = play(game, state, (FLUSH, "flush"), (NOTHING, None), (NOTHING, None), (NOTHING, None))
    assert pile(game, state) == {"large_straight": 1}
    state = play(game, with_rack(state, (1, 0, 0, 0, 0, 0, 0)), (TWO_PAIRS, "two_pairs"))
    assert game.turn(state) is None
    assert game.totals(state) == (30, 50)


def test_the_second_game_begins_one_seat_on() -> None:
    game = make_game("yamslam", {"games": "3"})
    state = game.start(4, first=2)
    begin = []
    while (player := game.turn(state)) is not None:
        if rack(game, state) == dict.fromkeys(POINTS, 4):
            begin.append(player)
            state = with_rack(state, (1, 0, 0, 0, 0, 0, 0))
        state = play(game, state, (TWO_PAIRS, "two_pairs"))
    assert begin == [2, 3, 0]


@pytest.mark.parametrize("players, first", [(0, 0), (9, 0), (3, 3), (3, -1)])
def test_wrong_players_are_refused(players: int, first: int) -> None:
    with pytest.raises(BadPlayers):
        make_game("yamslam").start(players, first)


# --- a position from its numbers -----------------------------------------------------------------------


def test_a_position_alone() -> None:
    game = chips_game(mode="solo")
    full = dict.fromkeys(POINTS, 4)
    state = game.position(full | {"flush": 1, "large_straight": 2}, {"large_straight": 2, "flush": 0}, {"flush": 3})
    check_chips(game, state)
    assert state == replace(
        game.start(1),
        rack=(4, 4, 4, 1, 4, 4, 2),
        pile=(0, 0, 0, 0, 0, 0, 2),
        held=((0, 0, 0, 3, 0, 0, 0),),
    )
    assert game.turn(state) == 0
    assert game.totals(state) == (75,)


@pytest.mark.parametrize("mode, players", [("table", 2), ("teams", 4)])
def test_what_lacks_in_a_position_is_held_by_others(mode: str, players: int) -> None:
    game = chips_game(mode=mode)
    state = game.position({"flush": 1, "two_pairs": 4}, {}, {"flush": 2})
    check_chips(game, state)
    assert state == replace(
        game.start(players),
        rack=(4, 0, 0, 1, 0, 0, 0),
        held=((0, 0, 0, 2, 0, 0, 0), (0, 4, 4, 1, 4, 4, 4)),
    )


def test_a_position_at_the_table_with_nobody_else() -> None:
    game = chips_game()
    assert game.position(dict.fromkeys(POINTS, 4), {}, {}) == game.start(1)


@pytest.mark.parametrize(
    "rack, pile, chips, said",
    [
        ({"ones": 1}, {}, {}, "no chip 'ones'; the chips are two_pairs"),
        ({}, {"flush": 5}, {}, "pile holds 0 to 4 chips of the kind 'flush', not 5"),
        ({}, {}, {"flush": -1}, "chips holds 0 to 4 chips of the kind 'flush', not -1"),
        ({"flush": True}, {}, {}, "rack .* not True"),
        ({"flush": 2.0}, {}, {}, "rack .* not 2.0"),
        ({"flush": 3}, {"flush": 1}, {"flush": 1}, "more than the 4 chips there are of the kind 'flush'"),
        (dict.fromkeys(POINTS, 4) | {"flush": 3}, {}, {}, "some 'flush' are missing"),
    ],
)
def test_a_position_that_cannot_be(rack: Any, pile: Any, chips: Any, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        chips_game(mode="solo").position(rack, pile, chips)
