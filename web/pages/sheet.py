"""The HTML: home, and the sheet with the fragment by which it is refreshed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, make_response, render_template, request
from flask_babel import gettext as _
from markupsafe import Markup

from scorekeeper.events import Lost, Renamed, Reordered, Started
from scorekeeper.rulebooks import GAMES, PRESETS
from scorekeeper.session import Position, Session
from scorekeeper.sheet import SheetGame
from scorekeeper.summary import summarise
from scorekeeper.turn import ROLLS_A_TURN
from web.api.states import state_json
from web.coach.coaching import COOKIE, Coach, LookedBack, Mode, coach, look_back, mode_of
from web.errors import Refused
from web.pages.drawings import Drawings
from web.pages.happened import happened
from web.pages.listed import listed, round_words
from web.pages.marks import marks
from web.pages.pictures import race_picture
from web.pages.spoken import spoken
from web.serving.join import is_this_machine, lan_addresses
from web.table import the_table
from web.words import names
from web.words.languages import asked_language

SHOWN_AT_HOME = 20
FIRST_NAMES = 2
SHEET = "_sheet.html"

_drawings = Drawings()
pages = Blueprint("pages", __name__)


@pages.app_context_processor
def _shared() -> dict[str, Any]:
    return {"names": names}


@pages.get("/")
def home() -> str:
    """Games to go on with, and the form for a new one; `?again=ID` fills it in as that session was."""
    store = the_table().store
    games = [listed(entry) for entry in store.sessions(SHOWN_AT_HOME)]
    again = store.load(request.args["again"]).position if "again" in request.args else None
    started = again.started if again else None
    presets = _presets()
    same_game = [preset for preset in presets if started is None or preset["game"] == started.game]
    same_rules = [preset for preset in same_game if started is None or preset["options"] == started.options]
    chosen = (same_rules or same_game)[0]
    return render_template(
        "home.html",
        going=[entry for entry in games if not entry["over"]],
        ended=[entry for entry in games if entry["over"]],
        presets=presets,
        chosen=chosen["id"],
        chosen_game=chosen["game"],
        games=GAMES.values(),
        again=started,
        players=list(again.players) if again else [""] * FIRST_NAMES,
        invite=invitation(),
    )


@pages.get("/sessions/<session_id>")
def sheet(session_id: str) -> str:
    """The page of one session."""
    session = the_table().store.load(session_id)
    started = session.position.started
    return render_template(
        "sheet.html",
        id=session_id,
        game=started.game,
        title=names.game_name(started.game, started.options),
        drawn=Markup(_drawn(session_id, session, *_coached(session))),
        invite=invitation(),
    )


@pages.get("/sessions/<session_id>/sheet")
def fragment(session_id: str) -> Response:
    """What of a session's page changes; empty (204) if the caller's `?shown=` is how it looks now."""
    store = the_table().store
    shown = request.args.get("shown")
    # Every open page asks this every other second, and mostly nothing has happened.
    if shown == _shown(store.seq(session_id)):
        return make_response("", 204)
    session = store.load(session_id)
    advice, back = _coached(session)
    if shown == _shown(session.seq, advice.building):
        return make_response("", 204)
    return make_response(_drawn(session_id, session, advice, back))


@pages.get("/sessions/<session_id>/more")
def more(session_id: str) -> str:
    """What is not needed every turn: coaching, the players."""
    session = the_table().store.load(session_id)
    position = session.position
    playing = len(position.players) - len(position.left)
    return render_template(
        "_more.html",
        state=state_json(session_id, session),
        modes=names.coaching(),
        chosen=_mode(),
        may_move=position.turn is not None and _not_begun(session) and len(position.players) > 1,
        may_leave=position.turn is not None and playing > 1 and position.started.options.get("mode") != "teams",
    )


@pages.get("/sessions/<session_id>/boxes/<int:player>/<box>")
def box(session_id: str, player: int, box: str) -> str:
    """A filled box: how it came to its points, and what it may hold."""
    session = the_table().store.load(session_id)
    changes = session.history().get((player, box))
    game = session.position.game
    if changes is None or not isinstance(game, SheetGame):
        raise Refused(404, _("There is nothing written in this box."))
    return render_template(
        "_edit.html",
        seq=session.seq,
        player=player,
        whose=session.position.players[player],
        box=box,
        changes=changes,
        possible=sorted(game.possible(box)),
    )


def _not_begun(session: Session) -> bool:
    """Whether nobody has rolled or left, so that the order can still be changed."""
    return all(isinstance(event, Started | Renamed | Reordered) for event, _ in session.steps)


def _mode() -> Mode:
    return mode_of(request.cookies.get(COOKIE))


def _shown(seq: int, building: int | None = None) -> str:
    """What a device shows; while a table is built for it also how far that is."""
    return f"{seq} {_mode()}" + ("" if building is None else f" {building}")


def _coached(session: Session) -> tuple[Coach, LookedBack | None]:
    """What this device is told about the dice on the table, and about the turn before."""
    advisors, mode = the_table().advisors, _mode()
    return coach(advisors, session, mode), look_back(advisors, session, mode)


def _drawn(session_id: str, session: Session, advice: Coach, back: LookedBack | None) -> str:
    """The sheet as markup. All it shows comes from the arguments, the mode and the language, so it is kept by these."""

    def draw() -> str:
        shown = _shown(session.seq, advice.building)
        return render_template(SHEET, **view(session_id, session), coach=advice, looked_back=back, shown=shown)

    return _drawings.get((session_id, asked_language(), _mode()), (session, advice, back), draw)


def view(session_id: str, session: Session) -> dict[str, Any]:
    """What the templates of a session are filled in with, whoever looks at it."""
    position = session.position
    game, turn = position.game, position.turn
    state = state_json(session_id, session)
    return {
        "state": state,
        "title": names.game_name(position.started.game, position.started.options),
        "chips": {box: game.points((1,) * 5)[box] for box in game.boxes} if "rack" in state else None,
        "rows": [
            (row, "box" if row in game.boxes else "grand" if row == "grand_total" else "sum") for row in game.rows
        ],
        "rolls": ROLLS_A_TURN,
        "joker": _is_joker(position),
        "second_chip": turn is not None and game.keeps_roll(position.state),
        "has_prime": position.started.options.get("prime") == "yes",
        "round": round_words(summarise(session)),
        "latest": _latest(session),
        "said": spoken(session),
        "can_undo": position.before is not None,
        "race": race_picture(session) if position.over else None,
        **marks(position),
        "ranking": _ranking(position),
        "lost": [lost.why for lost in session.lost],
    }


def _is_joker(position: Position) -> bool:
    """Whether the joker's rule restricts the boxes: the player should be told why some are closed."""
    if position.turn is None or not position.options or position.game.stock(position.state) is not None:
        return False
    filled = position.game.filled(position.state)[position.turn.player]
    return len(position.options) < len(position.game.boxes) - len(filled)


