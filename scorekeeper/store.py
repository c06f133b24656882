"""The event log in SQLite. PRIMARY KEY (session, seq) is the lock: a seq is written once, by one writer.

Safe for several threads and processes on one file: each use has its own connection, each change its own
transaction, and what was confirmed is on the disk (synchronous=FULL).
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from scorekeeper.dice import short
from scorekeeper.errors import BadEvent, NoSession, RuleError, StaleSeq, StoreError
from scorekeeper.events import Event, Lost, Recorded, Started
from scorekeeper.migrations import migrate, transaction
from scorekeeper.replays import Replays, Row, decode
from scorekeeper.sentences import Sentence
from scorekeeper.session import Session
from scorekeeper.summary import Summary, summarise

BUSY_SECONDS = 10
LISTED = """
    WITH RECURSIVE known(session) AS (
        SELECT min(session) FROM event
        UNION ALL
        SELECT (SELECT min(session) FROM event WHERE session > known.session) FROM known WHERE session IS NOT NULL
    )
    SELECT first.session, first.kind, first.data, first.at, last.seq, last.at, summary.seq, summary.data
    FROM known
    JOIN event AS last ON last.session = known.session
        AND last.seq = (SELECT max(seq) FROM event WHERE session = known.session)
    JOIN event AS first ON first.session = known.session AND first.seq = 1
    LEFT JOIN summary ON summary.session = known.session
    ORDER BY last.at DESC, first.at DESC, first.session
    LIMIT ?
"""
"""The sessions; it goes from one to the next by the key, past their events, which are many more."""

ID_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
"""No signs that look alike; ten of them are 49 bits."""
ID_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list of sessions; the times are UTC in ISO 8601."""

    id: str
    summary: Summary
    seq: int
    started_at: str
    changed_at: str

    @property
    def started(self) -> Started:
        """The start as it was recorded."""
        return self.summary.started

    @property
    def players(self) -> tuple[str, ...]:
        """The players as they are called now."""
        return self.summary.players


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a session's record: when, in UTC as ISO 8601, and what."""

    at: str
    event: Event


