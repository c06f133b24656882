"""The store's promises: what is confirmed is kept, a seq is written once, and damage is cut, not spread."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import scorekeeper
from scorekeeper.dice import Roll
from scorekeeper.errors import IllegalMove, NoSession, RuleError, StaleSeq, StoreError
from scorekeeper.events import Edited, Left, Lost, Passed, Recorded, Renamed, Reordered, Rolled, Scored, Started, Undone
from scorekeeper.session import Session, new_game
from scorekeeper.store import Line, Store

LOW: Roll = (1, 1, 2, 3, 6)
STARTED = new_game("yams", ["Ana", "Bo"], {"joker": "seeds"})
TURN: tuple[Recorded, ...] = (
    Rolled((2, 4, 4, 1, 6)),
    Rolled((4, 4, 5, 5, 4), kept=(4, 4), source="photo", inks=("red",) * 5, confidence=0.5),
    Scored("full_house"),
    Rolled(LOW),
    Scored("chance", scratch=True),
    Undone(5),
    Scored("ones"),
)


def record(store: Store, started: Started = STARTED, *events: Recorded) -> str:
    session_id = store.create(started)
    for seq, event in enumerate(events, start=1):
        store.append(session_id, seq, event)
    return session_id


def change(path: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(path)
    with connection:
        assert connection.execute(statement, values).rowcount == 1
    connection.close()


# --- keeping -------------------------------------------------------------------------------------------


def test_what_was_recorded_is_there_after_reopening(store: Store, path: Path) -> None:
    session_id = record(store, STARTED, *TURN)
    session = Store(path).load(session_id)
    assert session.events == (STARTED, *TURN)
    assert session.seq == 8
    assert session.position.state == Session.replay((STARTED, *TURN)).position.state
    assert session.position.game.filled(session.position.state) == ({"full_house": 25}, {"ones": 2})


def test_append_gives_the_session_that_load_gives(store: Store) -> None:
    session_id = store.create(STARTED)
    for seq, event in enumerate(TURN, start=1):
        assert store.append(session_id, seq, event) == store.load(session_id)
        assert store.seq(session_id) == seq + 1


def test_the_seq_of_no_session_and_of_a_damaged_one(store: Store, path: Path) -> None:
    with pytest.raises(NoSession):
        store.seq("nosuch")
    session_id = record(store, STARTED, *TURN)
    change(path, "UPDATE event SET data = '{' WHERE session = ? AND seq = 4", session_id)
    assert store.seq(session_id) == store.load(session_id).seq == 8


def test_names_and_markup_come_back_as_they_were(store: Store) -> None:
    names = ("<b>Ana</b>", "'; DROP TABLE event; --", "名無し 👩‍👧")
    session_id = store.create(new_game("scandinavian", names))
    assert store.load(session_id).position.players == names


def test_ids_are_short_and_not_guessed(store: Store) -> None:
    ids = {store.create(STARTED) for _ in range(50)}
    assert len(ids) == 50
    assert all(len(name) == 10 and name.isalnum() and name.islower() for name in ids)


def test_the_list_has_the_one_changed_last_first(store: Store) -> None:
    first = record(store)
    second = record(store, new_game("yamslam", ["Cy"]))
    store.append(first, 1, Rolled(LOW))
    entries = store.sessions()
    assert [(entry.id, entry.started.game, entry.seq) for entry in entries] == [
        (first, "yams", 2),
        (second, "yamslam", 1),
    ]
    assert entries[0].started_at <= entries[1].started_at <= entries[0].changed_at
    assert entries[0].changed_at.endswith("+00:00")


def test_the_list_has_the_names_of_now(store: Store) -> None:
    renamed, reordered, undone = (record(store) for _ in range(3))
    store.append(renamed, 1, Renamed(1, "Bea"))
    store.append(reordered, 1, Reordered((1, 0)))
    store.append(undone, 1, Renamed(1, "Bea"))
    store.append(undone, 2, Undone(1))
    assert {entry.id: entry.players for entry in store.sessions()} == {
        renamed: ("Ana", "Bea"),
        reordered: ("Bo", "Ana"),
        undone: ("Ana", "Bo"),
    }


def test_delete_removes_one_session(store: Store) -> None:
    gone, kept = record(store, STARTED, *TURN), record(store)
    store.delete(gone)
    assert [entry.id for entry in store.sessions()] == [kept]
    for use in (store.load, store.delete, lambda name: store.append(name, 1, Rolled(LOW))):
        with pytest.raises(NoSession, match=f"no game '{gone}'"):
            use(gone)


def test_the_folder_is_made(tmp_path: Path) -> None:
    Store(tmp_path / "a" / "b" / "games.db").create(STARTED)
    assert (tmp_path / "a" / "b" / "games.db").is_file()


def test_a_record_can_be_put_back_elsewhere(store: Store, path: Path, tmp_path: Path) -> None:
    session_id = record(store, STARTED, *TURN)
    change(path, "DELETE FROM event WHERE seq = 8")
    change(path, "DELETE FROM event WHERE seq = 6")
    assert store.append(session_id, 7, Rolled(LOW)).lost
    lines = store.record(session_id)
    assert [line.event for line in lines] == list(store.load(session_id).events)

    other = Store(tmp_path / "other.db")
    other.restore(session_id, lines)
    assert other.record(session_id) == lines
    assert other.load(session_id) == store.load(session_id)
    assert other.append(session_id, 8, Scored("ones")).seq == 9
    with pytest.raises(StoreError, match="already"):
        other.restore(session_id, lines)


NOW = "2026-01-31T20:15:00.000+00:00"


@pytest.mark.parametrize(
    "name, lines, said",
    [
        ("../../etc", [Line(NOW, STARTED)], "not the id"),
        ("", [Line(NOW, STARTED)], "not the id"),
        ("2222222222", [], "first event"),
        ("2222222222", [Line(NOW, Rolled(LOW))], "first event"),
        ("2222222222", [Line(NOW, STARTED), Line(NOW, Passed())], "no roll"),
        ("2222222222", [Line("yesterday", STARTED)], "not a time"),
        ("2222222222", [Line("0001-01-01T00:00:00+01:00", STARTED)], "not a time"),
        ("2222222222", [Line("9999-12-31T23:00:00-01:00", STARTED)], "not a time"),
        ("2222222222", [Line("2026-01-31T20:15:00", STARTED)], "without its zone"),
        ("2222222222", [Line(NOW, STARTED), Line(NOW, Lost("\ud83d"))], "cannot be written"),
    ],
)
def test_what_is_no_record_is_not_put_back(store: Store, name: str, lines: list[Line], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        store.restore(name, lines)
    assert store.sessions() == ()


# --- older files ---------------------------------------------------------------------------------------

VERSION_1 = Path(__file__).parent / "golden" / "version1.sql"


@pytest.fixture
def old(path: Path) -> Path:
    """A database as version 1 wrote it, in the mode it was in."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(VERSION_1.read_text())
    return path


