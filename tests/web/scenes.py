"""The page in every state that matters, set up in a moment: for its pictures, and for what must hold of all of them.

A scene is a function from a stage to the page to look at. It says nothing in any language, since a stage may be in
each of them, and leaves the page still, with nothing under way.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.web.acted import LiveTable
from tests.web.browsing import Table, serve
from tests.web.conftest import Player
from vision.pipeline import open_reader
from vision.reader import Reader
from vision.steady import Settled
from vision.types import Colour, Die, Region
from web import create_app

SAMPLES = Path(__file__).parents[2] / "samples"
TABLES = Path(tempfile.gettempdir()) / "dicescribe-scenes"  # advice that was worked out once serves every stage

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}
LOW_SCREEN = {"width": 1280, "height": 720}
TELEVISION = {"width": 1920, "height": 1080}

ELSEWHERE = {"X-From": "192.0.2.7"}  # what a page sends that is on another machine
EIGHT = ("Ana", "Bo", "Cleo", "Didier", "Élodie", "Franziska", "Giò", "Maximilian-Alexander")


@cache
def reader() -> Reader:
    """The real one, opened once."""
    return open_reader(threads=1)


@dataclass
class Stage:
    """One server with its games, and how it is looked at: `look` goes to the browser (size, color_scheme, locale …)."""

    app: Flask
    table: Table
    look: Mapping[str, Any] = field(default_factory=dict)

    @property
    def player(self) -> Player:
        return Player(self.app.test_client())

    @property
    def phone(self) -> bool:
        return bool(self.look["size"]["width"] < 600)

    def page(self, path: str = "/", **more: Any) -> Page:
        page = self.table.page(path, **{**self.look, **more})
        page.wait_for_load_state("load")
        return page

    def sheet(self, state: Mapping[str, Any]) -> Page:
        return self.page(f"/sessions/{state['id']}")


@contextmanager
def stage(browser: Browser, **look: Any) -> Iterator[Stage]:
    """A stage on a database of its own; what went wrong on its pages is in `stage.table.problems`."""
    folder = Path(tempfile.mkdtemp())
    app = create_app({"DATABASE": folder / "games.db", "CACHE": TABLES}, reader())
    app.wsgi_app = _from_elsewhere(app.wsgi_app)  # type: ignore[method-assign]
    serving = serve(app)
    table = Table(browser, next(serving))
    try:
        yield Stage(app, table, {"size": LAPTOP, **look})
    finally:
        table.close()
        app.extensions["dicescribe"].live.close()
        next(serving, None)
        shutil.rmtree(folder)


def _from_elsewhere(app: Any) -> Any:
    """Takes a request for one of another machine if it says so."""

    def called(environ: dict[str, Any], start: Any) -> Any:
        if "HTTP_X_FROM" in environ:
            environ["REMOTE_ADDR"] = environ["HTTP_X_FROM"]
        return app(environ, start)

    return called


# ---- Games

Scene = Callable[[Stage], Page]
SCENES: dict[str, Scene] = {}


def scene(make: Scene) -> Scene:
    SCENES[make.__name__.strip("_")] = make
    return make


def play(player: Player, state: dict[str, Any], turns: int, seed: int = 3, each: Sequence[int] = ()) -> dict[str, Any]:
    """So many turns more, each scored where it brings most; players in `each` throw what the first one threw."""
    throws = random.Random(seed)
    last: list[int] = []
    for _ in range(turns):
        if state["turn"] is None:
            break
        if state["turn"]["player"] not in each or not last:
            last = _thrown(throws)
        state = player.roll(state, *last)
        options = state["turn"]["options"]
        if not options:
            state = player.change(state, "scores", **{"pass": True})
        elif "rack" in state:
            best = max(options, key=lambda option: option["points"])
            state = player.change(state, "scores", chip=best["box"], **{"from": best["from"]})
        else:
            best = max(options, key=lambda option: (option["points"] / _worth(option["box"]), -_worth(option["box"])))
            state = player.score(state, best["box"])
    return state


def _thrown(throws: random.Random) -> list[int]:
    """As good as what is left after three rolls: often much of one face, now and then a straight."""
    if throws.random() < 0.2:
        return throws.sample(range(1, 6), 5)
    often, other = throws.sample(range(1, 7), 2)
    rest = other if throws.random() < 0.4 else None
    return [often if throws.random() < 0.58 else rest or throws.randint(1, 6) for _ in range(5)]


def _worth(box: str) -> float:
    """What is a good catch in a box, so that the chance is not always taken."""
    upper = dict(zip(("ones", "twos", "threes", "fours", "fives", "sixes"), range(3, 21, 3), strict=True))
    worth = {
        **upper,
        "chance": 40,
        "full_house": 20,
        "small_straight": 20,
        "large_straight": 25,
        "yams": 30,
        "yatzy": 30,
    }
    return float(worth.get(box, 22))


def midgame(stage: Stage, players: Sequence[str] = ("Ana", "Bo"), rounds: int = 6, **more: Any) -> dict[str, Any]:
    state = stage.player.start(players=players, **more)
    return play(stage.player, state, rounds * len(players) + 1)


# ---- The first page


@scene
def home_empty(stage: Stage) -> Page:
    return stage.page()


@scene
def home(stage: Stage) -> Page:
    play(stage.player, stage.player.start(players=("Ana", "Bo")), 99)
    midgame(stage, EIGHT[:5], game="yatzy")
    midgame(stage, ("Ana", "Bo", "Cleo"), game="yamslam")
    midgame(stage)
    return stage.page()


@scene
def who_begins(stage: Stage) -> Page:
    page = stage.page()
    for number, name in enumerate(("Ana", "Bo")):
        page.locator("#names input").nth(number).fill(name)
    page.locator("#throw-for-it").click()
    by_hand(page.locator("#toss"), (2, 5, 5, 6, 1))
    expect(page.locator("#toss-list .die")).to_have_count(5)
    return page


def by_hand(where: Any, dice: Sequence[int]) -> None:
    """Enter dice on the pad, as the part `where` of a page offers it."""
    page = where.page
    where.locator("[data-by-hand]").click()
    for value in dice:
        page.locator(f"#review [data-face='{value}']").click()
    page.locator("[data-review=confirm]").click()
    expect(page.locator("#review")).to_be_hidden()


# ---- The sheet


@scene
def sheet(stage: Stage) -> Page:
    """Before the first roll of a turn."""
    return stage.sheet(midgame(stage))


@scene
def options(stage: Stage) -> Page:
    """After a roll, with three dice that stay."""
    page = stage.sheet(stage.player.roll(midgame(stage), 4, 4, 2, 4, 1))
    for place in (0, 1, 3):
        page.locator(f"#keep-{place}").click()
    return page


@scene
def scandinavian(stage: Stage) -> Page:
    return stage.sheet(stage.player.roll(midgame(stage, rounds=5, game="scandinavian"), 6, 6, 3, 3, 3))


@scene
def coached(stage: Stage) -> Page:
    state = stage.player.roll(midgame(stage), 4, 2, 4, 1, 4)
    page = stage.sheet(state)
    page.context.add_cookies([{"name": "dicescribe_coach", "value": "on", "url": stage.table.address}])
    page.reload()
    expect(page.locator("#advice")).to_be_visible()
    return page


@scene
def looked_back(stage: Stage) -> Page:
    state = stage.player.roll(midgame(stage), 4, 2, 4, 1, 4)
    state = stage.player.score(state, state["turn"]["options"][0]["box"])
    page = stage.sheet(state)
    page.context.add_cookies([{"name": "dicescribe_coach", "value": "after", "url": stage.table.address}])
    page.reload()
    expect(page.locator("#looked-back")).to_be_visible()
    return page


@scene
def zero_asked(stage: Stage) -> Page:
    page = options(stage)
    page.locator(".option.nothing").first.click()
    expect(page.locator("#ask")).to_be_visible()
    return page


@scene
def edit(stage: Stage) -> Page:
    state = stage.player.roll(stage.player.start(), 2, 2, 4, 4, 4)
    state = stage.player.score(state, "full_house")
    state = stage.player.change(state, "edits", player=0, box="full_house", points=0)
    state = stage.player.change(state, "edits", player=0, box="full_house", dice=[3, 3, 3, 6, 6], by="Bo")
    page = stage.sheet(state)
    page.locator("#cell-full_house-0").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_be_visible()
    return page


@scene
def more(stage: Stage) -> Page:
    page = stage.sheet(stage.player.start(players=("Ana", "Bo", "Cleo")))
    page.locator("#open-more").click()
    expect(page.locator("#panel")).to_be_visible()
    return page


@scene
def invited(stage: Stage) -> Page:
    page = stage.sheet(midgame(stage))
    page.locator("#invite").click()
    expect(page.locator("#invite-dialog")).to_be_visible()
    return page


@scene
def joker(stage: Stage) -> Page:
    state = stage.player.start(options={"joker": "seeds", "prime": "yes"})
    for dice, box in (((6, 6, 6, 6, 6), "yams"), ((1, 2, 3, 4, 6), "ones"), ((6, 6, 6, 2, 1), "sixes")):
        for _ in range(2):
            state = stage.player.score(stage.player.roll(state, *dice), box)
    return stage.sheet(stage.player.roll(state, 6, 6, 6, 6, 6, number=3))


@scene
def eight(stage: Stage) -> Page:
    """Eight players, the turn with one whose column had to be scrolled to."""
    state = play(stage.player, stage.player.start(players=EIGHT), 8 * 5 + 6)
    return stage.sheet(stage.player.roll(state, 1, 2, 3, 4, 4))


@scene
def rack(stage: Stage) -> Page:
    state = midgame(stage, ("Ana", "Bo", "Cleo"), game="yamslam")
    return stage.sheet(stage.player.roll(state, 2, 2, 6, 6, 6))


@scene
def end(stage: Stage) -> Page:
    """The end, with a tie."""
    return stage.sheet(play(stage.player, stage.player.start(players=("Ana", "Bo", "Cleo")), 99, seed=16, each=(1,)))


@scene
def lost(stage: Stage) -> Page:
    """The server does not answer any more."""
    page = options(stage)
    stage.table.cut_off = True
    page.context.set_offline(True)
    expect(page.locator("#stale")).to_be_visible()
    return page


@scene
def unsent(stage: Stage) -> Page:
    """A roll that was entered without the server, and waits for it."""
    page = stage.sheet(midgame(stage))
    stage.table.cut_off = True
    page.context.set_offline(True)
    page.locator(".turn [data-by-hand]").click()
    for value in (2, 2, 6, 6, 6):
        page.locator(f"[data-face='{value}']").click()
    page.locator("[data-review=confirm]").click()
    expect(page.locator("#unsent")).to_be_visible()
    expect(page.locator("#stale")).to_be_visible()
    return page


@scene
def aside(stage: Stage) -> Page:
    """The Back button was pressed with dice in hand."""
    page = stage.sheet(midgame(stage))
    page.locator(".turn [data-by-hand]").click()
    for value in (2, 2, 6):
        page.locator(f"[data-face='{value}']").click()
    page.go_back()
    expect(page.locator("#aside")).to_be_visible()
    return page


# ---- The big screen


def _screen(stage: Stage, state: Mapping[str, Any]) -> Page:
    return stage.page(f"/sessions/{state['id']}/screen")


@scene
def screen(stage: Stage) -> Page:
    state = play(stage.player, stage.player.start(players=EIGHT[:4]), 4 * 6 + 2)
    return _screen(stage, stage.player.roll(state, 5, 3, 5, 1, 5))


@scene
def screen_eight(stage: Stage) -> Page:
    """As many as may play, and the most rows."""
    state = play(stage.player, stage.player.start("scandinavian", EIGHT), 8 * 7 + 7)
    return _screen(stage, state)


@scene
def screen_rack(stage: Stage) -> Page:
    state = midgame(stage, EIGHT, rounds=2, game="yamslam")
    return _screen(stage, stage.player.roll(state, 2, 2, 6, 6, 6))


@scene
def screen_end(stage: Stage) -> Page:
    return _screen(stage, play(stage.player, stage.player.start(players=EIGHT[:3]), 99, seed=16, each=(1,)))


# ---- Dice


def _photo(stage: Stage, sample: str) -> Page:
    page = stage.sheet(midgame(stage))
    page.locator(".turn [data-photo=file]").set_input_files(SAMPLES / sample)
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator("#picture")).to_be_visible()
    return page


@scene
def review_sure(stage: Stage) -> Page:
    return _photo(stage, "black-cloth.jpg")


@scene
def review_doubtful(stage: Stage) -> Page:
    return _photo(stage, "misread/leaning.jpg")


@scene
def review_by_hand(stage: Stage) -> Page:
    page = stage.sheet(midgame(stage))
    page.locator(".turn [data-by-hand]").click()
    for value in (1, 3, 3):
        page.locator(f"#review [data-face='{value}']").click()
    return page


@scene
def live(stage: Stage) -> Page:
    return _live(stage, unsure=())


@scene
def live_asks(stage: Stage) -> Page:
    return _live(stage, unsure=(3,))


def _live(stage: Stage, unsure: Sequence[int]) -> Page:
    """The live table of a camera elsewhere, which has seen one roll and its second one."""
    sample = "wood.jpg"
    dice = json.loads((SAMPLES / "labels.json").read_text("utf-8"))[sample]["dice"]
    photo = (SAMPLES / sample).read_bytes()
    acted = LiveTable(stage.app, photo)
    state = midgame(stage)
    acted.on(state["id"], source="browser")

    def seen(n: int, changed: Mapping[int, int], kept: Sequence[int], unsure: Sequence[int]) -> Settled:
        read = []
        for place, die in enumerate(dice):
            x, y, w, h = die["box"]
            value = changed.get(place, die["value"])
            read.append(Die(Region(x, y, w, h, 0.9), value, Colour("black", 0.9), Colour("white", 0.9), 0.9))
        places = range(len(read))
        doubts = tuple(f"the die in place {place + 1} may not be a {read[place].value}" for place in unsure)
        flags = tuple(p in kept for p in places), tuple(p in unsure for p in places)
        return Settled(n, 1, n, float(n), tuple(read), *flags, doubts)

    acted.see(state["id"], seen(1, {0: 3, 1: 5, 3: 1}, (), ()), None, seen(2, {}, (2, 4), unsure))
    page = stage.sheet(state)
    page.locator("[data-follow]").click()
    expect(page.locator("#watch-rolls li")).to_have_count(1 if unsure else 2)
    expect(page.locator("#watch-still")).to_be_visible()
    return page


# ---- The other pages


@scene
def statistics(stage: Stage) -> Page:
    for seed in range(4):
        play(stage.player, stage.player.start(players=("Ana", "Bo", "Cleo")), 99, seed)
    play(stage.player, stage.player.start("yamslam"), 999, 5)
    return stage.page("/statistics")


@scene
def history(stage: Stage) -> Page:
    play(stage.player, stage.player.start(players=("Ana", "Bo", "Cleo")), 99)
    midgame(stage, EIGHT[:5], game="yatzy")
    return stage.page("/history")


@scene
def turns(stage: Stage) -> Page:
    player, state = stage.player, midgame(stage, rounds=2)
    state = player.change(state, "undo")
    state = player.roll(state, 4, 4, 4, 2, 2, kept=state["turn"]["dice"][:0])
    state = player.score(state, max(state["turn"]["options"], key=lambda option: int(option["points"]))["box"])
    filled = next(box for box, points in state["players"][0]["boxes"].items() if points)
    state = player.change(state, "edits", player=0, box=filled, points=0, by="Bo")
    return stage.page(f"/sessions/{state['id']}/history")


@scene
def why(stage: Stage) -> Page:
    page = stage.sheet(stage.player.roll(stage.player.start(), 4, 4, 4, 4, 2))
    page.locator("#box-full_house").click(button="right")
    expect(page.locator("#panel .why")).to_be_visible()
    return page


@scene
def join(stage: Stage) -> Page:
    page = stage.page(extra_http_headers=ELSEWHERE)
    stage.table.problems.clear()  # the browser reports the 403 on its own account
    return page


@scene
def error(stage: Stage) -> Page:
    page = stage.page("/sessions/nowhere")
    stage.table.problems.clear()
    return page
