"""The server as a process: its addresses, what stops it from starting, and a kill in the middle of a game."""

from __future__ import annotations

import io
import socket
from pathlib import Path

import pytest

from tests.web.serving import serving
from web.serving.server import CannotServe, listen, open_app, print_addresses


def test_a_killed_server_has_lost_nothing(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with serving(database) as server:  # which ends it as a power cut would
        _, state = server.ask("POST", "/sessions", {"game": "yams", "players": ["Ana", "Bo"]})
        path = f"/sessions/{state['id']}"
        server.ask("POST", f"{path}/rolls", {"seq": 1, "dice": [2, 2, 4, 4, 4]})
        status, state = server.ask("POST", f"{path}/scores", {"seq": 2, "box": "full_house"})
        assert status == 200
    with serving(database) as server:
        assert server.ask("GET", path) == (200, state)
        status, state = server.ask("POST", f"{path}/rolls", {"seq": 3, "dice": [1, 1, 1, 2, 3]})
        assert (status, state["turn"]["player"]) == (200, 1)


def test_a_too_large_upload_gets_a_sentence_and_the_server_lives(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as server:
        status, said = server.ask("POST", "/read", b"x" * (41 * 2**20))
        assert status == 413
        assert "40 MB" in said["error"]
        assert server.ask("GET", "/sessions") == (200, [])


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
