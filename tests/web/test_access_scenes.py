"""Every page in every state that matters, looked over by axe-core, and at twice the size."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests.web.browsing import CUT, SIDEWAYS, SMALL_TARGETS
from tests.web.scenes import LAPTOP, LOW_SCREEN, PHONE, SCENES, stage

pytestmark = pytest.mark.browser

TELLING = [name for name in SCENES if name not in {"scandinavian", "looked_back", "review_by_hand", "live", "screen"}]
"""Not those whose every part is on another one, too."""


def found(page: Page, *rules: str) -> list[str]:
    """What axe finds: the rule, how bad it is, and where."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    results = page.evaluate("(options) => axe.run(options)", options)
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:150]}"
        for violation in results["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("name", TELLING)
def test_everyone_can_use_it(browser: Browser, name: str) -> None:
    """By axe's rules in light and dark; and at twice the size all is there: nothing cut off, nothing sideways."""
    big = name.startswith("screen")
    with stage(browser, size=LOW_SCREEN if big else PHONE, color_scheme="light") as on:
        page = SCENES[name](on)
        assert found(page) == []
        page.emulate_media(color_scheme="dark")
        assert found(page, "color-contrast") == []
        if not big:
            # A window of 640 pixels seen at 200 % has 320 of the page's own.
            page.set_viewport_size({"width": 320, "height": 640})
            assert page.evaluate(SIDEWAYS) == []
            assert page.evaluate(CUT) == []
            assert page.evaluate(SMALL_TARGETS) == []
            # The text alone twice as large.
            page.set_viewport_size({"width": 640, "height": 800})
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            assert page.evaluate(SIDEWAYS) == []
            assert page.evaluate(CUT) == []
        assert on.table.problems == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", SCENES)
def test_axe_finds_nothing_on_a_laptop(browser: Browser, name: str, scheme: str) -> None:
    with stage(browser, size=LAPTOP, color_scheme=scheme) as on:
        assert found(SCENES[name](on)) == []
