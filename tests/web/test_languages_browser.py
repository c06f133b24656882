"""The page in each language, in a real browser at a narrow phone's size: nothing of it is English, nothing too wide."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Response, request
from playwright.sync_api import Browser, Page, expect

from tests.web.marked import marked, unmarked
from tests.web.scenes import EIGHT, PHONE, SCENES, Stage, by_hand, midgame, play, stage
from web.translations.catalogues import load, mo_data, script_text
from web.words.languages import LANGUAGES

pytestmark = pytest.mark.browser

# What a page shows and what it reads out, but for times, which browsers write, and the languages' own names.
TEXTS = """() => {
    const root = document.querySelector("dialog[open]") || document.body;
    const found = [];
    for (const one of root.querySelectorAll("*")) {
        if (one.closest("script, style, noscript, time, code, .languages, svg.qr") || !one.checkVisibility()) continue;
        for (const name of ["aria-label", "alt", "title", "placeholder"]) found.push(one.getAttribute(name) || "");
        for (const node of one.childNodes) if (node.nodeType === 3) found.push(node.textContent);
    }
    return found.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""
TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    const wide = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()
        && !one.closest(".scroll, .unseen, svg, #marks") && one.getBoundingClientRect().right > width + 1);
    const page = document.documentElement.scrollWidth > width ? [`page: ${document.documentElement.scrollWidth}`] : [];
    return [...page, ...wide.map((one) => one.outerHTML.slice(0, 100))];
}"""

OWN_NAMES = re.compile("|".join((*EIGHT, "dicescribe", r"https?://\S+", "[A-HJ-NP-Z2-9]{6}", "CSV", "JSON", "p =")))


@pytest.fixture(scope="module")
def marking(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A stage whose French marks all that goes through the catalogues."""
    catalog = marked()
    folder = tmp_path_factory.mktemp("words")
    (folder / "fr/LC_MESSAGES").mkdir(parents=True)
    (folder / "fr/LC_MESSAGES/messages.mo").write_bytes(mo_data(catalog))
    script = script_text(catalog)

    def in_scripts() -> Response | None:
        return Response(script, mimetype="text/javascript") if request.path == "/static/words/fr.js" else None

    with stage(browser, size=PHONE, locale="fr-FR", service_workers="block") as on:
        on.app.extensions["babel"].translation_directories = [str(folder)]
        on.app.before_request(in_scripts)
        yield on


LIKE_OTHERS = {"home_empty", "scandinavian", "eight", "screen_eight"}  # without a text of their own


@pytest.mark.parametrize("name", [name for name in SCENES if name not in LIKE_OTHERS])
def test_all_that_is_shown_goes_through_the_catalogues(marking: Stage, name: str) -> None:
    page = SCENES[name](marking)
    left = unmarked("\n".join(page.evaluate(TEXTS)))
    assert re.findall(r".*[^\W\d_]{2,}.*", OWN_NAMES.sub("", left)) == []
    page.context.close()


# ---- A turn in each language


def _english(language: str) -> re.Pattern[str]:
    """English texts, whatever stands in their places, that are no texts of this language too."""
    own = {string for message in load(language) for string in _all(message.string)}
    texts = {text for message in load(language) for text in _all(message.id)} - own - {""}
    telling = [text for text in texts if len(re.sub(r"%\(\w+\)s|[\W\d]", "", text)) > 2]
    return re.compile("|".join(re.sub(r"%\\\(\w+\\\)s", ".+", re.escape(text)) for text in telling))


def _all(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text) if isinstance(text, tuple | list) else ()


def _look(page: Page, english: re.Pattern[str] | None) -> None:
    assert page.evaluate(TOO_WIDE) == []
    if english is not None:
        assert [text for text in page.evaluate(TEXTS) if english.fullmatch(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_is_played_in_the_language_of_the_browser(browser: Browser, language: str, tmp_path: Path) -> None:
    english = None if language == "en" else _english(language)
    with stage(browser, size=PHONE, locale=language) as on:
        page = on.page()
        expect(page.locator("html")).to_have_attribute("lang", language)
        _look(page, english)
        for number, name in enumerate(("Ana", "Bo")):
            page.locator("#names input").nth(number).fill(name)
        page.locator("#start").click()
        expect(page.locator(".turn-head h2")).to_have_text("Ana")
        page.wait_for_load_state("load")
        _look(page, english)
        page.locator(".turn [data-by-hand]").click()
        _look(page, english)
        for value in (2, 2, 4, 4, 4):
            page.locator(f"#review [data-face='{value}']").click()
        page.locator("[data-review=confirm]").click()
        expect(page.locator("[data-keep]")).to_have_count(5)
        page.locator("#keep-0").click()
        _look(page, english)
        page.locator("#box-ones").click()
        expect(page.locator("#ask")).to_be_visible()
        _look(page, english)
        page.locator("[data-ask=no]").click()
        page.locator("#box-full_house").click()
        expect(page.locator("#cell-full_house-0")).to_have_text("25")
        expect(page.locator("#toast")).to_be_visible()
        _look(page, english)
        page.locator("#open-more").click()
        _look(page, english)
        with page.expect_navigation():
            page.locator("#panel .languages [lang=en]").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        assert on.table.problems == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_a_narrow_phone(browser: Browser, language: str) -> None:
    english = None if language == "en" else _english(language)
    with stage(browser, size=PHONE, locale=language) as on:
        over = play(on.player, on.player.start(players=("Ana", "Bo")), 99)
        chips = on.player.roll(midgame(on, ("Ana", "Bo", "Cleo"), game="yamslam"), 2, 2, 6, 6, 6)
        eight = on.player.roll(midgame(on, EIGHT, game="scandinavian", rounds=3), 6, 6, 3, 3, 3)
        sheets = [f"/sessions/{state['id']}" for state in (over, chips, eight)]
        page = on.page()
        for path in (*sheets, "/statistics", "/history", f"{sheets[0]}/history", "/away", "/"):
            page.goto(on.table.address + path)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            _look(page, english)
        for number, name in enumerate(("Ana", "Bo")):
            page.locator("#names input").nth(number).fill(name)
        page.locator("#throw-for-it").click()
        by_hand(page.locator("#toss"), (2, 5, 5, 6, 1))
        _look(page, english)
