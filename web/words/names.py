"""The one place that knows how games, boxes, sum rows, options and presets are called on the page, by id.

The tables are in English; the functions say it in the language of the page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from scorekeeper.rulebooks import GAMES, PRESETS
from web.words import mark, said

ROWS: Mapping[str, str] = {
    "ones": mark("Ones"),
    "twos": mark("Twos"),
    "threes": mark("Threes"),
    "fours": mark("Fours"),
    "fives": mark("Fives"),
    "sixes": mark("Sixes"),
    "one_pair": mark("One pair"),
    "two_pairs": mark("Two pairs"),
    "three_of_a_kind": mark("Three of a kind"),
    "four_of_a_kind": mark("Four of a kind"),
    "full_house": mark("Full house"),
    "small_straight": mark("Small straight"),
    "large_straight": mark("Large straight"),
    "flush": mark("Flush"),
    "yams": mark("Yams"),
    "yatzy": mark("Yatzy"),
    "chance": mark("Chance"),
    "upper_subtotal": mark("Subtotal A"),
    "upper_bonus": mark("Upper bonus B"),
    "upper_total": mark("Upper total A+B"),
    "lower_subtotal": mark("Subtotal C"),
    "prime": mark("Bonus 100 D"),
    "lower_total": mark("Lower total C+D"),
    "grand_total": mark("Grand total"),
    "chips": mark("Chips"),
    "golden_seven": mark("Golden 7"),
    "silver_six": mark("Silver 6"),
    "full_stacks": mark("All four of a kind"),
    "last_chip": mark("Last chip"),
    "earlier_games": mark("Earlier games"),
}
"""Boxes, chips and sum rows."""

HINTS: Mapping[str, str] = {
    "upper_bonus": mark("from 63"),
    "golden_seven": mark("one of each kind"),
    "silver_six": mark("six kinds"),
}
"""A few words below a row's name."""

GAME_NAMES: Mapping[str, str] = {
    "yams": mark("Yams"),
    "yatzy": mark("Classic Yatzy"),
    "scandinavian": mark("Scandinavian Yatzy"),
    "yamslam": mark("Yamslam"),
}

PRESET_NAMES: Mapping[str, tuple[str, str]] = {
    "yams": (mark("Yams"), mark("Thirteen boxes. No joker, no bonus of 100.")),
    "yams_joker_prime": (mark("Yams with joker and bonus"), mark("A further yams is a joker and earns 100.")),
    "official": (mark("Official rules"), mark("The strict joker, and 100 for each further yams.")),
    "classic_yatzy": (mark("Classic Yatzy"), mark("The same sheet under its other name.")),
    "scandinavian": (mark("Scandinavian Yatzy"), mark("Fifteen boxes, pairs among them. Bonus 50.")),
    "yamslam": (mark("Yamslam"), mark("Win chips from the rack that all share.")),
}
"""Per preset its name and a line about it; a game without presets is one itself."""

OPTION_NAMES: Mapping[str, str] = {
    "joker": mark("A further yams or yatzy"),
    "prime": mark("100 points for each further yams or yatzy"),
    "five_alike_full_house": mark("Five alike count as a full house"),
    "four_alike_two_pairs": mark("Four alike count as two pairs"),
    "mode": mark("How it is played"),
    "games": mark("Games in a row, totals added"),
}

VALUE_NAMES: Mapping[str, str] = {
    "joker=none": mark("scores like any roll"),
    "joker=seeds": mark("joker after a 50, in the lower half"),
    "joker=forced": mark("strict joker: its own face first"),
    "joker=free": mark("joker in any free box"),
    "mode=table": mark("each for themselves"),
    "mode=solo": mark("alone against the rack"),
    "mode=teams": mark("two teams of two"),
    "no": mark("no"),
    "yes": mark("yes"),
}
"""How an option's value reads: under `option=value` if it needs words of its own, else under the value alone."""


COACHING: tuple[tuple[str, str, str], ...] = (
    ("off", mark("Off"), mark("The points alone.")),
    ("on", mark("On"), mark("After each roll what to keep or to score, and what else would cost.")),
    ("after", mark("After the turn"), mark("What perfect play would have done, and what it cost.")),
)
"""The ways of coaching, with a line about each."""


def in_line(player: str) -> str:
    """A player's name as it stands in a line: one that is written from right to left leaves the rest as it is."""
    turns = any(unicodedata.bidirectional(sign) in {"R", "AL"} for sign in player)
    return f"\u2068{player}\u2069" if turns else player


def row_name(row: str) -> str:
    """The name of a box, a chip or a sum row."""
    return said(ROWS[row])


def hint(row: str) -> str:
    """The few words below a row's name; empty where there are none."""
    return said(HINTS[row]) if row in HINTS else ""


def option_name(option: str) -> str:
    """The name of an option."""
    return said(OPTION_NAMES[option])


def value_name(option: str, value: str) -> str:
    """The name of an option's value; a number is its own name."""
    known = VALUE_NAMES.get(f"{option}={value}") or VALUE_NAMES.get(value)
    return value if known is None else said(known)


def preset_name(preset: str) -> str:
    """The name of a preset, or of a game that has none."""
    return said(PRESET_NAMES[preset][0])


def preset_line(preset: str) -> str:
    """A line about it."""
    return said(PRESET_NAMES[preset][1])


def coaching() -> list[tuple[str, str, str]]:
    """The ways of coaching by id, each with its name and a line about it."""
    return [(mode, said(name), said(line)) for mode, name, line in COACHING]


def game_name(game: str, options: Mapping[str, str] | None = None) -> str:
    """The name of a game with all its options: a preset's where these are just that preset's, else the game's."""
    preset = None if options is None else _preset(game, options)
    return said(GAME_NAMES[game]) if preset is None else preset_name(preset)


def rules_line(game: str, options: Mapping[str, str]) -> str:
    """The options that are not at their defaults; empty where the game's name says them already."""
    if _preset(game, options) is not None:
        return ""
    return " · ".join(
        said("%(option)s: %(value)s", option=option_name(name), value=value_name(name, options[name]))
        for name, values in GAMES[game].options.items()
        if options[name] != values[0]
    )


def _preset(game: str, options: Mapping[str, str]) -> str | None:
    for preset in PRESETS:
        chosen = {name: preset.options.get(name, values[0]) for name, values in GAMES[game].options.items()}
        if preset.game == game and chosen == dict(options):
            return preset.id
    return None
