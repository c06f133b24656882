"""The shipped weights, opened once: what a reader reads depends on the picture alone, which `test_threads` holds."""

from __future__ import annotations

import pytest

from vision.pipeline import Pipeline, open_reader


@pytest.fixture(scope="session")
def reader() -> Pipeline:
    return open_reader(threads=2)