class Store:
    """The sessions in one database file, which is made when it is not there.

    Before the file of an older version is changed, a copy is put beside it, as NAME.v1.bak.

    All methods raise StoreError when the file cannot be read or written, with a sentence that says why.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()
        self._replays = Replays()
        self._heard: list[Callable[[str, int | None], None]] = []
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                "The folder %(folder)s cannot be made: %(why)s.", folder=self.path.parent, why=error.strerror
            ) from error
        with self._connection(create=True) as connection:
            migrate(connection, self.path)
        self.close = weakref.finalize(self, self._standing().close)
        """Call it when the store is used no more; else it happens when nobody holds it."""

    def create(self, started: Started) -> str:
        """Record the start of a session and return its id. Raises RuleError for an impossible start."""
        session = Session.start(started)
        session_id = "".join(secrets.choice(ID_SIGNS) for _ in range(ID_LENGTH))
        with self._connection() as connection, transaction(connection):
            _insert(connection, session_id, 1, started)
            _summarise(connection, session_id, session)
        self._tell(session_id, 1)
        return session_id

    def load(self, session_id: str) -> Session:
        """The session. Raises NoSession.

        A damaged log opens to its longest valid prefix and can be carried on from there; ``session.lost``
        says what was cut.
        """
        with self._connection() as connection:
            return self._load(connection, session_id)

    def seq(self, session_id: str) -> int:
        """The session's present seq, without replaying it: cheap to ask often. Raises NoSession."""
        with self._connection() as connection:
            row = connection.execute("SELECT max(seq) FROM event WHERE session = ?", (session_id,)).fetchone()
        if row[0] is None:
            raise NoSession(_no_session(session_id))
        return int(row[0])

    def append(self, session_id: str, seq: int, event: Recorded) -> Session:
        """Record an event that was made on position ``seq`` and return the session after it.

        Raises StaleSeq with the fresh session when the position is another one by now, NoSession, and
        RuleError when the event is not legal; nothing is recorded then.
        """
        with self._connection() as connection, transaction(connection):
            session = self._load(connection, session_id)
            if seq != session.seq:
                raise StaleSeq(seq, session, recorded=1 <= seq < session.seq and session.events[seq] == event)
            after = session.then(event)
            # What the event was built upon: from now on these entries are passed over, whatever they hold.
            connection.executemany(
                "INSERT OR IGNORE INTO lost VALUES (?, ?, ?)",
                [
                    (session_id, number, lost.why)
                    for number, lost in enumerate(session.events, start=1)
                    if isinstance(lost, Lost)
                ],
            )
            _insert(connection, session_id, after.seq, event)
            _summarise(connection, session_id, after)
        self._tell(session_id, after.seq)
        return after

    def sessions(self, newest: int | None = None) -> tuple[Entry, ...]:
        """All sessions, the one changed last first, or so many of the newest.

        One that cannot be opened, as its start is damaged, is left out.
        """
        with self._connection() as connection:
            rows = connection.execute(LISTED, (-1 if newest is None else newest,)).fetchall()
            entries, made = [], []
            for session_id, kind, data, started_at, seq, changed_at, summed_at, summed in rows:
                with suppress(RuleError, NoSession, StoreError):  # damaged, or deleted just now
                    summary = _summary(kind, data, summed) if summed_at == seq else None
                    if summary is None:
                        session = self._load(connection, session_id)
                        made.append((session_id, session))
                        summary, seq = summarise(session), session.seq
                    entries.append(Entry(session_id, summary, seq, started_at, changed_at))
            if made:
                _keep_summaries(connection, made)
        return tuple(entries)

    def delete(self, session_id: str) -> None:
        """Remove a session for good. Raises NoSession."""
        with self._connection() as connection, transaction(connection):
            for table in ("lost", "summary"):
                connection.execute(f"DELETE FROM {table} WHERE session = ?", (session_id,))
            if not connection.execute("DELETE FROM event WHERE session = ?", (session_id,)).rowcount:
                raise NoSession(_no_session(session_id))
        self._tell(session_id, None)

    def record(self, session_id: str) -> tuple[Line, ...]:
        """All that is known of a session, undone events included. Raises NoSession."""
        return self.load_with_record(session_id)[1]

    def load_with_record(self, session_id: str) -> tuple[Session, tuple[Line, ...]]:
        """The session and its record, of one moment. Raises NoSession."""
        with self._connection() as connection:
            session = self._load(connection, session_id)
            times: dict[int, str] = dict(
                connection.execute("SELECT seq, at FROM event WHERE session = ?", (session_id,)).fetchall()
            )
        start = times[1]
        return session, tuple(Line(times.get(seq, start), event) for seq, event in enumerate(session.events, start=1))

    def restore(self, session_id: str, lines: Sequence[Line]) -> None:
        """Put a session back as `record` gave it, under its own id. Raises as `restore_all` does."""
        self.restore_all({session_id: lines})

    def restore_all(self, records: Mapping[str, Sequence[Line]]) -> None:
        """Put sessions back as `record` gave them, by their ids: all of them, or none.

        Raises RuleError when the events do not follow from each other, or an id or a time is not one; StoreError when
        there is a session of that id.
        """
        if wrong := [one for one in records if len(one) != ID_LENGTH or not set(one) <= set(ID_SIGNS)]:
            raise BadEvent(f"{short(wrong[0])} is not the id of a session.")
        # Before the file is locked for the others: it may take long.
        sessions = {one: Session.replay(line.event for line in lines) for one, lines in records.items()}
        with self._connection() as connection, transaction(connection):
            for session_id, lines in records.items():
                if connection.execute("SELECT 1 FROM event WHERE session = ?", (session_id,)).fetchone():
                    raise StoreError(f"There is a session {session_id!r} already.")
                for seq, line in enumerate(lines, start=1):
                    _insert(connection, session_id, seq, line.event, _utc(line.at))
                    if isinstance(line.event, Lost):
                        connection.execute("INSERT INTO lost VALUES (?, ?, ?)", (session_id, seq, line.event.why))
                _summarise(connection, session_id, sessions[session_id])
        for session_id, lines in records.items():
            self._tell(session_id, len(lines))

    def on_change(self, heard: Callable[[str, int | None], None]) -> None:
        """Have every change that this store makes told: the session and its new seq; None: it was deleted.

        It is told when the change is safely written, by the thread that made it.
        """
        self._heard.append(heard)

    @contextmanager
    def versions(self) -> Iterator[Callable[[], int]]:
        """Gives a number that is another one after each change, whoever made it: cheap to ask very often.

        Only the thread that entered may ask. No transaction stays open between two questions.
        """
        with self._connection() as connection:

            def version() -> int:
                return int(connection.execute("PRAGMA data_version").fetchall()[0][0])

            yield version

    def seqs(self, session_ids: Iterable[str]) -> dict[str, int]:
        """The present seqs of those of the sessions that there are."""
        with self._connection() as connection:
            found = {
                session_id: connection.execute(
                    "SELECT max(seq) FROM event WHERE session = ?", (session_id,)
                ).fetchone()[0]
                for session_id in session_ids
            }
        return {session_id: int(seq) for session_id, seq in found.items() if seq is not None}

    def _load(self, connection: sqlite3.Connection, session_id: str) -> Session:
        rows: dict[int, Row] = {
            seq: (kind, data)
            for seq, kind, data in connection.execute(
                "SELECT seq, kind, data FROM event WHERE session = ? ORDER BY seq", (session_id,)
            )
        }
        if not rows:
            raise NoSession(_no_session(session_id))
        given_up = dict(connection.execute("SELECT seq, why FROM lost WHERE session = ?", (session_id,)).fetchall())
        if not given_up and list(rows) == list(range(1, len(rows) + 1)):
            with suppress(RuleError):  # what is damaged is cut below
                return self._replays.session(session_id, tuple(rows.values()))
        return _salvaged(session_id, rows, given_up)

    def _tell(self, session_id: str, seq: int | None) -> None:
        for heard in self._heard:
            heard(session_id, seq)

    def _standing(self) -> sqlite3.Connection:
        """A connection that stays, with the files that readers share: a full disk has no room for new ones."""
        with self._connection(standing=True) as connection:
            connection.execute("SELECT count(*) FROM event").fetchone()
        return connection

    @contextmanager
    def _connection(self, *, create: bool = False, standing: bool = False) -> Iterator[sqlite3.Connection]:
        # A file that goes missing later is an error, not the beginning of an empty one.
        address = f"{self.path.as_uri()}?mode={'rwc' if create else 'rw'}"
        try:
            connection = sqlite3.connect(
                address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=not standing
            )
            with nullcontext() if standing else closing(connection):
                # A damaged byte must not make the whole log unreadable; _decode refuses such an entry.
                connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
                connection.execute("PRAGMA synchronous = FULL")
                yield connection
        except sqlite3.Error as error:
            raise StoreError(_explain(error, self.path)) from error
        except UnicodeEncodeError as error:  # half a surrogate pair, as JSON may bring in
            raise BadEvent(f"A text holds characters that cannot be written: {short(error.object)}.") from error


