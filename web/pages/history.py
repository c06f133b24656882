"""The pages of games gone by: the list of all, a game turn by turn, the statistics; and the games as files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from scorekeeper.rulebooks import GAMES
from scorekeeper.store import Entry
from web.commands.games import export_csv, export_json
from web.errors import Refused
from web.pages import figures, pictures
from web.pages.chronicle import chronicle
from web.pages.listed import listed
from web.table import the_table
from web.words import names

ON_A_PAGE = 30

history = Blueprint("history", __name__)


@history.get("/history")
def games() -> str:
    """All games, the one changed last first; `?game=` and `?player=` choose some, `?page=` is from 1."""
    entries = the_table().store.sessions()
    game, player = request.args.get("game", ""), request.args.get("player", "")
    chosen = [
        entry
        for entry in entries
        if (not game or entry.started.game == game) and (not player or player in entry.players)
    ]
    last = max(1, -(-len(chosen) // ON_A_PAGE))
    page = _page(request.args.get("page", "1"), last)
    return render_template(
        "history.html",
        entries=[listed(entry) for entry in chosen[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]],
        number_of_games=len(chosen),
        any_games=bool(entries),
        page=page,
        last=last,
        games=[(id_, names.game_name(id_)) for id_ in GAMES],
        players=_players(entries),
        chosen_game=game,
        chosen_player=player,
    )


@history.get("/sessions/<session_id>/history")
def turns(session_id: str) -> str:
    """One game, turn by turn."""
    session, lines = the_table().store.load_with_record(session_id)
    return render_template(
        "turns.html",
        id=session_id,
        title=names.game_name(session.position.started.game, session.position.started.options),
        rules=names.rules_line(session.position.started.game, session.position.started.options),
        chapters=chronicle(lines),
        race=pictures.race_picture(session),
        over=session.position.over,
        two_inks=session.position.started.game == "yamslam",
    )


@history.get("/statistics")
def statistics() -> str:
    """What all finished games add up to."""
    entries = the_table().store.sessions()
    kinds, dice = figures.statistics(entries)
    return render_template(
        "statistics.html",
        kinds=[
            {
                "title": figures.title(kind),
                "rules": names.rules_line(kind.game, kind.options),
                "players": [figures.player_row(player) for player in kind.players],
                "boxes": figures.box_rows(kind),
                **pictures.kind_pictures(kind, entries),
            }
            for kind in kinds
        ],
        columns=figures.columns(),
        dice=dice,
        faces=pictures.faces_picture(dice),
        verdict=figures.verdict(dice),
    )


@history.get("/history/games.<ending>")
def export_all(ending: str) -> Response:
    """All games as a file: everything (json), or the scores for a spreadsheet (csv)."""
    return _file([], "dicescribe-games", ending)


@history.get("/sessions/<session_id>/game.<ending>")
def export_one(session_id: str, ending: str) -> Response:
    """One game as such a file."""
    return _file([session_id], f"dicescribe-{session_id}", ending)


def _file(session_ids: Sequence[str], name: str, ending: str) -> Response:
    kinds = {"json": (export_json, "application/json"), "csv": (export_csv, "text/csv")}
    if ending not in kinds:
        raise Refused(404, _("There is nothing at this address."))
    export, mimetype = kinds[ending]
    out = io.StringIO()
    export(the_table().store, session_ids, out)
    answer = Response(out.getvalue(), mimetype=mimetype)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return answer


def _page(asked: str, last: int) -> int:
    """The page asked for, or the nearest that there is."""
    whole = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1
    return min(max(whole, 1), last)


def _players(entries: Sequence[Entry]) -> list[str]:
    found: dict[str, Any] = dict.fromkeys(name for entry in entries for name in entry.players)
    return sorted(found, key=str.casefold)
