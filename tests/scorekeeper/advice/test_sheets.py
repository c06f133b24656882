"""Advice for sheets: against reckoning by brute force, another program, and the game itself."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
import yatzy_solver
from numpy.typing import NDArray

from scorekeeper.advice import Advice, advisor, start_value
from scorekeeper.advice.sheet_rules import sheet_rules
from scorekeeper.advice.sheets import Positions, SheetAdvisor, fill, solve
from scorekeeper.advice.tables import Table
from scorekeeper.dice import FACES, Roll, make_roll
from scorekeeper.errors import IllegalMove
from scorekeeper.game import Option
from scorekeeper.rulebooks import PRESETS, make_game
from scorekeeper.sheet import Column, SheetGame, SheetState

ALL_ROLLS = Counter(tuple(sorted(dice)) for dice in product(FACES, repeat=5))
ROLLS: list[Roll] = [make_roll(roll) for roll in ALL_ROLLS]
KEEPS = sorted({keep for roll in ROLLS for size in range(6) for keep in combinations(roll, size)})
FIVE_ALIKE: list[Roll] = [make_roll([face] * 5) for face in FACES]

START_VALUES = [
    ("yams", {}, 245.870774514),
    ("yatzy", {}, 245.870774514),
    ("yams", {"five_alike_full_house": "yes"}, 245.904728371),
    ("yams", {"joker": "seeds"}, 245.967129429),
    ("yams", {"joker": "seeds", "prime": "yes"}, 254.485082124),
    ("yams", {"joker": "forced", "prime": "yes"}, 254.587728734),
    ("yams", {"joker": "free", "prime": "yes"}, 254.589609482),
    ("yams", {"prime": "yes"}, 253.970241190),
    ("yams", {"joker": "forced"}, 246.086271203),
    ("scandinavian", {}, 248.439989378),
    ("scandinavian", {"five_alike_full_house": "yes"}, 248.468090917),
    ("scandinavian", {"four_alike_two_pairs": "yes"}, 248.644058944),
    ("scandinavian", {"five_alike_full_house": "yes", "four_alike_two_pairs": "yes"}, 248.674882688),
]
JOKERS_AND_PRIMES = [
    {"joker": joker, "prime": prime} for joker in ("none", "seeds", "forced", "free") for prime in ("no", "yes")
]
EVERY_SHEET = [
    *(("yams", options | {"five_alike_full_house": full}) for options in JOKERS_AND_PRIMES for full in ("no", "yes")),
    *(
        ("scandinavian", {"five_alike_full_house": full, "four_alike_two_pairs": four})
        for full in ("no", "yes")
        for four in ("no", "yes")
    ),
]


def sheet_game(game_id: str, options: dict[str, str] | None = None) -> SheetGame:
    game = make_game(game_id, options)
    assert isinstance(game, SheetGame)
    return game


def weights(roll: tuple[int, ...]) -> float:
    return ALL_ROLLS[roll] / 6**5


def state_of(game: SheetGame, boxes: dict[str, int], primes: int = 0) -> SheetState:
    return SheetState((game.column(boxes, primes),), 0)


def random_column(game: SheetGame, rng: random.Random, free: int | None = None) -> dict[str, int]:
    """Boxes filled with anything that they can hold; what is rarely held as often as what is common."""
    number = len(game.boxes) - (rng.randint(1, len(game.boxes)) if free is None else free)
    return {box: rng.choice(sorted(game.possible(box))) for box in rng.sample(game.boxes, number)}


# --- start values ----------------------------------------------------------------------------------------


def test_classic_yatzy_from_nothing() -> None:
    told: list[float] = []
    assert solve(sheet_rules(sheet_game("yams")), told.append).start == pytest.approx(245.870774514, abs=1e-9)
    assert told == sorted(told)
    assert told[0] > 0
    assert told[-1] == 1
    assert len(told) > 500


@pytest.mark.parametrize(
    "preset, expected",
    [
        ("yams", 245.870774514),
        ("yams_joker_prime", 254.485082124),
        ("official", 254.587728734),
        ("classic_yatzy", 245.870774514),
    ],
)
def test_the_presets_are_known_without_building(preset: str, expected: float) -> None:
    (found,) = (known for known in PRESETS if known.id == preset)
    game = make_game(found.game, found.options)
    assert start_value(game, progress=_built) == pytest.approx(expected, abs=1e-9)
    assert advisor(game, progress=_built).before(game.start(3), 1) == pytest.approx(expected, abs=1e-4)


def test_scandinavian_is_known_without_building() -> None:
    assert start_value(make_game("scandinavian"), progress=_built) == pytest.approx(248.439989378, abs=1e-9)


def _built(done: float) -> None:
    raise AssertionError(f"is being built: {done}")


@pytest.mark.long
@pytest.mark.parametrize("game_id, options, expected", START_VALUES)
def test_every_start_value_from_nothing(game_id: str, options: dict[str, str], expected: float) -> None:
    table = solve(sheet_rules(sheet_game(game_id, options)), lambda _: None)
    assert table.start == pytest.approx(expected, abs=1e-9)


# --- brute force: the last boxes of a game, reckoned plainly ---------------------------------------------


def _chances() -> NDArray[np.float64]:
    """(keeps, rolls): by counting the ways in which the other dice fall."""
    place = {roll: index for index, roll in enumerate(ROLLS)}
    chances = np.zeros((len(KEEPS), len(ROLLS)))
    for index, keep in enumerate(KEEPS):
        for thrown in product(FACES, repeat=5 - len(keep)):
            chances[index, place[make_roll(sorted((*keep, *thrown)))]] += 1 / 6 ** (5 - len(keep))
    return chances


CHANCES = _chances()
KEEPS_OF = [
    [KEEPS.index(keep) for keep in {keep for size in range(6) for keep in combinations(roll, size)}] for roll in ROLLS
]


class Plain:
    """Final totals to be expected, straight from the rules: every roll, every option, every keep."""

    def __init__(self, game: SheetGame) -> None:
        self.game = game
        self.before: Callable[[tuple[int | None, ...], int], float] = cache(self._before)

    def last(self, boxes: tuple[int | None, ...], primes: int) -> NDArray[np.float64]:
        """Per roll, with no more rolls left."""
        state = SheetState((Column(boxes, primes),), 0)
        return np.array(
            [max(self.after(boxes, primes, option) for option in self.game.options(state, roll)) for roll in ROLLS]
        )

    def after(self, boxes: tuple[int | None, ...], primes: int, option: Option) -> float:
        place = self.game.boxes.index(option.box or "")
        return self.before((*boxes[:place], option.points, *boxes[place + 1 :]), primes + (option.prime > 0))

    def keeps(self, boxes: tuple[int | None, ...], primes: int, rolls_left: int) -> NDArray[np.float64]:
        """Per keep, before the others are thrown."""
        rolls = self.last(boxes, primes)
        for _ in range(rolls_left - 1):
            keeps = CHANCES @ rolls
            rolls = np.array([keeps[of_roll].max() for of_roll in KEEPS_OF])
        values: NDArray[np.float64] = CHANCES @ rolls
        return values

    def _before(self, boxes: tuple[int | None, ...], primes: int) -> float:
        if None not in boxes:
            return float(self.game.totals(SheetState((Column(boxes, primes),), 0))[0])
        return float(self.keeps(boxes, primes, 3)[KEEPS.index(())])


def endgame(game: SheetGame, free: int) -> SheetAdvisor:
    """An advisor whose table is right where at most so many boxes are free."""
    positions = Positions(sheet_rules(game))
    full = len(game.boxes) - free
    batches = (
        batch
        for batch in positions.batches()
        if batch[0].bit_count() + positions.lower_filled[int(batch[1][0])] >= full
    )
    return SheetAdvisor(game, Table(fill(positions, batches, lambda _: None)[:-1].astype(np.float32), 0.0))


ENDINGS: dict[str, tuple[dict[str, int], tuple[str, ...]]] = {
    # What differs from the column below, and the boxes that are free.
    "five alike free": ({}, ("sixes", "yams")),
    "five alike free, its face not": ({"ones": 4}, ("small_straight", "yams")),
    "50, with a lower box": ({"yams": 50}, ("threes", "large_straight")),
    "zero, with a lower box": ({"yams": 0}, ("threes", "large_straight")),
    "50, only upper boxes": ({"yams": 50}, ("ones", "sixes")),
    "zero, only upper boxes": ({"yams": 0, "fives": 20}, ("ones", "fours")),
    "50, only lower boxes": ({"yams": 50}, ("full_house", "small_straight")),
    "bonus reached": ({"yams": 50, "sixes": 24}, ("twos", "full_house")),
    "bonus out of reach": ({"yams": 50, "sixes": 0, "fives": 0}, ("fours", "full_house")),
}
COLUMN = {
    "ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18, "three_of_a_kind": 22,
    "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 40, "yams": 50, "chance": 21,
}  # fmt: skip


@pytest.mark.parametrize("options", JOKERS_AND_PRIMES, ids=lambda options: "-".join(options.values()))
def test_endings_of_yams_by_brute_force(options: dict[str, str]) -> None:
    game = sheet_game("yams", options)
    plain, advice = Plain(game), endgame(game, 2)
    for changes, free in ENDINGS.values():
        boxes = {box: points for box, points in (COLUMN | changes).items() if box not in free}
        check_by_brute_force(plain, advice, state_of(game, boxes))


@pytest.mark.parametrize("seed, game_id, options", [(seed, *sheet) for seed, sheet in enumerate(EVERY_SHEET[-7:])])
def test_endings_of_all_kinds_by_brute_force(seed: int, game_id: str, options: dict[str, str]) -> None:
    game, rng = sheet_game(game_id, options), random.Random(seed)
    plain, advice = Plain(game), endgame(game, 1)
    for _ in range(8):
        check_by_brute_force(plain, advice, state_of(game, random_column(game, rng, free=1)))


def test_three_boxes_by_brute_force() -> None:
    game = sheet_game("yams", {"joker": "seeds", "prime": "yes"})
    boxes = {box: points for box, points in COLUMN.items() if box not in ("fours", "large_straight", "yams")}
    check_by_brute_force(Plain(game), endgame(game, 3), state_of(game, boxes))


def check_by_brute_force(plain: Plain, advice: SheetAdvisor, state: SheetState) -> None:
    boxes, primes = state.columns[0].boxes, state.columns[0].primes
    assert advice.before(state, 0) == pytest.approx(plain.before(boxes, primes), abs=1e-4)
    last = plain.last(boxes, primes)
    for rolls_left in (1, 2):
        keeps = plain.keeps(boxes, primes, rolls_left)
        for roll in ((2, 2, 4, 4, 4), (1, 2, 3, 4, 6), (3, 3, 3, 3, 3)):
            found = advice.advise(state, roll, rolls_left)
            assert len({keep.keep for keep in found.keeps}) == len(found.keeps)
            now = last[ROLLS.index(roll)]
            wanted = {KEEPS[place]: keeps[place] for place in KEEPS_OF[ROLLS.index(roll)]} | {roll: now}
            assert {keep.keep: keep.expected for keep in found.keeps} == pytest.approx(wanted, abs=1e-4)
            assert found.expected == pytest.approx(max(wanted.values()), abs=1e-4)
            assert advice.advise(state, roll, 0).expected == pytest.approx(now, abs=1e-4)


# --- another program -------------------------------------------------------------------------------------


def like_yatzy_solver(game: SheetGame, variant: str, columns: int) -> None:
    rules = yatzy_solver.Variant(variant)
    solver, ours, rng = yatzy_solver.Solver.build(rules), advisor(game), random.Random(7)
    assert start_value(game) == pytest.approx(solver.state_value("upper 0 | filled -"), abs=1e-9)
    names = dict(zip(game.boxes, rules.categories, strict=True))  # in the same order
    for _ in range(columns):
        boxes = random_column(game, rng)
        state = state_of(game, boxes)
        (total,) = game.totals(state)
        subtotal = min(63, sum(boxes.get(box.id, 0) for box in game.upper))
        filled = ",".join(names[box] for box in game.boxes if box in boxes) or "-"
        theirs = f"upper {subtotal} | filled {filled}"
        if game.prime and game.five_alike in boxes:
            theirs += f" | five_of_a_kind {boxes[game.five_alike]}"
        assert ours.before(state, 0) == pytest.approx(total + solver.state_value(theirs), abs=1e-4)
        roll = rng.choice([*ROLLS, *FIVE_ALIKE * 10])
        for left in range(3):
            values = dict(solver.option_values(f"dice {' '.join(map(str, roll))} | rolls {left} | {theirs}"))
            found = ours.advise(state, roll, left)
            scored = {f"score {names[box.box]}": box.expected - total for box in found.boxes}
            kept = {
                f"keep {' '.join(map(str, keep.keep)) or '-'}": keep.expected - total
                for keep in found.keeps
                if len(keep.keep) < 5  # to hold all five is there to score
            }
            assert scored | kept == pytest.approx(values, abs=1e-4)


def test_official_rules_like_yatzy_solver() -> None:
    like_yatzy_solver(sheet_game("yams", {"joker": "forced", "prime": "yes"}), "american+forced-joker", 150)


@pytest.mark.long
@pytest.mark.parametrize(
    "variant, game_id, options",
    [
        ("american", "yams", {"joker": "free", "prime": "yes"}),
        ("american+no-joker", "yams", {"prime": "yes"}),
        ("american+no-bonus", "yams", {}),
        ("yatzy-scandinavian", "scandinavian", {}),
        ("yatzy-scandinavian+fh5", "scandinavian", {"five_alike_full_house": "yes"}),
        ("yatzy-scandinavian+tp4", "scandinavian", {"four_alike_two_pairs": "yes"}),
        (
            "yatzy-scandinavian+fh5+tp4",
            "scandinavian",
            {"five_alike_full_house": "yes", "four_alike_two_pairs": "yes"},
        ),
    ],
)
def test_all_of_yatzy_solvers_rules(variant: str, game_id: str, options: dict[str, str]) -> None:
    like_yatzy_solver(sheet_game(game_id, options), variant, 300)


# --- the game itself -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id, options", EVERY_SHEET)
def test_any_values_lead_to_what_the_rules_say(game_id: str, options: dict[str, str]) -> None:
    """With a table of chance values: which box a roll may fill, for how much, and what follows, is the game's word."""
    game, rng = sheet_game(game_id, options), random.Random(3)
    positions = Positions(sheet_rules(game))
    values = np.random.default_rng(3).uniform(0, 250, positions.size).astype(np.float32)
    advice = SheetAdvisor(game, Table(values, 0.0))
    values = np.append(values, np.float32(-np.inf))
    for _ in range(12):
        state = state_of(game, random_column(game, rng))
        upper, row, gap = positions.locate(state.columns[0].boxes)
        rolls = positions.roll_values(values, upper, np.array([row]), np.array([gap]))[:, 0]
        for roll in [*FIVE_ALIKE, *rng.sample(ROLLS, 6)]:
            found = advice.advise(state, roll, 0)
            legal = {(option.box, option.points, option.prime) for option in game.options(state, roll)}
            assert {(box.box, box.points, box.prime) for box in found.boxes} == legal
            assert found.keeps == ()
            assert found.expected == found.boxes[0].expected == max(box.expected for box in found.boxes)
            assert found.expected == pytest.approx(game.totals(state)[0] + rolls[ROLLS.index(roll)], abs=1e-3)
            for box in found.boxes:
                after = game.take(state, roll, game.choose(state, roll, box.box))
                assert box.expected == advice.before(after, 0)


