"""The big screen's page and what is read aloud, as the server gives them."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from flask.testing import FlaskClient

from tests.web.conftest import Player


def _board(client: FlaskClient, state: dict[str, Any], query: str = "", **headers: str) -> tuple[int, str]:
    answer = client.get(f"/sessions/{state['id']}/screen/board{query}", headers=headers)
    return answer.status_code, answer.get_data(as_text=True)


def _said(text: str) -> list[list[Any]]:
    found = re.search(r'data-said="([^"]*)"', text)
    assert found is not None
    said = json.loads(html.unescape(found[1]))
    assert isinstance(said, list)
    return said


def test_it_is_given_anew_when_something_has_changed(client: FlaskClient, player: Player) -> None:
    state = player.start()
    status, text = _board(client, state)
    shown = re.search(r'data-shown="([^"]*)"', text)
    assert status == 200
    assert shown is not None
    assert _board(client, state, f"?shown={shown[1]}") == (204, "")
    state = player.roll(state, 2, 2, 4, 4, 4)
    assert _board(client, state, f"?shown={shown[1]}")[0] == 200
    assert client.get("/sessions/nowhere/screen").status_code == 404


def test_who_is_ahead_and_by_how_much(client: FlaskClient, player: Player) -> None:
    state = player.start(players=["Ana", "Bo", "Cy"])
    assert 'class="ahead"' not in _board(client, state)[1]
    for dice in ((6, 6, 6, 6, 1), (6, 6, 6, 6, 1), (6, 6, 1, 2, 3)):
        state = player.score(player.roll(state, *dice), "sixes")
    assert "Ana &amp; Bo lead by 12" in _board(client, state)[1]
    state = player.change(state, "edits", player=1, box="sixes", points=30)
    assert "Bo leads by 6" in _board(client, state)[1]
    assert "Bo mène de 6" in _board(client, state, **{"Accept-Language": "fr"})[1]


def test_each_change_has_its_sentence_and_its_number(client: FlaskClient, player: Player) -> None:
    state = player.start(players=["Ana", "Bo"])
    state = player.score(player.roll(state, 4, 2, 4, 2, 4), "full_house")
    assert _said(_board(client, state)[1])[-2:] == [[2, "Roll 1: 2, 2, 4, 4, 4."], [3, "Ana: 25 in Full house."]]
    state = player.change(state, "undo")
    said = _said(_board(client, state)[1])
    assert said[-1] == [4, "The last change was taken back."]
    assert [seq for seq, _ in said] == sorted(seq for seq, _ in said)
    for _ in range(3):
        state = player.change(player.score(state, "full_house"), "undo")
    assert len(_said(_board(client, state)[1])) <= 5
