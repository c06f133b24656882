"""What a session adds up to, kept beside its log: always what a replay gives, whatever happened to either."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.events import Edited, Left, Passed, Recorded, Renamed, Rolled, Scored
from scorekeeper.session import Session, new_game
from scorekeeper.store import Store
from scorekeeper.summary import Summary, summarise

YAMS = new_game("yams", ["Ana", "Bo"])
PLAYED: tuple[Recorded, ...] = (
    Rolled((2, 2, 4, 4, 5)),
    Rolled((4, 4, 4, 2, 2), kept=(2, 2, 4, 4)),
    Scored("full_house"),
    Rolled((1, 1, 2, 3, 6)),
    Rolled((1, 1, 6, 6, 6), kept=(1, 1)),
    Scored("yams"),
    Renamed(1, "Bea"),
)


def record(store: Store, *events: Recorded) -> str:
    session_id = store.create(YAMS)
    for seq, event in enumerate(events, start=1):
        store.append(session_id, seq, event)
    return session_id


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def kept(path: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT session, seq FROM summary ORDER BY session").fetchall()


def of(store: Store, session_id: str) -> Summary:
    (summary,) = [entry.summary for entry in store.sessions() if entry.id == session_id]
    return summary


def test_a_summary_by_hand(store: Store) -> None:
    summary = of(store, record(store, *PLAYED))
    ana, bea = summary.seats
    assert (ana.name, ana.total, ana.points, ana.bonus, ana.place) == ("Ana", 25, {"full_house": 25}, False, None)
    assert (bea.name, bea.total, bea.points) == ("Bea", 0, {"yams": 0})
    assert (summary.player, summary.to_go, summary.over, summary.sides) == (0, 12, False, {0, 1})
    # 2 2 4 4 5 and 4; 1 1 2 3 6 and 6 6 6.
    assert summary.faces == (2, 3, 1, 3, 1, 4)
    assert summary.winners == set()


def test_the_end_has_places_and_a_team_is_one_side() -> None:
    session = Session.start(new_game("yamslam", ["A", "B", "C", "D"], {"mode": "teams"}))
    session = session.then(Rolled((2, 2, 4, 4, 6))).then(Scored("flush"))
    while session.position.turn is not None:
        session = session.then(Rolled((1, 2, 3, 5, 6))).then(Passed())
    summary = summarise(session)
    assert [(seat.side, seat.place, seat.total) for seat in summary.seats] == [(0, 1, 25), (1, 2, 0)] * 2
    assert (summary.over, summary.to_go, summary.winners, summary.sides) == (True, 0, {0}, {0, 1})


def test_it_follows_every_change(store: Store, path: Path) -> None:
    session_id, session = record(store), store.load
    for event in (*PLAYED, Edited(0, "full_house", points=0), Left(0)):
        store.append(session_id, store.seq(session_id), event)
        assert of(store, session_id) == summarise(session(session_id))
    while (position := session(session_id).position).before is not None:
        store.append(session_id, position.seq, position.undo())
        assert of(store, session_id) == of(Store(path), session_id) == summarise(session(session_id))
    assert of(store, session_id).players == ("Ana", "Bo")


def test_delete_and_import(store: Store, path: Path) -> None:
    session_id = record(store, *PLAYED)
    lines, before = store.record(session_id), of(store, session_id)
    store.delete(session_id)
    assert kept(path) == []
    # Another game under this id, of the same length.
    other = [*lines[:3], *(Store(path.with_name("other.db")).record(_other(path)))[3:]]
    store.restore(session_id, other)
    assert of(store, session_id) == summarise(store.load(session_id)) != before


def _other(path: Path) -> str:
    """A game that begins alike, and goes on otherwise."""
    store = Store(path.with_name("other.db"))
    return record(store, *PLAYED[:2], Scored("fours"), *PLAYED[3:])


def forgotten(path: Path) -> None:
    change(path, "DELETE FROM summary")


def behind(path: Path) -> None:
    change(path, "UPDATE summary SET seq = seq - 1, data = replace(data, '25', '26')")


def no_json(path: Path) -> None:
    change(path, "UPDATE summary SET data = '{'")


def no_summary(path: Path) -> None:
    change(path, """UPDATE summary SET data = '{"seats": [{"name": 1}], "faces": []}'""")


def version_2(path: Path) -> None:
    change(path, "DROP TABLE summary")
    change(path, "PRAGMA user_version = 2")


@pytest.mark.parametrize("spoil", [forgotten, behind, no_json, no_summary, version_2])
def test_one_that_is_missing_or_no_use_is_made_anew(store: Store, path: Path, spoil: Callable[[Path], None]) -> None:
    session_id = record(store, *PLAYED)
    spoil(path)
    again = Store(path)
    assert of(again, session_id) == summarise(again.load(session_id))
    assert kept(path) == [(session_id, 8)]


def test_nothing_is_replayed_that_need_not_be(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [record(store, *PLAYED[:n]) for n in (7, 3, 5)]
    monkeypatch.setattr(Store, "_load", None)
    assert [entry.id for entry in store.sessions()] == games[::-1]
    assert [entry.id for entry in store.sessions(2)] == games[:0:-1]


def test_where_it_cannot_be_kept_it_is_still_told(store: Store, path: Path) -> None:
    session_id = record(store, *PLAYED)
    forgotten(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")  # another program writes: this waits for nothing
        assert of(store, session_id).seats[0].total == 25
    assert kept(path) == []
    assert of(store, session_id).seats[0].total == 25
    assert kept(path) == [(session_id, 8)]
