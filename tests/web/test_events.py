"""Who listens to a session: each change is heard at once, whoever made it, and nothing is kept for who has gone."""

from __future__ import annotations

import http.client
import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.errors import NoSession
from scorekeeper.events import Rolled, Scored
from scorekeeper.session import new_game
from scorekeeper.store import Store
from tests.web.acted import until
from tests.web.browsing import serve
from tests.web.conftest import Player
from web.serving.changes import Changes, Crowded, Listener
from web.table import Table

SOON = 1.0
"""Seconds in which everybody hears of a change; what takes less than a tenth of that here."""
ROLL = Rolled(dice=(2, 2, 4, 4, 4))


class Line:
    """An open stream, read event by event."""

    def __init__(self, address: str, session_id: str, headers: dict[str, str] | None = None) -> None:
        self.connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
        self.connection.request("GET", f"/api/v1/sessions/{session_id}/events", headers=headers or {})
        self.answer = self.connection.getresponse()

    def lines(self) -> Iterator[str]:
        """The lines that are no comment; ends with the stream."""
        while line := self.answer.readline():
            yield line.decode().rstrip("\n")

    def event(self) -> dict[str, str]:
        """The next event's fields. Raises StopIteration at the end of the stream."""
        event: dict[str, str] = {}
        lines = self.lines()
        while True:
            line = next(lines)
            name, _, text = line.partition(": ")
            if name == "data":
                return event | {"data": text}
            if name == "id":
                event[name] = text

    def seq(self) -> int:
        event = self.event()
        assert json.loads(event["data"]) == {"seq": int(event["id"])}
        return int(event["id"])

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


Listen = Callable[..., Line]


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    yield from serve(app)


@pytest.fixture
def listen(address: str) -> Iterator[Listen]:
    opened: list[Line] = []

    def listen(session_id: str, **headers: str) -> Line:
        opened.append(Line(address, session_id, headers))
        return opened[-1]

    yield listen
    for line in opened:
        line.close()


@pytest.fixture
def changes(app: Flask) -> Changes:
    table: Table = app.extensions["dicescribe"]
    return table.changes


def test_the_present_seq_comes_at_once_and_then_each_new_one(player: Player, listen: Listen) -> None:
    state = player.start()
    lines = [listen(state["id"]) for _ in range(3)]
    assert lines[0].answer.headers["Content-Type"].startswith("text/event-stream")
    assert lines[0].answer.headers["Cache-Control"] == "no-store"
    assert [line.seq() for line in lines] == [1, 1, 1]
    state = player.roll(state, 2, 2, 4, 4, 4)
    assert [line.seq() for line in lines] == [2, 2, 2]
    before = time.monotonic()
    player.score(state, "full_house")
    assert [line.seq() for line in lines] == [3, 3, 3]
    assert time.monotonic() - before < SOON


def test_the_browser_is_told_when_to_come_back(player: Player, listen: Listen) -> None:
    assert next(listen(player.start()["id"]).lines()) == "retry: 1000"


def test_a_change_by_another_process_on_the_same_file_is_heard(
    player: Player, listen: Listen, database: Path, changes: Changes
) -> None:
    state = player.start()
    other = player.start()
    line = listen(state["id"])
    assert line.seq() == 1
    write = (
        "import sys; from time import time\n"
        "from scorekeeper.store import Store; from scorekeeper.events import Rolled\n"
        "store = Store(sys.argv[1])\n"
        "for session in sys.argv[2:]: store.append(session, 1, Rolled(dice=(2, 2, 4, 4, 4)))\n"
        "print(time())"
    )
    command = [sys.executable, "-c", write, str(database), other["id"], state["id"]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert line.seq() == 2
        heard = time.time()
        assert writer.stdout is not None
        assert heard - float(writer.stdout.read()) < SOON
    assert len([thread for thread in threading.enumerate() if thread.name == "events"]) == 1
    assert len(changes) == 1


def test_who_comes_back_hears_what_was_missed_and_nothing_twice(player: Player, listen: Listen) -> None:
    state = player.score(player.roll(player.start(), 2, 2, 4, 4, 4), "full_house")
    assert state["seq"] == 3
    missed = listen(state["id"], **{"Last-Event-ID": "1"})
    assert [missed.seq(), missed.seq()] == [2, 3]
    none = listen(state["id"], **{"Last-Event-ID": "3"})
    # A record that was put back to an earlier state, or nonsense: what holds now.
    others = [listen(state["id"], **{"Last-Event-ID": odd}) for odd in ("77", "x", "-1", "9" * 30)]
    assert [line.seq() for line in others] == [3, 3, 3, 3]
    player.roll(state, 1, 1, 1, 2, 3)
    assert none.seq() == 4


def test_an_unknown_session_is_said(player: Player, listen: Listen, changes: Changes) -> None:
    line = listen("nonesuchxx")
    assert line.answer.status == 404
    assert "nonesuchxx" in json.loads(line.answer.read())["error"]
    assert len(changes) == 0


def test_who_only_asks_for_the_headers_keeps_no_place(player: Player, address: str, changes: Changes) -> None:
    state = player.start()
    with closing(http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)) as connection:
        connection.request("HEAD", f"/api/v1/sessions/{state['id']}/events")
        assert connection.getresponse().status == 200
        until(lambda: len(changes) == 0)


