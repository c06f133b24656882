"""Several devices at one table, in a real Chromium: they hear of each other at once, and survive a lost connection."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Response, request
from playwright.sync_api import Browser, Page, Route, expect

import web.serving.install
import web.table
from scorekeeper.events import Recorded, Renamed, Rolled, Scored
from scorekeeper.store import Store
from tests.web.acted import until
from tests.web.browsing import Table, serve
from web import create_app
from web.serving.changes import Changes

if TYPE_CHECKING:
    from tests.web.conftest import ScriptedReader

pytestmark = pytest.mark.browser

SOON = 1.0
LATE = 3.0
"""On a machine that has more to do; who is told of changes asks only every five seconds."""
# Gives when, in seconds since 1970, the page shows this seq.
SHOWS = """(seq) => { window.shows = new Promise((resolve) => {
    const look = () => document.querySelector("#sheet").dataset.seq === String(seq) && resolve(Date.now() / 1000);
    new MutationObserver(look).observe(document.querySelector("#live"), { childList: true, subtree: true });
    look();
}); }"""
HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
KEPT = """async () => {
    const texts = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) texts.push([request.url, await (await cache.match(request)).text()]);
    }
    return texts;
}"""


class Computer:
    """The table's computer, which can be stopped and started again at the same address."""

    def __init__(self, database: Path, cache: Path, reader: ScriptedReader) -> None:
        self.database, self._cache, self._reader = database, cache, reader
        self._serving: Iterator[str] | None = None
        self.port = 0
        self.forbids = False
        self.asked: list[str] = []
        self.busy_with: Callable[[str], bool] = lambda path: False
        self.free = threading.Event()
        self.free.set()
        self.watched: Table | None = None
        self.start()

    def start(self) -> None:
        self.app = create_app({"DATABASE": self.database, "CACHE": self._cache}, self._reader)
        self.app.before_request(self._check)
        self._serving = serve(self.app, port=self.port)
        self.address = next(self._serving)
        self.port = int(self.address.rpartition(":")[2])

    def stop(self) -> None:
        if self.watched is not None:
            self.watched.cut_off = True
        if self._serving is not None:
            assert next(self._serving, None) is None
        self._serving = None

    def busy(self, with_what: Callable[[str], bool]) -> None:
        """From now on these requests are not answered until it is `free`."""
        self.busy_with = with_what
        self.free.clear()

    def _check(self) -> Response | None:
        self.asked.append(f"{request.method} {request.path}")
        if self.busy_with(request.path):
            self.free.wait(60)
        return Response("Join first.", 403) if self.forbids and not request.path.startswith("/static") else None

    @property
    def changes(self) -> Changes:
        table: web.table.Table = self.app.extensions["dicescribe"]
        return table.changes


@pytest.fixture
def computer(database: Path, cache: Path, reader: ScriptedReader) -> Iterator[Computer]:
    computer = Computer(database, cache, reader)
    yield computer
    computer.free.set()
    computer.stop()


@pytest.fixture
def table(browser: Browser, computer: Computer) -> Iterator[Table]:
    table = computer.watched = Table(browser, computer.address)
    yield table
    table.close()
    # A browser reports each answer that tells what is wrong.
    assert [problem for problem in table.problems if "status of 40" not in problem] == []


def _session(page: Page) -> str:
    return page.url.rpartition("/")[2]


def _elsewhere(computer: Computer, page: Page, seq: int, event: Recorded) -> float:
    """Another process on the same file makes a change; gives when."""
    page.evaluate(SHOWS, seq + 1)
    Store(computer.database).append(_session(page), seq, event)
    return time.time()


def _enter(page: Page, *dice: int) -> None:
    page.locator(".turn [data-by-hand]").click()
    for value in dice:
        page.locator(f"[data-face='{value}']").click()
    page.locator("[data-review=confirm]").click()
    expect(page.locator("#review")).to_be_hidden()


def _faces(page: Page, place: str) -> list[int]:
    drawn = page.locator(f"{place} .die").all()
    return [int((one.get_attribute("class") or "").rpartition("-")[2]) for one in drawn]


ROLL = Rolled(dice=(2, 2, 4, 4, 4))
OTHER = Rolled(dice=(1, 1, 1, 2, 3))


# ---- Hearing of each other


