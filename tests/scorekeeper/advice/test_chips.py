"""Advice for Yamslam against plain recursion through the game, reference values, and games played by it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from scorekeeper.advice import advisor, ready, start_value
from scorekeeper.advice.chip_rules import chip_rules
from scorekeeper.advice.chips import ChipAdvisor, suited
from scorekeeper.advice.rolls import ROLLS, turn_values
from scorekeeper.advice.ship import FOLDER, shipped_solo
from scorekeeper.advice.simulate_chips import simulate
from scorekeeper.advice.solo import Alone, Positions, solve
from scorekeeper.advice.tables import Table, file_name, from_bytes
from scorekeeper.advice.types import Advice
from scorekeeper.chips import ChipGame, ChipState
from scorekeeper.dice import Roll, five_alike, make_roll
from scorekeeper.errors import IllegalMove
from scorekeeper.rulebooks import make_game

NOTHING: Roll = (1, 2, 3, 5, 6)
FULL_HOUSE: Roll = (1, 1, 1, 2, 2)
THREE_FLUSH: Roll = (1, 1, 1, 3, 5)
LARGE_STRAIGHT: Roll = (1, 2, 3, 4, 5)
YAMSLAM: Roll = (3, 3, 3, 3, 3)


def yamslam(**options: str) -> ChipGame:
    game = make_game("yamslam", options)
    assert isinstance(game, ChipGame)
    return game


SOLO = yamslam(mode="solo")
TABLE = yamslam()
TEAMS = yamslam(mode="teams")


def tiny(*boxes: str, **options: str) -> ChipGame:
    """Only these kinds of chips."""
    game = yamslam(**options)
    return replace(game, kinds=tuple(kind for kind in game.kinds if kind.id in boxes))


@pytest.fixture(scope="module")
def solo_table() -> Table:
    key, game = shipped_solo()
    assert game == SOLO
    table = from_bytes(key, (FOLDER / file_name(key)).read_bytes())
    assert table is not None
    return table


@pytest.fixture(scope="module")
def alone(solo_table: Table) -> ChipAdvisor:
    return ChipAdvisor(SOLO, Alone(SOLO, chip_rules(SOLO), solo_table))


def at_table(game: ChipGame = TABLE) -> ChipAdvisor:
    made = advisor(game)
    assert isinstance(made, ChipAdvisor)
    return made


def positions(game: ChipGame, seed: int, players: int) -> Iterator[tuple[ChipState, Roll]]:
    """Positions and rolls of games played at random, with many fives alike."""
    dice = random.Random(seed)
    while True:
        state = game.start(players, first=dice.randrange(players))
        while game.turn(state) is not None:
            roll = YAMSLAM if dice.random() < 0.25 else make_roll(dice.choices(range(1, 7), k=5))
            yield state, roll
            options = (*game.options(state, roll), *game.scratches(state, roll))
            state = game.take(state, roll, dice.choice(options))


# The turn of three rolls, worked out anew in plain Python.

CHANCES = [Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=number)) for number in range(6)]
KEPT = {roll: {keep for size in range(6) for keep in combinations(roll, size)} for roll in ROLLS}
THROWN = {
    keep: [
        (make_roll(sorted(keep + more)), times / 6 ** (5 - len(keep))) for more, times in CHANCES[5 - len(keep)].items()
    ]
    for keep in set().union(*KEPT.values())
}


def plain_turn(end: Callable[[Roll], float]) -> float:
    """What a turn is worth, if each roll at its end is worth that."""
    values = {roll: end(roll) for roll in ROLLS}
    for _ in range(2):
        thrown = {keep: sum(chance * values[roll] for roll, chance in rolls) for keep, rolls in THROWN.items()}
        values = {roll: max(thrown[keep] for keep in keeps) for roll, keeps in KEPT.items()}
    return float(sum(chance * values[roll] for roll, chance in THROWN[()]))


def by_outcome(game: ChipGame, value: Callable[[Roll], float]) -> Callable[[Roll], float]:
    """The same for rolls that win the same chips."""
    known: dict[object, float] = {}

    def end(roll: Roll) -> float:
        outcome = (five_alike(roll), *game.points(roll))
        if outcome not in known:
            known[outcome] = value(roll)
        return known[outcome]

    return end


def plain_solo(game: ChipGame) -> Callable[[ChipState], float]:
    """The value of a position of a solo game: a recursion through the game's own moves, nothing else."""

    @cache
    def value(state: ChipState) -> float:
        if game.turn(state) is None:
            return game.totals(state)[0]

        def best(roll: Roll) -> float:
            options = (*game.options(state, roll), *game.scratches(state, roll))
            return max(value(game.take(state, roll, option)) for option in options)

        return best(YAMSLAM) if game.keeps_roll(state) else plain_turn(by_outcome(game, best))

    return value