def test_it_ends_when_the_session_is_deleted_here_or_by_another(
    player: Player, listen: Listen, changes: Changes, app: Flask, database: Path
) -> None:
    table: Table = app.extensions["dicescribe"]
    for store in (table.store, Store(database)):
        line = listen(player.start()["id"])
        other = player.start()
        on = listen(other["id"])
        assert (line.seq(), on.seq()) == (1, 1)
        (session_id,) = {entry.id for entry in store.sessions()} - {other["id"]}
        store.delete(session_id)
        with pytest.raises(StopIteration):
            line.event()
        player.roll(other, 2, 2, 4, 4, 4)
        assert on.seq() == 2
        on.close()
        store.delete(other["id"])
    until(lambda: len(changes) == 0)


def test_a_phone_that_has_gone_keeps_no_place_and_no_thread(
    player: Player, listen: Listen, changes: Changes, address: str
) -> None:
    state = player.start()
    threads = threading.active_count()
    lines = [listen(state["id"]) for _ in range(20)]
    assert [line.seq() for line in lines] == [1] * 20
    assert len(changes) == 20
    for line in lines:
        line.close()
    until(lambda: len(changes) == 0)
    until(lambda: threading.active_count() <= threads)  # not even the one that looks


def test_more_than_there_are_places_for_are_sent_away_and_all_else_is_answered(
    player: Player, listen: Listen, changes: Changes
) -> None:
    state = player.start()
    lines = [listen(state["id"]) for _ in range(changes.places)]
    assert {line.seq() for line in lines} == {1}
    refused = listen(state["id"])
    assert refused.answer.status == 503
    assert int(refused.answer.headers["Retry-After"]) > 0
    assert json.loads(refused.answer.read())["error"]
    before = time.monotonic()
    connection = refused.connection
    for _ in range(10):
        connection.request("GET", f"/api/v1/sessions/{state['id']}")
        assert json.loads(connection.getresponse().read())["seq"] == 1
    assert time.monotonic() - before < SOON
    lines[0].close()
    until(lambda: len(changes) < changes.places)
    assert listen(state["id"]).seq() == 1


def test_all_streams_end_when_the_server_is_stopped(player: Player, app: Flask) -> None:
    state = player.start()
    serving = serve(app)
    address = next(serving)
    with closing(Line(address, state["id"])) as line:
        assert line.seq() == 1
        before = time.monotonic()
        with pytest.raises(StopIteration):
            next(serving)
        assert time.monotonic() - before < 2
        with pytest.raises(StopIteration):
            line.event()


# ---- Without a server between


@pytest.fixture
def store(database: Path) -> Store:
    return Store(database)


def _stream(changes: Changes, session_id: str) -> tuple[Listener, Iterator[str]]:
    listener = Listener(session_id, lambda: False)
    changes.listen(listener)
    return listener, changes.stream(listener, None)


def test_a_silent_line_gets_comments(store: Store) -> None:
    changes = Changes(store, beat=0.01)
    listener, stream = _stream(changes, store.create(new_game("yams", ["Ana"])))
    said = [next(stream) for _ in range(4)]
    assert [text[:3] for text in said] == ["ret", "id:", ": \n", ": \n"]
    changes.leave(listener)


def test_a_stream_that_waits_holds_nothing_of_the_database(store: Store, database: Path) -> None:
    changes = Changes(store)
    session_id = store.create(new_game("yams", ["Ana"]))
    listener, stream = _stream(changes, session_id)
    assert [next(stream)[:3] for _ in range(2)] == ["ret", "id:"]
    store.append(session_id, 1, ROLL)
    # With a reader that holds on to an old state, the log of changes could not be put back into the file.
    until(lambda: _checkpoint(database) == 0)
    assert '"seq": 2' in next(stream)
    changes.leave(listener)


def _checkpoint(database: Path) -> int:
    """0, if nobody was in the way."""
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])


def test_a_place_is_given_back_when_the_session_is_not_there(store: Store) -> None:
    changes = Changes(store, places=1)
    for _ in range(2):
        with pytest.raises(NoSession):
            _stream(changes, "nonesuchxx")
    session_id = store.create(new_game("yams", ["Ana"]))
    listener, _ = _stream(changes, session_id)
    with pytest.raises(Crowded):
        _stream(changes, session_id)
    changes.leave(listener)
    changes.leave(listener)
    assert len(changes) == 0
    changes.close()
    with pytest.raises(Crowded):
        _stream(changes, session_id)


def test_every_seq_is_told_once_whoever_writes_at_the_same_time(store: Store, database: Path) -> None:
    changes = Changes(store)
    session_id = store.create(new_game("yams", ["Ana"]))
    listener, stream = _stream(changes, session_id)
    stores = (store, Store(database))

    def write() -> None:
        for turn, box in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes", "chance")):
            stores[turn % 2].append(session_id, 2 * turn + 1, ROLL)
            stores[(turn + 1) % 2].append(session_id, 2 * turn + 2, Scored(box=box))

    writer = threading.Thread(target=write)
    writer.start()
    told: list[int] = []
    while 15 not in told:
        told += [int(line[4:]) for line in next(stream).splitlines() if line.startswith("id: ")]
    writer.join()
    assert told == list(range(1, 16))
    changes.leave(listener)