def test_each_screen_shows_a_change_by_anybody_at_once_and_a_sleeping_one_when_it_wakes(
    table: Table, computer: Computer
) -> None:
    page = table.start()
    until(lambda: len(computer.changes) == 1)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/sheet" in request.url else None)
    events: tuple[Recorded, ...] = (ROLL, Scored(box="full_house"), OTHER)
    took = []
    for seq, event in enumerate(events, 1):
        made = _elsewhere(computer, page, seq, event)
        took.append(page.evaluate("window.shows") - made)
    assert min(took) < SOON
    assert max(took) < LATE
    # Who is told need not ask again and again.
    assert len(asked) <= 6
    # A page that nobody looks at takes no place.
    page.evaluate(HIDE, True)
    until(lambda: len(computer.changes) == 0)
    _elsewhere(computer, page, 4, Scored(box="ones"))
    woken = time.time()
    page.evaluate(HIDE, False)
    assert page.evaluate("window.shows") - woken < LATE
    until(lambda: len(computer.changes) == 1)
    made = _elsewhere(computer, page, 5, ROLL)
    assert page.evaluate("window.shows") - made < LATE


def test_where_all_places_are_taken_the_page_asks_instead(table: Table, computer: Computer) -> None:
    computer.changes.places = 0
    page = table.start()
    _elsewhere(computer, page, 1, ROLL)
    expect(page.locator("[data-box=full_house]")).to_have_text("25")
    table.problems[:] = [problem for problem in table.problems if "503" not in problem]


def test_a_page_recovers_by_itself_when_the_computer_was_started_anew(table: Table, computer: Computer) -> None:
    page = table.start()
    computer.stop()
    expect(page.locator("#stale")).to_contain_text("may be old")
    computer.start()
    expect(page.locator("#stale")).to_be_hidden()
    until(lambda: len(computer.changes) == 1)
    made = _elsewhere(computer, page, 1, ROLL)
    assert page.evaluate("window.shows") - made < LATE


# ---- A lost connection


def test_what_is_entered_without_the_computer_is_kept_and_sent_once_it_is_back(
    table: Table, computer: Computer
) -> None:
    page = table.start()
    computer.stop()
    expect(page.locator("#stale")).to_be_visible()
    # What needs the computer is not offered; typing the dice is.
    assert page.locator(".turn [data-photo=file]").is_disabled()
    _enter(page, 2, 2, 4, 4, 4)
    unsent = page.locator("#unsent")
    expect(unsent).to_contain_text("Not sent yet: Ana, roll 1")
    assert _faces(page, "#unsent") == [2, 2, 4, 4, 4]
    # Until it is sent nothing else can be entered.
    assert page.locator(".turn [data-by-hand]").is_disabled()
    computer.start()
    expect(page.locator("[data-box=full_house]")).to_have_text("25")
    expect(unsent).to_be_hidden()
    assert page.locator("#sheet").get_attribute("data-seq") == "2"
    # The box for a roll that has arrived can be chosen without it, too, and is not lost with the page.
    computer.stop()
    expect(page.locator("#stale")).to_be_visible()
    page.locator("[data-box=full_house]").click()
    expect(unsent).to_contain_text("Ana: 25 in Full house")
    page.goto("about:blank")
    computer.start()
    # The first page leads to the game whose page sends it.
    page.goto(table.address)
    page.get_by_role("link", name="Not sent yet: Ana: 25 in Full house").click()
    expect(page.locator("[data-cell=full_house-0] .written")).to_have_text("25")
    expect(unsent).to_be_hidden()
    assert page.locator("#sheet").get_attribute("data-seq") == "3"
    assert page.locator(".turn [data-by-hand]").is_enabled()


def test_a_change_whose_answer_was_lost_is_there_once_and_alarms_nobody(table: Table) -> None:
    page = table.start()
    table.cut_off = True

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/rolls", lose_the_answer, times=1)
    _enter(page, 2, 2, 4, 4, 4)
    expect(page.locator("#toast p")).to_contain_text("Sent: Ana, roll 1")
    expect(page.locator("#unsent")).to_be_hidden()
    page.route("**/scores", lose_the_answer, times=1)
    page.locator("[data-box=full_house]").click()
    expect(page.locator("#toast p")).to_contain_text("Sent: Ana: 25 in Full house")
    expect(page.locator("#review")).to_be_hidden()
    assert page.locator("#sheet").get_attribute("data-seq") == "3"


