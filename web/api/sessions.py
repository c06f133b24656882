"""The JSON interface under `/api/v1`: the one way in for changes. Its table of operations is also its description."""

from __future__ import annotations

from typing import Any, cast

from flask import Blueprint, Response, jsonify, request

from scorekeeper.dice import make_roll
from scorekeeper.errors import BadGame, BadPlayers, BadRoll, IllegalMove, NoPlayer, RuleError, StaleSeq
from scorekeeper.events import Edited, Left, Passed, Recorded, Renamed, Reordered, Rolled, RollSource, Scored
from scorekeeper.game import MAX_PLAYERS, Source
from scorekeeper.names import tidy_name
from scorekeeper.rulebooks import GAMES, PRESETS
from scorekeeper.session import Session, new_game
from vision.images import MAX_BYTES
from web.api.body import LARGEST_JSON, json_body
from web.api.events import EVENT_OPERATIONS
from web.api.fields import DIE, TEXT, WHOLE, YES, Schema, fields, list_of
from web.api.imports import IMPORT_OPERATIONS
from web.api.live import LIVE_OPERATIONS
from web.api.openapi import PHOTO, Operation, describe
from web.api.readings import reading_json
from web.api.states import ENTRY, SHELF, STATE, entry_json, state_json
from web.coach.advice import ADVICE, BUILDING, session_advice
from web.coach.advisors import AdviceFailed
from web.errors import Refused
from web.pages.figures import STATISTICS, statistics, statistics_json
from web.table import the_table
from web.words import names
from web.words.sentences import say

PREFIX = "/api/v1"
MOST_EXPECTED = 100

GAME: Schema = {"type": "object"}
READING: Schema = {"type": "object"}
NEW_SESSION = fields(
    {"game": TEXT, "players": list_of(TEXT, 1, MAX_PLAYERS)},
    {
        "options": {"type": "object", "additionalProperties": {"anyOf": [TEXT, WHOLE]}},
        "first": {"type": "integer", "minimum": 0, "maximum": MAX_PLAYERS - 1},
        "throws": list_of(list_of(list_of(DIE, 1, 5), 1, MAX_PLAYERS), 0, 100),
    },
)
ROLL = fields(
    {"seq": WHOLE, "dice": list_of(DIE, 5, 5)},
    {
        "kept": list_of(DIE, 0, 5),
        "source": {"type": "string", "enum": ["typed", "photo", "camera"]},
        "inks": list_of(TEXT, 5, 5),
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "number": {"type": "integer", "minimum": 1, "maximum": 3},
    },
)
SCORE = fields({"seq": WHOLE}, {"box": TEXT, "chip": TEXT, "from": SHELF, "scratch": YES, "pass": YES})
UNDO = fields({"seq": WHOLE})

EDIT = fields({"seq": WHOLE, "player": WHOLE, "box": TEXT}, {"points": WHOLE, "dice": list_of(DIE, 5, 5), "by": TEXT})
PLAYERS = fields({"seq": WHOLE}, {"player": WHOLE, "name": TEXT, "leave": YES, "order": list_of(WHOLE, 1, MAX_PLAYERS)})

api = Blueprint("api", __name__, url_prefix=PREFIX)


def read() -> Response:
    """The dice of a photo, sent as the body or as the file `photo` of a form."""
    expect = _expected(request.args.get("expect"))
    request.max_content_length = MAX_BYTES + LARGEST_JSON
    name = "photo"

    def fetch() -> bytes:
        nonlocal name
        if request.mimetype != "multipart/form-data":
            return request.get_data(cache=False)
        photo = request.files.get("photo")
        if photo is None:
            raise Refused(400, "The form has no file named photo.", field="photo")
        name = photo.filename or name
        return bytes(photo.read())

    reading = the_table().photos.read(fetch).expecting(expect)
    answer = reading_json(reading, file=name, expect=expect)
    answer["doubts"] = list(map(say, answer["doubts"]))
    # The page marks the doubtful dice; what counts as doubtful only the model's threshold says.
    for shown, die in zip(answer["dice"], reading.dice, strict=True):
        shown["sure"] = not reading.is_doubtful(die)
    return jsonify(answer)


def list_games() -> Response:
    """All games with their boxes, options and presets, and how these are called."""
    return jsonify(
        [
            {
                "id": spec.id,
                "name": names.game_name(spec.id),
                "boxes": [{"id": box, "name": names.row_name(box)} for box in spec.boxes],
                "options": [
                    {
                        "id": option,
                        "name": names.option_name(option),
                        "default": values[0],
                        "values": [{"id": value, "name": names.value_name(option, value)} for value in values],
                    }
                    for option, values in spec.options.items()
                ],
                "presets": [
                    {"id": preset.id, "name": names.preset_name(preset.id), "options": dict(preset.options)}
                    for preset in PRESETS
                    if preset.game == spec.id
                ],
                "starting_dice": spec.starting_dice,
            }
            for spec in GAMES.values()
        ]
    )


