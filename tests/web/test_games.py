"""The games of the database in and out: corrections, new names and players who left come along."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from scorekeeper.errors import BadEvent
from scorekeeper.events import Edited, Left, Recorded, Renamed, Reordered, Rolled, Scored
from scorekeeper.session import new_game
from scorekeeper.store import Store
from web.commands.games import export_csv, export_json, list_games, sheet_text
from web.commands.imports import import_games

LOW = (1, 1, 2, 3, 6)
EVENTS: tuple[Recorded, ...] = (
    Reordered((1, 0)),
    Renamed(0, "=1+1"),
    Rolled(LOW),
    Scored("chance", scratch=True),
    Rolled(LOW),
    Scored("ones"),
    Edited(0, "ones", points=5, by="Ana"),
    Edited(0, "ones", dice=(1, 1, 1, 2, 2)),
    Left(1),
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "games.db")


def record(store: Store) -> str:
    session_id = store.create(new_game("yams", ["Ana", "Bo"]))
    for seq, event in enumerate(EVENTS, start=1):
        store.append(session_id, seq, event)
    session = store.load(session_id)
    while session.position.turn is not None:
        session = store.append(session_id, session.seq, Rolled(LOW))
        session = store.append(session_id, session.seq, Scored(str(session.position.options[0].box)))
    return session_id


def test_json_there_and_back(store: Store, tmp_path: Path) -> None:
    session_id = record(store)
    out, again = StringIO(), StringIO()
    export_json(store, (), out)
    kinds = [event["kind"] for event in json.loads(out.getvalue())["sessions"][0]["events"]]
    assert {"edited", "renamed", "reordered", "left"} <= {*kinds}
    other = Store(tmp_path / "other.db")
    assert import_games(other, out.getvalue().encode()) == ([session_id], [])
    assert other.load(session_id) == store.load(session_id)
    assert other.load(session_id).history() == store.load(session_id).history()
    export_json(other, (), again)
    assert again.getvalue() == out.getvalue()


def test_an_export_of_version_1_is_read_and_one_of_a_newer_version_is_not(store: Store, tmp_path: Path) -> None:
    session_id = record(store)
    out = StringIO()
    export_json(store, (), out)
    exported = json.loads(out.getvalue())
    assert exported["version"] == 2
    session = exported["sessions"][0]
    old = exported | {"version": 1, "sessions": [session | {"events": session["events"][:1]}]}
    assert import_games(Store(tmp_path / "old.db"), json.dumps(old).encode()) == ([session_id], [])
    with pytest.raises(BadEvent, match="newer dicescribe"):
        import_games(Store(tmp_path / "new.db"), json.dumps(exported | {"version": 3}).encode())


def test_csv_has_the_names_of_now_and_no_place_for_who_left(store: Store) -> None:
    record(store)
    out = StringIO()
    export_csv(store, (), out)
    rows = list(csv.DictReader(StringIO(out.getvalue())))
    assert {(row["player"], row["place"]) for row in rows} == {("'=1+1", "1"), ("Ana", "")}
    points = {(row["player"], row["row"]): row["points"] for row in rows}
    assert points["'=1+1", "ones"] == "3"
    # A zero, and a box that stayed empty.
    assert (points["Ana", "chance"], points["Ana", "ones"]) == ("0", "")


def test_the_sheet_and_the_list_have_the_names_of_now(store: Store) -> None:
    session_id = record(store)
    table = [*sheet_text(store.load(session_id))]
    assert table[1].split() == ["=1+1", "Ana"]
    assert table[-1].split() == ["Place", "1", "left"]
    out = StringIO()
    list_games(store, out, as_json=False)
    assert out.getvalue().rstrip().endswith(": =1+1, Ana")