def _latest(session: Session) -> str:
    """What happened last, for those who look at another screen."""
    event, position = session.events[-1], session.position
    return "" if isinstance(event, Started | Lost) else happened(event, position.before, position)


def _ranking(position: Position) -> list[tuple[int, list[str], int]]:
    """The places at the end, each with the names that share it and their total; partners share theirs by nature."""
    if position.places is None:
        return []
    totals = position.game.totals(position.state)
    ranking = []
    for place in sorted({place for place in position.places if place is not None}):
        sharing = [player for player, own in enumerate(position.places) if own == place]
        ranking.append((place, [names.in_line(position.players[player]) for player in sharing], totals[sharing[0]]))
    return ranking


def _presets() -> list[dict[str, Any]]:
    """The games as they are offered: the presets, and the games that have none."""
    offered = [(preset.id, preset.game, dict(preset.options)) for preset in PRESETS]
    known = {game for _, game, _ in offered}
    offered += [(game, game, {}) for game in GAMES if game not in known]
    return [
        {
            "id": preset,
            "game": game,
            "options": {option: options.get(option, values[0]) for option, values in GAMES[game].options.items()},
            "name": names.preset_name(preset),
            "line": names.preset_line(preset),
        }
        for preset, game, options in offered
    ]


def invitation(path: str = "/") -> dict[str, Any] | None:
    """The link that brings another phone to a page here, its QR code and the join code; None without a network."""
    host = urlsplit(request.host_url).hostname or ""
    if host == "localhost" or is_this_machine(host):
        addresses = lan_addresses()
        if not addresses:
            return None
        host = addresses[0]
    code = the_table().key.code
    port = urlsplit(request.host_url).port
    address = f"{request.scheme}://{f'[{host}]' if ':' in host else host}{f':{port}' if port else ''}"
    return {"address": address, "code": code, "qr": _qr(f"{address}{path}?code={code}")}


@lru_cache(maxsize=100)
def _qr(address: str) -> Markup:
    """Its code, drawn; kept, as drawing it takes a third of the time of a page."""
    drawn = segno.make(address, error="m")
    return Markup(drawn.svg_inline(border=4, omitsize=True, dark="#000", light="#fff"))
