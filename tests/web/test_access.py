"""Everyone can use the page: by the keyboard alone, in large type, in the dark, and by ear."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.browsing import SMALL_TARGETS, SWITCHES, chromium
from tests.web.scenes import LAPTOP, PHONE, SCENES, Stage, midgame, stage

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def laptop(browser: Browser) -> Iterator[Stage]:
    with stage(browser, size=LAPTOP) as on:
        yield on
        assert on.table.problems == []


@pytest.fixture
def phone(browser: Browser) -> Iterator[Stage]:
    with stage(browser, size=PHONE) as on:
        yield on
        assert on.table.problems == []


# ---- Light, dark, large


def _ground(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


LIGHT, DARK = "rgb(230, 224, 209)", "rgb(18, 25, 22)"


def test_a_device_is_light_or_dark_as_the_system_or_as_it_chose(phone: Stage) -> None:
    page = phone.page(color_scheme="dark")
    assert _ground(page) == DARK
    page.locator("#here").click()
    page.get_by_label("Light", exact=True).check()
    assert _ground(page) == LIGHT
    # From now on each page comes so, without a script having to change it.
    page.route("**/*.js", lambda route: route.abort())
    page.goto(phone.table.address + "/statistics")
    assert _ground(page) == LIGHT
    phone.table.problems.clear()
    page.unroute("**/*.js")
    page.goto(phone.table.address)
    page.locator("#here").click()
    expect(page.get_by_label("Light", exact=True)).to_be_checked()
    page.get_by_label("As the system").check()
    assert _ground(page) == DARK
    page.emulate_media(color_scheme="light")
    assert _ground(page) == LIGHT
    page.get_by_label("Dark", exact=True).check()
    assert _ground(page) == DARK
    expect(page.locator("meta[name=color-scheme]")).to_have_attribute("content", "dark")
    expect(page.locator("meta[name=theme-color]").first).to_have_attribute("content", "#121916")
    # It is this device's choice alone.
    assert _ground(phone.page(color_scheme="light")) == LIGHT


def test_larger_type_is_kept_by_the_device(phone: Stage) -> None:
    page = phone.sheet(midgame(phone))
    size = "parseFloat(getComputedStyle(document.body).fontSize)"
    before = page.evaluate(size)
    page.locator("#open-more").click()
    page.get_by_label("Larger type").check()
    assert page.evaluate(size) >= 1.25 * before
    page.reload()
    assert page.evaluate(size) >= 1.25 * before
    assert page.evaluate(SIDEWAYS) == []


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

REFLOWED = [name for name in SCENES if not name.startswith("screen") and name not in {"scandinavian", "live", "lost"}]


@pytest.mark.parametrize("name", REFLOWED)
def test_at_twice_the_size_all_is_there(browser: Browser, name: str) -> None:
    """A window of 640 pixels seen at 200 % has 320 of the page's own; then the text alone twice as large."""
    with stage(browser, size={"width": 320, "height": 640}) as on:
        page = SCENES[name](on)
        assert page.evaluate(SIDEWAYS) == []
        assert page.evaluate(CUT) == []
        assert page.evaluate(SMALL_TARGETS) == []
        page.set_viewport_size({"width": 640, "height": 800})
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(SIDEWAYS) == []
        assert page.evaluate(CUT) == []
