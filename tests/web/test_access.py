"""Everyone can use the page: by the keyboard alone, in large type, in the dark, and by ear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import SIDEWAYS
from tests.web.scenes import EIGHT, LAPTOP, LOW_SCREEN, PHONE, SAMPLES, SCENES, Stage, by_hand, midgame, play, stage

pytestmark = pytest.mark.browser


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


def test_what_the_system_is_set_to_is_honoured(laptop: Stage) -> None:
    page = SCENES["options"](laptop)
    style = "(selector, name, part) => getComputedStyle(document.querySelector(selector), part)[name]"
    # Little motion: nothing tumbles, glides or fades.
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate("document.querySelectorAll('*').forEach((one) => one.classList.add('fresh'))") is None
    assert page.evaluate("document.getAnimations().length") == 0
    # Much contrast: what was said softly is said as loud as the rest.
    assert page.evaluate(f"({style})('.hint', 'color')") != page.evaluate(f"({style})('h2', 'color')")
    page.emulate_media(contrast="more")
    assert page.evaluate(f"({style})('.hint', 'color')") == page.evaluate(f"({style})('h2', 'color')")
    # The system's own colours: whose turn it is, how many rolls there were and what stays is told without a ground.
    page.emulate_media(contrast="no-preference", forced_colors="active")
    assert page.evaluate(f"({style})('thead .now', 'borderLeftStyle')") == "solid"
    done, due = (
        page.evaluate(f"({style})('.rolls i{which}', 'backgroundColor')") for which in (".done", ":last-child")
    )
    assert done != due
    assert page.evaluate(f"({style})('[aria-pressed=true] .die', 'outlineStyle')") == "solid"
    assert page.evaluate(f"({style})('.die-pip', 'fill')") != page.evaluate(f"({style})('.die-body', 'fill')")


# ---- By ear

# A browser's speech that says nothing and remembers what it was to say, with voices of these languages.
STUB = """(languages) => {
    window.spoken = [];
    const speech = {
        getVoices: () => languages.map((lang) => ({lang, localService: true, default: false, name: lang})),
        speak: (sentence) => window.spoken.push([sentence.lang, sentence.text]),
        cancel: () => window.spoken.push("cancelled"),
        addEventListener: () => {},
    };
    Object.defineProperty(window, "speechSynthesis", {value: speech});
    window.SpeechSynthesisUtterance = class extends EventTarget {
        constructor(text) { super(); this.text = text; }
    };
}"""


def _stubbed(stage: Stage, path: str, *languages: str, **more: Any) -> Page:
    page = stage.page("/", **more)
    page.context.add_init_script(f"({STUB})({list(languages)})")
    page.goto(stage.table.address + path)
    page.wait_for_load_state("load")
    return page


def _spoken(page: Page) -> list[Any]:
    return list(page.evaluate("window.spoken.splice(0)"))


def test_rolls_and_scores_are_read_aloud_if_it_is_wished(phone: Stage) -> None:
    player, state = phone.player, phone.player.start()
    state = player.roll(state, 1, 1, 2, 3, 4)
    page = _stubbed(phone, f"/sessions/{state['id']}", "fr-FR", "en-GB")
    by_hand(page.locator(".turn"), (2, 2, 4, 4, 4))
    expect(page.locator("#sheet")).to_have_attribute("data-roll", "2")
    assert _spoken(page) == []  # it is off unless asked for
    page.locator("#open-more").click()
    page.get_by_label("Read aloud").check()
    said = _spoken(page)
    assert said[0] == "cancelled"
    assert [lang for lang, _ in said[1:]] == ["en-GB"]
    page.locator("#panel [data-close-dialog]").click()
    by_hand(page.locator(".turn"), (5, 4, 6, 4, 2))
    expect(page.locator("#sheet")).to_have_attribute("data-roll", "3")
    page.wait_for_function("window.spoken.length")
    assert _spoken(page) == [["en-GB", "Roll 3: 2, 4, 4, 5, 6."]]
    page.locator("[data-box=chance]").click()
    expect(page.locator(".turn-head h2")).to_have_text("Bo")
    page.wait_for_function("window.spoken.length")
    assert _spoken(page) == [["en-GB", "Ana: 21 in Chance."]]
    # What happens elsewhere is said too, all of it, and once.
    state = player.get(f"/sessions/{state['id']}").json or {}
    state = player.score(player.roll(state, 6, 6, 6, 6, 1), "sixes")
    expect(page.locator(".turn-head h2")).to_have_text("Ana")
    page.wait_for_function("window.spoken.length > 1")
    assert _spoken(page) == [["en-GB", "Roll 1: 1, 6, 6, 6, 6."], ["en-GB", "Bo: 24 in Sixes."]]
    page.reload()
    expect(page.locator(".turn-head h2")).to_have_text("Ana")
    page.locator("#undo").click()
    expect(page.locator(".turn-head h2")).to_have_text("Bo")
    page.wait_for_function("window.spoken.length")
    assert _spoken(page) == [["en-GB", "The last change was taken back."]]
    # Switched off, it is silent at once.
    page.locator("#open-more").click()
    page.get_by_label("Read aloud").uncheck()
    assert _spoken(page) == ["cancelled"]
    page.locator("#panel [data-close-dialog]").click()
    page.locator("[data-box=sixes]").click()
    expect(page.locator(".turn-head h2")).to_have_text("Ana")
    assert _spoken(page) == []


def test_it_speaks_the_language_of_the_page_or_says_why_it_does_not(phone: Stage) -> None:
    state = phone.player.start()
    page = _stubbed(phone, f"/sessions/{state['id']}", "en-US", "it-IT", "es-MX", locale="es-ES")
    page.locator("#open-more").click()
    page.locator("[data-choice=speech]").check()
    assert [lang for lang, _ in _spoken(page)[1:]] == ["es-MX"]
    page = _stubbed(phone, f"/sessions/{state['id']}", "en-US", locale="fr-FR")
    page.locator("#open-more").click()
    page.locator("[data-choice=speech]").check()
    assert _spoken(page) == ["cancelled"]
    expect(page.locator("#voiceless")).not_to_be_empty()


# ---- The big screen


@pytest.mark.parametrize("game", ["scandinavian", "yamslam"])
def test_eight_players_fit_on_a_low_big_screen(browser: Browser, game: str) -> None:
    with stage(browser, size=LOW_SCREEN) as on:
        state = play(on.player, on.player.start(game, EIGHT), 8 * 3 + 7)
        page = on.page(f"/sessions/{state['id']}/screen")
        totals = page.locator(".grand td, .owners .total")
        expect(totals).to_have_count(8)
        for total, player in zip(totals.all(), state["players"], strict=True):
            expect(total).to_have_text(str(player["total"]))
            box = total.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= LOW_SCREEN["height"]
        sizes = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert sizes == [LOW_SCREEN["width"], LOW_SCREEN["height"]]
        assert page.evaluate("matchMedia('(min-width: 1px)').matches")
        assert page.evaluate(SIDEWAYS) == []
        assert on.table.problems == []


def test_the_big_screen_follows_and_reads_aloud(browser: Browser) -> None:
    with stage(browser, size=LOW_SCREEN) as on:
        player, state = on.player, on.player.start()
        page = _stubbed(on, f"/sessions/{state['id']}/screen", "en-GB")
        page.get_by_label("Read aloud").check()
        _spoken(page)
        state = player.roll(state, 6, 6, 6, 6, 1)
        expect(page.locator(".thrown .die-of-6")).to_have_count(4)
        expect(page.get_by_role("img", name="The dice: 6, 6, 6, 6, 1")).to_be_visible()
        state = player.score(state, "sixes")
        expect(page.locator("h2")).to_have_text("Bo")
        expect(page.locator(".ahead")).to_have_text("Ana leads by 24")
        assert _spoken(page) == [["en-GB", "Roll 1: 1, 6, 6, 6, 6."], ["en-GB", "Ana: 24 in Sixes."]]
        play(player, state, 99)
        expect(page.locator(".places li")).to_have_count(2)
        assert page.locator("button:visible, a:visible, input:visible").count() == 2  # to leave, and sound
        page.get_by_role("link", name="Leave the big screen").click()
        page.wait_for_url(f"**/sessions/{state['id']}")
        page.locator("#open-more").click()
        page.get_by_role("link", name="Big screen").click()
        page.wait_for_url("**/screen")
        assert on.table.problems == []


# ---- From the table to the sheet

COUNT_TAPS = """() => {
    window.taps = 0;
    document.addEventListener("pointerup", () => { window.taps += 1; }, true);
}"""


def _photograph(page: Page, sample: str) -> None:
    """Tap the button and take the picture, as a phone's camera gives it."""
    with page.expect_file_chooser() as camera:
        page.locator(".turn .capture .primary").click()
    camera.value.set_files(SAMPLES / sample)
    expect(page.locator("#waiting")).to_be_hidden()


