"""The reader is opened when the server starts: no first photo waits for it, and nothing else waits for the reader."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.web.conftest import ScriptedReader
from web.serving import server
from web.serving.photos import Photos

PATIENCE = 20.0


class Opening:
    """Opens a reader when it may; `problem` keeps it from that."""

    def __init__(self) -> None:
        self.may, self.begun = threading.Event(), threading.Event()
        self.problem: Exception | None = None
        self.count = 0

    def __call__(self, threads: int | None = None) -> ScriptedReader:
        self.count += 1
        self.begun.set()
        assert self.may.wait(PATIENCE)
        if self.problem is not None:
            raise self.problem
        return ScriptedReader()


@pytest.fixture
def opening() -> Iterator[Opening]:
    opening = Opening()
    yield opening
    opening.may.set()


@pytest.fixture
def photos(opening: Opening) -> Iterator[Photos]:
    photos = Photos(opening)
    yield photos
    opening.may.set()
    photos.close()


def test_it_is_opened_beside_what_else_goes_on_and_once(photos: Photos, opening: Opening, photo: bytes) -> None:
    photos.get_ready()  # comes back, though nothing is open yet
    assert opening.begun.wait(PATIENCE)
    opening.may.set()
    assert photos.read(lambda: photo).values == (2, 2, 4, 4, 4)
    assert opening.count == 1


def test_one_that_cannot_be_opened_is_told_to_who_sends_a_photo(photos: Photos, opening: Opening, photo: bytes) -> None:
    opening.problem = ValueError("no network")
    photos.get_ready()
    opening.may.set()
    with pytest.raises(ValueError, match="no network"):
        photos.read(lambda: photo)
    opening.problem = None
    assert photos.read(lambda: photo).values == (2, 2, 4, 4, 4)


def test_serve_opens_it_before_any_photo_comes_and_ends_cleanly(
    opening: Opening, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> None:
        assert opening.begun.wait(PATIENCE)
        opening.may.set()

    monkeypatch.setattr("web.app.open_reader", opening)
    monkeypatch.setattr(server, "make_server", lambda *_: SimpleNamespace(run=run))
    server.serve("127.0.0.1", 0, database)
    assert opening.count == 1
    assert "photos" not in {thread.name for thread in threading.enumerate()}
