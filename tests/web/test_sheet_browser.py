"""The sheet's finer points in a real browser: why a number is what it is, the end of a game, narrow phones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from scorekeeper.rulebooks import GAMES
from tests.web.browsing import LOW_CONTRAST, PHONE, SIDEWAYS, SMALL_TARGETS, Table, at_table

pytestmark = pytest.mark.browser

NARROW = {"width": 360, "height": 640}
LONG = ("Maximiliane-Josephine von und zu Hohenst", "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww")
CUT = """[...document.querySelectorAll(".sheet th, .sheet td")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim())"""
WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def table(browser: Browser, app: Flask) -> Iterator[Table]:
    yield from at_table(browser, app)


def post(page: Page, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = page.request.post(f"/api/v1{path}", data=body, headers={"X-Dicescribe": "1"})
    assert answer.ok, answer.text()
    state: dict[str, Any] = answer.json()
    return state


def begin(
    table: Table, *names: str, size: Any = NARROW, game: str = "yams", **more: Any
) -> tuple[Page, dict[str, Any]]:
    page = table.page(size=size, base_url=table.address, **more)
    return page, post(page, "/sessions", {"game": game, "players": list(names)})


def turn(page: Page, state: dict[str, Any], dice: list[int], **use: Any) -> dict[str, Any]:
    path = f"/sessions/{state['id']}"
    state = post(page, f"{path}/rolls", {"seq": state["seq"], "dice": dice})
    return post(page, f"{path}/scores", {"seq": state["seq"], **use}) if use else state


def test_why_a_number_is_what_it_is(table: Table) -> None:
    page, state = begin(table, "Ana", "Bo")
    turn(page, state, [4, 4, 4, 4, 2])
    page.goto(f"/sessions/{state['id']}")
    full, chance = page.locator("#box-full_house"), page.locator("#box-chance")
    # A long press tells, and scores nothing.
    full.click(delay=700)
    expect(page.locator("#panel-title")).to_have_text("Full house")
    expect(page.locator("#panel .why")).to_contain_text("These are four alike and one other.")
    assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate(LOW_CONTRAST) == []
    page.get_by_role("button", name="Close").click()
    chance.click(delay=700)
    expect(page.locator("#panel .why")).to_contain_text("2 + 4 + 4 + 4 + 4 = 18")
    page.keyboard.press("Escape")
    # So do a right click, and a key.
    chance.click(button="right")
    expect(page.locator("#panel-title")).to_have_text("Chance")
    page.keyboard.press("Escape")
    full.focus()
    page.keyboard.press("?")
    expect(page.locator("#panel-title")).to_have_text("Full house")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    # The question about a zero says it as well, before a plain tap scores.
    full.click()
    expect(page.locator("#ask-text")).to_contain_text("neither four alike nor five")
    page.get_by_role("button", name="No, look again").click()
    chance.click()
    expect(page.locator("[data-cell=chance-0] .written")).to_have_text("18")
    assert page.locator(".written, .zero").count() == 1


def test_the_end_of_a_game_and_all_that_follows(table: Table) -> None:
    page, state = begin(table, "Ana", "Bo", color_scheme="dark")
    boxes = GAMES["yams"].boxes
    for box in boxes:
        for dice in ([6, 6, 6, 6, 6], [1, 2, 2, 5, 6]):
            if (box, dice[0]) != (boxes[-1], 1):
                state = turn(page, state, dice, box=box)
    page.goto(f"/sessions/{state['id']}")
    expect(page.locator(".leads")).to_have_count(1)
    turn(page, state, [1, 2, 2, 5, 6], box="chance")
    # All screens come to the end by themselves.
    expect(page.get_by_role("heading", name="Ana wins")).to_be_visible()
    expect(page.get_by_role("img", name="Points by round")).to_be_visible()
    assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate(LOW_CONTRAST) == []
    with page.expect_download() as got:
        page.get_by_role("link", name="Spreadsheet").click()
    assert got.value.suggested_filename == f"dicescribe-{state['id']}.csv"
    page.get_by_role("link", name="Turn by turn").click()
    expect(page.get_by_role("heading", name="Every turn")).to_be_visible()
    expect(page.locator("time").first).not_to_be_empty()
    assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate(LOW_CONTRAST) == []
    page.get_by_role("link", name="All games").click()
    expect(page.locator(".resume")).to_contain_text("Ana 170 · Bo 32")
    assert page.evaluate(SMALL_TARGETS) == []
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("img", name="How the totals are spread")).to_be_visible()
    assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate(LOW_CONTRAST) == []
    page.go_back()
    page.go_back()
    page.get_by_role("link", name="The sheet").click()
    page.get_by_role("link", name="Play again").click()
    expect(page.get_by_label("Name of player 2", exact=True)).to_have_value("Bo")


@pytest.mark.parametrize("language", ["en", "fr", "es", "it"])
def test_two_players_of_any_name_fit_on_a_narrow_phone(table: Table, language: str) -> None:
    page, state = begin(table, *LONG, locale=language)
    state = turn(page, state, [6, 6, 6, 6, 1], box="sixes")
    turn(page, turn(page, state, [1, 1, 2, 3, 6], box="ones"), [2, 2, 4, 4, 4])
    page.goto(f"/sessions/{state['id']}")
    assert page.evaluate(WIDER) <= 0
    assert page.evaluate("(one => one.scrollWidth - one.clientWidth)(document.querySelector('.scroll'))") <= 0
    # No word is cut off in its cell.
    cut = page.evaluate(CUT)
    assert cut == []


def test_a_name_without_a_blank_breaks_wherever_it_is_told(table: Table) -> None:
    page, state = begin(table, LONG[1], "Bo")
    page.context.add_cookies([{"name": "dicescribe_coach", "value": "after", "url": table.address}])
    turn(page, state, [2, 2, 4, 4, 4])
    page.goto(f"/sessions/{state['id']}")
    page.locator("#box-ones").click()
    page.get_by_role("button", name="Write the zero").click()
    expect(page.locator("#toast p")).to_contain_text("0 in Ones")  # and above: who scored what, and the turn looked at
    assert page.evaluate(SIDEWAYS) == []
    page.locator("#open-more").click()
    page.locator("[data-leave]").first.click()
    expect(page.locator("#ask")).to_be_visible()
    assert page.evaluate(SIDEWAYS) == []


@pytest.mark.parametrize("game", ["yams", "yamslam"])
def test_on_a_phone_the_big_screen_cuts_no_name(table: Table, game: str) -> None:
    page, state = begin(table, *LONG, "Bo", "Cleo", game=game)
    page.goto(f"/sessions/{state['id']}/screen")
    assert page.evaluate(WIDER) <= 0
    names = page.locator("thead .player, .owners .name, h2")
    assert names.count() == 5
    cut = "(one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3"
    assert not any(one.evaluate(cut) for one in names.all())
    assert page.evaluate(CUT) == []


def test_eight_players_scroll_sideways_beside_the_names_of_the_boxes(table: Table) -> None:
    names = ("Ana", "Bo", "Cleo", "Dimitri", "Eva", "Fabio", "Gwen", "Hugo")
    # At 200 % a small laptop has as many pixels as the last one.
    for size in (NARROW, {"width": 640, "height": 360}):
        page, state = begin(table, *names, size=size)
        for _ in names[1:]:
            state = turn(page, state, [2, 2, 4, 4, 4], box="full_house")
        page.goto(f"/sessions/{state['id']}")
        assert page.evaluate(WIDER) <= 0
        # Hugo's column, whose turn it is, is in sight beside the box names.
        box = page.locator("tbody th.box").first.bounding_box()
        column = page.locator("thead .now").bounding_box()
        assert box is not None
        assert column is not None
        assert box["x"] >= 0
        assert column["x"] >= box["x"] + box["width"] - 1
        assert column["x"] + column["width"] <= size["width"]


def test_a_finger_that_rests_asks_why_and_one_that_moves_scrolls(table: Table) -> None:
    page, state = begin(table, "Ana", "Bo", size=PHONE)
    turn(page, state, [4, 4, 4, 4, 2])
    page.goto(f"/sessions/{state['id']}")
    chance = page.locator("#box-chance")
    chance.scroll_into_view_if_needed()
    box = chance.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    expect(page.locator("#panel .why")).to_contain_text("= 18")
    touch("touchEnd")
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator(".written")).to_have_count(0)
    # One that moves before it has rested long enough is none.
    page.clock.install()
    touch("touchStart", {"x": x, "y": y})
    for step in range(1, 6):
        touch("touchMove", {"x": x, "y": y - 20 * step})
    touch("touchEnd")
    page.clock.run_for(2000)
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator(".written")).to_have_count(0)
    # A tap scores.
    chance.tap()
    expect(page.locator("[data-cell=chance-0] .written")).to_have_text("18")


def test_names_that_are_typed_outlast_what_happens_elsewhere(table: Table) -> None:
    page, state = begin(table, "Ana", "Bo", "Cleo")
    path = f"/sessions/{state['id']}"
    page.goto(path)
    page.locator("#open-more").click()
    page.get_by_label("Name of player 2").fill("Bobby")
    # A roll on another phone has nothing to do with names.
    state = turn(page, state, [2, 2, 4, 4, 4])
    expect(page.locator("[data-box=full_house]")).to_have_text("25")
    page.locator("[data-save-names]").click()
    expect(page.locator("thead .player")).to_contain_text(["Ana", "Bobby", "Cleo"])
    expect(page.locator("#panel")).to_be_hidden()
    # Other names have: what was typed stays, beside what is new, to be saved once more.
    page.locator("#open-more").click()
    page.get_by_label("Name of player 2").fill("Robert")
    state = post(page, f"{path}/players", {"seq": state["seq"] + 1, "player": 1, "name": "Bob"})
    post(page, f"{path}/players", {"seq": state["seq"], "player": 0, "name": "Anna"})
    page.locator("[data-save-names]").click()
    expect(page.locator("#panel-error")).to_contain_text("changed on another screen")
    expect(page.get_by_label("Name of player 1")).to_have_value("Anna")
    expect(page.get_by_label("Name of player 2")).to_have_value("Robert")
    page.locator("[data-save-names]").click()
    expect(page.locator("thead .player")).to_contain_text(["Anna", "Robert", "Cleo"])
    # Nor does somebody who leaves take them along.
    page.locator("#open-more").click()
    page.get_by_label("Name of player 1").fill("Anita")
    page.locator("[data-leave][data-name=Cleo]").click()
    page.get_by_role("button", name="Cleo leaves").click()
    expect(page.locator("[data-leave][data-name=Cleo]")).to_have_count(0)
    expect(page.get_by_label("Name of player 1")).to_have_value("Anita")
    page.locator("[data-save-names]").click()
    expect(page.locator("thead .player")).to_contain_text(["Anita", "Robert", "Cleo"])
    table.problems[:] = [said for said in table.problems if "409" not in said]


def test_an_order_that_came_too_late_is_refused_and_the_names_are_kept(table: Table) -> None:
    page, state = begin(table, "Ana", "Bo")
    page.goto(f"/sessions/{state['id']}")
    page.locator("#open-more").click()
    page.get_by_role("button", name="Move player 2 up").click()
    page.get_by_label("Name of player 1").fill("Anna")
    turn(page, state, [2, 2, 4, 4, 4])
    page.locator("[data-save-names]").click()
    expect(page.locator("#panel-error")).not_to_be_empty()
    assert page.locator("[data-move-up]").count() == 0
    expect(page.locator("thead .player")).to_contain_text(["Anna", "Bo"])
    page.locator("[data-save-names]").click()
    expect(page.locator("#panel")).to_be_hidden()
    table.problems[:] = [said for said in table.problems if "status of 40" not in said]
