"""The server as a process: its addresses, what stops it from starting, and a kill in the middle of a game."""

from __future__ import annotations

import http.client
import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from web.serving.server import CannotServe, listen, open_app, print_addresses

SERVE = (
    "import sys, pathlib; from web.serving.server import serve; "
    "serve('127.0.0.1', int(sys.argv[1]), pathlib.Path(sys.argv[2]))"
)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def _serving(database: Path) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    port = _free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(port), str(database)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    try:
        assert process.stdout is not None
        assert f"http://127.0.0.1:{port}/" in process.stdout.readline()
        yield port, process
    finally:
        process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def _ask(port: int, method: str, path: str, body: object = None, data: bytes | None = None) -> tuple[int, Any]:
    deadline = time.monotonic() + 20
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            headers = {"X-Dicescribe": "1"} | ({"Content-Type": "application/json"} if data is None else {})
            connection.request(method, path, data if data is not None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        finally:
            connection.close()


def test_a_killed_server_has_lost_nothing(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with _serving(database) as (port, process):
        _, state = _ask(port, "POST", "/api/v1/sessions", {"game": "yams", "players": ["Ana", "Bo"]})
        path = f"/api/v1/sessions/{state['id']}"
        _, state = _ask(port, "POST", f"{path}/rolls", {"seq": 1, "dice": [2, 2, 4, 4, 4]})
        status, state = _ask(port, "POST", f"{path}/scores", {"seq": 2, "box": "full_house"})
        assert status == 200
        os.kill(process.pid, signal.SIGKILL)
    with _serving(database) as (port, _):
        assert _ask(port, "GET", path) == (200, state)
        status, state = _ask(port, "POST", f"{path}/rolls", {"seq": 3, "dice": [1, 1, 1, 2, 3]})
        assert (status, state["turn"]["player"]) == (200, 1)


def test_a_too_large_upload_gets_a_sentence_and_the_server_lives(tmp_path: Path) -> None:
    with _serving(tmp_path / "games.db") as (port, _):
        status, said = _ask(port, "POST", "/api/v1/read", data=b"x" * (41 * 2**20))
        assert status == 413
        assert "40 MB" in said["error"]
        assert _ask(port, "GET", "/api/v1/sessions") == (200, [])


def test_a_taken_port_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=rf"Port {port} is taken.*--port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("port", [-1, 65536, 10**10])
def test_an_impossible_port_is_said(port: int) -> None:
    with pytest.raises(CannotServe, match="There is no port"):
        listen(None, port)


@pytest.mark.parametrize("host", ["203.0.113.9", "no such host", "no..host", "x" * 70])
def test_a_host_of_another_machine_is_said(host: str) -> None:
    with pytest.raises(CannotServe, match="not an address of this machine"):
        listen(host, 0)


def test_both_families_listen_on_one_port() -> None:
    sockets = listen(None, 0)
    try:
        assert len({one.getsockname()[1] for one in sockets}) == 1
        assert sockets[0].family == socket.AF_INET
    finally:
        for one in sockets:
            one.close()


def test_a_database_that_cannot_be_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    with pytest.raises(CannotServe):
        open_app(file / "games.db")
    other = tmp_path / "other.db"
    other.write_bytes(b"this is no database" * 100)
    with pytest.raises(CannotServe, match="no database"):
        open_app(other)
    with pytest.raises(CannotServe):
        open_app(tmp_path)


def test_addresses_code_and_qr_code_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serving.server.lan_addresses", lambda: ["192.0.2.5", "2001:db8::5"])
    out = io.StringIO()
    print_addresses(None, 8000, "ABC234", out)
    text = out.getvalue()
    assert "http://localhost:8000/" in text
    assert "http://192.0.2.5:8000/?code=ABC234" in text
    assert "http://[2001:db8::5]:8000/?code=ABC234" in text
    assert text.count("█") > 50
    # On this machine alone there is nobody to invite.
    out = io.StringIO()
    print_addresses("127.0.0.1", 8000, "ABC234", out)
    assert "ABC234" not in out.getvalue()


def test_a_terminal_without_block_characters_gets_the_link_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serving.server.lan_addresses", lambda: ["192.0.2.5"])
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    print_addresses(None, 8000, "ABC234", out)
    out.flush()
    assert b"?code=ABC234" in raw.getvalue()
    assert b"Stop with Ctrl+C" in raw.getvalue()
