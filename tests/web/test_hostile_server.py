"""Bytes at the real server that no browser sends. Whatever they get, the server lives and the sheet stays."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web import hostile
from tests.web.serving import Server, serving

ROLL = b'{"seq": 2, "dice": [1, 2, 3, 4, 5]}'
STALE = b'{"seq": 1, "dice": [1, 2, 3, 4, 5]}'


def request(path: str = "rolls", body: bytes = ROLL, *more: bytes, length: bool = True) -> bytes:
    lines = [
        b"POST /api/v1/sessions/{id}/" + path.encode() + b" HTTP/1.1",
        b"Host: 127.0.0.1",
        b"X-Dicescribe: 1",
        b"Content-Type: application/json",
        b"Connection: close",
        *([b"Content-Length: " + str(len(body)).encode()] if length else []),
        *more,
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def chunked(body: bytes, size: bytes | None = None) -> bytes:
    return (size or f"{len(body):x}".encode()) + b"\r\n" + body + b"\r\n0\r\n\r\n"


def get(path: bytes, *more: bytes) -> bytes:
    return b"\r\n".join([b"GET " + path + b" HTTP/1.1", b"Connection: close", *more]) + b"\r\n\r\n"


HOST = b"Host: 127.0.0.1"
CHUNKED = b"Transfer-Encoding: chunked"

# What is sent, and how the answer's status begins; "" where the line may also just be closed.
SENT: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "two lengths": (request("rolls", ROLL, b"Content-Length: 5"), "400"),
    "two equal lengths": (request("rolls", STALE, b"Content-Length: 35"), "4"),
    "a length below zero": (request("rolls", ROLL, b"Content-Length: -1", length=False), "400"),
    "a length of words": (request("rolls", ROLL, b"Content-Length: many", length=False), "400"),
    "a length with a sign": (request("rolls", ROLL, b"Content-Length: +35", length=False), "400"),
    "a length of 200 MB": (request("rolls", b"", b"Content-Length: 200000000", length=False), "413"),
    "a length of 10^30": (request("rolls", b"", b"Content-Length: 1" + b"0" * 30, length=False), "413"),
    "200 MB in pieces": (
        lambda: request("rolls", b"", CHUNKED, length=False) + (b"100000\r\n" + bytes(2**20) + b"\r\n") * 200, "413"
    ),
    "a stale change in pieces": (request("rolls", chunked(STALE), CHUNKED, length=False), "409"),
    "pieces and a length": (request("rolls", chunked(STALE), CHUNKED), "4"),
    "a piece of no size": (request("rolls", chunked(ROLL, b"what"), CHUNKED, length=False), "400"),
    "a piece of -1": (request("rolls", chunked(ROLL, b"-1"), CHUNKED, length=False), "400"),
    "an unknown coding": (request("rolls", ROLL, b"Transfer-Encoding: brew", length=False), "501"),
    "pieces twice": (request("rolls", chunked(ROLL), CHUNKED, b"Transfer-Encoding: identity", length=False), "501"),
    "a second request in the body of a stale one": (request("rolls", STALE + request("rolls", ROLL)), "4"),
    "a header of 300 KB": (get(b"/", HOST, b"Cookie: a=" + b"b" * 300_000), "431"),
    "a cookie of 200 KB": (get(b"/", HOST, b"Cookie: dicescribe_join=" + b"b" * 200_000), "200"),
    "10,000 headers": (get(b"/", HOST, *[b"X-%d: 1" % n for n in range(10_000)]), "200"),
    "a header with a bare line end": (get(b"/", HOST, b"X-A: 1\nX-B: 2"), "400"),
    "a header without a name": (get(b"/", HOST, b": 1"), "400"),
    "a header that goes on": (get(b"/", HOST, b"X-A: 1\r\n 2"), "200"),
    "a header of NUL": (get(b"/", HOST, b"X-A: \0"), "4"),
    "no host": (get(b"/"), "400"),
    "two hosts": (get(b"/", HOST, b"Host: evil.example"), "400"),
    "a foreign host": (get(b"/", b"Host: evil.example"), "400"),
    "a foreign host in the address": (get(b"http://evil.example/api/v1/games", HOST), "200"),
    "no address": (get(b"", HOST), "4"),
    "an address of noise": (get(b"/\xff\xfe\x01", HOST), "4"),
    "an address of 100 KB": (get(b"/" + b"a" * 100_000, HOST), "4"),
    "the parent": (get(b"/static/../../../../../../etc/passwd", HOST), "404"),
    "the parent by backslashes": (get(b"\\..\\..\\etc\\passwd", HOST), "4"),
    "no version": (b"GET /\r\n\r\n", ""),
    "version 9": (b"GET / HTTP/9.9\r\n" + HOST + b"\r\n\r\n", ""),
    "noise": (bytes(range(256)) * 40 + b"\r\n\r\n", "400"),
    "the beginning of TLS": (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n", "400"),
    "empty lines": (b"\r\n" * 1_000 + get(b"/api/v1/games", HOST), ""),
    "a change that breaks off": (request("rolls", b"", b"Content-Length: 35", length=False) + ROLL[:20], ""),
    "a photo that breaks off": (
        b"POST /api/v1/read HTTP/1.1\r\n" + HOST + b"\r\nContent-Length: 9999\r\n\r\n" + hostile.JPEG[:300], ""
    ),
    "a photo of 41 MB": (
        lambda: b"POST /api/v1/read HTTP/1.1\r\n" + HOST + b"\r\nConnection: close\r\nContent-Length: 42991616\r\n\r\n"
        + bytes(41 * 2**20), "413"
    ),
    "a wish to be told to go on": (request("rolls", STALE, b"Expect: 100-continue"), ""),
    "a wish for another protocol": (get(b"/", HOST, b"Upgrade: websocket", b"Sec-WebSocket-Version: 13"), "200"),
}  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server") / "games.db") as server:
        yield server


@pytest.fixture
def state(server: Server) -> dict[str, Any]:
    _, made = server.ask("POST", "/sessions", {"game": "yams", "players": ["Ana", "Bo"]})
    status, rolled = server.ask("POST", f"/sessions/{made['id']}/rolls", {"seq": 1, "dice": [2, 2, 4, 4, 4]})
    assert status == 200
    assert isinstance(rolled, dict)
    return rolled


@pytest.mark.parametrize("name", SENT)
def test_what_is_no_request_does_no_harm(server: Server, state: dict[str, Any], name: str) -> None:
    data, status = SENT[name]
    data = (data if isinstance(data, bytes) else data()).replace(b"{id}", state["id"].encode())
    answer = sent(server.port, data, patience=20 if status else 0.3)
    assert answer[9:12].decode().startswith(status or ("", "1", "2", "3", "4")), answer[:200]
    assert b"Traceback" not in answer
    assert server.ask("GET", f"/sessions/{state['id']}") == (200, state)


def test_a_too_large_upload_is_refused_before_it_has_come(server: Server) -> None:
    """Above what is taken in at all, in plain words: whoever sends so much is no page of ours."""
    head = b"POST /api/v1/read HTTP/1.1\r\n" + HOST + b"\r\nContent-Length: 134217729\r\n\r\n"
    answer = sent(server.port, head)
    assert answer[9:12] == b"413"
    assert b"Request Entity Too Large" in answer


def test_a_hundred_lines_that_say_nothing_keep_nobody_out(server: Server) -> None:
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    try:
        for one in silent:
            one.sendall(b"POST /api/v1/read HTTP/1.1\r\nContent-Length: 9")
        assert server.ask("GET", "/games", timeout=10)[0] == 200
    finally:
        for one in silent:
            one.close()


def sent(port: int, data: bytes, patience: float = 20) -> bytes:
    """What is answered to these bytes until the line is closed, or nothing is said for so many seconds."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.settimeout(patience)
        with contextlib.suppress(OSError):  # it has heard, or waited, enough
            line.sendall(data)
        with contextlib.suppress(OSError):
            while piece := line.recv(65_536):
                answer += piece
    return answer
