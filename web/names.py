"""The one place that knows how games, boxes, sum rows, options and presets are called on the page, by id."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from scorekeeper.rulebooks import GAMES, PRESETS

ROWS: Mapping[str, str] = {
    "ones": "Ones",
    "twos": "Twos",
    "threes": "Threes",
    "fours": "Fours",
    "fives": "Fives",
    "sixes": "Sixes",
    "one_pair": "One pair",
    "two_pairs": "Two pairs",
    "three_of_a_kind": "Three of a kind",
    "four_of_a_kind": "Four of a kind",
    "full_house": "Full house",
    "small_straight": "Small straight",
    "large_straight": "Large straight",
    "flush": "Flush",
    "yams": "Yams",
    "yatzy": "Yatzy",
    "chance": "Chance",
    "upper_subtotal": "Subtotal A",
    "upper_bonus": "Upper bonus B",
    "upper_total": "Upper total A+B",
    "lower_subtotal": "Subtotal C",
    "prime": "Bonus 100 D",
    "lower_total": "Lower total C+D",
    "grand_total": "Grand total",
    "chips": "Chips",
    "golden_seven": "Golden 7",
    "silver_six": "Silver 6",
    "full_stacks": "All four of a kind",
    "last_chip": "Last chip",
    "earlier_games": "Earlier games",
}
"""Boxes, chips and sum rows."""

HINTS: Mapping[str, str] = {
    "upper_bonus": "from 63",
    "golden_seven": "one of each kind",
    "silver_six": "six kinds",
}
"""A few words below a row's name."""

GAME_NAMES: Mapping[str, str] = {
    "yams": "Yams",
    "yatzy": "Classic Yatzy",
    "scandinavian": "Scandinavian Yatzy",
    "yamslam": "Yamslam",
}

PRESET_NAMES: Mapping[str, tuple[str, str]] = {
    "yams": ("Yams", "Thirteen boxes. No joker, no bonus of 100."),
    "yams_joker_prime": ("Yams with joker and bonus", "A further yams is a joker and earns 100."),
    "official": ("Official rules", "The strict joker, and 100 for each further yams."),
    "classic_yatzy": ("Classic Yatzy", "The same sheet under its other name."),
    "scandinavian": ("Scandinavian Yatzy", "Fifteen boxes, pairs among them. Bonus 50."),
    "yamslam": ("Yamslam", "Win chips from the rack that all share."),
}
"""Per preset its name and a line about it; a game without presets is one itself."""

OPTION_NAMES: Mapping[str, str] = {
    "joker": "A further yams or yatzy",
    "prime": "100 points for each further yams or yatzy",
    "five_alike_full_house": "Five alike count as a full house",
    "four_alike_two_pairs": "Four alike count as two pairs",
    "mode": "How it is played",
    "games": "Games in a row, totals added",
}

VALUE_NAMES: Mapping[str, str] = {
    "joker=none": "scores like any roll",
    "joker=seeds": "joker after a 50, in the lower half",
    "joker=forced": "strict joker: its own face first",
    "joker=free": "joker in any free box",
    "mode=table": "each for themselves",
    "mode=solo": "alone against the rack",
    "mode=teams": "two teams of two",
    "no": "no",
    "yes": "yes",
}
"""How an option's value reads: under `option=value` if it needs words of its own, else under the value alone."""


COACHING: tuple[tuple[str, str, str], ...] = (
    ("off", "Off", "The points alone."),
    ("on", "On", "After each roll what to keep or to score, and what else would cost."),
    ("after", "After the turn", "What perfect play would have done, and what it cost."),
)
"""The ways of coaching, with a line about each."""


def in_line(player: str) -> str:
    """A player's name as it stands in a line: one that is written from right to left leaves the rest as it is."""
    turns = any(unicodedata.bidirectional(sign) in {"R", "AL"} for sign in player)
    return f"\u2068{player}\u2069" if turns else player


def row_name(row: str) -> str:
    """The name of a box, a chip or a sum row."""
    return ROWS[row]


def value_name(option: str, value: str) -> str:
    """The name of an option's value; a number is its own name."""
    return VALUE_NAMES.get(f"{option}={value}") or VALUE_NAMES.get(value, value)


def game_name(game: str, options: Mapping[str, str]) -> str:
    """The name of a game with all its options: a preset's where these are just that preset's, else the game's."""
    preset = _preset(game, options)
    return GAME_NAMES[game] if preset is None else PRESET_NAMES[preset][0]


def rules_line(game: str, options: Mapping[str, str]) -> str:
    """The options that are not at their defaults; empty where the game's name says them already."""
    if _preset(game, options) is not None:
        return ""
    return " · ".join(
        f"{OPTION_NAMES[name]}: {value_name(name, options[name])}"
        for name, values in GAMES[game].options.items()
        if options[name] != values[0]
    )


def _preset(game: str, options: Mapping[str, str]) -> str | None:
    for preset in PRESETS:
        chosen = {name: preset.options.get(name, values[0]) for name, values in GAMES[game].options.items()}
        if preset.game == game and chosen == dict(options):
            return preset.id
    return None
