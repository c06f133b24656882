"""The event log in SQLite. PRIMARY KEY (session, seq) is the lock: a seq is written once, by one writer.

Safe for several threads and processes on one file: each use has its own connection, each change its own
transaction, and what was confirmed is on the disk (synchronous=FULL).
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scorekeeper.dice import short
from scorekeeper.errors import BadEvent, NoSession, RuleError, StaleSeq, StoreError
from scorekeeper.events import Event, Lost, Recorded, Renamed, Reordered, Started, event_from_json
from scorekeeper.session import Session

BUSY_SECONDS = 10
APPLICATION_ID = 0x64696365  # "dice"
MIGRATIONS = (
    # 1: the log, and which entries of a damaged one were given up when it was carried on.
    """
    CREATE TABLE event (
        session TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (session, seq)
    ) WITHOUT ROWID;
    CREATE TABLE lost (
        session TEXT NOT NULL,
        seq INTEGER NOT NULL,
        why TEXT NOT NULL,
        PRIMARY KEY (session, seq)
    ) WITHOUT ROWID;
    """,
    # 2: corrections, new names, another order of the players, players who left. Nothing changes but what may
    # stand in the log; a program that does not know them must not take them for damage.
    "",
)
"""Step n brings a database of version n to n + 1. Steps are only ever added."""

ID_SIGNS = "23456789abcdefghjkmnpqrstuvwxyz"
"""No signs that look alike; ten of them are 49 bits."""
ID_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list of sessions: the players as they are called now; the times are UTC in ISO 8601."""

    id: str
    started: Started
    players: tuple[str, ...]
    seq: int
    started_at: str
    changed_at: str


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
        self._heard: list[Callable[[str, int | None], None]] = []
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"The folder {self.path.parent} cannot be made: {error.strerror}.") from error
        with self._connection(create=True) as connection:
            _migrate(connection, self.path)

    def create(self, started: Started) -> str:
        """Record the start of a session and return its id. Raises RuleError for an impossible start."""
        Session.start(started)
        session_id = "".join(secrets.choice(ID_SIGNS) for _ in range(ID_LENGTH))
        with self._connection() as connection, _transaction(connection):
            _insert(connection, session_id, 1, started)
        self._tell(session_id, 1)
        return session_id

    def load(self, session_id: str) -> Session:
        """The session. Raises NoSession.

        A damaged log opens to its longest valid prefix and can be carried on from there; ``session.lost``
        says what was cut.
        """
        with self._connection() as connection:
            return _load(connection, session_id)

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
        with self._connection() as connection, _transaction(connection):
            session = _load(connection, session_id)
            if seq != session.seq:
                raise StaleSeq(seq, session)
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
        self._tell(session_id, after.seq)
        return after

    def sessions(self) -> tuple[Entry, ...]:
        """All sessions, the one changed last first. One that cannot be opened, as its start is damaged, is left out."""
        with self._connection() as connection:
            rows = connection.execute(
                """
                SELECT first.session, first.kind, first.data, first.at, last.seq, last.at
                FROM (SELECT session, max(seq) AS seq FROM event GROUP BY session) AS newest
                JOIN event AS last ON last.session = newest.session AND last.seq = newest.seq
                JOIN event AS first ON first.session = newest.session AND first.seq = 1
                ORDER BY last.at DESC, first.at DESC, first.session
                """
            ).fetchall()
            renamed = {
                session_id
                for (session_id,) in connection.execute(
                    "SELECT DISTINCT session FROM event WHERE kind IN (?, ?)", (Renamed.kind, Reordered.kind)
                )
            }
            entries = []
            for session_id, kind, data, started_at, seq, changed_at in rows:
                with suppress(RuleError, NoSession):  # damaged, or deleted just now
                    started = _decode(kind, data)
                    if isinstance(started, Started):
                        Session.start(started)
                        # Most sessions need not be replayed for this.
                        now = _load(connection, session_id).position.players if session_id in renamed else None
                        players = now or started.players
                        entries.append(Entry(session_id, started, players, seq, started_at, changed_at))
        return tuple(entries)

    def delete(self, session_id: str) -> None:
        """Remove a session for good. Raises NoSession."""
        with self._connection() as connection, _transaction(connection):
            connection.execute("DELETE FROM lost WHERE session = ?", (session_id,))
            if not connection.execute("DELETE FROM event WHERE session = ?", (session_id,)).rowcount:
                raise NoSession(_no_session(session_id))
        self._tell(session_id, None)

    def record(self, session_id: str) -> tuple[Line, ...]:
        """All that is known of a session, undone events included. Raises NoSession."""
        with self._connection() as connection:
            session = _load(connection, session_id)
            times: dict[int, str] = dict(
                connection.execute("SELECT seq, at FROM event WHERE session = ?", (session_id,)).fetchall()
            )
        start = times[1]
        return tuple(Line(times.get(seq, start), event) for seq, event in enumerate(session.events, start=1))

    def restore(self, session_id: str, lines: Sequence[Line]) -> None:
        """Put a session back as `record` gave it, under its own id.

        Raises RuleError when the events do not follow from each other, or the id or a time is not one;
        StoreError when there is a session of that id. Nothing is recorded then.
        """
        if len(session_id) != ID_LENGTH or not set(session_id) <= set(ID_SIGNS):
            raise BadEvent(f"{short(session_id)} is not the id of a session.")
        Session.replay(line.event for line in lines)
        with self._connection() as connection, _transaction(connection):
            if connection.execute("SELECT 1 FROM event WHERE session = ?", (session_id,)).fetchone():
                raise StoreError(f"There is a session {session_id!r} already.")
            for seq, line in enumerate(lines, start=1):
                _insert(connection, session_id, seq, line.event, _utc(line.at))
                if isinstance(line.event, Lost):
                    connection.execute("INSERT INTO lost VALUES (?, ?, ?)", (session_id, seq, line.event.why))
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

    def _tell(self, session_id: str, seq: int | None) -> None:
        for heard in self._heard:
            heard(session_id, seq)

    @contextmanager
    def _connection(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        # A file that goes missing later is an error, not the beginning of an empty one.
        address = f"{self.path.as_uri()}?mode={'rwc' if create else 'rw'}"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
                # A damaged byte must not make the whole log unreadable; _decode refuses such an entry.
                connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
                connection.execute("PRAGMA synchronous = FULL")
                yield connection
        except sqlite3.Error as error:
            raise StoreError(_explain(error, self.path)) from error
        except UnicodeEncodeError as error:  # half a surrogate pair, as JSON may bring in
            raise BadEvent(f"A text holds characters that cannot be written: {short(error.object)}.") from error


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    # IMMEDIATE takes the write lock before anything is read, so that what was read still holds when writing.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) == len(MIGRATIONS):
        return
    connection.execute("PRAGMA journal_mode = WAL")
    with _transaction(connection):
        version = _version(connection)  # again: another process may just have done it
        if 0 < version < len(MIGRATIONS):
            _copy(path, path.with_name(f"{path.name}.v{version}.bak"))
        for step in MIGRATIONS[version:]:
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _copy(path: Path, copy: Path) -> None:
    """A copy of the database as it was last committed; one that is there already stays. Raises StoreError."""
    if copy.exists():
        return
    unfinished = copy.with_name(f"{copy.name}.new")
    try:
        unfinished.unlink(missing_ok=True)
        # Another connection reads it, while ours holds the lock so that nobody changes it.
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(unfinished)) as target:
            source.backup(target)
        unfinished.replace(copy)
    except OSError as error:
        raise StoreError(
            f"The copy {copy} cannot be made before the database is brought up to date: {error}."
        ) from error