def list_sessions() -> Response:
    """All sessions, the one changed last first."""
    return jsonify([entry_json(entry) for entry in the_table().store.sessions()])


def create_session() -> tuple[Response, int, dict[str, str]]:
    """A new game. Who begins: `first`, or settled by `throws`, round by round; else the first player."""
    body = json_body(NEW_SESSION)
    first, throws = body.get("first", 0), body.get("throws", [])
    if throws and "first" in body:
        raise Refused(400, "Who begins is said by first or by throws, not by both.", field="first")
    if first >= len(body["players"]):
        raise Refused(400, f"first must be from 0 to {len(body['players']) - 1}: one of the players.", field="first")
    if body["game"] not in GAMES:
        raise Refused(400, f"There is no such game; the games are {', '.join(GAMES)}.", field="game")
    started = new_game(
        body["game"],
        body["players"],
        {option: str(value) for option, value in body.get("options", {}).items()},
        first=first,
        throws=tuple(tuple(tuple(throw) for throw in round_) for round_ in throws),
    )
    session_id = the_table().store.create(started)
    answer = jsonify(state_json(session_id, the_table().store.load(session_id)))
    return answer, 201, {"Location": f"{PREFIX}/sessions/{session_id}"}


def show_session(session_id: str) -> Response:
    """The state of a session."""
    return jsonify(state_json(session_id, the_table().store.load(session_id)))


def add_roll(session_id: str) -> Response:
    """Record a roll: all five dice as they lie, and which of the roll before were kept."""
    body = json_body(ROLL)
    inks = body.get("inks")
    roll = Rolled(
        dice=make_roll(body["dice"]),
        kept=tuple(body.get("kept", ())),
        source=cast(RollSource, body.get("source", "typed")),
        number=body.get("number"),
        inks=None if inks is None else tuple(inks),
        confidence=body.get("confidence"),
    )
    return _append(session_id, body["seq"], roll)


def add_score(session_id: str) -> Response:
    """Fill a box with the roll, take a chip for it, or pass."""
    body = json_body(SCORE)
    return _append(session_id, body["seq"], _score(body, the_table().store.load(session_id)))


def undo(session_id: str) -> Response:
    """Take the last roll or score back."""
    body = json_body(UNDO)
    session = _fresh(session_id, body["seq"])
    return _append(session_id, body["seq"], session.position.undo())


def edit(session_id: str) -> Response:
    """Correct a filled box: what it holds, or the dice that it was filled with."""
    body = json_body(EDIT)
    dice, by = body.get("dice"), body.get("by")
    edited = Edited(
        player=body["player"],
        box=body["box"],
        points=body.get("points"),
        dice=None if dice is None else make_roll(dice),
        by=None if by is None else tidy_name(by, None),
    )
    return _append(session_id, body["seq"], edited)


def change_players(session_id: str) -> Response:
    """Rename a player, change the order before the first roll, or have a player leave."""
    return _append(session_id, (body := json_body(PLAYERS))["seq"], _players(body))


def show_advice(session_id: str) -> Response | tuple[Response, int]:
    """Advice for the roll on the table; before a roll what is to be expected; while it is worked out how far it is."""
    table = the_table()
    session = table.store.load(session_id)
    try:
        answer = session_advice(table.advisors, session)
    except AdviceFailed as problem:
        raise Refused(503, say(problem.sentence)) from problem
    return (jsonify(answer), 202) if "building" in answer else jsonify(answer)


def show_statistics() -> Response:
    """What all finished games add up to: per rules and player, and how often each face came up."""
    return jsonify(statistics_json(*statistics(the_table().store.sessions())))


def show_description() -> Response:
    """This description."""
    return jsonify(describe(OPERATIONS, PREFIX, STATE))


