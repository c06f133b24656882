"""What the tests in a browser share: Chromium, a server, and pages of it that notice every problem."""

from __future__ import annotations

import os
import shutil
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from web.serving.server import listen, make_server

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PATIENCE_MS = 20_000

expect.set_options(timeout=PATIENCE_MS)

# Visible things to press that are less than 44 pixels high or wide (a mark on the picture has a larger, unseen rim).
SMALL_TARGETS = """() => {
    const root = document.querySelector("dialog[open]") || document.body;
    const pressed = "button, a, label.button, select, summary, input:not(.unseen, [type=radio], [type=checkbox])";
    return [...root.querySelectorAll(pressed)]
        .filter((one) => one.checkVisibility() && !one.closest("#marks"))
        .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
        .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
        .map(([html, box]) => `${html} ${Math.round(box.width)}x${Math.round(box.height)}`);
}"""

# Text, not of a drawing, whose contrast with what lies behind it is below 4.5, or 3 where it is large, or bold and
# nearly so.
LOW_CONTRAST = """() => {
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0);
    const behind = (one) => {
        for (let node = one; node; node = node.parentElement) {
            const colour = rgba(getComputedStyle(node).backgroundColor);
            if (colour[3] > 250) return colour;
        }
        return [255, 255, 255, 255];
    };
    const root = document.querySelector("dialog[open]") || document.body;
    const low = [];
    for (const one of root.querySelectorAll("*")) {
        const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        const seen = one.checkVisibility({opacityProperty: true, visibilityProperty: true});
        const spared = "svg, .unseen, .gone, noscript, .quiet:disabled, :disabled:not(.button)";
        if (!own || !seen || one.closest(spared)) continue;
        const style = getComputedStyle(one);
        const [a, b] = [light(rgba(style.color)), light(behind(one))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (large ? 3 : 4.5)) low.push(`${one.textContent.trim()} ${style.color} ${ratio.toFixed(2)}`);
    }
    return low;
}"""

# What reaches beyond the right edge of the screen; what a part that scrolls by itself holds is its own affair.
SIDEWAYS = """() => {
    const wide = document.documentElement.clientWidth;
    const root = document.querySelector("dialog[open]") || document.body;
    const scrolls = (one) => one.closest(".scroll, .unseen, .symbols, .stage, .watch-stage, svg, [hidden]");
    const out = [...root.querySelectorAll("*")].filter((one) => one.checkVisibility() && !scrolls(one))
        .filter((one) => one.getBoundingClientRect().right > wide + 1 || one.getBoundingClientRect().left < -1)
        .map((one) => `${one.outerHTML.slice(0, 90)} ${Math.round(one.getBoundingClientRect().right)}`);
    if (document.documentElement.scrollWidth > wide + 1) out.push(`the page: ${document.documentElement.scrollWidth}`);
    return out;
}"""

# Text that is cut off by its own box, unless it says by an ellipsis that it goes on.
CUT = """() => {
    const root = document.querySelector("dialog[open]") || document.body;
    return [...root.querySelectorAll("*")].filter((one) => {
        const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || !one.checkVisibility() || one.closest(".unseen, svg, option, select")) return false;
        const style = getComputedStyle(one);
        if (style.display === "inline" || style.textOverflow === "ellipsis" || style.overflowX === "auto") return false;
        const wider = one.scrollWidth > one.clientWidth + 2 && style.overflowX !== "visible";
        const higher = one.scrollHeight > one.clientHeight + 3 && !["auto", "scroll"].includes(style.overflowY);
        return wider || (higher && (style.overflowY !== "visible" || one.matches("button, .button")));
    }).map((one) => `${one.outerHTML.slice(0, 90)} ${one.scrollWidth} ${one.scrollHeight}`);
}"""


def chromium() -> str:
    path = shutil.which("chromium") or "/usr/bin/chromium"
    if not Path(path).exists():
        why = "There is no Chromium: apt-get install chromium."
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    return path


def serve(app: Any, tls: ssl.SSLContext | None = None, port: int = 0) -> Iterator[str]:
    sockets = listen("127.0.0.1", port)
    server: Any = make_server(app, sockets, 12, tls)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"{'https' if tls else 'http'}://127.0.0.1:{sockets[0].getsockname()[1]}"
    server.task_dispatcher.shutdown()
    # Closed by the thread that waits on the sockets: closing them under it is an error now and then.
    with suppress(OSError):  # it may be awake already, and do it before it is woken
        server.trigger.pull_trigger(lambda: server.asyncore.close_all(server._map))
    thread.join(10)
    assert not thread.is_alive()


class Table:
    """Pages of one server; any script error, refused resource or request to elsewhere fails the test.

    `cut_off` is set by who takes the server away, or a browser off the network: from then on lost lines are expected,
    whatever Chromium calls them. What is said of them may come after the server is back.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.cut_off = False
        self.problems: list[str] = []
        self.contexts: list[BrowserContext] = []

    def page(self, path: str = "/", size: Any = PHONE, **more: Any) -> Page:
        touch = size["width"] < 600
        # A service worker asks in the page's name, out of reach of what a test puts in the way of its requests.
        more.setdefault("service_workers", "block")
        context = self.browser.new_context(viewport=size, has_touch=touch, is_mobile=touch, **more)
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self.hear)
        page.on("request", self._watch)
        page.goto(self.address + path)
        return page

    def hear(self, said: ConsoleMessage) -> None:
        if said.type == "error" and not (self.cut_off and "net::ERR_" in said.text):
            self.problems.append(said.text)

    def _watch(self, request: Request) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.problems.append(f"asked {request.url}")

    def start(self, preset: str = "yams", names: tuple[str, ...] = ("Ana", "Bo"), **more: Any) -> Page:
        page = self.page(**more)
        fill_in(page, preset, names)
        page.get_by_role("button", name="Start").click()
        expect(page.locator(".turn-head h2")).to_have_text(names[0])
        page.wait_for_load_state("load")
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()


def at_table(browser: Browser, app: Any) -> Iterator[Table]:
    """A table with a server of its own; when it is left, nothing may have gone wrong there."""
    for address in serve(app):
        table = Table(browser, address)
        yield table
        table.close()
        assert table.problems == []


def fill_in(page: Page, preset: str, names: tuple[str, ...]) -> None:
    page.locator(f".preset:has([value={preset}])").click()
    for number, name in enumerate(names, 1):
        if number > page.locator("#names li").count():
            page.get_by_role("button", name="One more player").click()
        page.get_by_label(f"Name of player {number}", exact=True).fill(name)