def plain_this_turn(game: ChipGame, player: int) -> Callable[[ChipState], float]:
    """The player's total to be expected after a turn that is theirs."""

    @cache
    def after_turn(state: ChipState) -> float:
        def best(roll: Roll) -> float:
            # To pass after five alike would lead back here.
            none = () if five_alike(roll) else game.scratches(state, roll)
            then = [game.take(state, roll, option) for option in (*game.options(state, roll), *none)]
            return max(
                after_turn(one) if five_alike(roll) and game.turn(one) is not None else game.totals(one)[player]
                for one in then
            )

        value = plain_turn(by_outcome(game, best))
        assert value <= best(YAMSLAM)
        return value

    return after_turn


@pytest.mark.parametrize(
    "boxes", [("two_pairs",), ("three_of_a_kind", "large_straight"), ("flush", "full_house", "four_of_a_kind")]
)
def test_a_tiny_solo_game_is_worth_what_plain_recursion_finds(boxes: tuple[str, ...]) -> None:
    game = tiny(*boxes, mode="solo")
    table = solve(chip_rules(game), lambda _: None)
    value = plain_solo(game)
    assert table.start == pytest.approx(value(game.start(1)), abs=1e-9)
    found = ChipAdvisor(game, Alone(game, chip_rules(game), table))
    seen = set()
    for _, (state, roll) in zip(range(600), positions(game, 1, players=1), strict=False):
        seen.add(state)
        assert found.before(state, 0) == pytest.approx(value(state), abs=1e-4)
        advice = found.advise(state, roll, 0)
        for box in advice.boxes:
            option = game.choose(state, roll, box.box, source=box.source)
            assert box.expected == pytest.approx(value(game.take(state, roll, option)), abs=1e-4)
        (none,) = game.scratches(state, roll)
        assert advice.pass_expected == pytest.approx(value(game.take(state, roll, none)), abs=1e-4)
    assert len(seen) > 10


@pytest.mark.parametrize("mode, players, number", [("table", 2, 60), ("teams", 4, 20)])
def test_this_turn_is_worth_what_plain_recursion_finds(mode: str, players: int, number: int) -> None:
    game = tiny("three_of_a_kind", "large_straight", mode=mode)
    found = at_table(game)
    values = [plain_this_turn(game, player) for player in range(players)]
    for _, (state, roll) in zip(range(number), positions(game, 2, players), strict=False):
        player = state.player
        assert found.before(state, player) == pytest.approx(values[player](state), abs=1e-4)
        for box in found.advise(state, roll, 0).boxes:
            option = game.choose(state, roll, box.box, source=box.source)
            then = game.take(state, roll, option)
            on = five_alike(roll) and game.turn(then) is not None
            value = values[player](then) if on else game.totals(then)[player]
            assert box.expected == pytest.approx(value, abs=1e-4)


def test_a_solo_game_solved(solo_table: Table) -> None:
    told: list[float] = []
    solved = solve(chip_rules(SOLO), told.append)
    assert solved.start == pytest.approx(874.365488, abs=1e-6)
    assert solved.start == pytest.approx(solo_table.start, abs=1e-9)
    assert np.allclose(solved.values, solo_table.values, rtol=0, atol=1e-4)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 50


@pytest.mark.long
def test_a_solo_game_solved_where_four_alike_are_no_two_pairs() -> None:
    solved = solve(chip_rules(yamslam(mode="solo", four_alike_two_pairs="no")), lambda _: None)
    assert solved.start == pytest.approx(871.966679, abs=1e-6)


def test_the_start_of_a_solo_game(alone: ChipAdvisor) -> None:
    assert alone.before(SOLO.start(1), 0) == pytest.approx(874.365488, abs=1e-4)
    assert ready(SOLO)
    assert start_value(TABLE) == start_value(SOLO) == pytest.approx(874.365488, abs=1e-6)
    assert start_value(yamslam(games="3")) == 3 * start_value(SOLO)


def test_the_mean_of_games_is_near_the_exact_one(solo_table: Table) -> None:
    played = simulate(SOLO, solo_table, 300, seed=1)
    assert played.games == 300
    assert 4 < played.error < 7
    assert abs(played.mean - solo_table.start) < 3 * played.error
    assert simulate(SOLO, solo_table, 3, seed=2) == simulate(SOLO, solo_table, 3, seed=2)


