"""The printed sheets as data; a variant states only what it changes.

Sources: the rule sheets of Yams, of classic and Scandinavian Yatzy, and the leaflet of Yamslam.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TypeVar

from scorekeeper import patterns
from scorekeeper.chips import Chip, ChipGame, Mode
from scorekeeper.dice import short
from scorekeeper.errors import BadGame
from scorekeeper.game import AnyGame
from scorekeeper.patterns import Score, Test
from scorekeeper.sheet import Box, Joker, SheetGame

UPPER = tuple(
    Box(name, patterns.sum_of(face))
    for face, name in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), start=1)
)

YAMS = SheetGame(
    upper=UPPER,
    lower=(
        Box("three_of_a_kind", patterns.total_if(patterns.alike(3))),
        Box("four_of_a_kind", patterns.total_if(patterns.alike(4))),
        Box("full_house", patterns.worth(25, patterns.full_house), joker=25),
        Box("small_straight", patterns.worth(30, patterns.run(4)), joker=30),
        Box("large_straight", patterns.worth(40, patterns.run(5)), joker=40),
        Box("yams", patterns.worth(50, patterns.alike(5))),
        Box("chance", patterns.total),
    ),
    five_alike="yams",
    bonus=35,
    upper_sums=("upper_subtotal", "upper_bonus", "upper_total"),
    lower_sums=("lower_subtotal", "prime", "lower_total", "grand_total"),
)

YATZY = replace(
    YAMS,
    lower=tuple(replace(box, id="yatzy") if box.id == "yams" else box for box in YAMS.lower),
    five_alike="yatzy",
)

SCANDINAVIAN = SheetGame(
    upper=UPPER,
    lower=(
        Box("one_pair", patterns.sum_of_alike(2)),
        Box("two_pairs", patterns.sum_of_two_pairs),
        Box("three_of_a_kind", patterns.sum_of_alike(3)),
        Box("four_of_a_kind", patterns.sum_of_alike(4)),
        Box("small_straight", patterns.worth(15, patterns.exactly(1, 2, 3, 4, 5))),
        Box("large_straight", patterns.worth(20, patterns.exactly(2, 3, 4, 5, 6))),
        Box("full_house", patterns.total_if(patterns.full_house)),
        Box("chance", patterns.total),
        Box("yatzy", patterns.worth(50, patterns.alike(5))),
    ),
    five_alike="yatzy",
    bonus=50,
    upper_sums=("upper_subtotal", "upper_bonus"),
    lower_sums=("grand_total",),
)

YAMSLAM = ChipGame(
    kinds=(
        Chip("two_pairs", 5, patterns.two_pairs_or_four_alike),
        Chip("three_of_a_kind", 10, patterns.alike(3)),
        Chip("small_straight", 20, patterns.run(4)),
        Chip("flush", 25, patterns.one_colour),
        Chip("full_house", 30, patterns.full_house),
        Chip("four_of_a_kind", 40, patterns.alike(4)),
        Chip("large_straight", 50, patterns.run(5)),
    ),
)

Rules = TypeVar("Rules", SheetGame, ChipGame)
Sheet = Callable[[SheetGame], SheetGame]
Chips = Callable[[ChipGame], ChipGame]


def _as_printed(game: Rules) -> Rules:
    return game


def _joker(joker: Joker) -> Sheet:
    return lambda game: replace(game, joker=joker)


def _prime(points: int) -> Sheet:
    return lambda game: replace(game, prime=points)


def _rescore(name: str, score: Score) -> Sheet:
    return lambda game: replace(
        game, lower=tuple(replace(box, score=score) if box.id == name else box for box in game.lower)
    )


def _retest(name: str, test: Test) -> Chips:
    return lambda game: replace(
        game, kinds=tuple(replace(kind, test=test) if kind.id == name else kind for kind in game.kinds)
    )


def _mode(mode: Mode) -> Chips:
    return lambda game: replace(game, mode=mode)


def _games(number: int) -> Chips:
    return lambda game: replace(game, games=number)


YAMS_OPTIONS: Mapping[str, Mapping[str, Sheet]] = {
    "joker": {
        "none": _as_printed,
        "seeds": _joker("seeds"),
        "forced": _joker("forced"),
        "free": _joker("free"),
    },
    "prime": {"no": _as_printed, "yes": _prime(100)},
    "five_alike_full_house": {
        "no": _as_printed,
        "yes": _rescore("full_house", patterns.worth(25, patterns.full_house_or_five_alike)),
    },
}

SCANDINAVIAN_OPTIONS: Mapping[str, Mapping[str, Sheet]] = {
    "five_alike_full_house": {
        "no": _as_printed,
        "yes": _rescore("full_house", patterns.total_if(patterns.full_house_or_five_alike)),
    },
    "four_alike_two_pairs": {
        "no": _as_printed,
        "yes": _rescore("two_pairs", patterns.sum_of_two_pairs_or_four_alike),
    },
}

YAMSLAM_OPTIONS: Mapping[str, Mapping[str, Chips]] = {
    "four_alike_two_pairs": {"yes": _as_printed, "no": _retest("two_pairs", patterns.two_pairs)},
    "mode": {"table": _as_printed, "solo": _mode("solo"), "teams": _mode("teams")},
    "games": {str(number): _games(number) for number in range(1, 100)},
}


@dataclass(frozen=True, slots=True)
class GameSpec:
    """A game that can be chosen.

    boxes          ids in the order of the sheet (Yamslam: the kinds of chips)
    options        per option the values allowed, the default first
    starting_dice  how many dice each player throws to settle who begins
    """

    id: str
    boxes: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    starting_dice: int
    make: Callable[[Mapping[str, str]], AnyGame]


@dataclass(frozen=True, slots=True)
class Preset:
    """A game with the options that go by one name."""

    id: str
    game: str
    options: Mapping[str, str]


def _spec(name: str, game: Rules, options: Mapping[str, Mapping[str, Callable[[Rules], Rules]]], dice: int) -> GameSpec:
    def make(chosen: Mapping[str, str]) -> AnyGame:
        made = game
        for option, value in chosen.items():
            made = options[option][value](made)
        return made

    values = {option: tuple(changes) for option, changes in options.items()}
    return GameSpec(name, game.boxes, MappingProxyType(values), starting_dice=dice, make=make)


GAMES: Mapping[str, GameSpec] = MappingProxyType(
    {
        spec.id: spec
        for spec in (
            _spec("yams", YAMS, YAMS_OPTIONS, dice=5),
            _spec("yatzy", YATZY, YAMS_OPTIONS, dice=5),
            _spec("scandinavian", SCANDINAVIAN, SCANDINAVIAN_OPTIONS, dice=5),
            _spec("yamslam", YAMSLAM, YAMSLAM_OPTIONS, dice=1),
        )
    }
)

PRESETS = (
    Preset("yams", "yams", {}),
    Preset("yams_joker_prime", "yams", {"joker": "seeds", "prime": "yes"}),
    Preset("official", "yams", {"joker": "forced", "prime": "yes"}),
    Preset("classic_yatzy", "yatzy", {}),
)


def game_spec(game_id: str) -> GameSpec:
    """The game of that id. Raises BadGame that lists the ids there are."""
    spec = GAMES.get(game_id)
    if spec is None:
        raise BadGame(f"There is no game {short(game_id)}; the games are {', '.join(GAMES)}.")
    return spec


def full_options(game_id: str, options: Mapping[str, str]) -> dict[str, str]:
    """All options of the game in its order, those not given at their defaults.

    Raises BadGame for an unknown game, option or value, with what is allowed.
    """
    spec = game_spec(game_id)
    for name, value in options.items():
        if name not in spec.options:
            raise BadGame(f"{game_id} has no option {short(name)}; its options are {', '.join(spec.options)}.")
        if value not in spec.options[name]:
            raise BadGame(f"{name} cannot be {short(value)}; allowed is {_allowed(spec.options[name])}.")
    return {name: options.get(name, values[0]) for name, values in spec.options.items()}


def make_game(game_id: str, options: Mapping[str, str] | None = None) -> AnyGame:
    """The game with its options chosen; equal choices give the same object.

    Raises BadGame for an unknown game, option or value, with what is allowed.
    """
    return _make(game_id, tuple(full_options(game_id, options or {}).items()))


@lru_cache(maxsize=64)
def _make(game_id: str, options: tuple[tuple[str, str], ...]) -> AnyGame:
    return GAMES[game_id].make(dict(options))


def _allowed(values: tuple[str, ...]) -> str:
    if len(values) > 10:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(values)
