"""Advice at the table: the JSON interface and the page, with real tables and with one that takes its time."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.advice import Progress, advisor
from scorekeeper.game import AnyGame
from web.api.fields import check
from web.coach.advice import ADVICE, BUILDING
from web.coach.advisors import Advisors
from web.coach.coaching import COOKIE, mode_of
from web.table import Table

if TYPE_CHECKING:
    from tests.web.conftest import Player

PATIENCE = 10


def advice(player: Player, state: dict[str, Any]) -> dict[str, Any]:
    answer = player.get(f"/sessions/{state['id']}/advice")
    assert answer.status_code == 200
    shown: dict[str, Any] = answer.json or {}
    check(shown, ADVICE)
    assert shown["seq"] == state["seq"]
    return shown


def page(client: FlaskClient, state: dict[str, Any], mode: str) -> str:
    client.set_cookie(COOKIE, mode)
    answer = client.get(f"/sessions/{state['id']}")
    assert answer.status_code == 200
    # Beside the dice that are read stand the same, drawn.
    return re.sub(r'<span class="unseen">([\d-]+)</span><span class="among">.*?</span>', r"\1", answer.text)


# ---- The JSON interface


def test_advice_follows_the_turn(player: Player) -> None:
    state = player.start()
    shown = advice(player, state)
    assert shown == {"seq": 1, "player": 0, "expected": pytest.approx(245.870774514, abs=1e-4)}
    state = player.roll(state, 2, 2, 4, 4, 4)
    shown = advice(player, state)
    assert shown["keep"] == [4, 4, 4]
    assert shown["boxes"][0]["id"] == "full_house"
    state = player.roll(state, 2, 2, 4, 4, 4, number=3)
    shown = advice(player, state)
    assert "keep" not in shown
    assert {box["id"] for box in shown["boxes"]} == {option["box"] for option in state["turn"]["options"]}
    state = player.score(state, "full_house")
    assert advice(player, state)["player"] == 1


def test_advice_in_yamslam_with_others(player: Player) -> None:
    state = player.roll(player.start("yamslam"), 3, 3, 3, 3, 3)
    shown = advice(player, state)
    assert shown["assumption"] == "others"
    assert len(shown["chips"]) == 7
    assert shown["chips"][0]["id"] == "large_straight"
    assert shown["pass"] < shown["expected"]


def test_at_the_end_there_is_nothing_to_advise(player: Player) -> None:
    state = player.start(players=["Ana"])
    for box in [box["id"] for box in (player.get("/games").json or [])[0]["boxes"]]:
        state = player.score(player.roll(state, 1, 2, 2, 5, 6), box)
    shown = advice(player, state)
    assert shown["over"]
    assert "over" in shown["why"]


def test_a_session_that_is_not_there_has_no_advice(player: Player) -> None:
    assert player.get("/sessions/none/advice").status_code == 404


# ---- A table that takes its time


class Slow:
    """Builds in three steps, each when it is let; the answer is the real advisor's."""

    def __init__(self) -> None:
        self.step = threading.Semaphore(0)
        self.stepped = threading.Semaphore(0)
        self.problem: Exception | None = None

    def load(self, game: AnyGame, *, cache: Path | None, progress: Progress | None) -> Any:
        assert progress is not None
        for done in (0.25, 0.5):
            assert self.step.acquire(timeout=PATIENCE)
            if self.problem is not None:
                raise self.problem
            progress(done)
            self.stepped.release()
        assert self.step.acquire(timeout=PATIENCE)
        return advisor(game)

    def go_on(self) -> None:
        self.step.release()
        assert self.stepped.acquire(timeout=PATIENCE)

    def finish(self) -> None:
        builder = next(thread for thread in threading.enumerate() if thread.name == "advice")
        self.step.release()
        builder.join(PATIENCE)


@pytest.fixture
def slow(app: Flask, cache: Path) -> Iterator[Slow]:
    slow = Slow()
    table: Table = app.extensions["dicescribe"]
    advisors = Advisors(cache, slow.load, lambda game, cache: False)
    app.extensions["dicescribe"] = replace(table, advisors=advisors)
    yield slow
    slow.step.release(9)
    advisors.close()


def test_while_the_game_is_worked_out_the_answer_is_how_far_it_is(player: Player, slow: Slow) -> None:
    state = player.roll(player.start(), 2, 2, 4, 4, 4)
    path = f"/sessions/{state['id']}/advice"
    answer = player.get(path)
    assert (answer.status_code, answer.json) == (202, {"seq": 2, "building": 0.0})
    check(answer.json, BUILDING)
    slow.go_on()
    answer = player.get(path)
    assert (answer.status_code, answer.json) == (202, {"seq": 2, "building": 0.25})
    slow.go_on()
    slow.finish()
    assert advice(player, state)["keep"] == [4, 4, 4]


def test_a_table_that_cannot_be_made_is_said_and_the_game_goes_on(
    player: Player, client: FlaskClient, slow: Slow
) -> None:
    state = player.roll(player.start(), 2, 2, 4, 4, 4)
    path = f"/sessions/{state['id']}/advice"
    slow.problem = MemoryError("no room")
    assert player.get(path).status_code == 202
    slow.finish()
    answer = player.get(path)
    assert answer.status_code == 503
    assert "no room" in (answer.json or {})["error"]
    text = page(client, state, "on")
    assert "no room" in text
    assert 'data-box="full_house"' in text
    assert "no room" not in page(client, state, "off")