@pytest.mark.long
@pytest.mark.parametrize("two_pairs", ["yes", "no"])
def test_the_mean_of_a_hundred_thousand_games(two_pairs: str) -> None:
    game = yamslam(mode="solo", four_alike_two_pairs=two_pairs)
    table = solve(chip_rules(game), lambda _: None)
    played = simulate(game, table, 100_000, seed=1)
    assert played.error < 0.35
    assert abs(played.mean - table.start) < 3 * played.error


def test_every_position_alone_has_one_row() -> None:
    places = Positions(3)
    rack, held = places.at(np.arange(places.size))
    assert (places.rows(rack, held) == np.arange(places.size)).all()
    assert places.unfinished == 3 * 10 * 5**2
    assert places.size == places.unfinished + 5**3
    assert len(np.unique(np.hstack([rack, held]), axis=0)) == places.size


@pytest.mark.parametrize("mode, players", [("solo", 1), ("table", 1), ("table", 3), ("teams", 4)])
class TestAllModes:
    @pytest.fixture
    def played(self, mode: str, alone: ChipAdvisor) -> tuple[ChipGame, ChipAdvisor]:
        game = {"solo": SOLO, "table": TABLE, "teams": TEAMS}[mode]
        return game, alone if mode == "solo" else at_table(game)

    def test_it_lists_the_legal_chips_and_the_keeps(
        self, played: tuple[ChipGame, ChipAdvisor], players: int, mode: str
    ) -> None:
        game, found = played
        for number, (state, roll) in zip(range(90), positions(game, 3, players), strict=False):
            rolls_left = number % 3
            advice = found.advise(state, roll, rolls_left)
            assert sorted((box.box, box.points, str(box.source)) for box in advice.boxes) == sorted(
                (option.box or "", option.points, str(option.source)) for option in game.options(state, roll)
            )
            check_order(advice)
            assert advice.assumption == (None if mode == "solo" else "others")
            if rolls_left == 0 or game.keeps_roll(state):
                assert advice.keeps == ()
            else:
                assert len(advice.keeps) == prod(count + 1 for count in Counter(roll).values())
                stay = next(keep for keep in advice.keeps if len(keep.keep) == 5)
                assert stay.keep == tuple(sorted(roll))
                assert stay.expected == found.advise(state, roll, 0).expected

    def test_the_mean_over_the_rolls_is_the_value_before(
        self, played: tuple[ChipGame, ChipAdvisor], players: int, mode: str
    ) -> None:
        game, found = played
        checked = 0
        for number, (state, _) in enumerate(positions(game, 4, players)):
            if number % 7 == 0 and not game.keeps_roll(state):
                at_end = by_outcome(game, lambda roll, state=state: found.advise(state, roll, 0).expected)  # type: ignore[misc]
                values = np.array([[at_end(roll)] for roll in ROLLS])
                assert found.before(state, state.player) == pytest.approx(turn_values(values)[0], abs=1e-4)
                checked += 1
            if checked == 10:
                break

    def test_rolls_left_fit_together(self, played: tuple[ChipGame, ChipAdvisor], players: int, mode: str) -> None:
        game, found = played
        state, _ = next(one for one in positions(game, 5, players) if sum(one[0].rack) < 14)
        state = replace(state, owed=0)
        for rolls_left in (1, 2):
            for keep in found.advise(state, (1, 1, 2, 4, 4), rolls_left).keeps:
                if len(keep.keep) == 4:
                    rolls = [(make_roll(roll), chance) for roll, chance in THROWN[keep.keep]]
                    mean = sum(chance * found.advise(state, roll, rolls_left - 1).expected for roll, chance in rolls)
                    assert keep.expected == pytest.approx(mean, abs=1e-4)
        first = found.advise(state, (1, 1, 2, 4, 4), 2).keeps
        assert next(keep for keep in first if keep.keep == ()).expected < first[0].expected

    def test_wrong_calls_are_refused(self, played: tuple[ChipGame, ChipAdvisor], players: int, mode: str) -> None:
        game, found = played
        state = game.start(players)
        for rolls_left in (-1, 3):
            with pytest.raises(IllegalMove, match="0, 1 or 2"):
                found.advise(state, NOTHING, rolls_left)
        over = replace(state, rack=(0,) * 7, held=((4,) * 7, *state.held[1:]), last=0)
        with pytest.raises(IllegalMove, match="over"):
            found.advise(over, NOTHING, 0)
        assert found.before(over, 0) == game.totals(over)[0] == 1000


