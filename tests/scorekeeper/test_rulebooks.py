"""Every box of every game over all 7,776 rolls, against programs and counts that know nothing of ours."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping

import pytest
import yatzy_solver
from pyhtzee import scoring
from pyhtzee.classes import Rule

from scorekeeper.dice import Roll, make_roll
from scorekeeper.errors import BadGame
from scorekeeper.rulebooks import GAMES, PRESETS, full_options, make_game

ROLLS = [make_roll(dice) for dice in itertools.product(range(1, 7), repeat=5)]
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


def test_the_games_and_their_options_are_those_promised() -> None:
    yams = (
        *UPPER,
        "three_of_a_kind",
        "four_of_a_kind",
        "full_house",
        "small_straight",
        "large_straight",
        "yams",
        "chance",
    )
    yams_options = {
        "joker": ("none", "seeds", "forced", "free"),
        "prime": ("no", "yes"),
        "five_alike_full_house": ("no", "yes"),
    }
    assert {name: spec.starting_dice for name, spec in GAMES.items()} == {
        "yams": 5,
        "yatzy": 5,
        "scandinavian": 5,
        "yamslam": 1,
    }
    assert {name: make_game(name).players for name in GAMES} == dict.fromkeys(GAMES, (1, 8))
    assert {name: (spec.boxes, dict(spec.options)) for name, spec in GAMES.items()} == {
        "yams": (yams, yams_options),
        "yatzy": (tuple("yatzy" if box == "yams" else box for box in yams), yams_options),
        "scandinavian": (
            (
                *UPPER,
                "one_pair",
                "two_pairs",
                "three_of_a_kind",
                "four_of_a_kind",
                "small_straight",
                "large_straight",
                "full_house",
                "chance",
                "yatzy",
            ),
            {"five_alike_full_house": ("no", "yes"), "four_alike_two_pairs": ("no", "yes")},
        ),
        "yamslam": (
            (
                "two_pairs",
                "three_of_a_kind",
                "small_straight",
                "flush",
                "full_house",
                "four_of_a_kind",
                "large_straight",
            ),
            {
                "four_alike_two_pairs": ("yes", "no"),
                "mode": ("table", "solo", "teams"),
                "games": tuple(map(str, range(1, 100))),
            },
        ),
    }


@pytest.mark.parametrize("game_id", ["yams", "yatzy"])
@pytest.mark.parametrize("joker", ["none", "forced"])
def test_yams_scores_like_yatzy_solver(game_id: str, joker: str) -> None:
    oracle = yatzy_solver.Variant("american+forced-joker")
    game = make_game(game_id, {"joker": joker})
    for roll in ROLLS:
        for box, points in game.points(roll).items():
            category = "five_of_a_kind" if box == game_id else box
            assert points == oracle.score(category, list(roll)), (roll, box)


@pytest.mark.parametrize("game_id", ["yams", "yatzy"])
def test_every_set_of_options_scores_like_yatzy_solver(game_id: str) -> None:
    """Jokers and the prime change nothing on an empty sheet; a full house of five alike is the one other score."""
    oracle, spec = yatzy_solver.Variant("american+forced-joker"), GAMES[game_id]
    for values in itertools.product(*spec.options.values()):
        options = dict(zip(spec.options, values, strict=True))
        game = make_game(game_id, options)
        for roll in map(make_roll, itertools.combinations_with_replacement(range(1, 7), 5)):
            for box, points in game.points(roll).items():
                expected = oracle.score("five_of_a_kind" if box == game_id else box, list(roll))
                if box == "full_house" and len(set(roll)) == 1 and options["five_alike_full_house"] == "yes":
                    expected = 25
                assert points == expected, (options, roll, box)


@pytest.mark.parametrize("five_alike_full_house", ["no", "yes"])
@pytest.mark.parametrize("four_alike_two_pairs", ["no", "yes"])
def test_scandinavian_scores_like_yatzy_solver(five_alike_full_house: str, four_alike_two_pairs: str) -> None:
    variant = "yatzy-scandinavian"
    variant += "+fh5" * (five_alike_full_house == "yes") + "+tp4" * (four_alike_two_pairs == "yes")
    oracle = yatzy_solver.Variant(variant)
    game = make_game(
        "scandinavian",
        {"five_alike_full_house": five_alike_full_house, "four_alike_two_pairs": four_alike_two_pairs},
    )
    assert tuple(oracle.categories[:6]) == UPPER
    for roll in ROLLS:
        for box, points in game.points(roll).items():
            assert points == oracle.score(box, list(roll)), (roll, box)


def _pyhtzee(rule: Rule) -> Mapping[str, Callable[[list[int]], int]]:
    def upper(face: int) -> Callable[[list[int]], int]:
        return lambda dice: int(scoring.score_upper_section(dice, face))

    return {box: upper(face) for face, box in enumerate(UPPER, start=1)} | {
        "one_pair": scoring.score_one_pair,
        "two_pairs": scoring.score_two_pairs,
        "three_of_a_kind": lambda dice: int(scoring.score_x_of_a_kind(dice, 3, rule)),
        "four_of_a_kind": lambda dice: int(scoring.score_x_of_a_kind(dice, 4, rule)),
        "full_house": lambda dice: int(scoring.score_full_house(dice, rule)),
        "small_straight": lambda dice: int(scoring.score_small_straight(dice, rule)),
        "large_straight": lambda dice: int(scoring.score_large_straight(dice, rule)),
        "yams": scoring.score_yahtzee,
        "yatzy": scoring.score_yahtzee,
        "chance": scoring.score_chance,
    }


@pytest.mark.parametrize(
    "game_id, rule", [("yams", Rule.YAHTZEE), ("yatzy", Rule.YAHTZEE), ("scandinavian", Rule.YATZY)]
)
def test_sheets_score_like_pyhtzee(game_id: str, rule: Rule) -> None:
    oracle, game = _pyhtzee(rule), make_game(game_id)
    for roll in ROLLS:
        for box, points in game.points(roll).items():
            assert points == oracle[box](list(roll)), (roll, box)


@pytest.mark.parametrize("game_id", ["yams", "yatzy"])
def test_five_alike_as_full_house_changes_six_rolls(game_id: str) -> None:
    usual, other = make_game(game_id), make_game(game_id, {"five_alike_full_house": "yes"})
    for roll in ROLLS:
        change = {"full_house": 25} if len(set(roll)) == 1 else {}
        assert other.points(roll) == usual.points(roll) | change


GOLDEN = {
    # Every face comes up 7,776 * 5 / 6 = 6,480 times, and all the dice show 7,776 * 17.5 together.
    "yams": {
        **{box: 6480 * face for face, box in enumerate(UPPER, start=1)},
        "three_of_a_kind": 28980,  # 1,656 rolls of 17.5 on average
        "four_of_a_kind": 2730,
        "full_house": 300 * 25,
        "small_straight": 1200 * 30,
        "large_straight": 240 * 40,
        "yams": 6 * 50,
        "chance": 136080,
    },
    "scandinavian": {
        **{box: 6480 * face for face, box in enumerate(UPPER, start=1)},
        "one_pair": 54292,
        "two_pairs": 29400,  # 2,100 rolls of 14 on average
        "three_of_a_kind": 17388,  # 1,656 of 10.5
        "four_of_a_kind": 2184,  # 156 of 14
        "small_straight": 120 * 15,
        "large_straight": 120 * 20,
        "full_house": 5250,  # 300 of 17.5
        "chance": 136080,
        "yatzy": 6 * 50,
    },
}


@pytest.mark.parametrize("game_id", ["yams", "scandinavian"])
def test_points_summed_over_all_rolls(game_id: str) -> None:
    sums: Counter[str] = Counter()
    for roll in ROLLS:
        sums.update(make_game(game_id).points(roll))
    assert dict(sums) == GOLDEN[game_id]


# What the rules say of the 7,776 rolls of Yamslam, by the chips that they win.
PARTITION = {
    "": 3120,
    "2P": 1620,
    "3K": 1080,
    "SS": 960,
    "SS LS": 240,
    "2P 3K FH": 180,
    "2P FL": 180,
    "2P 3K FL FH": 120,
    "3K FL": 120,
    "2P 3K 4K": 90,
    "2P 3K FL 4K": 60,
    "2P 3K SS FL FH 4K LS": 6,
}
SHORT = ("2P", "3K", "SS", "FL", "FH", "4K", "LS")


def test_yamslam_rolls_by_the_chips_they_win() -> None:
    game = make_game("yamslam")
    short = dict(zip(game.boxes, SHORT, strict=True))
    assert Counter(" ".join(short[chip] for chip in game.points(roll)) for roll in ROLLS) == PARTITION


def test_yamslam_against_a_count_of_its_own() -> None:
    def chips(roll: Roll, four_alike: bool) -> dict[str, int]:
        groups = sorted(roll.count(face) for face in set(roll))
        text = "".join(map(str, sorted(set(roll))))
        if groups == [5]:
            groups, text, colours = [2, 3, 4], "123456", 1
        else:
            colours = len({face in (1, 3, 5) for face in roll})
        return {
            chip: points
            for chip, points, won in (
                ("two_pairs", 5, groups[-2:] in ([2, 2], [2, 3], [3, 4]) or (four_alike and groups == [1, 4])),
                ("three_of_a_kind", 10, groups[-1] > 2),
                ("small_straight", 20, any(run in text for run in ("1234", "2345", "3456"))),
                ("flush", 25, colours == 1),
                ("full_house", 30, groups[:2] == [2, 3]),
                ("four_of_a_kind", 40, groups[-1] == 4),
                ("large_straight", 50, "12345" in text or "23456" in text),
            )
            if won
        }

    for four_alike, option in ((True, "yes"), (False, "no")):
        game = make_game("yamslam", {"four_alike_two_pairs": option})
        for roll in ROLLS:
            assert game.points(roll) == chips(roll, four_alike), roll


@pytest.mark.parametrize("game_id", GAMES)
def test_the_order_of_the_dice_does_not_matter(game_id: str) -> None:
    game = make_game(game_id)
    points = {roll: game.points(roll) for roll in ROLLS}
    for roll in ROLLS:
        a, b, c, d, e = sorted(roll)
        assert points[roll] == points[a, b, c, d, e]


@pytest.mark.parametrize(
    "game_id, roll, boxes",
    [
        (
            "yams",
            (2, 2, 4, 4, 4),
            {"twos": 4, "fours": 12, "three_of_a_kind": 16, "full_house": 25, "ones": 0, "chance": 16},
        ),
        ("yams", (1, 2, 3, 3, 4), {"small_straight": 30, "large_straight": 0}),
        ("yams", (2, 3, 4, 5, 3), {"small_straight": 30}),
        ("scandinavian", (2, 3, 4, 5, 3), {"small_straight": 0, "one_pair": 6}),
        ("yams", (5, 5, 5, 2, 1), {"three_of_a_kind": 18}),
        ("scandinavian", (5, 5, 5, 2, 1), {"three_of_a_kind": 15}),
        ("yams", (4, 4, 4, 4, 2), {"full_house": 0, "four_of_a_kind": 18}),
        ("scandinavian", (4, 4, 4, 4, 2), {"two_pairs": 0, "one_pair": 8, "four_of_a_kind": 16}),
        ("scandinavian", (3, 3, 6, 6, 6), {"two_pairs": 18, "full_house": 24}),
        ("scandinavian", (6, 6, 6, 6, 6), {"full_house": 0, "four_of_a_kind": 24, "yatzy": 50}),
    ],
)
def test_what_is_often_mistaken(game_id: str, roll: Roll, boxes: dict[str, int]) -> None:
    assert make_game(game_id).points(roll).items() >= boxes.items()


def test_options_are_spelt_out() -> None:
    assert full_options("yams", {"prime": "yes"}) == {
        "joker": "none",
        "prime": "yes",
        "five_alike_full_house": "no",
    }
    assert make_game("yams") is make_game("yams", {"joker": "none"})
    assert make_game("yams") is not make_game("yams", {"joker": "free"})


@pytest.mark.parametrize(
    "game_id, options, said",
    [
        ("yahtzee", {}, "the games are yams, yatzy, scandinavian, yamslam"),
        ("scandinavian", {"joker": "free"}, "its options are five_alike_full_house, four_alike_two_pairs"),
        ("yams", {"joker": "maybe"}, "allowed is none, seeds, forced, free"),
        ("yams", {"prime": "YES"}, "allowed is no, yes"),
        ("yamslam", {"games": "0"}, "allowed is 1 to 99"),
        ("yamslam", {"mode": "duel"}, "allowed is table, solo, teams"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(game_id: str, options: dict[str, str], said: str) -> None:
    with pytest.raises(BadGame, match=said):
        make_game(game_id, options)


def test_presets_are_games() -> None:
    assert [preset.id for preset in PRESETS] == ["yams", "yams_joker_prime", "official", "classic_yatzy"]
    for preset in PRESETS:
        make_game(preset.game, preset.options)
