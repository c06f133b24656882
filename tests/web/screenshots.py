"""Takes pictures of every page in every state that matters: `python -m tests.web.screenshots OUT [SCENE …]`.

`--readme` takes those of the README instead, small files without a language or a size in their names.
One PNG each: OUT/SCENE-phone-dark-en.png. All scenes in English, light and dark, on a phone and on a laptop; the first
page and the sheet in the other languages too.
"""

from __future__ import annotations

import argparse
import io
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from tqdm import tqdm

from tests.web.browsing import SWITCHES, chromium
from tests.web.scenes import LAPTOP, LOW_SCREEN, PHONE, SCENES, TELEVISION, stage

SIZES = {"phone": PHONE, "laptop": LAPTOP}
SCREENS = {"low": LOW_SCREEN, "television": TELEVISION}
SCHEMES = ("light", "dark")
LANGUAGES = {"en": "en-GB", "fr": "fr-FR", "es": "es-ES", "it": "it-IT"}
IN_EVERY_LANGUAGE = ("home", "options")
TALL_PHONE = {"width": 360, "height": 960}
README = {
    "sheet": ("options", {"size": TALL_PHONE, "color_scheme": "light"}),
    "doubt": ("review_doubtful", {"size": TALL_PHONE, "color_scheme": "light"}),
    "rack": ("rack", {"size": TALL_PHONE, "color_scheme": "dark"}),
    "screen": ("screen", {"size": LOW_SCREEN, "color_scheme": "light"}),
}
"""Each picture's scene and how it is looked at."""
SHARPER = 1.5
"""Points of a README picture to one of the page."""


def wanted(names: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """What is to be taken: scene, size, scheme and language."""
    for name in names:
        languages = LANGUAGES if name in IN_EVERY_LANGUAGE else ("en",)
        for size, scheme, language in itertools.product(sizes(name), SCHEMES, languages):
            yield name, size, scheme, language


def sizes(name: str) -> dict[str, dict[str, int]]:
    """The sizes at which a scene is looked at."""
    return SCREENS if name.startswith("screen") else SIZES


def shoot(page: Page, path: Path) -> None:
    """A picture of the whole page; of what is seen at once where a dialog is open, which is as large as the screen."""
    size = page.viewport_size
    assert size is not None
    if page.locator("dialog[open]").count() == 0:
        # Not by `full_page`, for which a phone stops being one.
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": size["width"], "height": max(height, size["height"])})
    page.screenshot(path=path, animations="disabled")


def take(browser: Browser, out: Path, names: Sequence[str]) -> None:
    """The pictures of these scenes."""
    for name, size, scheme, language in tqdm(list(wanted(names)), unit="picture", disable=None):
        look: dict[str, Any] = {"size": sizes(name)[size], "color_scheme": scheme, "locale": LANGUAGES[language]}
        with stage(browser, **look) as on:
            shoot(SCENES[name](on), out / f"{name}-{size}-{scheme}-{language}.png")
            if on.table.problems:
                raise SystemExit(f"{name}, {size}, {scheme}, {language}: {'; '.join(on.table.problems)}")


def take_for_readme(browser: Browser, out: Path) -> None:
    """The pictures of the README: what is seen at once, in few colours."""
    for name, (scene, look) in README.items():
        with stage(browser, **look, locale="en-GB", device_scale_factor=SHARPER) as on:
            taken = SCENES[scene](on).screenshot(animations="disabled")
        picture = Image.open(io.BytesIO(taken)).convert("RGB").quantize(256, kmeans=3, dither=Image.Dither.NONE)
        picture.save(out / f"{name}.png", optimize=True)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.screenshots", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path, help="the folder for them, made if missing")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"all, or some of: {', '.join(SCENES)}")
    parser.add_argument("--readme", action="store_true", help="the pictures of the README alone")
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.scenes) - SCENES.keys():
        parser.error(f"there is no scene {', '.join(sorted(unknown))}: choose from {', '.join(SCENES)}")
    chosen.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        if chosen.readme:
            take_for_readme(browser, chosen.out)
        else:
            take(browser, chosen.out, chosen.scenes or list(SCENES))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
