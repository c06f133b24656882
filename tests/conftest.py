"""What tests share: where the source is, and the folder of labelled photos beside it."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the source."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of labelled photos, which is no part of the source: $DICESCRIBE_SHARED, or ../shared."""
    folder = Path(os.environ.get("DICESCRIBE_SHARED") or ROOT.parent / "shared")
    if not (folder / "photos").is_dir():
        _miss("the shared folder of photos is not here: name it in DICESCRIBE_SHARED")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """The program of a real Chromium."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    _miss("there is no Chromium: install it for the tests of the page")
    raise AssertionError


def _miss(what: str) -> None:
    """A person's machine may lack something; where everything is to be tested, that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
