"""Exported games back into the database: for the command line and the page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from scorekeeper.errors import BadEvent, NoSession, RuleError
from scorekeeper.events import KINDS, Event, Lost, event_from_json
from scorekeeper.sentences import Sentence
from scorekeeper.store import Line, Store
from web.api.fields import TEXT, Schema, check, list_of, parsed
from web.commands.games import FORMAT, VERSION
from web.errors import Refused

OPEN: Schema = {"additionalProperties": True}
MOST_EVENTS = 20_000
"""Of a session to be put back: far more than any game has. Eight players with three rolls a turn make some 500."""
EXPORT: Schema = {
    "type": "object",
    "properties": {
        "format": {"type": "string", "enum": [FORMAT]},
        "version": {"type": "integer", "minimum": 1, "maximum": VERSION},
        "sessions": list_of(
            {
                "type": "object",
                "properties": {
                    "id": TEXT,
                    "events": list_of(
                        {
                            "type": "object",
                            "properties": {"at": TEXT, "kind": TEXT, "data": {"type": "object", **OPEN}},
                            "required": ["at", "kind", "data"],
                            **OPEN,
                        },
                        1,
                        MOST_EVENTS,
                    ),
                },
                "required": ["id", "events"],
                **OPEN,
            }
        ),
    },
    "required": ["format", "version", "sessions"],
    **OPEN,
}
"""What is read of an export: there may be more in it."""


def import_games(store: Store, exported: bytes) -> tuple[list[str], list[str]]:
    """Put back what `games.export_json` wrote; gives the ids of the sessions that are new, and of those that were here.

    Some shells write what comes out of a program as UTF-16, so this is read in any of JSON's encodings.

    All is put back, or nothing: then it raises BadEvent, also where a session is here with other events; or StoreError.
    """
    new: dict[str, list[Line]] = {}
    known = []
    for session_id, lines in _sessions(exported):
        there: Sequence[Line] | None = new.get(session_id)
        with suppress(NoSession):
            there = store.record(session_id)
            known.append(session_id)
        if there is None:
            new[session_id] = lines
        elif [line.event for line in there] != [line.event for line in lines]:
            raise BadEvent(
                Sentence(
                    "The game %(id)s is here already and has gone on otherwise, so nothing was changed. "
                    "To have that of the file, delete the one here first: dicescribe games delete %(id)s",
                    id=session_id,
                )
            )
    try:
        store.restore_all(new)
    except RuleError as error:
        raise _damaged(error) from error
    return [*new], known


def _sessions(exported: bytes) -> list[tuple[str, list[Line]]]:
    """The sessions of an export, checked for their shape. Raises BadEvent."""
    try:
        data = parsed(exported)
        newer = data["format"] == FORMAT and data["version"] > VERSION
        if not newer:
            check(data, EXPORT)
    except (ValueError, LookupError, TypeError, RecursionError, Refused) as error:
        raise BadEvent(Sentence("This is no export of games: choose a JSON file that dicescribe has made.")) from error
    if newer:
        raise BadEvent(Sentence("This was exported by a newer dicescribe: update this one."))
    try:
        return [(session["id"], [_line(event) for event in session["events"]]) for session in data["sessions"]]
    except RuleError as error:
        raise _damaged(error) from error


def _damaged(error: RuleError) -> BadEvent:
    return BadEvent(Sentence("A game in this file is damaged: %(why)s", why=error.sentence))


def _line(event: dict[str, Any]) -> Line:
    return Line(event["at"], _event(event["kind"], event["data"]))


def _event(kind: str, data: Any) -> Event:
    # A damaged entry, given up where the game went on, keeps its place in the record.
    return Lost(str(data.get("why", ""))) if kind == Lost.kind and kind not in KINDS else event_from_json(kind, data)
