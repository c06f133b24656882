"""Corrections, names, the order and leaving: by the JSON interface, and on the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

if TYPE_CHECKING:
    from tests.web.conftest import Player


@pytest.fixture
def played(player: Player) -> dict[str, Any]:
    """Ana has 12 in fours, Bo 0 in yams; it is Ana's turn and nothing is rolled."""
    state = player.score(player.roll(player.start(), 2, 2, 4, 4, 4), "fours")
    return player.score(player.roll(state, 1, 2, 3, 4, 6), "yams")


# ---- Corrections


def test_an_edit_with_dice_is_reckoned_anew(player: Player, played: dict[str, Any]) -> None:
    state = player.change(played, "edits", player=0, box="fours", dice=[4, 4, 4, 4, 1])
    ana, bo = state["players"]
    assert ana["boxes"] == {"fours": 16}
    assert (ana["total"], ana["sums"]["upper_subtotal"], ana["course"], ana["typed"]) == (16, 16, 4, [])
    assert bo == played["players"][1]
    assert state["turn"] == played["turn"]
    assert state["seq"] == played["seq"] + 1


def test_an_edit_with_points_is_marked_as_typed(player: Player, played: dict[str, Any]) -> None:
    state = player.change(played, "edits", player=1, box="yams", points=50, by=" Ana ")
    assert (state["players"][1]["boxes"], state["players"][1]["typed"]) == ({"yams": 50}, ["yams"])
    state = player.change(state, "edits", player=1, box="yams", dice=[5, 5, 5, 5, 5])
    assert state["players"][1]["typed"] == []


def test_an_edit_is_undone_like_any_change(player: Player, played: dict[str, Any]) -> None:
    state = player.change(played, "edits", player=0, box="fours", points=8)
    state = player.change(state, "undo")
    assert state["players"] == played["players"]


@pytest.mark.parametrize(
    "body, field, words",
    [
        ({"box": "fours", "points": 8}, "player", "player"),
        ({"player": 0, "points": 8}, "box", "box"),
        ({"player": 0, "box": "fours"}, "box", "points or the dice"),
        ({"player": 0, "box": "fours", "points": 8, "dice": [4, 4, 1, 2, 3]}, "box", "one of them"),
        ({"player": 2, "box": "fours", "points": 8}, "player", "no player 2"),
        ({"player": -1, "box": "fours", "points": 8}, "player", "from 0"),
        ({"player": 0, "box": "pairs", "points": 8}, "box", "ones, twos"),
        ({"player": 0, "box": "ones", "points": 3}, "box", "empty"),
        ({"player": 0, "box": "fours", "points": 7}, "box", "0, 4, 8, 12, 16, 20"),
        ({"player": 0, "box": "fours", "points": 12.0}, "points", "whole number"),
        ({"player": 0, "box": "fours", "points": True}, "points", "whole number"),
        ({"player": 0, "box": "fours", "dice": [4, 4, 4, 4]}, "dice", "5 whole numbers"),
        ({"player": 0, "box": "fours", "points": 12}, None, "already"),
        ({"player": 0, "box": "fours", "points": 8, "by": " "}, "by", "name"),
        ({"player": 0, "box": "fours", "points": 8, "why": "x"}, "why", "fields"),
    ],
)
def test_a_wrong_edit_is_refused_and_the_sheet_stays(
    player: Player, played: dict[str, Any], body: dict[str, Any], field: str | None, words: str
) -> None:
    answer = player.post(f"/sessions/{played['id']}/edits", {"seq": played["seq"], **body})
    assert answer.status_code == 400
    assert answer.json is not None
    assert words in answer.json["error"]
    assert field is None or answer.json["field"] == field
    assert player.get(f"/sessions/{played['id']}").json == played


def test_chips_are_not_corrected(player: Player) -> None:
    state = player.change(player.roll(player.start("yamslam"), 1, 3, 5, 5, 5), "scores", chip="flush")
    answer = player.post(
        f"/sessions/{state['id']}/edits", {"seq": state["seq"], "player": 0, "box": "flush", "points": 25}
    )
    assert answer.status_code == 400
    assert "undo" in (answer.json or {})["error"]