def test_three_taps_from_the_dice_to_the_points(phone: Stage) -> None:
    page = phone.sheet(phone.player.start())
    page.evaluate(COUNT_TAPS)
    _photograph(page, "black-cloth.jpg")
    expect(page.locator("#say.fine")).to_be_visible()
    page.locator("[data-review=confirm]").click()
    page.locator("[data-box=full_house]").click()
    expect(page.locator("[data-cell=full_house-0] .written")).to_have_text("25")
    assert page.evaluate("window.taps") == 3


def test_a_die_in_doubt_is_shown_large_and_asked_for(phone: Stage) -> None:
    page = phone.sheet(phone.player.start())
    _photograph(page, "misread/leaning.jpg")
    doubtful = page.locator(".mark.doubtful")
    doubts = doubtful.count()
    assert doubts > 0
    for left in reversed(range(doubts)):
        # It is in the middle, a third of the picture wide at least, and the face that was read is marked.
        asked, picture = page.locator(".mark.chosen").bounding_box(), page.locator("#stage").bounding_box()
        assert asked is not None
        assert picture is not None
        assert asked["height"] > 0.3 * picture["height"]
        assert picture["x"] <= asked["x"] <= picture["x"] + picture["width"] - asked["width"]
        likely = page.locator(".pad-die.likely")
        expect(likely).to_have_count(1)
        likely.click()
        expect(doubtful).to_have_count(left)
    # All answered: the whole throw is shown again, and nothing is in doubt.
    expect(page.locator(".mark.chosen")).to_have_count(0)
    expect(page.locator("#say")).to_be_empty()
    expect(page.locator("[data-review=confirm]")).to_be_enabled()