def everything(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump(), str(connection.execute("PRAGMA user_version").fetchone())]


def test_a_database_of_version_1_opens_and_carries_on(old: Path) -> None:
    before = everything(old)
    store = Store(old)
    session = store.load("yamsyamsy2")
    assert session.lost == ()
    assert session.position.game.filled(session.position.state) == ({"ones": 2}, {"full_house": 25})
    assert session.position.turn is not None
    assert session.position.turn.dice == (3, 3, 3, 3, 3)
    session = store.append("yamsyamsy2", 9, Edited(1, "full_house", points=0, by="Ana"))
    assert Store(old).load("yamsyamsy2") == session
    assert len(store.load("yamslamyy2").lost) == 2
    # What version 1 wrote is as it was, beside it and in it.
    copy = old.with_name("games.db.v1.bak")
    assert everything(copy) == before
    assert set(before) - set(everything(old)) == {"(1,)"}
    assert sorted(file.name for file in old.parent.glob("*.bak*")) == [copy.name]


def test_a_copy_that_is_there_stays(old: Path) -> None:
    copy = old.with_name("games.db.v1.bak")
    copy.write_text("the first one")
    assert len(Store(old).sessions()) == 2
    assert copy.read_text() == "the first one"


def test_without_a_copy_the_old_file_stays_as_it_is(old: Path) -> None:
    old.with_name("games.db.v1.bak.new").mkdir()
    before = everything(old)
    with pytest.raises(StoreError, match=r"copy .* cannot be made"):
        Store(old)
    assert everything(old) == before