def _version(connection: sqlite3.Connection) -> int:
    """How many migrations the database has had; 0 for an empty file. Writes nothing."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and _pragma(connection, "application_id") != APPLICATION_ID:
        raise StoreError("The database belongs to another program: choose another file.")
    version = _pragma(connection, "user_version")
    if version > len(MIGRATIONS):
        raise StoreError("The database was written by a newer dicescribe: update this one.")
    return version


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _insert(
    connection: sqlite3.Connection, session_id: str, seq: int, event: Event, at: datetime | None = None
) -> None:
    time = (at or datetime.now(UTC)).isoformat(timespec="milliseconds")
    data = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", (session_id, seq, time, event.kind, data))


def _utc(at: str) -> datetime:
    try:
        time = datetime.fromisoformat(at)
        utc = time.astimezone(UTC)
    except (ValueError, OverflowError) as error:  # Overflow: in UTC it lies before the year 1 or after 9999
        raise BadEvent(f"{short(at)} is not a time.") from error
    if time.tzinfo is None:
        raise BadEvent(f"{short(at)} is a time without its zone.")
    return utc


def _load(connection: sqlite3.Connection, session_id: str) -> Session:
    rows = {
        seq: (kind, data)
        for seq, kind, data in connection.execute("SELECT seq, kind, data FROM event WHERE session = ?", (session_id,))
    }
    if not rows:
        raise NoSession(_no_session(session_id))
    given_up = dict(connection.execute("SELECT seq, why FROM lost WHERE session = ?", (session_id,)).fetchall())
    try:
        session = Session.replay([_entry(rows, 1)])
    except RuleError as error:
        raise StoreError(f"The session {session_id!r} cannot be opened, its start is damaged: {error}") from error
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


def _entry(rows: dict[int, tuple[str, str]], seq: int) -> Recorded:
    if seq not in rows:
        raise BadEvent("The entry is missing.")
    return _decode(*rows[seq])


def _decode(kind: str, data: str) -> Recorded:
    try:
        return event_from_json(kind, json.loads(data.encode()))
    except RuleError:
        raise
    except (ValueError, RecursionError, AttributeError) as error:  # also no text at all, or no UTF-8
        raise BadEvent("The entry cannot be read.") from error


def _no_session(session_id: str) -> str:
    return f"There is no session {short(session_id)}."


def _explain(error: sqlite3.Error, path: Path) -> str:
    name = getattr(error, "sqlite_errorname", "")
    reasons = {
        "SQLITE_FULL": "the disk is full: make room, then try again",
        "SQLITE_READONLY": "the file or its folder is read-only: allow writing, or choose another file",
        "SQLITE_CANTOPEN": "it cannot be opened: check that the folder is there and may be written to",
        "SQLITE_BUSY": "another program holds it: try again in a moment",
        "SQLITE_NOTADB": "the file is no database: choose another file",
        "SQLITE_CORRUPT": "the file is damaged: restore it from a copy, or choose another file",
        "SQLITE_IOERR": "the disk cannot be read or written",
    }
    reason = next((text for start, text in reasons.items() if name.startswith(start)), str(error))
    return f"The database {path} cannot be used: {reason}."