@pytest.mark.parametrize("game_id, options", EVERY_SHEET)
def test_every_column_has_a_place_of_its_own(game_id: str, options: dict[str, str]) -> None:
    """Whatever its boxes hold: zeros everywhere, the most everywhere, and all that is between."""
    game, rng = sheet_game(game_id, options), random.Random(5)
    positions = Positions(sheet_rules(game))
    seen = np.zeros(positions.size, dtype=bool)
    for upper, rows, gaps in positions.batches():
        assert not seen[positions.index(upper, rows, gaps)].any()
        seen[positions.index(upper, rows, gaps)] = True
    for most in (0, 50):
        seen[positions.index(*positions.locate([most] * len(game.boxes)))] = True
    assert seen.all()
    for choose in (min, max, lambda values: rng.choice(sorted(values))):
        for _ in range(100):
            number = rng.randint(0, len(game.boxes))
            column = game.column({box: choose(game.possible(box)) for box in rng.sample(game.boxes, number)})
            assert 0 <= int(positions.index(*positions.locate(column.boxes))) < positions.size


PRESET_GAMES = {
    "yams": sheet_game("yams"),
    "yams_joker_prime": sheet_game("yams", {"joker": "seeds", "prime": "yes"}),
    "official": sheet_game("yams", {"joker": "forced", "prime": "yes"}),
    "scandinavian": sheet_game("scandinavian"),
}