# ---- Players


def test_a_player_is_renamed(player: Player, played: dict[str, Any]) -> None:
    state = player.change(played, "players", player=1, name="  Bob ")
    assert [one["name"] for one in state["players"]] == ["Ana", "Bob"]
    listed: Any = player.get("/sessions").json
    assert [entry["players"] for entry in listed] == [[{"name": "Ana"}, {"name": "Bob"}]]


def test_the_order_changes_before_the_first_roll(player: Player) -> None:
    state = player.change(player.start(players=["Ana", "Bo", "Cleo"]), "players", order=[2, 0, 1])
    assert [one["name"] for one in state["players"]] == ["Cleo", "Ana", "Bo"]
    assert state["turn"]["player"] == 1  # Ana was to begin and still is
    state = player.score(player.roll(state, 1, 1, 1, 1, 2), "ones")
    answer = player.post(f"/sessions/{state['id']}/players", {"seq": state["seq"], "order": [0, 2, 1]})
    assert answer.status_code == 400
    assert "before the first roll" in (answer.json or {})["error"]


def test_who_leaves_keeps_their_points_and_is_skipped(player: Player, played: dict[str, Any]) -> None:
    state = player.change(played, "players", player=0, leave=True)
    assert [one["left"] for one in state["players"]] == [True, False]
    assert state["players"][0]["boxes"] == {"fours": 12}
    assert state["turn"]["player"] == 1
    state = player.score(player.roll(state, 6, 6, 6, 6, 1), "sixes")
    assert state["turn"]["player"] == 1
    for box in (box for box in _boxes(player) if box not in ("yams", "sixes")):
        state = player.score(player.roll(state, 1, 2, 2, 5, 6), box)
    assert state["turn"] is None
    assert state["places"] == [None, 1]


def _boxes(player: Player) -> list[str]:
    games = player.get("/games").json
    assert games is not None
    return [box["id"] for box in games[0]["boxes"]]


@pytest.mark.parametrize(
    "body, field, words",
    [
        ({}, "name", "one thing"),
        ({"player": 0}, "name", "one thing"),
        ({"player": 0, "leave": False}, "name", "one thing"),
        ({"player": 0, "name": "Cy", "leave": True}, "leave", "one thing"),
        ({"name": "Cy"}, "player", "one player"),
        ({"leave": True}, "player", "one player"),
        ({"player": 0, "order": [1, 0]}, "player", "all players"),
        ({"player": 0, "name": " "}, "name", "has no name"),
        ({"player": 0, "name": "x" * 41}, "name", "too long"),
        ({"player": 0, "name": "a\nb"}, "name", "cannot be shown"),
        ({"player": 0, "name": "Ana"}, None, "already"),
        ({"player": 7, "name": "Cy"}, "player", "no player 7"),
        ({"player": 7, "leave": True}, "player", "no player 7"),
        ({"order": [1, 1]}, None, "once"),
        ({"order": []}, "order", "1 to 8"),
        ({"order": "10"}, "order", "a list"),
    ],
)
def test_a_wrong_change_of_players_is_refused(
    player: Player, body: dict[str, Any], field: str | None, words: str
) -> None:
    state = player.start()
    answer = player.post(f"/sessions/{state['id']}/players", {"seq": state["seq"], **body})
    assert answer.status_code == 400
    assert answer.json is not None
    assert words in answer.json["error"]
    assert answer.json.get("field") == field
    assert player.get(f"/sessions/{state['id']}").json == state


@pytest.mark.parametrize(
    "what, body", [("edits", {"player": 0, "box": "fours", "points": 8}), ("players", {"player": 0, "name": "Cy"})]
)
def test_a_stale_one_gets_409_a_strange_one_404_and_a_forged_one_403(
    player: Player, client: FlaskClient, played: dict[str, Any], what: str, body: dict[str, Any]
) -> None:
    path = f"/sessions/{played['id']}/{what}"
    answer = player.post(path, {"seq": played["seq"] - 1, **body})
    assert answer.status_code == 409
    assert answer.json is not None
    assert (answer.json["seq"], answer.json["field"]) == (played["seq"], "seq")
    assert player.post(f"/sessions/none/{what}", {"seq": 1, **body}).status_code == 404
    assert client.post(f"/api/v1{path}", json={"seq": played["seq"], **body}).status_code == 403