def _insert(
    connection: sqlite3.Connection, session_id: str, seq: int, event: Event, at: datetime | None = None
) -> None:
    time = (at or datetime.now(UTC)).isoformat(timespec="milliseconds")
    data = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", (session_id, seq, time, event.kind, data))


def _summarise(connection: sqlite3.Connection, session_id: str, session: Session) -> None:
    data = json.dumps(summarise(session).to_json(), ensure_ascii=False, separators=(",", ":"))
    connection.execute("INSERT OR REPLACE INTO summary VALUES (?, ?, ?)", (session_id, session.seq, data))


def _keep_summaries(connection: sqlite3.Connection, made: Sequence[tuple[str, Session]]) -> None:
    """Keep what had to be summed up, if that can be done at once: it is no loss where nothing can be written."""
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.Error), transaction(connection):
        for session_id, session in made:
            seq = connection.execute("SELECT max(seq) FROM event WHERE session = ?", (session_id,)).fetchone()[0]
            if seq == session.seq:  # else it has gone on, or was deleted
                _summarise(connection, session_id, session)


@lru_cache(maxsize=2000)
def _summary(kind: str, data: str, summed: str) -> Summary | None:
    """The summary that was kept, with the start in this entry; None where it cannot be read.

    Raises RuleError where there is no start. Kept, as lists ask for the same ones again and again.
    """
    started = decode(kind, data)
    if not isinstance(started, Started):
        raise BadEvent("The first entry is no start.")
    Session.start(started)
    try:
        return Summary.from_json(started, json.loads(summed))
    except (LookupError, TypeError, ValueError):
        return None


