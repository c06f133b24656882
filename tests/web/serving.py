"""A real server: `dicescribe serve` as a process of its own, and a plain client for it."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Server:
    """One that runs: its process, its port, and what it answers."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port

    def ask(self, method: str, path: str, body: object = None, timeout: float = 20) -> tuple[int, Any]:
        """The status and the JSON of an answer. Raises OSError, HTTPException where there is none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            headers = {"X-Dicescribe": "1", "Content-Type": "application/json"}
            data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
            connection.request(method, f"/api/v1{path}", data, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()


def start(database: Path, command: Sequence[str] = (sys.executable, "-u", "-m", "web.cli"), port: int = 0) -> Server:
    """A server on this database that says that it listens."""
    words = ["serve", "--host", "127.0.0.1", "--port", str(port), "--threads", "1", "--db", str(database)]
    process = subprocess.Popen([*command, *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http://127.0.0.1:(\d+)/", process.stdout.readline())
    assert found is not None, "the server does not start"
    return Server(process, int(found[1]))


def stop(server: Server) -> None:
    """As a power cut would."""
    server.process.kill()
    server.process.wait(10)
    if server.process.stdout is not None:
        server.process.stdout.close()


@contextmanager
def serving(database: Path, command: Sequence[str] = (sys.executable, "-u", "-m", "web.cli")) -> Iterator[Server]:
    server = start(database, command)
    try:
        yield server
    finally:
        stop(server)
