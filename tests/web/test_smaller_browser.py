"""A large photo is made smaller by the page before it is sent; one that is small, or that resists, goes as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from flask import Flask, request
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import Table, at_table

if TYPE_CHECKING:
    from tests.web.conftest import ScriptedReader

pytestmark = pytest.mark.browser

AROUND = 500  # bytes of a form beside its file, at the most


@pytest.fixture
def sent(app: Flask) -> list[int]:
    """How many bytes each request to read a photo had."""
    sizes: list[int] = []
    app.before_request(lambda: sizes.append(request.content_length or 0) if request.path == "/api/v1/read" else None)
    return sizes


@pytest.fixture
def table(browser: Browser, app: Flask, sent: list[int]) -> Iterator[Table]:
    yield from at_table(browser, app)


def _photo(path: Path, size: tuple[int, int], orientation: int) -> int:
    """A JPEG that a camera held upright has stored lying; its bytes."""
    noise = np.random.default_rng(1).integers(100, 130, (*size[::-1], 1), np.uint8)
    exif = Image.Exif()
    exif[274] = orientation
    Image.fromarray(noise.repeat(3, axis=2)).save(path, "JPEG", quality=90, exif=exif)
    return path.stat().st_size


def _send(page: Page, photo: Path, where: str = ".again") -> tuple[int, int]:
    """Width and height of what the server got, after the page has shown it."""
    with page.expect_response("**/api/v1/read?expect=5") as answer:
        page.locator(f"{where} [data-photo=file]").set_input_files(photo)
    read = answer.value.json()
    expect(page.locator(".mark")).to_have_count(5)
    return read["width"], read["height"]


def test_a_large_photo_is_sent_smaller_and_upright_and_its_dice_lie_where_they_are(
    table: Table, reader: ScriptedReader, sent: list[int], tmp_path: Path
) -> None:
    large, small = tmp_path / "large.jpg", tmp_path / "small.jpg"
    bytes_of_large, bytes_of_small = _photo(large, (3200, 2400), 6), _photo(small, (800, 600), 6)
    reader.unsure = {2}
    page = table.start()

    assert _send(page, large, ".turn") == (1920, 2560)
    assert sent[-1] < 0.8 * bytes_of_large
    # The die that is asked for is shown near, at its place in the picture: the third of five, 8 % of the height below
    # its top edge at 40 %.
    picture, mark = page.locator("#picture").bounding_box(), page.locator(".mark.doubtful").bounding_box()
    assert picture is not None
    assert mark is not None
    assert picture["height"] == pytest.approx(picture["width"] * 4 / 3, rel=0.01)
    assert (mark["x"] - picture["x"]) / picture["width"] == pytest.approx(0.1 + 2 * 0.16, abs=0.01)
    assert (mark["y"] - picture["y"]) / picture["height"] == pytest.approx(0.4, abs=0.01)

    assert _send(page, small) == (600, 800)
    assert bytes_of_small < sent[-1] < bytes_of_small + AROUND

    page.evaluate("() => { window.createImageBitmap = () => Promise.reject(new Error('no memory')); }")
    assert _send(page, large) == (2400, 3200)
    assert bytes_of_large < sent[-1] < bytes_of_large + AROUND