def _utc(at: str) -> datetime:
    try:
        time = datetime.fromisoformat(at)
        utc = time.astimezone(UTC)
    except (ValueError, OverflowError) as error:  # Overflow: in UTC it lies before the year 1 or after 9999
        raise BadEvent(f"{short(at)} is not a time.") from error
    if time.tzinfo is None:
        raise BadEvent(f"{short(at)} is a time without its zone.")
    return utc


def _salvaged(session_id: str, rows: dict[int, Row], given_up: dict[int, str]) -> Session:
    """The session of a log of which something is missing or damaged."""
    try:
        session = Session.replay([_entry(rows, 1)])
    except RuleError as error:
        raise StoreError(
            "The session %(id)s cannot be opened, its start is damaged: %(why)s",
            id=short(session_id),
            why=error.sentence,
        ) from error
    broken = ""
    for seq in range(2, max(rows) + 1):
        if seq in given_up:
            session = session.then(Lost(given_up[seq]))
            continue
        if not broken:
            try:
                session = session.then(_entry(rows, seq))
                continue
            except RuleError as error:
                broken = f"Entry {seq} of the record is damaged, so it and what follows was cut: {error}"
        session = session.then(Lost(broken))
    return session


def _entry(rows: dict[int, Row], seq: int) -> Recorded:
    if seq not in rows:
        raise BadEvent("The entry is missing.")
    return decode(*rows[seq])


def _no_session(session_id: str) -> Sentence:
    return Sentence("There is no game %(id)s here: perhaps it was deleted.", id=short(session_id))


def _explain(error: sqlite3.Error, path: Path) -> Sentence:
    name = getattr(error, "sqlite_errorname", "")
    full = Sentence("the disk is full: make room, then try again")
    reasons = {
        "SQLITE_FULL": full,
        "SQLITE_IOERR_SHMSIZE": full,  # of the memory that readers share, which lies in a file
        "SQLITE_READONLY": Sentence("the file or its folder is read-only: allow writing, or choose another file"),
        "SQLITE_CANTOPEN": Sentence("it cannot be opened: check that the folder is there and may be written to"),
        "SQLITE_BUSY": Sentence("another program holds it: try again in a moment"),
        "SQLITE_NOTADB": Sentence("the file is no database: choose another file"),
        "SQLITE_CORRUPT": Sentence("the file is damaged: restore it from a copy, or choose another file"),
        "SQLITE_IOERR": Sentence("the disk cannot be read or written: look whether it is full, or was taken out"),
    }
    reason = next((text for start, text in reasons.items() if name.startswith(start)), str(error))
    return Sentence("The database %(path)s cannot be used: %(why)s.", path=path, why=reason)