@pytest.mark.parametrize("name", PRESET_GAMES)
def test_the_mean_over_all_rolls_is_what_was_expected_before(name: str) -> None:
    game, rng = PRESET_GAMES[name], random.Random(name)
    advice = advisor(game)
    state = state_of(game, random_column(game, rng))
    found = {roll: advice.advise(state, roll, 2) for roll in ROLLS}
    mean = sum(weights(roll) * advised.expected for roll, advised in found.items())
    assert mean == pytest.approx(advice.before(state, 0), abs=1e-4)
    for roll, advised in found.items():
        check_order(roll, advised)
    for roll in rng.sample(ROLLS, 30):
        once = advice.advise(state, roll, 1)
        check_order(roll, once)
        assert found[roll].expected >= once.expected - 1e-9  # a further roll can only help
        assert found[roll].boxes == once.boxes


def check_order(roll: Roll, advised: Advice) -> None:
    expected = [keep.expected for keep in advised.keeps]
    assert advised.expected == expected[0] == pytest.approx(max(expected), abs=1e-9)
    rounded = [(-round(keep.expected, 9), -len(keep.keep), keep.keep) for keep in advised.keeps]
    assert rounded == sorted(rounded)
    assert {keep.keep for keep in advised.keeps} == {
        keep for size in range(6) for keep in combinations(sorted(roll), size)
    }
    assert len(advised.keeps) == len({keep.keep for keep in advised.keeps})
    held = {keep.keep: keep.expected for keep in advised.keeps}[tuple(sorted(roll))]
    assert held == advised.boxes[0].expected
    assert [box.expected for box in advised.boxes] == sorted((box.expected for box in advised.boxes), reverse=True)
    assert advised.pass_expected is None
    assert advised.assumption is None


