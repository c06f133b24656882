"""What stands in the log, one entry after the other, to the session that it adds up to."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence

from scorekeeper.errors import BadEvent, RuleError
from scorekeeper.events import Recorded, event_from_json
from scorekeeper.session import Session

MOST = 64
"""Sessions that are kept: more than a house plays at once."""

Row = tuple[str, str]
"""The kind of an event, and the rest of it as JSON."""


class Replays:
    """The sessions asked for last, each with the very entries that it was made of. Safe to use from several threads.

    A whole table asks for the same session after each change, and it differs from the last one by one entry: that is
    one step, where all of them would be hundreds. A log that does not go on from what is kept, as after a game was
    deleted and brought in again, is replayed from its start.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: dict[str, tuple[Sequence[Row], Session]] = {}
        self._lock = threading.Lock()  # whoever asks for the same meanwhile finds it made

    def session(self, session_id: str, entries: Sequence[Row]) -> Session:
        """The session of these entries, at least one. Raises RuleError for the first one that is not legal."""
        with self._lock:
            known, session = self._kept.pop(session_id, ((), None))
            if session is None or entries[: len(known)] != known:
                known, session = entries[:1], Session.replay([decode(*entries[0])])
            for entry in entries[len(known) :]:
                session = session.then(decode(*entry))
            self._kept[session_id] = entries, session
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
            return session


def decode(kind: str, data: str) -> Recorded:
    """The event of an entry. Raises RuleError where it is none."""
    try:
        return event_from_json(kind, json.loads(data.encode()))
    except RuleError:
        raise
    except (ValueError, RecursionError, AttributeError) as error:  # also no text at all, or no UTF-8
        raise BadEvent("The entry cannot be read.") from error
