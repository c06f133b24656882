"""The big screen: a game as a laptop or a television shows it to the whole table. It is looked at, not played on."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, render_template, request, url_for

from scorekeeper.session import Position, Session
from scorekeeper.sheet import BONUS_FROM
from web.pages.marks import leading
from web.pages.sheet import invitation, view
from web.table import the_table
from web.words.languages import asked_language
from web.words.names import in_line

ON_SCREEN = {"box", "grand"}
"""The rows that are shown: of the sums only the bonuses and the total, so that all can be read from afar."""

screens = Blueprint("screens", __name__)


@screens.get("/sessions/<session_id>/screen")
def screen(session_id: str) -> str:
    """The big screen of one session."""
    session = the_table().store.load(session_id)
    sheet = url_for("pages.sheet", session_id=session_id)
    return render_template("screen.html", **_view(session_id, session), invite=invitation(sheet))


@screens.get("/sessions/<session_id>/screen/board")
def board(session_id: str) -> Response:
    """What of it changes; empty (204) if the caller's `?shown=` is how it looks now."""
    store = the_table().store
    if request.args.get("shown") == _shown(store.seq(session_id)):
        return make_response("", 204)
    return make_response(render_template("_screen.html", **_view(session_id, store.load(session_id))))


def _shown(seq: int) -> str:
    return f"{seq} {asked_language()}"


def _view(session_id: str, session: Session) -> dict[str, Any]:
    shared = view(session_id, session)
    bonuses = {"upper_bonus"} | ({"prime"} if shared["has_prime"] else set())
    rows = [(row, kind) for row, kind in shared["rows"] if kind in ON_SCREEN or row in bonuses]
    return {
        **shared,
        "rows": rows,
        "bonus_from": BONUS_FROM,
        "shown": _shown(session.seq),
        "leaders": leaders(session.position),
    }


def leaders(position: Position) -> tuple[list[str], int]:
    """Who is ahead of all others, and by how much; nobody, and 0, at the end and while all have the same."""
    ahead = sorted(leading(position))
    if not ahead:
        return [], 0
    totals = position.game.totals(position.state)
    behind = [total for player, total in enumerate(totals) if player not in position.left and player not in ahead]
    return [in_line(position.players[player]) for player in ahead], totals[ahead[0]] - max(behind)
