"""Exported games back in, by the JSON interface and on the page: all of a file or none, and nothing is written over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from tests.web.browsing import at_table
from web import create_app
from web.api import imports

if TYPE_CHECKING:
    from tests.web.conftest import Player, ScriptedReader

SURE = {"dice": [1, 2, 3, 4, 5], "confidence": 10**400}


@pytest.fixture
def exported(player: Player, client: FlaskClient) -> dict[str, Any]:
    """Two games of another table, one of them just begun."""
    state = player.start()
    player.score(player.roll(state, 2, 2, 4, 4, 4), "full_house")
    player.start("yamslam", ("Cleo",))
    answer: dict[str, Any] = client.get("/history/games.json").json  # type: ignore[assignment]
    return answer


@pytest.fixture
def there(elsewhere: Flask, player: Player) -> Player:
    """Somebody at another table."""
    return type(player)(elsewhere.test_client())


@pytest.fixture
def elsewhere(tmp_path: Path, cache: Path, reader: ScriptedReader) -> Flask:
    return create_app({"DATABASE": tmp_path / "elsewhere.db", "CACHE": cache}, reader)


def test_games_come_back_once(exported: dict[str, Any], there: Player, client: FlaskClient) -> None:
    ids = [session["id"] for session in exported["sessions"]]
    assert there.post("/imports", exported).json == {"new": ids, "known": []}
    assert there.get(f"/sessions/{ids[0]}").json == client.get(f"/api/v1/sessions/{ids[0]}").json
    assert there.post("/imports", exported).json == {"new": [], "known": ids}
    assert len(there.get("/sessions").json or ()) == 2


def test_a_game_that_has_gone_on_is_not_written_over_nor_anything_else_taken(
    exported: dict[str, Any], there: Player
) -> None:
    finished = next(one for one in exported["sessions"] if one["state"]["game"] == "yams")
    other = next(one for one in exported["sessions"] if one is not finished)
    there.post("/imports", {**exported, "sessions": [finished]})
    there.roll({"id": finished["id"], "seq": 3}, 1, 1, 1, 2, 3)
    answer = there.post("/imports", {**exported, "sessions": [other, finished]})
    assert answer.status_code == 400
    assert f"The game {finished['id']} is here already" in (answer.json or {})["error"]
    assert there.get(f"/sessions/{finished['id']}").json["seq"] == 4  # type: ignore[index]
    assert there.get(f"/sessions/{other['id']}").status_code == 404


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"format": "other games"}, "no export of games"),
        ({"version": 99}, "newer dicescribe"),
        ({"version": 1.5}, "no export of games"),
        ({"sessions": {}}, "no export of games"),
        ({"sessions": [{"id": "x", "events": []}]}, "no export of games"),
        ({"sessions": [{"id": "x", "events": [{"at": "", "kind": "lost", "data": {}}]}]}, "damaged"),
        ({"sessions": [{"id": "x", "events": [{"at": "", "kind": "told", "data": {}}]}]}, "damaged"),
        ({"sessions": [{"id": "x", "events": [{"at": "", "kind": "rolled", "data": SURE}]}]}, "damaged"),
    ],
)
def test_what_is_no_export_is_refused_in_a_sentence(player: Player, wrong: dict[str, Any], said: str) -> None:
    answer = player.post("/imports", {"format": "dicescribe games", "version": 2, "sessions": [], **wrong})
    assert answer.status_code == 400
    assert said in (answer.json or {})["error"]


def test_names_that_no_sheet_takes_are_not_brought_in(exported: dict[str, Any], there: Player) -> None:
    for name in ("x" * 41, "a\u202eb", ""):
        text = json.dumps(exported).replace('"Ana"', json.dumps(name))
        answer = there.post("/imports", json.loads(text))
        assert answer.status_code == 400
        assert "damaged" in (answer.json or {})["error"]
    assert there.get("/sessions").json == []


def test_a_file_may_be_larger_than_a_change_but_not_endless(
    player: Player, exported: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert player.post("/imports", {**exported, "more": "x" * 100_000}).status_code == 200
    monkeypatch.setattr(imports, "LARGEST_MB", 0)
    assert player.post("/imports", exported).status_code == 413


@pytest.mark.browser
def test_a_game_is_brought_in_on_the_first_page(
    browser: Browser, elsewhere: Flask, exported: dict[str, Any], tmp_path: Path
) -> None:
    file, spoilt = tmp_path / "game.json", tmp_path / "scores.csv"
    file.write_text(json.dumps({**exported, "sessions": exported["sessions"][:1]}))
    spoilt.write_text("session,started_at,game")
    for table in at_table(browser, elsewhere):
        page = table.page()
        page.locator("[data-import]").set_input_files(spoilt)
        expect(page.locator("#imported")).to_contain_text("This is no export of games")
        table.problems[:] = [said for said in table.problems if "400" not in said]
        page.locator("[data-import]").set_input_files(file)
        page.wait_for_url(f"**/sessions/{exported['sessions'][0]['id']}")
        expect(page.locator("#sheet")).to_be_visible()
        page.goto(table.address)
        page.locator("[data-import]").set_input_files(file)
        expect(page.locator("#imported")).to_contain_text("1 game was here already.")