# ---- The page


def _page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.text


def test_a_filled_box_tells_its_history_and_what_it_may_hold(
    player: Player, client: FlaskClient, played: dict[str, Any]
) -> None:
    state = player.change(played, "edits", player=0, box="fours", points=16, by="Bo")
    state = player.change(state, "edits", player=0, box="fours", dice=[4, 4, 1, 2, 3])
    text = _page(client, f"/sessions/{state['id']}/boxes/0/fours")
    history = re.findall(r"<b>(\d+)</b>\s*<span>(.*?)</span>", text, re.DOTALL)
    assert history == [("12", "scored"), ("16", "typed by Bo"), ("8", "corrected")]
    assert "with 2 2 4 4 4" in text
    assert re.findall(r'<option value="(\d+)"', text) == ["0", "4", "8", "12", "16", "20"]
    assert 'value="8" selected' in text
    assert f'data-seq="{state["seq"]}"' in text


@pytest.mark.parametrize("box", ["0/ones", "2/fours", "0/pairs", "0/upper_bonus"])
def test_a_box_in_which_nothing_stands_has_no_history(client: FlaskClient, played: dict[str, Any], box: str) -> None:
    assert client.get(f"/sessions/{played['id']}/boxes/{box}").status_code == 404


def test_typed_points_and_a_column_left_are_seen_and_heard(
    player: Player, client: FlaskClient, played: dict[str, Any]
) -> None:
    state = player.change(played, "edits", player=1, box="yams", points=50)
    state = player.change(state, "players", player=1, leave=True)
    text = _page(client, f"/sessions/{state['id']}")
    cell = re.search(r'data-cell="yams-1">(.*?)</td>', text, re.DOTALL)
    assert cell is not None
    assert "typed" in cell[1]
    assert "#icon-pencil" in cell[1]
    assert re.search(r'<th class="player left"[^>]*>Bo<small>left</small>', text)
    assert re.search(r'<td class="left" data-cell="yams-1">', text)
    assert "Bo has left." in text


def test_what_happened_last_is_said(player: Player, client: FlaskClient, played: dict[str, Any]) -> None:
    path = f"/sessions/{played['id']}"
    state = player.change(played, "edits", player=0, box="fours", points=8)
    assert "Ana: corrected to 8 in Fours." in _page(client, path)
    player.change(state, "players", player=0, name="Anna")
    assert "Ana is now Anna." in _page(client, path)
    state = player.start()
    player.change(state, "players", order=[1, 0])
    assert "The order was changed." in _page(client, f"/sessions/{state['id']}")


def test_leaving_and_the_order_are_offered_where_they_are_possible(player: Player, client: FlaskClient) -> None:
    state = player.start()
    assert "data-move-up" in _page(client, f"/sessions/{state['id']}/more")
    state = player.change(state, "players", player=0, name="Anna")
    assert "data-move-up" in _page(client, f"/sessions/{state['id']}/more")
    state = player.roll(state, 1, 1, 1, 1, 2)
    text = _page(client, f"/sessions/{state['id']}/more")
    assert "data-move-up" not in text
    assert text.count("data-leave") == 2
    player.change(state, "players", player=0, leave=True)
    assert "data-leave" not in _page(client, f"/sessions/{state['id']}/more")
    teams = player.start("yamslam", ("A", "B", "C", "D"), options={"mode": "teams"})
    player.roll(teams, 1, 1, 2, 3, 5)
    assert "data-leave" not in _page(client, f"/sessions/{teams['id']}/more")


def test_the_points_ahead_of_63_are_on_the_sheet(player: Player, client: FlaskClient, played: dict[str, Any]) -> None:
    state = player.change(played, "edits", player=0, box="fours", points=16)
    assert "+4 on course for 63<small>47 to go</small>" in _page(client, f"/sessions/{state['id']}")
    player.change(state, "edits", player=0, box="fours", points=8)
    assert "4 short<small>55 to go</small>" in _page(client, f"/sessions/{state['id']}")
