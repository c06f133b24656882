"""The live table in a real Chromium, whose camera is a film: a turn lands on the sheet and only the box is pressed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.acted import ActedCamera, LiveTable, settled, until
from tests.web.browsing import LAPTOP, LOW_CONTRAST, PHONE, SMALL_TARGETS, SWITCHES, Table, at_table, chromium
from vision.camera import Lost
from web import create_app

pytestmark = pytest.mark.browser

CLIPS = Path(__file__).parents[2] / "samples" / "clips"
CAMERA = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
# Remembers the tracks of every camera that is opened, to see whether they are stopped.
REMEMBER = """() => {
    window.tracks = [];
    window.locks = [];
    navigator.wakeLock.request = async () => {
        const lock = {on: true, release() { this.on = false; return Promise.resolve(); }};
        window.locks.push(lock);
        return lock;
    };
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wishes) => {
        const stream = await open(wishes);
        window.tracks.push(...stream.getTracks());
        return stream;
    };
}"""
LIGHT_IS_OUT = "() => window.tracks.length > 0 && window.tracks.every((track) => track.readyState === 'ended')"


@pytest.fixture
def launch() -> Iterator[Callable[..., Browser]]:
    """Starts a Chromium with a camera: the film, or Chromium's own test picture."""
    path = chromium()
    with sync_playwright() as playwright:
        opened: list[Browser] = []

        def launch(film: Path | None = None) -> Browser:
            plays = [] if film is None else [f"--use-file-for-fake-video-capture={film}"]
            opened.append(playwright.chromium.launch(executable_path=path, args=[*SWITCHES, *CAMERA, *plays]))
            return opened[-1]

        yield launch
        for browser in opened:
            browser.close()


@pytest.fixture
def acted(app: Flask, photo: bytes) -> LiveTable:
    """A live table whose follower acts out what a test writes into its script."""
    return LiveTable(app, photo)


@pytest.fixture
def table(app: Flask, acted: LiveTable, launch: Callable[..., Browser]) -> Iterator[Table]:
    yield from at_table(launch(), app)


@pytest.fixture
def camera(app: Flask, photo: bytes) -> Iterator[LiveTable]:
    """The same with a camera of the table's computer."""
    acted = LiveTable(app, photo, ActedCamera())
    yield acted
    acted.live.close()


def _truth(clip: str) -> list[dict[str, Any]]:
    """The rolls of a sample clip."""
    lines = map(json.loads, (CLIPS / "index.jsonl").read_text("utf-8").splitlines())
    return next(list(line["rolls"]) for line in lines if line["file"] == clip)


