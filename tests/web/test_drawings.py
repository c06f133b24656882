"""A sheet is drawn once for all phones that show the same one, and never shown to one that shows another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask, render_template
from flask.testing import FlaskClient
from jinja2 import meta

from scorekeeper.events import Rolled
from scorekeeper.session import new_game
from scorekeeper.store import Line
from web.coach.coaching import COOKIE
from web.pages import sheet
from web.pages.drawings import Drawings

if TYPE_CHECKING:
    from tests.web.conftest import Player

PER_REQUEST = {
    "request",
    "session",
    "g",
    "config",
    "get_flashed_messages",
    "device",
    "language",
    "in_language",
    "invite",
}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sheets that are drawn."""
    done: list[str] = []

    def render(template: str, real: Any = render_template, **values: Any) -> str:
        text = str(real(template, **values))
        if template == sheet.SHEET:
            done.append(text)
        return text

    monkeypatch.setattr(sheet, "render_template", render)
    return done


def _shown(client: FlaskClient, session_id: str, **headers: str) -> str:
    answer = client.get(f"/sessions/{session_id}/sheet?shown=0", headers=headers)
    assert answer.status_code == 200
    return answer.text


def test_what_all_phones_show_is_drawn_once_after_each_change(app: Flask, player: Player, drawn: list[str]) -> None:
    state = player.start()
    phones = [app.test_client() for _ in range(4)]
    for _ in range(2):
        drawn.clear()
        texts = [_shown(phone, state["id"]) for phone in phones]
        assert texts == drawn * 4
        assert f'data-seq="{state["seq"]}"' in texts[0]
        # The whole page has it, too.
        assert drawn[0] in phones[0].get(f"/sessions/{state['id']}").text
        assert len(drawn) == 1
        state = player.roll(state, 2, 2, 4, 4, 4)


def test_each_language_and_each_kind_of_coaching_has_its_own(client: FlaskClient, player: Player) -> None:
    state = player.roll(player.start(), 2, 2, 4, 4, 4)
    assert "Full house" in _shown(client, state["id"])
    assert "Full house" not in _shown(client, state["id"], **{"Accept-Language": "it"})
    client.set_cookie(COOKIE, "on")
    assert 'id="advice"' in _shown(client, state["id"])
    client.delete_cookie(COOKIE)
    assert 'id="advice"' not in _shown(client, state["id"])
    assert "Full house" in _shown(client, state["id"])


def test_a_game_that_was_deleted_and_brought_in_again_otherwise_is_shown_as_it_is(app: Flask) -> None:
    client, store = app.test_client(), app.extensions["dicescribe"].store
    session_id = store.create(new_game("yams", ["Ana"]))
    store.append(session_id, 1, Rolled((1, 2, 3, 4, 5)))
    assert "Ana" in _shown(client, session_id)
    record = store.record(session_id)
    store.delete(session_id)
    assert client.get(f"/sessions/{session_id}/sheet?shown=0").status_code == 404
    store.restore(session_id, [Line(record[0].at, new_game("yams", ["Zoe"])), record[1]])
    assert "Zoe" in _shown(client, session_id)
    assert "Ana" not in _shown(client, session_id)


def test_a_sheet_is_drawn_from_nothing_that_belongs_to_one_request(app: Flask) -> None:
    """Whatever a template of it comes to use besides has to go into what drawings are kept by."""
    environment, uses, seen = app.jinja_env, set[str](), set[str]()
    templates: list[str | None] = [sheet.SHEET]
    while templates:
        name = templates.pop()
        if name is None or name in seen:
            continue
        seen.add(name)
        assert environment.loader is not None
        parsed = environment.parse(environment.loader.get_source(environment, name)[0])
        uses |= meta.find_undeclared_variables(parsed)
        templates.extend(meta.find_referenced_templates(parsed))
    assert {"_boxes.html", "_chips.html", "_ended.html", "_coach.html"} < seen
    assert "state" in uses
    assert uses & PER_REQUEST == set()


def test_of_many_who_ask_at_once_one_draws() -> None:
    drawings, drawn = Drawings(), list[int]()

    def draw() -> str:
        drawn.append(1)
        return "sheet"

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: drawings.get("a", [1], draw), range(50))) == {"sheet"}
    assert drawn == [1]
    assert drawings.get("a", [2], lambda: "another") == "another"
    assert drawings.get("a", [1], lambda: "again") == "again"


def test_a_drawing_that_fails_is_none_and_only_so_many_are_kept() -> None:
    drawings = Drawings(most=2)

    def fail() -> str:
        raise ValueError

    with pytest.raises(ValueError):
        drawings.get("a", 1, fail)
    for name in ("a", "b", "a", "c"):
        drawings.get(name, 1, lambda: "first")
    assert [drawings.get(name, 1, lambda: "second") for name in ("a", "c", "b")] == ["first", "first", "second"]