def test_the_page_shows_the_points_and_how_far_it_is(player: Player, client: FlaskClient, slow: Slow) -> None:
    state = player.roll(player.start(), 2, 2, 4, 4, 4)
    text = page(client, state, "on")
    assert re.search(r'<progress[^>]* value="0"', text)
    assert 'data-box="full_house"' in text
    assert 'class="cost"' not in text

    def fragment(shown: str) -> Any:
        return client.get(f"/sessions/{state['id']}/sheet", query_string={"shown": shown})

    assert 'data-shown="2 on 0"' in text
    assert fragment("2 on 0").status_code == 204
    slow.go_on()
    answer = fragment("2 on 0")
    assert answer.status_code == 200
    assert 'data-shown="2 on 25"' in answer.text
    slow.go_on()
    slow.finish()
    answer = fragment("2 on 25")
    assert 'data-shown="2 on"' in answer.text
    assert 'id="advice"' in answer.text
    assert fragment("2 on").status_code == 204


# ---- The page


def test_coaching_is_off_unless_a_device_chose_it(player: Player, client: FlaskClient) -> None:
    state = player.roll(player.start(), 4, 2, 4, 1, 4)
    text = client.get(f"/sessions/{state['id']}").text
    assert 'class="coach"' not in text
    assert 'class="cost"' not in text
    assert [mode_of(mode) for mode in (None, "", "on", "after", "ON", "loud")] == [
        "off", "off", "on", "after", "off", "off",
    ]  # fmt: skip


def test_the_card_marks_the_dice_and_each_box_has_its_cost(player: Player, client: FlaskClient) -> None:
    state = player.roll(player.start(), 4, 2, 4, 1, 4)
    text = page(client, state, "on")
    shown = advice(player, state)
    assert shown["why"] in text
    marked = re.findall(r'data-keep="(\d)"[^>]* data-advised', text)
    assert marked == ["0", "2", "4"]
    costs = dict(re.findall(r'data-box="(\w+)".*?<small class="cost">(.*?)</small>', text, re.DOTALL))
    for box in shown["boxes"]:
        assert costs[box["id"]] == f"−{shown['expected'] - box['expected']:.1f}"
    assert "option best" not in text  # it is best to throw on


def test_where_it_is_best_to_score_the_box_is_marked(player: Player, client: FlaskClient) -> None:
    state = player.roll(player.start(), 2, 3, 4, 5, 6)
    text = page(client, state, "on")
    assert re.search(r'class="option best most" id="box-large_straight"', text)
    assert "data-advised" not in text
    assert "data-keep-these" not in text
    assert "Large straight, would score 40, the best" in text


def test_in_yamslam_the_chips_have_their_costs(player: Player, client: FlaskClient) -> None:
    state = player.roll(player.start("yamslam"), 3, 3, 3, 3, 3)
    text = page(client, state, "on")
    assert text.count('class="cost"') == 7
    assert re.search(r'class="chip-button can best most"[^>]* id="rack-large_straight"', text)


def test_after_the_turn_it_is_said_what_perfect_play_would_have_done(player: Player, client: FlaskClient) -> None:
    state = player.roll(player.start(), 4, 2, 4, 1, 4)
    assert "looked-back" not in page(client, state, "after")
    state = player.roll(state, 4, 4, 1, 1, 6, kept=[4, 4, 1])
    state = player.roll(state, 4, 4, 1, 1, 5, kept=[4, 4, 1, 1])
    state = player.score(state, "chance")
    text = page(client, state, "after")
    looked = re.search(r'id="looked-back"><h3>(.*?)</h3>(.*?)</div>', text)
    assert looked is not None
    assert looked[1] == "Ana’s turn"
    lines = re.findall(r"<p>(.*?)</p>", looked[2])
    assert re.fullmatch(r"Roll 1, 1-2-4-4-4: to keep 4-4-4 was better than 1-4-4, by \d+\.\d\.", lines[0])
    assert re.fullmatch(r"That cost \d+\.\d in all\.", lines[-2])
    assert re.fullmatch(r"The dice brought \d+\.\d less than they do on average\.", lines[-1])
    assert 'class="cost"' not in text
    state = player.roll(state, 1, 2, 3, 4, 6)
    assert looked[0] in page(client, state, "after")
    assert "looked-back" not in page(client, state, "on")


def test_a_perfect_turn_is_praised(player: Player, client: FlaskClient) -> None:
    state = player.score(player.roll(player.start(), 2, 3, 4, 5, 6), "large_straight")
    assert "Just what perfect play does." in page(client, state, "after")


def test_at_the_end_each_ones_luck_is_told(player: Player, client: FlaskClient) -> None:
    state = player.start(players=["Ana"])
    for box in [box["id"] for box in (player.get("/games").json or [])[0]["boxes"]]:
        state = player.score(player.roll(state, 1, 2, 2, 5, 6), box)
    text = page(client, state, "after")
    assert re.search(r"Ana: the dice brought \d+\.\d less than on average; choices gave \d+\.\d away\.", text)


def test_a_device_is_asked_in_the_menu(player: Player, client: FlaskClient) -> None:
    state = player.start()
    client.set_cookie(COOKIE, "after")
    text = client.get(f"/sessions/{state['id']}/more").text
    assert re.findall(r'name="coach" value="(\w+)"( checked)?', text) == [
        ("off", ""),
        ("on", ""),
        ("after", " checked"),
    ]