def test_a_new_file_needs_no_copy(store: Store, path: Path) -> None:
    record(store)
    Store(path)
    assert list(path.parent.glob("*.bak*")) == []


def test_processes_may_bring_a_file_up_to_date_together(old: Path) -> None:
    script = "import sys; from scorekeeper.store import Store; print(len(Store(sys.argv[1]).sessions()))"
    before = everything(old)
    processes = [python(script, str(old)) for _ in range(4)]
    assert [process.communicate(timeout=60)[0].strip() for process in processes] == ["2"] * 4
    assert everything(old.with_name("games.db.v1.bak")) == before


# --- refusing ------------------------------------------------------------------------------------------


def test_a_stale_change_gets_the_fresh_session(store: Store) -> None:
    session_id = record(store, STARTED, Rolled(LOW))
    for seq in (0, 1, 3, -1):
        with pytest.raises(StaleSeq, match="changed meanwhile") as stale:
            store.append(session_id, seq, Scored("ones"))
        assert stale.value.session == store.load(session_id)
    assert store.load(session_id).seq == 2


def test_an_undo_does_not_make_an_old_seq_good_again(store: Store) -> None:
    session_id = record(store, STARTED, Rolled(LOW), Undone(1))
    with pytest.raises(StaleSeq):
        store.append(session_id, 1, Rolled(LOW))


def test_what_is_not_legal_is_not_recorded(store: Store) -> None:
    session_id = record(store, STARTED, Rolled(LOW))
    with pytest.raises(IllegalMove):
        store.append(session_id, 2, Passed())
    assert store.load(session_id).seq == 2
    with pytest.raises(RuleError):
        store.create(Started("yams", {}, ("half \ud83d",)))
    assert len(store.sessions()) == 1


# --- races ---------------------------------------------------------------------------------------------


def test_of_parallel_changes_one_counts(store: Store) -> None:
    session_id = record(store, STARTED, Rolled(LOW))
    threads = 8
    barrier = threading.Barrier(threads)

    def tap(_: int) -> tuple[str, int]:
        barrier.wait()
        try:
            return "scored", store.append(session_id, 2, Scored("ones")).seq
        except StaleSeq as stale:
            return "stale", stale.session.seq

    with ThreadPoolExecutor(threads) as pool:
        assert sorted(pool.map(tap, range(threads))) == [("scored", 3)] + [("stale", 3)] * (threads - 1)
    assert store.load(session_id).seq == 3


# Plays on in one session, always on the newest seq it saw, until there are enough events.
PLAYER = """
import sys
from scorekeeper.errors import StaleSeq
from scorekeeper.events import Lost, Passed, Rolled
from scorekeeper.store import Line, Store
store, session_id, enough = Store(sys.argv[1]), sys.argv[2], int(sys.argv[3])
session = store.load(session_id)
while session.seq < enough:
    turn = session.position.turn
    event = Passed() if turn.dice else Rolled((1, 2, 3, 5, 6))
    try:
        session = store.append(session_id, session.seq, event)
        print(session.seq, flush=True)
    except StaleSeq as stale:
        session = stale.session
"""


def python(script: str, *arguments: str) -> subprocess.Popen[str]:
    home = Path(scorekeeper.__file__).parent.parent
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(home)},
    )


def test_processes_on_one_file_write_each_seq_once(store: Store, path: Path) -> None:
    session_id = store.create(new_game("yamslam", ["Ana", "Bo"]))
    players = [python(PLAYER, str(path), session_id, "41") for _ in range(3)]
    written = [int(line) for player in players for line in player.communicate(timeout=60)[0].split()]
    assert [player.returncode for player in players] == [0, 0, 0]
    session = store.load(session_id)
    assert session.lost == ()
    assert sorted(written) == list(range(2, session.seq + 1))


