"""A table of phones, at the server as it is started from the shell: they join, hear of each other, send photos."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from pathlib import Path
from threading import Barrier
from typing import Any, cast

import cv2
import numpy as np
import pytest

from vision.images import decode
from vision.pipeline import open_reader
from web.api.readings import reading_json
from web.serving.join import lan_addresses

PHONES = 10


@contextmanager
def _serving(folder: Path, *more: str) -> Iterator[Iterator[str]]:
    """Gives the lines that the server prints."""
    command = [sys.executable, "-u", "-m", "web.cli", "serve", "--port", "0", "--threads", "1", *more]
    with subprocess.Popen([*command, "--db", str(folder / "games.db")], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield iter(server.stdout.readline, "")
        finally:
            server.terminate()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """That of a server which reads each photo with one thread."""
    with _serving(tmp_path, "--host", "127.0.0.1") as lines:
        found = re.search(r"http://\S+", next(lines))
        assert found is not None
        yield found[0]


class Phone:
    """A device of the table's network, with a browser's cookies."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def open(self, path: str, body: object = None) -> HTTPResponse:
        headers = {"X-Dicescribe": "1", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{self._address}{path}", data, headers)
        return cast(HTTPResponse, self._browser.open(asked, timeout=30))

    def post(self, path: str, body: object) -> dict[str, Any]:
        with self.open(f"/api/v1{path}", body) as answer:
            state: dict[str, Any] = json.loads(answer.read())
            return state


def _next_seq(stream: HTTPResponse) -> int:
    return next(int(line[4:]) for line in iter(stream.readline, b"") if line.startswith(b"id: "))


def _scanned(printed: list[str]) -> str:
    """What a camera reads of the QR code on the terminal, where each sign is two dots, one above the other."""
    dots = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}
    rows = [[dots[sign] for sign in line] for line in printed]
    picture = np.array(rows, np.uint8).transpose(0, 2, 1).reshape(2 * len(rows), -1)
    return cv2.QRCodeDetector().detectAndDecode(cv2.resize(picture, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST))[
        0
    ]


@pytest.mark.skipif(not lan_addresses(), reason="this machine is in no network")
def test_phones_join_by_the_qr_code_and_each_may_roll_and_score_and_hears_of_it_at_once(tmp_path: Path) -> None:
    with ExitStack() as opened:
        lines = opened.enter_context(_serving(tmp_path))
        printed: list[str] = []
        while not printed or not printed[-1].startswith("Stop with"):
            printed.append(next(lines).rstrip("\n"))
        link = next(line for line in printed if "?code=" in line).split()[-1]
        code = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in printed if re.search("[█▀▄]", line)]
        assert _scanned(code) == link
        address, _, query = link.partition("/?")
        stranger, *phones = (Phone(address) for _ in range(4))
        for phone in phones:
            with phone.open(f"/?{query}") as page:
                assert "code=" not in page.geturl()
        ana, bo, _ = phones
        state = ana.post("/sessions", {"game": "yams", "players": ["Ana", "Bo"]})
        path = f"/sessions/{state['id']}"
        with pytest.raises(urllib.error.HTTPError, match="403"):
            stranger.open(f"/api/v1{path}/events")
        heard = [opened.enter_context(phone.open(f"/api/v1{path}/events")) for phone in phones]
        assert [_next_seq(stream) for stream in heard] == [1, 1, 1]
        bo.post(f"{path}/rolls", {"seq": 1, "dice": [2, 2, 4, 4, 4]})
        assert [_next_seq(stream) for stream in heard] == [2, 2, 2]
        state = ana.post(f"{path}/scores", {"seq": 2, "box": "full_house"})
        assert [_next_seq(stream) for stream in heard] == [3, 3, 3]
        assert state["turn"]["player"] == 1


def test_ten_uploads_at_once_are_each_read_as_if_alone(address: str, root: Path) -> None:
    photos = [file.read_bytes() for file in sorted((root / "samples").glob("*.jpg"))[:PHONES]]
    reader = open_reader(threads=1)
    alone = [_seen(reading_json(reader.read(decode(photo)))) for photo in photos]
    assert len({json.dumps(seen) for seen in alone}) == PHONES
    together = Barrier(PHONES)

    def send(photo: bytes) -> dict[str, Any]:
        together.wait(30)
        with urllib.request.urlopen(urllib.request.Request(f"{address}api/v1/read", photo), timeout=60) as answer:
            return _seen(json.loads(answer.read()))

    with ThreadPoolExecutor(PHONES) as pool:
        assert list(pool.map(send, photos)) == alone


def _seen(answer: dict[str, Any]) -> dict[str, Any]:
    """What was seen: neither the photo's name nor how long it took, nor what the page alone is told of a die."""
    dice = [{key: part for key, part in die.items() if key != "sure"} for die in answer["dice"]]
    return {key: part for key, part in answer.items() if key not in ("file", "ms")} | {"dice": dice}
