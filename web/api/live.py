"""What of the JSON interface is about the live table: following a game with a camera, and what that sees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from flask import Response, jsonify, request
from flask_babel import gettext as _
from werkzeug.exceptions import RequestEntityTooLarge

from scorekeeper.dice import spaced
from scorekeeper.errors import NoSession
from scorekeeper.session import Position
from vision.errors import BadImage
from vision.places import apart
from vision.steady import Settled
from vision.types import Die, Frame
from web.api.body import json_body
from web.api.fields import DIE, TEXT, WHOLE, YES, Schema, fields, list_of
from web.api.openapi import FRAME, Operation
from web.api.readings import die_json, settled_json
from web.errors import Refused
from web.live.following import QUIET, Following
from web.live.scribe import Throw
from web.serving.photos import LONGEST_FRAME_SIDE
from web.table import the_table
from web.words import mark, names, said
from web.words.sentences import say

LARGEST_FRAME = 4 * 1024 * 1024
JPEG = b"\xff\xd8\xff"
LONGEST_NAME = 64
STATES = ("off", "starting", "waiting", "rolling", "hand", "reading", "settled", "unsure", "missing", "lost")
WORDS = {
    "starting": mark("The camera is being opened."),
    "waiting": mark("Waiting for the next throw."),
    "rolling": mark("The dice are rolling."),
    "hand": mark("A hand is in view."),
    "reading": mark("Reading the dice."),
}
MATCH = 0.5
"""Of a die's size, that it may lie from where it was read and still be the same."""

SOURCE: Schema = {"type": "string", "enum": ["server", "browser"]}
NULL: Schema = {"type": "null"}
COLOUR = fields({"name": TEXT, "confidence": {"type": "number"}})
SEEN = fields(
    {
        "value": DIE,
        "confidence": {"type": "number"},
        "box": list_of({"type": "number"}, 4, 4),
        "ink": COLOUR,
        "body": COLOUR,
        "kept": YES,
        "sure": YES,
    }
)
ROLL = fields(
    {
        "n": WHOLE,
        "turn": WHOLE,
        "roll": WHOLE,
        "t": {"type": "number"},
        "values": list_of(DIE),
        "kept": list_of(DIE),
        "thrown": list_of(DIE),
        "sure": YES,
        "doubts": list_of(TEXT),
        "dice": list_of(SEEN),
    }
)
TURN_ROLL: Schema = fields({"roll": WHOLE, "dice": list_of(DIE, 5, 5), "kept": list_of(DIE, 0, 4)})
LIVE: Schema = fields(
    {
        "on": YES,
        "source": {"anyOf": [SOURCE, NULL]},
        "by": TEXT,
        "available": YES,
        "other": {"anyOf": [TEXT, NULL]},
        "state": {"type": "string", "enum": list(STATES)},
        "words": TEXT,
        "dice": list_of(SEEN),
        "width": WHOLE,
        "height": WHOLE,
        "roll": {"anyOf": [ROLL, NULL]},
        "pending": {"anyOf": [ROLL, NULL]},
        "held": WHOLE,
        "rolls": list_of(TURN_ROLL, 0, 3),
        "help": list_of(TEXT),
        "seq": WHOLE,
    }
)
FOLLOW = fields({"on": YES}, {"source": SOURCE, "by": TEXT})
SETTLE = fields({"n": WHOLE, "dice": list_of(DIE, 5, 5)})


def show_live(session_id: str) -> Response:
    """What the camera sees of a session; `on` is false where it is not followed."""
    return jsonify(live_json(session_id))


def follow(session_id: str) -> Response:
    """Follow a session, and no other, or stop it. `by` is a name by which a device knows itself."""
    body = json_body(FOLLOW)
    live, by = the_table().live, body.get("by", "")
    if len(by) > LONGEST_NAME:
        raise Refused(400, f"by may have {LONGEST_NAME} signs.", field="by")
    if not body["on"]:
        following = live.of(session_id)
        # A device that leaves does not stop what another has begun.
        if following is not None and by in ("", following.by):
            live.leave(following)
        return jsonify(live_json(session_id))
    source = body.get("source", "browser" if live.camera is None else "server")
    if source == "server" and live.camera is None:
        why = _(
            "This computer watches no camera: start it with `dicescribe serve --camera 0`, or use a phone's camera."
        )
        raise Refused(400, why, field="source")
    if the_table().store.load(session_id).position.over:
        raise Refused(400, _("This game is over: there is nothing to follow."), field="on")
    live.follow(session_id, source, by)
    return jsonify(live_json(session_id))