def test_equal_keeps_come_with_more_dice_first_then_by_their_faces() -> None:
    game = PRESET_GAMES["yams"]
    state = state_of(game, {box: 0 for box in game.boxes if box != "yams"})
    found = advisor(game).advise(state, (5, 4, 2, 1, 3), 1)
    assert [keep.keep for keep in found.keeps[:6]] == [(1,), (2,), (3,), (4,), (5,), ()]
    assert found.keeps[0].expected == pytest.approx(50 / 6**4, abs=1e-6)
    assert found.keeps[-1].keep == (4, 5)
    assert found.keeps[-1].expected == 0


def test_the_order_of_the_dice_does_not_matter() -> None:
    game = PRESET_GAMES["scandinavian"]
    advice = advisor(game)
    assert advice.advise(game.start(1), (4, 2, 4, 2, 4), 1) == advice.advise(game.start(1), (2, 2, 4, 4, 4), 1)


def test_each_player_has_their_own_column() -> None:
    game = PRESET_GAMES["yams_joker_prime"]
    columns = game.column({"yams": 50, "ones": 5}, 1), game.column({}), game.column(dict.fromkeys(game.boxes, 0))
    advice = advisor(game)
    state = SheetState(columns, 1)
    for player, column in enumerate(columns):
        assert advice.before(state, player) == advice.before(SheetState((column,), 0), 0)
    assert advice.before(state, 0) > 155
    assert advice.before(state, 2) == 0
    assert advice.advise(state, (1, 1, 2, 3, 4), 2) == advice.advise(game.start(1), (1, 1, 2, 3, 4), 2)


