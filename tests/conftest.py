"""What tests share: where the source is, and the folder of labelled photos beside it."""

import os
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
        why = "the shared folder of photos is not here: name it in DICESCRIBE_SHARED"
        if os.environ.get("CI"):  # where everything is to be tested
            pytest.fail(why)
        pytest.skip(why)
    return folder
