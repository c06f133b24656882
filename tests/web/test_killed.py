"""Whatever was confirmed is kept: a server that is killed a hundred times in the middle of games."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.events import Rolled, Scored
from scorekeeper.store import Store
from tests.web.serving import Server

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="servers are forked here, to be there at once")

KILLS = 100
CLIENTS = 6
LONGEST = 0.2  # seconds until the next kill
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "yams", "chance")

# Has all that a server imports, and makes one of itself each time that it is told to: in milliseconds, not seconds.
NURSERY = """
import os, pathlib, signal, sys
from web.serving.server import serve
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    if os.fork() == 0:
        print("process", os.getpid(), flush=True)
        serve("127.0.0.1", 0, pathlib.Path(sys.argv[1]))
        os._exit(1)
"""


def points(box: str, dice: Sequence[int]) -> int:
    """The rules of Yams, once more and in other words than the scorekeeper's."""
    count = Counter(dice)
    most = max(count.values())
    faces = "".join(str(face) for face in sorted(count))
    if box in UPPER:
        face = UPPER.index(box) + 1
        return face * count[face]
    return {
        "three_of_a_kind": sum(dice) * (most >= 3),
        "four_of_a_kind": sum(dice) * (most >= 4),
        "full_house": 25 * (sorted(count.values()) == [2, 3]),
        "small_straight": 30 * any(run in faces for run in ("1234", "2345", "3456")),
        "large_straight": 40 * (faces in ("12345", "23456")),
        "yams": 50 * (most == 5),
        "chance": sum(dice),
    }[box]


class Model:
    """A sheet of two as it should be after these events."""

    def __init__(self) -> None:
        self.boxes: list[dict[str, int]] = [{}, {}]
        self.player, self.dice = 0, [0]

    def take(self, event: object) -> None:
        if isinstance(event, Rolled):
            self.dice = list(event.dice)
        elif isinstance(event, Scored):
            assert event.box not in self.boxes[self.player]
            self.boxes[self.player][event.box] = 0 if event.scratch else points(event.box, self.dice)
            self.player = 1 - self.player

    def totals(self) -> list[int]:
        bonus = [35 * (sum(boxes.get(box, 0) for box in UPPER) >= 63) for boxes in self.boxes]
        return [sum(boxes.values()) + more for boxes, more in zip(self.boxes, bonus, strict=True)]


class Table:
    """The games at play, and what the server has confirmed of each: the answers that came."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.up = threading.Event()
        self.over = threading.Event()
        self.server: Server | None = None
        self.sessions: list[str] = []
        self.confirmed: dict[tuple[str, int], dict[str, Any]] = {}
        self.tokens = iter(range(1, 1_000_000))
        self.refused: list[tuple[int, Any]] = []


def play(table: Table, seed: int) -> None:
    """One phone: looks at a game, makes a move that fits, and keeps what was confirmed. No answer: it tries on."""
    dice = random.Random(seed)
    while not table.over.is_set():
        if not table.up.wait(0.1):
            continue
        server = table.server
        assert server is not None
        # Killed before its answer had come, or in the middle of it.
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            move(table, server, dice)


def move(table: Table, server: Server, dice: random.Random) -> None:
    with table.lock:
        session = dice.choice(table.sessions) if table.sessions else ""
    if not session:
        status, state = server.ask("POST", "/sessions", {"game": "yams", "players": ["Ana", "Bo"]})
        assert status == 201
        with table.lock:
            table.sessions.append(state["id"])
        return
    _, state = server.ask("GET", f"/sessions/{session}")
    turn = state["turn"]
    if turn is None:
        with table.lock:
            if session in table.sessions:
                table.sessions.remove(session)
        return
    if turn["roll"] == 0 or (turn["roll"] < 3 and dice.random() < 0.3):
        what = "rolls"
        with table.lock:
            token = next(table.tokens)
        body: dict[str, Any] = {"dice": [dice.randint(1, 6) for _ in range(5)], "confidence": token / 1_000_000}
    else:
        what = "scores"
        filled = state["players"][turn["player"]]["boxes"]
        box = dice.choice([box for box in (*UPPER, *LOWER) if box not in filled])
        body = {"box": box} | ({"scratch": True} if points(box, turn["dice"]) == 0 else {})
    status, answer = server.ask("POST", f"/sessions/{session}/{what}", {"seq": state["seq"], **body})
    with table.lock:
        if status == 200:
            assert (session, answer["seq"]) not in table.confirmed
            table.confirmed[session, answer["seq"]] = body
        elif status != 409:
            table.refused.append((status, answer))


@pytest.fixture
def nursery(database: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-u", "-c", textwrap.dedent(NURSERY), str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def born(nursery: subprocess.Popen[str]) -> tuple[int, Server]:
    """A new server: its process, and the way to it."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write("\n")
    nursery.stdin.flush()
    process = port = 0
    while not (process and port):
        line = nursery.stdout.readline()
        assert line, "the server did not start"
        if line.startswith("process "):
            process = int(line.split()[1])
        elif "http://127.0.0.1:" in line:
            port = int(line.split("http://127.0.0.1:")[1].split("/")[0])
    return process, Server(nursery, port)


def test_a_hundred_kills_lose_nothing_and_double_nothing(database: Path, nursery: subprocess.Popen[str]) -> None:
    table, moments = Table(), random.Random(63)
    clients = [threading.Thread(target=play, args=(table, seed)) for seed in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        for _ in range(KILLS):
            process, table.server = born(nursery)
            with table.lock:
                known = list(table.confirmed)
            for session, seq in random.Random(0).sample(known, min(3, len(known))):
                assert table.server.ask("GET", f"/sessions/{session}")[1]["seq"] >= seq
            table.up.set()
            threading.Event().wait(moments.uniform(0, LONGEST))
            table.up.clear()
            os.kill(process, signal.SIGKILL)
        process, server = born(nursery)
    finally:
        table.over.set()
        for client in clients:
            client.join()
    assert table.refused == []
    store = Store(database)
    lines = {entry.id: store.record(entry.id) for entry in store.sessions()}
    assert len(table.confirmed) > KILLS
    for (session, seq), body in table.confirmed.items():
        event = lines[session][seq - 1].event
        assert body.items() <= event.to_json().items()
    tokens = Counter(
        line.event.confidence for record in lines.values() for line in record if isinstance(line.event, Rolled)
    )
    assert max(tokens.values()) == 1
    for session, record in lines.items():
        model = Model()
        for line in record:
            model.take(line.event)
        _, state = server.ask("GET", f"/sessions/{session}")
        assert state["seq"] == len(record)
        assert [player["total"] for player in state["players"]] == model.totals()
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    os.kill(process, signal.SIGKILL)