def check_order(advice: Advice) -> None:
    values = [keep.expected for keep in advice.keeps]
    assert values == sorted(values, reverse=True) or np.allclose(values, sorted(values, reverse=True), atol=1e-8)
    chips = [box.expected for box in advice.boxes]
    assert np.allclose(chips, sorted(chips, reverse=True), rtol=0, atol=1e-8)
    assert advice.pass_expected is not None
    best = max(values) if values else max([advice.pass_expected, *chips])
    assert advice.expected == pytest.approx(best, abs=1e-8)


def mine(held: tuple[int, ...], rack: tuple[int, ...] = (4,) * 7, pile: tuple[int, ...] = (0,) * 7) -> ChipState:
    """A position of two players at the table, the first to move; what is nowhere else the second has."""
    rack = tuple(min(left, 4 - own - gone) for left, own, gone in zip(rack, held, pile, strict=True))
    others = tuple(4 - sum(numbers) for numbers in zip(held, rack, pile, strict=True))
    return replace(TABLE.start(2), rack=rack, pile=pile, held=(held, others))


@pytest.mark.parametrize(
    "held, roll, chip",
    [
        ((0, 0, 0, 0, 0, 0, 0), FULL_HOUSE, "full_house"),
        # The seventh kind.
        ((0, 1, 1, 1, 1, 1, 1), FULL_HOUSE, "two_pairs"),
        # The sixth.
        ((0, 0, 1, 1, 1, 1, 1), THREE_FLUSH, "three_of_a_kind"),
        ((0, 0, 0, 1, 1, 1, 1), THREE_FLUSH, "flush"),
        # The fourth of a kind.
        ((0, 3, 1, 0, 0, 0, 0), FULL_HOUSE, "three_of_a_kind"),
        ((0, 2, 1, 0, 0, 0, 0), FULL_HOUSE, "full_house"),
        # Equal, 50 each: the higher one first, for the bonus stays in reach.
        ((0, 0, 3, 0, 0, 0, 0), LARGE_STRAIGHT, "large_straight"),
    ],
)
def test_bonuses_in_reach_change_the_chip(held: tuple[int, ...], roll: Roll, chip: str) -> None:
    advice = at_table().advise(mine(held), roll, 0)
    assert advice.boxes[0].box == chip
    assert advice.pass_expected is not None
    assert advice.expected == advice.boxes[0].expected > advice.pass_expected


def test_bonuses_in_reach_change_the_keep() -> None:
    dice = (4, 4, 4, 6, 6)
    plain = at_table().advise(mine((0,) * 7), dice, 2)
    assert plain.keeps[0].keep != dice
    assert plain.keeps[0].expected > 30
    golden = at_table().advise(mine((1, 1, 1, 1, 0, 1, 1)), dice, 2)
    assert golden.keeps[0].keep == dice
    assert golden.keeps[0].expected == (5 + 10 + 20 + 25 + 40 + 50) + 30 + 50


def test_five_alike_spare_the_last_of_a_kind_for_the_turn_that_follows() -> None:
    state = mine((0,) * 7, rack=(2, 0, 0, 0, 0, 0, 1), pile=(0, 0, 0, 0, 0, 0, 1))
    advice = at_table().advise(state, YAMSLAM, 0)
    assert [(box.box, box.source) for box in advice.boxes[:1]] == [("large_straight", "pile")]
    # With plenty there, from the rack, where others reach it too.
    advice = at_table().advise(mine((0,) * 7, pile=(0, 0, 0, 0, 0, 0, 1)), YAMSLAM, 0)
    assert [(box.box, box.source) for box in advice.boxes[:2]] == [
        ("large_straight", "rack"),
        ("large_straight", "pile"),
    ]


def test_the_last_chip_counts_and_ends_the_chain() -> None:
    state = mine((0,) * 7, rack=(1, 0, 0, 0, 0, 0, 0))
    advice = at_table().advise(state, YAMSLAM, 0)
    assert [(box.box, box.expected) for box in advice.boxes] == [("two_pairs", 25.0)]
    assert at_table().advise(state, (2, 2, 5, 5, 6), 2).keeps[0].keep == (2, 2, 5, 5, 6)


