"""How a database file gets the shape that the store knows: made, or brought up to date with a copy beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from scorekeeper.errors import StoreError

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
    # 3: what each session added up to at a seq, so that lists and figures need not replay it. It holds nothing that
    # the log does not: a line that is missing, behind its session or damaged is made anew.
    """
    CREATE TABLE summary (
        session TEXT PRIMARY KEY,
        seq INTEGER NOT NULL,
        data TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
)
"""Step n brings a database of version n to n + 1. Steps are only ever added."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is changed in it together, or nothing."""
    # IMMEDIATE takes the write lock before anything is read, so that what was read still holds when writing.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the database in this file up to date, or make it. Raises StoreError, the file is as it was then."""
    if _version(connection) == len(MIGRATIONS):
        return
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
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
            "The copy %(copy)s cannot be made before the database is brought up to date: %(why)s.",
            copy=copy,
            why=error,
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