def test_what_came_too_late_is_said_and_its_dice_are_offered_again(table: Table, computer: Computer) -> None:
    page = table.start()
    computer.stop()
    expect(page.locator("#stale")).to_be_visible()
    _enter(page, 2, 2, 4, 4, 4)
    Store(computer.database).append(_session(page), 1, OTHER)
    computer.start()
    expect(page.locator("#say")).to_contain_text("Not entered: Ana, roll 1")
    assert _faces(page, "#tray") == [2, 2, 4, 4, 4]
    expect(page.locator("#review-title")).to_contain_text("Ana")
    page.locator("[data-review=confirm]").click()
    expect(page.locator("[data-box=full_house]")).to_have_text("25")
    assert page.locator("#sheet").get_attribute("data-seq") == "3"
    # A box is not offered again: the sheet shows what holds now.
    computer.stop()
    expect(page.locator("#stale")).to_be_visible()
    page.locator("[data-box=full_house]").click()
    Store(computer.database).append(_session(page), 3, Scored(box="chance"))
    computer.start()
    unsent = page.locator("#unsent")
    expect(unsent).to_contain_text("Not entered: Ana: 25 in Full house")
    expect(page.locator("[data-cell=chance-0] .written")).to_have_text("16")
    unsent.get_by_role("button", name="Close").click()
    expect(unsent).to_be_hidden()


def test_what_waits_can_be_taken_back(table: Table, computer: Computer) -> None:
    page = table.start()
    computer.stop()
    expect(page.locator("#stale")).to_be_visible()
    _enter(page, 2, 2, 4, 4, 4)
    page.get_by_role("button", name="Don't send it").click()
    expect(page.locator("#unsent")).to_be_hidden()
    assert page.locator(".turn [data-by-hand]").is_enabled()
    computer.start()
    expect(page.locator("#stale")).to_be_hidden()
    assert page.locator("#sheet").get_attribute("data-seq") == "1"


def test_what_waits_for_a_deleted_game_is_said_once_and_forgotten(table: Table, computer: Computer) -> None:
    page = table.start()
    computer.stop()
    expect(page.locator("#stale")).to_be_visible()
    _enter(page, 2, 2, 4, 4, 4)
    expect(page.locator("#unsent")).to_contain_text("Not sent yet: Ana, roll 1")
    Store(computer.database).delete(_session(page))
    page.goto("about:blank")
    computer.start()
    page.goto(table.address)
    gone = "Not entered: Ana, roll 1 This game is no longer on the table's computer."
    expect(page.locator("#unsent")).to_have_text(gone)
    page.reload()
    expect(page.locator("#unsent")).to_be_hidden()
    table.problems[:] = [said for said in table.problems if "404" not in said]  # the browser's word on the question


def test_a_game_that_was_deleted_and_brought_in_again_is_shown_as_it_is_now(table: Table, computer: Computer) -> None:
    page, store = table.start(), Store(computer.database)
    session_id = _session(page)
    store.append(session_id, 1, Renamed(0, "Zoe"))
    expect(page.locator("#sheet")).to_have_attribute("data-name", "Zoe")
    start, renamed = store.record(session_id)
    store.delete(session_id)
    expect(page.locator("#stale")).to_have_text("This game is no longer on the table's computer.")
    store.restore(session_id, [start, replace(renamed, event=Renamed(0, "Kim"))])
    expect(page.locator("#sheet")).to_have_attribute("data-name", "Kim")
    expect(page.locator("#stale")).to_be_hidden()
    table.problems[:] = [said for said in table.problems if "404" not in said]


def test_back_closes_the_dialog_and_keeps_the_dice(table: Table) -> None:
    page = table.start()
    address = page.url
    page.locator(".turn [data-by-hand]").click()
    for value in (5, 5, 5):
        page.locator(f"[data-face='{value}']").click()
    page.go_back()
    expect(page.locator("#review")).to_be_hidden()
    assert page.url == address
    assert _faces(page, "#aside") == [5, 5, 5]
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#aside")).to_be_hidden()
    for value in (6, 6):
        page.locator(f"[data-face='{value}']").click()
    page.locator("[data-review=confirm]").click()
    expect(page.locator("[data-box=full_house]")).to_have_text("25")


