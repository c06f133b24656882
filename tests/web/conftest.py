"""A table to test at: the app on a database of its own, a scripted reader, and a client that plays."""

from __future__ import annotations

import io
import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, sync_playwright
from werkzeug.test import TestResponse

from tests.web.browsing import SWITCHES, chromium
from vision.images import Picture
from vision.types import Colour, Die, Reading, Region
from web import create_app
from web.cli import main

CHANGE = {"X-Dicescribe": "1"}


class ScriptedReader:
    """Reads what it is told, picture after picture, and counts how many it reads at once."""

    def __init__(self) -> None:
        self.readings: list[Sequence[int]] = []
        self.unsure: set[int] = set()
        self.inks: Sequence[str] = ("black",) * 8
        self.at_once = 0
        self.most_at_once = 0
        self.hold: threading.Event | None = None
        self._lock = threading.Lock()

    def read(self, picture: Picture, /) -> Reading:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            values = self.readings.pop(0) if self.readings else (2, 2, 4, 4, 4)
        if self.hold is not None:
            assert self.hold.wait(10)
        side = 0.12 * min(picture.width, picture.height)
        dice = tuple(
            Die(
                Region(picture.width * (0.1 + 0.16 * n), picture.height * 0.4, side, side, 0.9),
                value,
                Colour(self.inks[n], 0.97),
                Colour("white", 0.99),
                0.5 if n in self.unsure else 0.99,
            )
            for n, value in enumerate(values)
        )
        with self._lock:
            self.at_once -= 1
        return Reading(dice, 0, picture.width, picture.height, "scripted", 0.9)


class Player:
    """Talks to the JSON interface as another program would."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def post(self, path: str, body: object, **more: Any) -> TestResponse:
        return self.client.post(f"/api/v1{path}", json=body, headers=CHANGE, **more)

    def get(self, path: str) -> TestResponse:
        return self.client.get(f"/api/v1{path}")

    def start(self, game: str = "yams", players: Sequence[str] = ("Ana", "Bo"), **more: Any) -> dict[str, Any]:
        answer = self.post("/sessions", {"game": game, "players": list(players), **more})
        assert answer.status_code == 201, answer.json
        return self._state(answer)

    def roll(self, state: dict[str, Any], *dice: int, **more: Any) -> dict[str, Any]:
        return self.change(state, "rolls", dice=list(dice), **more)

    def score(self, state: dict[str, Any], box: str, **more: Any) -> dict[str, Any]:
        return self.change(state, "scores", box=box, **more)

    def change(self, state: dict[str, Any], what: str, **body: Any) -> dict[str, Any]:
        answer = self.post(f"/sessions/{state['id']}/{what}", {"seq": state["seq"], **body})
        assert answer.status_code == 200, answer.json
        return self._state(answer)

    @staticmethod
    def _state(answer: TestResponse) -> dict[str, Any]:
        assert isinstance(answer.json, dict)
        return answer.json


class Ran:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    def is_refused(self, *words: str) -> None:
        """Exit code 2, and one clear line on stderr with these words."""
        assert self.code == 2
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("dicescribe: ")
        for word in words:
            assert word in self.err


Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for all tests of a module."""
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command as the shell would, with `stdin` at its standard input."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader()


@pytest.fixture
def app(database: Path, cache: Path, reader: ScriptedReader) -> Flask:
    return create_app({"DATABASE": database, "CACHE": cache}, reader)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def player(client: FlaskClient) -> Player:
    return Player(client)


@pytest.fixture(scope="session")
def photo() -> bytes:
    """A small JPEG; what is on it does not matter to the scripted reader."""
    noise = np.random.default_rng(1).integers(60, 200, (480, 640, 3), np.uint8)
    encoded, data = cv2.imencode(".jpg", cv2.GaussianBlur(noise, (31, 31), 0))
    assert encoded
    return data.tobytes()


@pytest.fixture
def held(reader: ScriptedReader) -> Iterator[threading.Event]:
    """While it is not set, photos stay with the reader."""
    reader.hold = threading.Event()
    yield reader.hold
    reader.hold.set()