def test_processes_may_make_the_file_together(path: Path) -> None:
    script = "import sys; from scorekeeper.store import Store; print(len(Store(sys.argv[1]).sessions()))"
    makers = [python(script, str(path)) for _ in range(4)]
    assert [maker.communicate(timeout=60)[0].strip() for maker in makers] == ["0"] * 4


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
def test_what_was_confirmed_survives_a_kill(store: Store, path: Path) -> None:
    session_id = store.create(new_game("yamslam", ["Ana", "Bo"]))
    player = python(PLAYER, str(path), session_id, "1000000")
    assert player.stdout
    confirmed = [int(player.stdout.readline()) for _ in range(15)][-1]
    player.send_signal(signal.SIGKILL)
    confirmed = max([confirmed, *map(int, player.communicate(timeout=60)[0].split())])
    session = Store(path).load(session_id)
    assert session.lost == ()
    assert session.seq >= confirmed
    store.append(session_id, session.seq, session.position.undo())


# --- damage --------------------------------------------------------------------------------------------

DAMAGE: list[tuple[str, tuple[object, ...], str]] = [
    ("UPDATE event SET data = ? WHERE seq = 4", ('{"box":',), "cannot be read"),
    ("UPDATE event SET data = ? WHERE seq = 4", (b"\xff\xfe",), "cannot be read"),
    ("UPDATE event SET data = CAST(? AS TEXT) WHERE seq = 4", (b'{"box":"\xff"}',), "cannot be read"),
    ("UPDATE event SET data = ? WHERE seq = 4", ("[" * 100_000,), "cannot be read"),
    ("UPDATE event SET data = ? WHERE seq = 4", ('{"box": "full_hose"}',), "no box 'full_hose'"),
    ("UPDATE event SET data = ? WHERE seq = 4", ("[]",), "an object belongs"),
    ("UPDATE event SET kind = ? WHERE seq = 4", ("scord",), "no kind of event 'scord'"),
    ("UPDATE event SET kind = ? WHERE seq = 4", ("passed",), "cannot be passed"),
    ("DELETE FROM event WHERE seq = ?", (4,), "missing"),
]


@pytest.mark.parametrize("statement, values, said", DAMAGE, ids=[said for *_, said in DAMAGE])
def test_a_damaged_log_opens_to_its_longest_valid_prefix(
    store: Store, path: Path, statement: str, values: tuple[object, ...], said: str
) -> None:
    session_id = record(store, STARTED, *TURN)
    change(path, statement, *values)
    session = store.load(session_id)
    assert session.events[:3] == (STARTED, *TURN[:2])
    assert session.position.turn is not None
    assert session.position.turn.dice == (4, 4, 5, 5, 4)
    assert len(session.lost) == 5
    assert all("Entry 4" in lost.why and said in lost.why for lost in session.lost)

    # It goes on from there, on a seq that never meant anything else, and stays so.
    assert session.seq == 8
    after = store.append(session_id, 8, Scored("fives"))
    assert after.position.game.filled(after.position.state) == ({"fives": 10}, {})
    assert Store(path).load(session_id) == after
    assert len(after.lost) == 5
    again = store.append(session_id, 9, after.position.undo())
    assert again.position.turn == session.position.turn
    assert [entry.seq for entry in store.sessions()] == [10]


CORRECTIONS: tuple[Recorded, ...] = (
    Reordered((1, 0)),
    Renamed(0, "Bea"),
    Rolled(LOW),
    Scored("ones"),
    Edited(1, "ones", points=3, by="Bea"),
    Left(1),
)


@pytest.mark.parametrize("seq", range(2, 8))
@pytest.mark.parametrize("data", ["{", "{}", '{"player": 7, "name": 7, "box": 7, "order": [0], "dice": []}'])
def test_damage_to_any_kind_of_entry_is_cut_and_kept_aside(store: Store, path: Path, seq: int, data: str) -> None:
    session_id = record(store, STARTED, *CORRECTIONS)
    change(path, "UPDATE event SET data = ? WHERE seq = ?", data, seq)
    session = store.load(session_id)
    assert session.events[: seq - 1] == (STARTED, *CORRECTIONS)[: seq - 1]
    assert len(session.lost) == 8 - seq
    assert f"Entry {seq} of the record is damaged" in session.lost[0].why
    with closing(sqlite3.connect(path)) as connection:
        aside = connection.execute("SELECT seq, kind, data FROM event ORDER BY seq").fetchall()
        store.append(session_id, session.seq, Renamed(0, "Cy"))
        now = connection.execute("SELECT seq, kind, data FROM event ORDER BY seq").fetchall()
    assert now[:7] == aside
    assert len(now) == 8