def _as_camera(clip: Path, path: Path) -> Path:
    """The clip as what Chromium takes for a camera: JPEGs, one behind the other, 30 a second; the last one stays."""
    film = cv2.VideoCapture(str(clip))
    times = round(30 / film.get(cv2.CAP_PROP_FPS))
    jpeg = b""
    with path.open("wb") as file:
        while (taken := film.read())[0]:
            jpeg = cv2.imencode(".jpg", taken[1], [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
            file.write(times * jpeg)
        file.write(150 * jpeg)
    return path


def _follow(page: Page) -> None:
    page.get_by_role("button", name="Follow the dice").click()


def _words(page: Page) -> Any:
    return expect(page.locator("#watch-words"))


def test_a_turn_lands_on_the_sheet_and_only_the_box_is_pressed(
    database: Path, cache: Path, tmp_path: Path, launch: Callable[..., Browser]
) -> None:
    browser = launch(_as_camera(CLIPS / "turn.mp4", tmp_path / "turn.mjpeg"))
    for table in at_table(browser, create_app({"DATABASE": database, "CACHE": cache})):
        page = table.start()
        _follow(page)
        _sees_the_turn(page)
        points = page.locator("[data-box=chance]").get_attribute("data-points")
        assert points == str(sum(_truth("turn.mp4")[-1]["values"]))
        page.locator("[data-box=chance]").click()
        expect(page.locator("[data-cell=chance-0] .written")).to_have_text(points)
        expect(page.locator(".turn-head h2")).to_have_text("Bo")


def test_the_same_with_the_tables_camera(database: Path, cache: Path, launch: Callable[..., Browser]) -> None:
    app = create_app({"DATABASE": database, "CACHE": cache, "CAMERA": CLIPS / "turn.mp4"})
    for table in at_table(launch(), app):
        page = table.start()
        _follow(page)
        page.get_by_role("button", name="The table's camera").click()
        _sees_the_turn(page)
        page.get_by_role("button", name="Stop").click()


def _sees_the_turn(page: Page) -> None:
    rolls = _truth("turn.mp4")
    assert len(rolls) == 3
    for number, roll in enumerate(rolls, 1):
        expect(page.locator("#watch-rolls li")).to_have_count(number)
        row = page.locator("#watch-rolls li").nth(number - 1)
        expect(row.locator(".kept")).to_have_count(len(roll["kept"]))
        expect(page.locator(".rolls")).to_contain_text(f"roll {number}")
        shown = page.locator("#sheet").get_attribute("data-dice") or ""
        assert sorted(map(int, shown.split())) == roll["values"]
        if number == 1:
            expect(page.locator("#watch-marks .seen")).to_have_count(5)


def test_an_unsure_die_is_settled_by_one_tap_on_its_face(table: Table, acted: LiveTable) -> None:
    page = table.start()
    _follow(page)
    _words(page).to_have_text("Waiting for the next throw.")
    acted.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6, unsure=(3,)))
    _words(page).to_have_text("Roll 1: the die in place 4 may not be a 5.")
    expect(page.locator("#watch-ask-label")).to_have_text("Roll 1: which face does the marked die show?")
    expect(page.locator("#watch-marks .doubtful")).to_have_count(1)
    expect(page.locator(".thrown")).to_have_count(0)  # nothing on the sheet yet
    page.locator("[data-watch-face='6']").click()
    expect(page.locator(".thrown button")).to_have_count(5)
    expect(page.locator("#watch-ask")).to_be_hidden()
    _words(page).to_have_text("Roll 1 read: 2 4 4 6 6.")
    expect(page.locator("#sheet")).to_have_attribute("data-dice", "2 4 4 6 6")


def test_two_doubtful_dice_take_two_taps_and_a_right_reading_one(table: Table, acted: LiveTable) -> None:
    page = table.start()
    _follow(page)
    acted.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6, unsure=(0, 3)))
    page.locator("[data-watch-face='1']").click()
    expect(page.locator("#watch-ask-dice .chosen")).to_have_attribute("aria-label", "Die 4: 5, not sure")
    page.locator("[data-watch-face='5']").click()
    expect(page.locator("#sheet")).to_have_attribute("data-dice", "1 4 4 5 6")
    acted.script.append(settled(2, 1, 2, 2, 4, 4, 1, 1, kept=(1, 2), unsure=(0,)))
    page.get_by_role("button", name="They are right as read").click()
    expect(page.locator("#sheet")).to_have_attribute("data-dice", "2 4 4 1 1")
    expect(page.locator("#watch-rolls .kept")).to_have_count(2)


def test_a_die_that_could_not_be_read_is_entered(table: Table, acted: LiveTable) -> None:
    page = table.start()
    _follow(page)
    acted.script.append(settled(1, 1, 1, 2, 4, 4, 5))
    expect(page.locator("#watch-ask-label")).to_have_text("Roll 1: 4 of 5 dice could be read.")
    page.get_by_role("button", name="Enter these dice").click()
    expect(page.locator("#picture")).to_be_visible()
    page.locator("[data-face='3']").click()
    page.get_by_role("button", name="These are the dice").click()
    expect(page.locator("#review")).to_be_hidden()
    expect(page.locator("#sheet")).to_have_attribute("data-dice", "2 4 4 5 3")


def test_a_die_is_fixed_in_the_picture_and_a_roll_that_was_none_taken_back(table: Table, acted: LiveTable) -> None:
    page = table.start()
    _follow(page)
    _words(page).to_have_text("Waiting for the next throw.")
    expect(page.get_by_role("button", name="Fix a die")).to_be_disabled()
    acted.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6))
    expect(page.locator("#sheet")).to_have_attribute("data-dice", "2 4 4 5 6")
    page.get_by_role("button", name="Fix a die").click()
    expect(page.locator("#picture")).to_be_visible()
    expect(page.locator(".mark")).to_have_count(5)
    page.locator(".mark").nth(1).click()
    page.locator("[data-face='3']").click()
    page.get_by_role("button", name="These are the dice").click()
    expect(page.locator("#sheet")).to_have_attribute("data-dice", "2 3 4 5 6")
    until(lambda: ("fixed", 2, 3, 4, 5, 6) in acted.told)
    page.get_by_role("button", name="Read again").click()
    expect(page.locator("#watch-note")).to_be_hidden()
    page.get_by_role("button", name="Not a roll").click()
    expect(page.locator(".thrown")).to_have_count(0)
    expect(page.locator("#watch-rolls li")).to_have_count(0)
    until(lambda: ("not a roll",) in acted.told)