# ---- Installed


@pytest.fixture
def installed(table: Table, computer: Computer) -> Page:
    """The page of a game, as a service worker keeps it."""
    page = table.start(service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    until(lambda: any(url == page.url for url, _ in page.evaluate(KEPT)))
    return page


def test_the_last_sheet_is_shown_as_old_while_the_computer_is_away(
    installed: Page, table: Table, computer: Computer
) -> None:
    page, address = installed, installed.url
    made = _elsewhere(computer, page, 1, ROLL)
    assert page.evaluate("window.shows") - made < LATE
    until(lambda: any(url == page.url and 'data-seq="2"' in text for url, text in page.evaluate(KEPT)))
    kept = page.evaluate(KEPT)
    table_of: web.table.Table = computer.app.extensions["dicescribe"]
    assert not any(table_of.key.code in text for _, text in kept), "the join code is kept"
    assert not any("/api/" in url for url, _ in kept)
    computer.stop()
    page.reload()
    expect(page.locator("#stale")).to_contain_text("As it stood at")
    assert page.locator("#sheet").get_attribute("data-seq") == "2"
    assert [one.is_disabled() for one in page.locator("[data-box], .turn button, .turn input").all()].count(False) == 0
    # So does the first page, of which nothing is kept, lead to it.
    page.goto(table.address)
    expect(page.locator("#stale")).to_contain_text("As it stood at")
    assert page.url == address
    # Another page says what is wrong.
    page.goto(f"{table.address}/statistics")
    expect(page.locator("main")).to_contain_text("does not answer")
    page.go_back()
    expect(page.locator("#stale")).to_contain_text("As it stood at")
    computer.start()
    expect(page.locator("#stale")).to_be_hidden()
    page.locator("[data-box=full_house]").click()
    expect(page.locator("[data-cell=full_house-0] .written")).to_have_text("25")


def test_a_computer_that_is_slow_is_not_called_away(installed: Page, table: Table, computer: Computer) -> None:
    """It is as long as it answers something small; and none that says nothing at all is waited for."""
    page, address = installed, installed.url
    stale = page.locator("#stale")
    computer.busy(lambda path: path.endswith("/sheet"))
    expect(stale).to_contain_text("is busy")
    assert page.locator(".turn [data-by-hand]").is_enabled()
    computer.free.set()
    expect(stale).to_be_hidden()
    # A page that is long in coming comes, and no other one in its place.
    computer.asked.clear()
    computer.busy(lambda path: path == "/")
    page.evaluate("setTimeout(() => location.assign('/'))")
    until(lambda: "HEAD /static/icon.svg" in computer.asked)
    computer.free.set()
    page.wait_for_url(f"{table.address}/")
    expect(page.get_by_role("heading", name="A new game")).to_be_visible()
    # One that neither answers nor refuses is away; what it says after all is taken.
    computer.busy(lambda path: True)
    page.goto(address)
    expect(stale).to_contain_text("As it stood at")
    computer.free.set()
    expect(stale).to_be_hidden()
    computer.busy(lambda path: True)
    page.goto(f"{table.address}/statistics")
    expect(page.locator("main")).to_contain_text("does not answer")
    computer.free.set()
    expect(page.get_by_role("heading", name="Are the dice fair?")).to_be_visible()


def test_another_shell_takes_the_place_of_the_one_that_was_kept(
    installed: Page, table: Table, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, version = web.serving.install.shell(web.serving.install.STATIC)
    monkeypatch.setattr("web.serving.install.shell", lambda folder: (files, "another"))
    keys = "caches.keys().then((names) => names.join())"
    assert version in installed.evaluate(keys)
    installed.reload()
    until(lambda: version not in installed.evaluate(keys))
    assert "shell another" in installed.evaluate(keys)


def test_who_may_not_see_the_table_any_more_keeps_nothing_of_it(
    installed: Page, table: Table, computer: Computer
) -> None:
    computer.forbids = True
    expect(installed.locator("#stale")).to_contain_text("join the table again")
    until(lambda: not any("/sessions/" in url for url, _ in installed.evaluate(KEPT)))