def test_a_second_damage_cuts_the_rest_again(store: Store, path: Path) -> None:
    session_id = record(store, STARTED, *TURN)
    change(path, "DELETE FROM event WHERE seq = 7")
    store.append(session_id, 8, Rolled(LOW))
    change(path, "DELETE FROM event WHERE seq = 6")
    session = store.load(session_id)
    assert [lost.why.split(" of ")[0] for lost in session.lost] == [
        "Entry 6",
        "Entry 7",
        "Entry 7",
        "Entry 6",
    ]
    assert session.seq == 9


@pytest.mark.parametrize("data", ["", "{}", '{"game":"chess","options":{},"players":["A"],"first":0,"throws":[]}'])
def test_without_a_start_there_is_no_session_but_the_others_are_there(store: Store, path: Path, data: str) -> None:
    session_id, other = record(store, STARTED, *TURN), record(store)
    change(path, "UPDATE event SET data = ? WHERE session = ? AND seq = 1", data, session_id)
    with pytest.raises(StoreError, match="cannot be opened, its start is damaged"):
        store.load(session_id)
    assert [entry.id for entry in store.sessions()] == [other]
    store.delete(session_id)
    assert [entry.id for entry in store.sessions()] == [other]


# --- files that are no use -----------------------------------------------------------------------------


def text_file(path: Path) -> None:
    path.write_text("Dear diary, " * 100)


def folder(path: Path) -> None:
    path.mkdir()


def other_program(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmark (url TEXT)")
    connection.close()


def damaged(path: Path) -> None:
    Store(path)
    content = bytearray(path.read_bytes())
    content[100:200] = b"\xff" * 100  # the root of the table of tables
    path.write_bytes(content)


def newer_version(path: Path) -> None:
    Store(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()


@pytest.mark.parametrize(
    "make, said",
    [
        (text_file, "is no database"),
        (folder, "cannot be opened"),
        (other_program, "belongs to another program"),
        (damaged, "is damaged: restore"),
        (newer_version, "newer dicescribe"),
    ],
)
def test_a_file_of_another_kind_is_refused_and_left_alone(path: Path, make: Callable[[Path], None], said: str) -> None:
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError, match=said):
        Store(path)
    assert before == (path.read_bytes() if path.is_file() else None)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be made"):
        Store(tmp_path / "file" / "games.db")


def test_a_file_that_goes_missing_is_an_error_and_not_an_empty_one(store: Store, path: Path) -> None:
    session_id = record(store)
    for file in path.parent.iterdir():
        file.unlink()
    with pytest.raises(StoreError, match="cannot be opened"):
        store.load(session_id)
    assert not path.exists()


def test_a_full_disk(store: Store, path: Path) -> None:
    resource = pytest.importorskip("resource")
    session_id = record(store)

    def go_on() -> None:
        for seq in range(1, 200):
            store.append(session_id, seq, Rolled(LOW) if seq % 2 else Undone(1))

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, hard))
    try:
        with pytest.raises(StoreError, match=r"disk .*(full|written)"):
            go_on()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    session = store.load(session_id)
    assert session.lost == ()
    assert store.append(session_id, session.seq, Undone(1) if session.seq > 1 else Rolled(LOW))


@pytest.mark.skipif(os.name == "nt", reason="no fork there")
def test_a_read_only_file() -> None:
    # Root may write anything, so a child that is not root does it.
    def write(store: Store, session_id: str) -> int:
        if os.getuid() == 0:
            os.setuid(65534)
        assert store.path.read_bytes()
        try:
            store.append(session_id, 1, Rolled(LOW))
        except StoreError as error:
            return 0 if "read-only" in str(error) else 3
        return 2

    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "games.db")
        session_id = record(store)
        store.path.chmod(0o444)
        Path(folder).chmod(0o555)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = write(store, session_id)
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        Path(folder).chmod(0o755)
        store.path.chmod(0o644)
        assert store.load(session_id).seq == 1


def test_a_file_held_by_another_program(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session_id = record(store)
    monkeypatch.setattr("scorekeeper.store.BUSY_SECONDS", 0.1)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="another program holds it: try again"):
        store.append(session_id, 1, Rolled(LOW))
    assert store.load(session_id).seq == 1
    holder.close()
    assert store.append(session_id, 1, Rolled(LOW)).seq == 2