def test_a_roll_before_the_box_is_said_and_comes_after_it(table: Table, acted: LiveTable) -> None:
    page = table.start()
    _follow(page)
    acted.script.extend(settled(n, 1, n, n, 2, 3, 4, 6) for n in (1, 2, 3))
    acted.script.append(settled(4, 2, 1, 5, 5, 5, 1, 1))
    _words(page).to_have_text("The next roll is read already: choose a box for the one before.")
    expect(page.locator("#watch-rolls li")).to_have_count(3)
    page.locator("[data-box=chance]").click()
    expect(page.locator(".turn-head h2")).to_have_text("Bo")
    expect(page.locator("#sheet")).to_have_attribute("data-dice", "5 5 5 1 1")


def test_the_cameras_light_goes_out(table: Table, acted: LiveTable) -> None:
    page = table.start()
    page.evaluate(REMEMBER)
    _follow(page)
    _words(page).to_have_text("Waiting for the next throw.")
    assert page.evaluate(LIGHT_IS_OUT) is False
    # A page that is not looked at holds no camera, and goes on when it is looked at again.
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function(LIGHT_IS_OUT)
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("() => window.tracks.length === 2")
    acted.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6))
    _words(page).to_have_text("Roll 1 read: 2 4 4 5 6.")
    # Meanwhile the screen is kept from going dark, and no longer.
    assert page.evaluate("window.locks.map((lock) => lock.on)") == [False, True]
    assert len(acted.followers) == 1  # what is known of the table stays known
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#watch")).to_be_hidden()
    page.wait_for_function(LIGHT_IS_OUT)
    expect(page.get_by_role("button", name="Follow the dice")).to_be_visible()
    assert acted.live.now is None
    _follow(page)
    _words(page).to_be_visible()
    page.get_by_role("button", name="Close the live table").click()
    page.wait_for_function(LIGHT_IS_OUT)


def test_a_page_that_is_loaded_anew_goes_on_with_its_camera_if_it_was_open(table: Table, acted: LiveTable) -> None:
    page = table.start()
    _follow(page)
    _words(page).to_have_text("Waiting for the next throw.")
    page.reload()
    _words(page).to_have_text("Waiting for the next throw.")
    assert acted.live.now is not None
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#watch")).to_be_hidden()
    page.reload()
    expect(page.get_by_role("button", name="Follow the dice")).to_be_visible()
    expect(page.locator("#watch")).to_be_hidden()


@pytest.mark.parametrize(
    "problem, words",
    [
        ("NotAllowedError", "may not be used"),
        ("NotFoundError", "No camera was found"),
        ("NotReadableError", "is busy"),
        ("OddError", "can't be used"),
    ],
)
def test_why_a_camera_gives_no_picture_is_said(table: Table, acted: LiveTable, problem: str, words: str) -> None:
    page = table.start()
    page.evaluate(
        "(name) => { navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', name)); }", problem
    )
    _follow(page)
    expect(page.locator("#watch-note")).to_contain_text(words)
    expect(page.get_by_role("button", name="This device's camera")).to_be_visible()  # to try again
    assert acted.live.now is None
    expect(page.locator(".turn [data-by-hand]")).to_be_visible()


def _over_plain_http(page: Page) -> None:
    page.evaluate(
        "Object.defineProperty(navigator, 'mediaDevices', {value: undefined});"
        "Object.defineProperty(window, 'isSecureContext', {value: false});"
    )


def test_over_plain_http_it_says_why_there_is_no_camera(table: Table) -> None:
    page = table.start()
    _over_plain_http(page)
    _follow(page)
    expect(page.locator("#watch-why")).to_contain_text("needs https")
    expect(page.get_by_role("button", name="This device's camera")).to_be_hidden()
    expect(page.get_by_role("button", name="The table's camera")).to_be_hidden()


