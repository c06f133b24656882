"""The stream of changes in the JSON interface."""

from __future__ import annotations

from flask import Response, request
from flask_babel import gettext as _

from web.api.openapi import EVENTS, Operation
from web.errors import Refused
from web.serving.changes import Crowded, Listener
from web.table import the_table

RETRY_AFTER = 30


def listen(session_id: str) -> Response:
    """Each new seq of a session as a server-sent event, the present one first.

    Who comes back with the header `Last-Event-ID` gets all that came after it. Where there is nothing to say, a comment
    is sent now and then. The stream ends when the session is deleted.
    """
    changes = the_table().changes
    listener = Listener(session_id, request.environ.get("waitress.client_disconnected", lambda: False))
    try:
        changes.listen(listener)
    except Crowded:
        said = _("Too many listen at once: ask for the session now and then instead.")
        raise Refused(503, said, retry_after=RETRY_AFTER) from None
    answer = Response(changes.stream(listener, _last()), mimetype="text/event-stream")
    answer.call_on_close(lambda: changes.leave(listener))
    return answer


def _last() -> int | None:
    """The last event that was heard before the line broke, if that is how it was."""
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


EVENT_OPERATIONS = (
    Operation(
        "GET",
        "/sessions/<session_id>/events",
        "Each new seq as a server-sent event; with the header Last-Event-ID all since that one.",
        listen,
        {200: EVENTS},
        refuses=(404, 503),
    ),
)
