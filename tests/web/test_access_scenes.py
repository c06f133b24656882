"""axe-core looks over every page in every state that matters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browsing import SWITCHES, chromium
from tests.web.scenes import LAPTOP, LOW_SCREEN, PHONE, SCENES, stage

pytestmark = pytest.mark.browser

TELLING = [name for name in SCENES if name not in {"scandinavian", "looked_back", "review_by_hand", "live", "screen"}]
"""Not those whose every part is on another one, too."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        yield browser
        browser.close()


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


def _look(browser: Browser, name: str, size: dict[str, int]) -> None:
    with stage(browser, size=size, color_scheme="light") as on:
        page = SCENES[name](on)
        assert found(page) == []
        page.emulate_media(color_scheme="dark")
        assert found(page, "color-contrast") == []
        assert on.table.problems == []


@pytest.mark.parametrize("name", TELLING)
def test_axe_finds_nothing(browser: Browser, name: str) -> None:
    sizes = (LOW_SCREEN,) if name.startswith("screen") else (PHONE, LAPTOP)
    _look(browser, name, sizes[list(SCENES).index(name) % len(sizes)])


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("name", SCENES)
def test_axe_finds_nothing_at_any_size(browser: Browser, name: str, size: dict[str, int]) -> None:
    _look(browser, name, size)