def test_the_tables_camera_is_followed_and_looked_at_from_two_phones(
    app: Flask, camera: LiveTable, launch: Callable[..., Browser]
) -> None:
    assert camera.camera is not None
    for table in at_table(launch(), app):
        page = table.start()
        _over_plain_http(page)
        _follow(page)
        expect(page.locator("#watch-why")).to_contain_text("needs https")
        page.get_by_role("button", name="The table's camera").click()
        _words(page).to_have_text("The camera is being opened.")
        camera.camera.shoot()
        expect(page.locator("#watch-still")).to_be_visible()
        other = table.page(page.url.removeprefix(table.address), size=LAPTOP)
        _follow(other)
        expect(other.locator("#watch-still")).to_be_visible()
        other.reload()  # it was open, and is so again
        expect(other.locator("#watch-still")).to_be_visible()
        camera.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6))
        camera.camera.shoot()
        for one in (page, other):
            _words(one).to_have_text("Roll 1 read: 2 4 4 5 6.")
            expect(one.locator("#watch-marks .seen")).to_have_count(5)
            expect(one.locator(".thrown button")).to_have_count(5)
        # Unplugged: said at once; typing goes on.
        camera.camera.given.put(Lost("Camera 0 gives no pictures: see whether it is plugged in.", 1))
        _words(page).to_contain_text("plugged in")
        camera.camera.shoot()
        _words(page).to_have_text("Roll 1 read: 2 4 4 5 6.")
        # To close the picture on one phone is not to stop it; to stop it is, and the other one says so.
        other.get_by_role("button", name="Close the live table").click()
        _words(page).to_have_text("Roll 1 read: 2 4 4 5 6.")
        assert camera.live.now is not None
        _follow(other)
        other.get_by_role("button", name="Stop").click()
        expect(page.locator("#watch-note")).to_have_text("The dice are not followed any more.")


def test_another_game_takes_the_camera_over_and_the_first_one_says_so(table: Table, acted: LiveTable) -> None:
    page = table.start()
    page.evaluate(REMEMBER)
    _follow(page)
    _words(page).to_have_text("Waiting for the next throw.")
    other = table.start(names=("Cy", "Di"))
    _follow(other)
    expect(other.locator("#watch-note")).to_contain_text("follows another game: Yams, Ana and Bo")
    other.get_by_role("button", name="This device's camera").click()
    _words(other).to_have_text("Waiting for the next throw.")
    expect(page.locator("#watch-note")).to_contain_text("follows another game: Yams, Cy and Di")
    page.wait_for_function(LIGHT_IS_OUT)


def test_another_device_of_the_same_game_takes_over(table: Table, acted: LiveTable) -> None:
    page = table.start()
    page.evaluate(REMEMBER)
    _follow(page)
    _words(page).to_have_text("Waiting for the next throw.")
    acted.post(page.url.rpartition("/")[2], body={"on": True, "source": "browser", "by": "a tablet"})
    expect(page.locator("#watch-note")).to_have_text("Another camera is followed now. This is what it sees.")
    page.wait_for_function(LIGHT_IS_OUT)
    acted.t = 5000
    acted.frame(page.url.rpartition("/")[2], by="a tablet")
    expect(page.locator("#watch-still")).to_be_visible()


def test_a_server_that_was_away_is_said_and_followed_again(table: Table, acted: LiveTable) -> None:
    page = table.start()
    _follow(page)
    _words(page).to_have_text("Waiting for the next throw.")
    table.cut_off = True
    page.route("**/live/frames*", lambda route: route.abort())
    expect(page.locator("#watch-note")).to_contain_text("does not answer")
    acted.live.close()  # as after a new start: it knows of no following
    page.unroute("**/live/frames*")
    expect(page.locator("#watch-note")).to_be_hidden()
    acted.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6))
    _words(page).to_have_text("Roll 1 read: 2 4 4 5 6.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 640}, LAPTOP], ids=["phone", "small", "laptop"])
def test_it_fits_is_legible_and_easy_to_hit(table: Table, acted: LiveTable, size: dict[str, int], scheme: str) -> None:
    page = table.start(size=size, color_scheme=scheme)
    _follow(page)
    acted.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6))
    acted.script.append(settled(2, 1, 2, 2, 4, 4, 1, 1, kept=(1, 2), unsure=(0, 4)))
    expect(page.locator("#watch-pad")).to_be_visible()
    acted.followers[-1].shows(help=("It is too dark: switch on a lamp, or move the dice closer to it.",))
    expect(page.locator("#watch-help")).to_contain_text("too dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    if size != LAPTOP:
        assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate(LOW_CONTRAST) == []
