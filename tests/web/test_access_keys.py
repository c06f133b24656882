"""The page by its keys alone: everything can be done, it is seen where one is, and one is never thrown out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.scenes import LAPTOP, SCENES, Stage, midgame, stage

pytestmark = pytest.mark.browser

# Whether it is seen that the focus is here: by an outline of the thing itself, or of what stands for it.
SHOWN = """() => {
    const one = document.activeElement;
    const outline = (node) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    };
    const seen = (node) => node && outline(node);
    return seen(one) || seen(one.nextElementSibling) || seen(one.closest("label"));
}"""
WHERE = "document.activeElement === document.body ? '' : document.activeElement.outerHTML.slice(0, 120)"


@pytest.fixture
def laptop(browser: Browser) -> Iterator[Stage]:
    with stage(browser, size=LAPTOP) as on:
        yield on
        assert on.table.problems == []


def tab_to(page: Page, selector: str, back: bool = False) -> None:
    """Go there with the tab key, and see on the way where one is."""
    for _ in range(60):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        where = page.evaluate(WHERE)
        assert not where or page.evaluate(SHOWN), f"it is not seen that the focus is on {where}"
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} can't be reached")


def press(page: Page, selector: str, key: str = "Enter", back: bool = False) -> None:
    tab_to(page, selector, back)
    page.keyboard.press(key)


def focused(page: Page, selector: str) -> None:
    expect(page.locator(selector)).to_be_focused()


def test_a_game_is_begun(laptop: Stage) -> None:
    page = laptop.page()
    tab_to(page, "[name=preset]")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[value=yams_joker_prime]")).to_be_checked()
    press(page, "#house-rules summary")
    expect(page.locator("#house-rules")).to_have_attribute("open", "")
    tab_to(page, "#names input")
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    focused(page, "#names li:nth-child(2) input")
    page.keyboard.type("Bo")
    press(page, "#add-name")
    focused(page, "#names li:nth-child(3) input")
    page.keyboard.type("Cleo")
    # Moved up by its arrow, which keeps the focus; removed, and the focus is still in the list.
    press(page, "#names li:nth-child(3) [data-name-up]")
    focused(page, "#names li:nth-child(2) [data-name-up]")
    expect(page.locator("#names li:nth-child(2) input")).to_have_value("Cleo")
    press(page, "#names li:nth-child(2) [data-remove-name]")
    expect(page.locator("#names li")).to_have_count(2)
    assert page.evaluate("document.querySelector('#names').contains(document.activeElement)")
    # Who begins is thrown for, and the names are gone back to.
    press(page, "#throw-for-it")
    expect(page.locator("#toss")).to_be_visible()
    press(page, "#toss [data-by-hand]")
    page.keyboard.press("Escape")
    focused(page, "#toss [data-by-hand]")
    press(page, "#toss-back")
    tab_to(page, "#names li:nth-child(2) input")
    press(page, "#start")
    expect(page.locator(".turn-head h2")).to_have_text("Ana")


def test_a_turn_is_played_and_a_box_corrected(laptop: Stage) -> None:
    page = laptop.sheet(laptop.player.start(players=("Ana", "Bo")))
    press(page, ".turn [data-by-hand]")
    page.keyboard.type("224461")
    tab_to(page, "#tray button:nth-child(1)", back=True)
    page.keyboard.press("Space")
    page.keyboard.type("4")
    press(page, "[data-review=confirm]")
    expect(page.locator("#review")).to_be_hidden()
    focused(page, "#keep-0")
    for place in (1, 2, 3):
        press(page, f"#keep-{place}", "Space")
    expect(page.locator("[data-keep][aria-pressed=true]")).to_have_count(3)
    press(page, ".turn [data-by-hand]")
    page.keyboard.press("Escape")
    focused(page, ".turn [data-by-hand]")
    # A zero is asked for once more, and the question leads back to where it came from.
    press(page, "[data-box=large_straight]")
    expect(page.locator("#ask")).to_be_visible()
    page.keyboard.press("Escape")
    focused(page, "[data-box=large_straight]")
    page.keyboard.press("Enter")
    press(page, "[data-ask=no]")
    focused(page, "[data-box=large_straight]")
    press(page, "[data-box=fours]", back=True)
    expect(page.locator(".turn-head h2")).to_have_text("Bo")
    # What was done took the button away: the focus is on the sheet still, not at the top of the page.
    assert page.evaluate("document.querySelector('#live').contains(document.activeElement)"), page.evaluate(WHERE)
    press(page, "#cell-fours-0")
    expect(page.locator("#panel")).to_be_visible()
    page.keyboard.press("Escape")
    focused(page, "#cell-fours-0")
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_be_visible()
    tab_to(page, "#edit-points")
    page.keyboard.press("Home")
    press(page, "[data-edit-points]")
    expect(page.locator("[data-cell=fours-0] .zero")).to_be_visible()
    focused(page, "#cell-fours-0")
    press(page, "#undo", back=True)
    expect(page.locator("[data-cell=fours-0] .zero")).to_be_hidden()


def test_a_chip_is_taken_from_the_rack(laptop: Stage) -> None:
    page = laptop.sheet(laptop.player.roll(laptop.player.start("yamslam"), 1, 2, 3, 4, 6))
    press(page, "#pass")
    expect(page.locator("#ask")).to_be_visible()
    page.keyboard.press("Escape")
    focused(page, "#pass")
    press(page, "#rack-small_straight")
    expect(page.locator("[data-cell=total-0]")).to_have_text("20")
    assert page.evaluate("document.querySelector('#live').contains(document.activeElement)"), page.evaluate(WHERE)


def test_what_is_not_needed_every_turn(laptop: Stage) -> None:
    page = laptop.sheet(laptop.player.start(players=("Ana", "Bo", "Cleo")))
    press(page, "#invite")
    expect(page.locator("#invite-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    focused(page, "#invite")
    press(page, "#open-more")
    expect(page.locator("#panel")).to_be_visible()
    tab_to(page, "[name=coach]")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[name=coach][value=on]")).to_be_checked()
    press(page, "#seats li:nth-child(3) [data-move-up]")
    focused(page, "#seats li:nth-child(2) [data-move-up]")
    tab_to(page, "#seats li:nth-child(1) input", back=True)
    page.keyboard.type("Anna")
    tab_to(page, "[data-choice=theme]")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-choice=theme][value=light]")).to_be_checked()
    press(page, "[data-choice=type]", "Space")
    expect(page.locator("html")).to_have_class("large")
    press(page, "[data-save-names]", back=True)
    expect(page.locator("thead .player")).to_contain_text(["Anna", "Cleo", "Bo"])
    focused(page, "#open-more")


def test_a_sheet_that_is_refreshed_keeps_the_focus(laptop: Stage) -> None:
    player, state = laptop.player, midgame(laptop)
    state = player.roll(state, 2, 2, 4, 4, 4)
    page = laptop.sheet(state)
    page.locator("#keep-2").focus()
    state = player.change(state, "edits", player=1, box="twos", points=4)
    expect(page.locator("[data-cell=twos-1] .written")).to_have_text("4")
    focused(page, "#keep-2")
    # Somebody else scores: what had the focus is gone, and one is where the next thing is to be done.
    player.score(state, state["turn"]["options"][0]["box"])
    expect(page.locator(".turn-head h2")).to_have_text("Ana")
    assert page.evaluate("document.querySelector('#live').contains(document.activeElement)"), page.evaluate(WHERE)


@pytest.mark.parametrize("name", ["home", "options", "rack", "end", "statistics", "screen_end"])
def test_wherever_the_focus_is_it_is_seen(browser: Browser, name: str) -> None:
    with stage(browser, size=LAPTOP) as on:
        page = SCENES[name](on)
        page.evaluate("document.activeElement.blur()")
        seen: set[str] = set()
        for _ in range(80):
            page.keyboard.press("Tab")
            where = page.evaluate(WHERE)
            if not where or where in seen:
                break
            seen.add(where)
            assert page.evaluate(SHOWN), where
        assert len(seen) >= 2
