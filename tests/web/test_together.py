"""A table of phones that send their photos at once, to the server as it is started from the shell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from vision.images import decode
from vision.pipeline import open_reader
from web.readings import reading_json

PHONES = 10


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """That of a server which reads each photo with one thread."""
    command = [sys.executable, "-u", "-m", "web.cli", "serve", "--host", "127.0.0.1", "--port", "0", "--threads", "1"]
    with subprocess.Popen([*command, "--db", str(tmp_path / "games.db")], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            server.terminate()


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
