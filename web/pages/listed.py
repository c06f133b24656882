"""A game as lists show it: on the first page and in the history."""

from __future__ import annotations

from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from scorekeeper.rulebooks import make_game
from scorekeeper.sheet import SheetGame
from scorekeeper.store import Entry
from scorekeeper.summary import Summary
from web.words import names


def listed(entry: Entry) -> dict[str, Any]:
    """What stands in the line of a game."""
    seats = entry.summary.seats
    return {
        "id": entry.id,
        "changed_at": entry.changed_at,
        "title": names.game_name(entry.started.game, entry.started.options),
        "scores": " · ".join(f"{names.in_line(seat.name)} {seat.total}" for seat in seats),
        "round": round_words(entry.summary),
        "over": entry.summary.over,
    }


def round_words(summary: Summary) -> str:
    """How far a game is."""
    if summary.over:
        return _("The end")
    game = make_game(summary.started.game, summary.started.options)
    if not isinstance(game, SheetGame):
        return ngettext("%(num)s chip left", "%(num)s chips left", summary.to_go)
    return _("Round %(n)s of %(rounds)s", n=len(game.boxes) - summary.to_go + 1, rounds=len(game.boxes))