def add_frame(session_id: str) -> Response:
    """A picture of the device's camera, as a JPEG, taken at `t` milliseconds of its own clock.

    It is left out when it is late, when another is being looked at, or when another device is followed.
    """
    t = _milliseconds(request.args.get("t"))
    if request.mimetype != "image/jpeg":
        raise _no_jpeg()
    request.max_content_length = LARGEST_FRAME
    if (request.content_length or 0) > LARGEST_FRAME:
        raise _too_large()
    following = the_table().live.of(session_id)
    if following is not None and following.source == "browser" and following.by == request.args.get("by", ""):
        following.see(t / 1000, _frame)
    return jsonify(live_json(session_id))


def read_again(session_id: str) -> Response:
    """Read the dice that lie there anew."""
    _followed(session_id).scribe.orders.append(lambda follower: follower.read_again())
    return jsonify(live_json(session_id))


def not_a_roll(session_id: str) -> Response:
    """The camera's last roll was none; where it is the last thing on the sheet, it is taken back there."""
    _followed(session_id).scribe.strike()
    return jsonify(live_json(session_id))


def settle_roll(session_id: str) -> Response:
    """What the dice of roll `n` really are, from left to right; it is recorded so."""
    body = json_body(SETTLE)
    _followed(session_id).scribe.settle(body["n"], body["dice"])
    return jsonify(live_json(session_id))


def show_picture(session_id: str) -> Response:
    """The newest picture as a small JPEG, 204 if its number (the header X-Picture) is `after`; or that of a `roll`."""
    following = the_table().live.of(session_id)
    if following is None:
        the_table().store.seq(session_id)
        return Response(status=204)
    if "roll" in request.args:
        roll = _whole("roll")
        throws = (following.scribe.pending, following.scribe.last)
        throw = next((one for one in throws if one is not None and one.settled.n == roll), None)
        if throw is None:
            raise Refused(404, _("The picture of this roll is not kept any more."), field="roll")
        return Response(throw.still, mimetype="image/jpeg")
    still = following.still(_whole("after") if "after" in request.args else 0)
    if still is None:
        return Response(status=204)
    return Response(still.jpeg, mimetype="image/jpeg", headers={"X-Picture": str(still.number)})


def live_json(session_id: str) -> dict[str, Any]:
    """The object that is answered to whatever is done with the live table. Raises NoSession."""
    table = the_table()
    following, now = table.live.of(session_id), table.live.now
    try:
        seq = table.store.seq(session_id)
    except NoSession:
        if following is not None:  # it was deleted meanwhile
            table.live.leave(following)
        raise
    if following is None:
        other = None
        if now is not None and not now.scribe.position.over:
            other = _("The camera follows another game: %(game)s.", game=_game(now.scribe.position))
        return {
            "on": False,
            "source": None,
            "by": "",
            "available": table.live.camera is not None,
            "other": other,
            "state": "off",
            "words": other or _("The dice are not followed."),
            "dice": [],
            "width": 0,
            "height": 0,
            "roll": None,
            "pending": None,
            "held": 0,
            "rolls": [],
            "help": [],
            "seq": seq,
        }
    scribe, view = following.scribe, following.view
    state, words = _said(following)
    last, pending = scribe.last, scribe.pending
    lost = state == "lost" or view is None
    read = pending or last
    known = None if read is None else read.settled
    position = scribe.position
    return {
        "on": True,
        "source": following.source,
        "by": following.by,
        "available": table.live.camera is not None,
        "other": None,
        "state": state,
        "words": words,
        "dice": [] if lost or view is None else [_seen_json(die, known) for die in view.dice],
        "width": 0 if view is None else view.size[0],
        "height": 0 if view is None else view.size[1],
        "roll": None if last is None else _throw_json(last),
        "pending": None if pending is None else _throw_json(pending),
        "held": scribe.held,
        "rolls": _rolls_json(position),
        "help": [] if lost or view is None else list(map(say, view.help)),
        "seq": position.seq,
    }


def _said(following: Following) -> tuple[str, str]:
    """The state, and the same in a sentence for the player."""
    scribe, view = following.scribe, following.view
    if following.trouble:
        return "lost", say(following.trouble)
    if following.source == "browser" and following.silent > QUIET:
        return "lost", _("No pictures come from the device with the camera: look whether its page is open.")
    if view is None:
        return "starting", said(WORDS["starting"])
    if view.state not in ("settled", "unsure", "waiting"):
        return view.state, said(WORDS[view.state]) if view.state in WORDS else _sentence(say(view.words))
    if scribe.position.over:
        return "waiting", _("The game is over.")
    if scribe.held:
        return "waiting", _("The next roll is read already: choose a box for the one before.")
    last = scribe.pending or scribe.last
    if last is None or view.state == "waiting":
        # What still lies there of the turn before is nothing to speak of.
        return "waiting", said(WORDS["waiting"])
    if last.sure:
        return "settled", _("Roll %(n)s read: %(dice)s.", n=last.settled.roll, dice=spaced(sorted(last.values)))
    doubts = _sentence(", ".join(map(say, last.settled.doubts)), begin=False)
    return "unsure", _("Roll %(n)s: %(doubts)s", n=last.settled.roll, doubts=doubts)