def test_after_a_correction_the_advice_is_for_the_corrected_sheet() -> None:
    game = PRESET_GAMES["official"]
    state = state_of(game, {"yams": 50, "sixes": 18})
    edited = game.edit(state, 0, "sixes", points=24)
    advice = advisor(game)
    assert advice.before(edited, 0) == advice.before(state_of(game, {"yams": 50, "sixes": 24}), 0)


@pytest.mark.parametrize("rolls_left", [-1, 3, 2.5, "1"])
def test_no_advice_for_a_fourth_roll(rolls_left: Any) -> None:
    game = PRESET_GAMES["yams"]
    with pytest.raises(IllegalMove, match="0, 1 or 2"):
        advisor(game).advise(game.start(1), (1, 2, 3, 4, 5), rolls_left)


def test_no_advice_when_the_game_is_over() -> None:
    game = PRESET_GAMES["yams"]
    state = state_of(game, COLUMN)
    with pytest.raises(IllegalMove, match="over"):
        advisor(game).advise(state, (1, 2, 3, 4, 5), 1)
    assert advisor(game).before(state, 0) == game.totals(state)[0]


def test_a_joker_is_advised_with_its_points() -> None:
    game = PRESET_GAMES["official"]
    found = advisor(game).advise(state_of(game, {"yams": 50, "fours": 12}), (4, 4, 4, 4, 4), 0)
    points = {box.box: box.points for box in found.boxes}
    assert points["large_straight"] == 40
    assert points["chance"] == 20
    assert set(points) == set(game.boxes[6:]) - {"yams"}
    assert {box.prime for box in found.boxes} == {100}