def test_earlier_games_count_and_the_next_one_is_not_this_turn() -> None:
    game = yamslam(games="2")
    state = replace(mine((0,) * 7, rack=(1, 0, 0, 0, 0, 0, 0)), earlier=(100, 0))
    advice = at_table(game).advise(state, YAMSLAM, 0)
    assert advice.expected == 125.0
    one = replace(game.start(1), rack=(1, 0, 0, 0, 0, 0, 0), pile=(3, 4, 4, 4, 4, 4, 4))
    assert at_table(game).advise(one, (2, 2, 5, 5, 6), 0).expected == 25.0


def test_of_several_solo_games_the_coming_ones_count(solo_table: Table) -> None:
    game = yamslam(mode="solo", games="3")
    found = ChipAdvisor(game, Alone(game, chip_rules(game), solo_table))
    start = solo_table.start
    assert found.before(game.start(1), 0) == pytest.approx(3 * start, abs=1e-3)
    last = replace(game.start(1), rack=(1, 0, 0, 0, 0, 0, 0), pile=(3, 4, 4, 4, 4, 4, 4), game=1, earlier=(700,))
    advice = found.advise(last, (2, 2, 5, 5, 6), 1)
    assert advice.expected == pytest.approx(700 + 5 + 20 + start, abs=1e-3)
    assert advice.pass_expected == pytest.approx(700 + start, abs=1e-3)


class TestSecondChip:
    def test_the_first_is_worth_the_best_pair(self, alone: ChipAdvisor) -> None:
        state = SOLO.take(SOLO.start(1), NOTHING, SOLO.choose(SOLO.start(1), NOTHING, None))
        first = alone.advise(state, YAMSLAM, 0)
        assert first.boxes[0].box == "large_straight"
        for box in first.boxes:
            owing = SOLO.take(state, YAMSLAM, SOLO.choose(state, YAMSLAM, box.box, source=box.source))
            second = alone.advise(owing, YAMSLAM, 2)
            assert second.keeps == ()
            assert second.expected == box.expected == alone.before(owing, 0)
            assert second.pass_expected is not None
            assert second.expected > second.pass_expected
            assert len(second.boxes) == len(SOLO.options(owing, YAMSLAM))

    def test_it_may_be_left(self, alone: ChipAdvisor) -> None:
        owing = SOLO.take(SOLO.start(1), YAMSLAM, SOLO.choose(SOLO.start(1), YAMSLAM, "two_pairs"))
        left = alone.advise(owing, YAMSLAM, 0).pass_expected
        assert left == alone.before(replace(owing, owed=0), 0)


class TestPositions:
    def test_all_chips_named_is_played_alone(self) -> None:
        everything = dict.fromkeys(TABLE.boxes, 4)
        assert suited(TABLE, TABLE.position(everything, {}, {})).mode == "solo"
        assert suited(TABLE, TABLE.position({**everything, "flush": 3}, {}, {})).mode == "table"
        assert suited(TABLE, TABLE.position({**everything, "flush": 3}, {}, {"flush": 1})).mode == "solo"

    def test_a_position_that_no_game_alone_comes_to_is_refused(self, alone: ChipAdvisor) -> None:
        rack = {**dict.fromkeys(SOLO.boxes, 4), "flush": 3}
        state = SOLO.position(rack, {"flush": 1}, {})
        for refused in (lambda: alone.before(state, 0), lambda: alone.advise(state, NOTHING, 2)):
            with pytest.raises(IllegalMove, match="with 'large_straight' still there, no 'flush' can be in the pile"):
                refused()
        others_have_one = replace(state, pile=(0,) * 7)
        with pytest.raises(IllegalMove, match="4 of each kind, but of 'flush' they are 3"):
            alone.advise(others_have_one, NOTHING, 2)

    def test_the_pile_may_hold_the_highest_kind_itself(self, alone: ChipAdvisor) -> None:
        rack = {**dict.fromkeys(SOLO.boxes, 4), "large_straight": 3}
        state = SOLO.position(rack, {"large_straight": 1}, {})
        assert alone.before(state, 0) < alone.before(SOLO.start(1), 0)

    def test_no_table_is_needed_with_others(self) -> None:
        assert ready(TABLE)
        assert ready(TEAMS)


def test_tables_go_by_the_rules_that_matter_alone() -> None:
    key = chip_rules(SOLO).key
    assert key == chip_rules(TABLE).key == chip_rules(yamslam(mode="solo", games="4")).key
    assert key != chip_rules(yamslam(mode="solo", four_alike_two_pairs="no")).key
    assert key != chip_rules(tiny("flush", "full_house", mode="solo")).key