def _sentence(words: str, begin: bool = True) -> str:
    first = words[:1].upper() if begin else words[:1]
    return f"{first}{words[1:]}{'' if words.endswith(('.', '?', '!')) else '.'}"


def _throw_json(throw: Throw) -> dict[str, Any]:
    told = settled_json(throw.settled)
    return told | {"values": sorted(throw.values), "sure": throw.sure, "doubts": list(map(say, told["doubts"]))}


def _seen_json(die: Die, known: Settled | None) -> dict[str, Any]:
    """A die that lies there now; whether it was kept, and is sure, is known from the roll that it was read with."""
    kept, sure = False, True
    if known is not None:
        distances = [apart(die.region, other.region) for other in known.dice]
        nearest = min(range(len(distances)), key=distances.__getitem__, default=None)
        if nearest is not None and distances[nearest] < MATCH:
            kept, sure = known.kept[nearest], not known.doubtful[nearest]
    return die_json(die) | {"kept": kept, "sure": sure}


def _rolls_json(position: Position) -> list[dict[str, Any]]:
    rolls: list[dict[str, Any]] = []
    for roll in position.turn.rolls if position.turn else ():
        number = roll.number or (rolls[-1]["roll"] if rolls else 0) + 1
        rolls.append({"roll": number, "dice": list(roll.dice), "kept": list(roll.kept)})
    return rolls


def _game(position: Position) -> str:
    title = names.game_name(position.started.game, position.started.options)
    players = [names.in_line(player) for player in position.players]
    return _("%(game)s, %(names)s", game=title, names=_and(players))


def _and(words: Sequence[str]) -> str:
    if len(words) == 1:
        return words[0]
    return _("%(names)s and %(last)s", names=", ".join(words[:-1]), last=words[-1])


def _followed(session_id: str) -> Following:
    table = the_table()
    following = table.live.of(session_id)
    if following is None:
        table.store.seq(session_id)
        raise Refused(400, _("This game is not followed by a camera just now: follow the dice first."))
    return following


def _frame() -> Frame:
    """The pixels of the request's picture. Raises Refused: 400, 413, 415."""
    try:
        data = request.get_data(cache=False)
    except RequestEntityTooLarge as problem:
        raise _too_large() from problem
    if not data:
        raise Refused(400, "No picture came with this: send one.")
    if not data.startswith(JPEG):
        raise _no_jpeg()
    try:
        return the_table().photos.frame(data)
    except BadImage as bad:
        if bad.too_large:
            raise _too_large() from bad
        raise Refused(415, bad.sentence) from bad


def _no_jpeg() -> Refused:
    return Refused(415, "A frame is a JPEG: send it with the header Content-Type: image/jpeg.")


def _too_large() -> Refused:
    most = LARGEST_FRAME // 1024**2
    return Refused(413, f"A frame may have {most} MB and {LONGEST_FRAME_SIDE} pixels a side: send it smaller.")


def _milliseconds(text: str | None) -> float:
    try:
        t = float(text or "")
    except ValueError:
        t = math.nan
    if not 0 <= t < 1e15:
        raise Refused(400, "t must be the milliseconds at which the frame was taken.", field="t")
    return t


def _whole(name: str) -> int:
    text = request.args[name]
    if not (text.isascii() and text.isdigit() and len(text) < 13):
        raise Refused(400, f"{name} must be a whole number.", field=name)
    return int(text)


def _operation(
    method: str, path: str, does: str, view: Any, refuses: tuple[int, ...], takes: Schema | None = None, **more: Any
) -> Operation:
    path = f"/sessions/<session_id>/live{path}"
    answers = more.pop("answers", {200: LIVE})
    return Operation(method, path, does, view, answers, refuses, takes, changes=method == "POST", **more)


LIVE_OPERATIONS = (
    _operation("GET", "", "What the camera sees.", show_live, (404,)),
    _operation("POST", "", "Follow a game with a camera, or stop.", follow, (400, 404, 413, 415), FOLLOW),
    _operation(
        "POST",
        "/frames",
        "A picture of a device's camera.",
        add_frame,
        (400, 404, 413, 415),
        FRAME,
        query={"t": {"type": "number", "minimum": 0}, "by": TEXT},
    ),
    _operation("POST", "/again", "Read the lying dice anew.", read_again, (400, 404)),
    _operation("POST", "/not-a-roll", "The camera's last roll was none.", not_a_roll, (400, 404, 409)),
    _operation("POST", "/dice", "Say what the dice of a roll are.", settle_roll, (400, 404, 409, 413, 415), SETTLE),
    _operation(
        "GET",
        "/picture",
        "The newest picture of the table, or that of a roll; 204 where there is none.",
        show_picture,
        (400, 404),
        query={"after": WHOLE, "roll": WHOLE},
        answers={200: FRAME, 204: NULL},
    ),
)