OPERATIONS = (
    Operation(
        "POST",
        "/read",
        "Read the dice of a photo.",
        read,
        {200: READING},
        refuses=(400, 413, 415, 429),
        takes=PHOTO,
        query={"expect": {"type": "integer", "minimum": 0, "maximum": MOST_EXPECTED}},
    ),
    Operation("GET", "/games", "The games.", list_games, {200: list_of(GAME)}),
    Operation("GET", "/sessions", "The sessions.", list_sessions, {200: list_of(ENTRY)}),
    Operation(
        "POST",
        "/sessions",
        "Start a game.",
        create_session,
        {201: STATE},
        refuses=(400, 413, 415),
        takes=NEW_SESSION,
        changes=True,
    ),
    Operation("GET", "/sessions/<session_id>", "One session.", show_session, {200: STATE}, refuses=(404,)),
    *(
        Operation(
            "POST",
            f"/sessions/<session_id>/{what}",
            does,
            view,
            {200: STATE},
            refuses=(400, 404, 409, 413, 415),
            takes=takes,
            changes=True,
        )
        for what, does, view, takes in (
            ("rolls", "Record a roll.", add_roll, ROLL),
            ("scores", "Use the roll.", add_score, SCORE),
            ("undo", "Take the last change back.", undo, UNDO),
            ("edits", "Correct a filled box.", edit, EDIT),
            ("players", "Rename, reorder, leave.", change_players, PLAYERS),
        )
    ),
    Operation(
        "GET",
        "/sessions/<session_id>/advice",
        "Advice for the present roll; 202 while the game is worked out.",
        show_advice,
        {200: ADVICE, 202: BUILDING},
        refuses=(404, 503),
    ),
    *IMPORT_OPERATIONS,
    *EVENT_OPERATIONS,
    *LIVE_OPERATIONS,
    Operation("GET", "/statistics", "Figures of all finished games.", show_statistics, {200: STATISTICS}),
    Operation("GET", "/openapi.json", "This description.", show_description, {200: {"type": "object"}}),
)
for operation in OPERATIONS:
    api.add_url_rule(
        operation.path, operation.view.__name__, operation.view, methods=[operation.method], strict_slashes=False
    )


def _append(session_id: str, seq: int, event: Recorded) -> Response:
    table = the_table()
    session = table.store.append(session_id, seq, event)
    # A camera that follows the game may have a roll that waited for this.
    if table.live.changed(session_id):
        session = table.store.load(session_id)
    return jsonify(state_json(session_id, session))


def _fresh(session_id: str, seq: int) -> Session:
    """The session, if this is its seq. Raises StaleSeq; the store looks again when it writes."""
    session = the_table().store.load(session_id)
    if session.seq != seq:
        raise StaleSeq(seq, session)
    return session


def _score(body: dict[str, Any], session: Session) -> Scored | Passed:
    uses = [use for use in ("box", "chip", "pass") if body.get(use) not in (None, False)]
    if len(uses) != 1:
        raise Refused(400, "Say one thing: a box, a chip, or pass: true.", field=(uses or ["box"])[-1])
    if uses == ["pass"]:
        extra = next((name for name in ("scratch", "from") if name in body), None)
        if extra:
            raise Refused(400, f"A pass takes nothing, so {extra} has no place here.", field=extra)
        return Passed()
    position = session.position
    word, other = ("box", "chip") if position.game.stock(position.state) is None else ("chip", "box")
    if uses != [word]:
        raise Refused(400, f"In this game a roll goes for a {word}, not a {other}.", field=other)
    return Scored(box=body[uses[0]], scratch=body.get("scratch", False), source=cast(Source | None, body.get("from")))


def _players(body: dict[str, Any]) -> Renamed | Reordered | Left:
    what = [name for name in ("name", "order", "leave") if body.get(name) not in (None, False)]
    if len(what) != 1:
        raise Refused(400, "Say one thing: a name, an order, or leave: true.", field=(what or ["name"])[-1])
    if ("player" in body) == (what == ["order"]):
        raise Refused(400, "An order is of all players, a name and leave are of one player.", field="player")
    if what == ["order"]:
        return Reordered(tuple(body["order"]))
    player = body["player"]
    return Left(player) if what == ["leave"] else Renamed(player, tidy_name(body["name"], player + 1))


def _expected(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= MOST_EXPECTED):
        raise Refused(400, f"expect must be a whole number from 0 to {MOST_EXPECTED}.", field="expect")
    return int(text)


def field_of(error: RuleError) -> str | None:
    """The field of the request that a broken rule is about, where there is one."""
    if isinstance(error, BadRoll):
        return "throws" if request.endpoint == "api.create_session" else "dice"
    if isinstance(error, NoPlayer):
        return "player"
    endpoint = (request.endpoint or "").removeprefix("api.")
    if isinstance(error, IllegalMove):
        return {"add_roll": "dice", "add_score": "box", "edit": "box"}.get(endpoint)
    if isinstance(error, BadPlayers):
        return {"edit": "by", "change_players": "name"}.get(endpoint, "players")
    return "options" if isinstance(error, BadGame) else None
