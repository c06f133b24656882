"""Many phones that tap at once, and two servers on one file: each seq is won by one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from scorekeeper.store import Store
from tests.web.serving import Server, serving

TAPS = 50
ROUNDS = 20


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("two") / "games.db"


@pytest.fixture(scope="module")
def servers(database: Path) -> Iterator[tuple[Server, Server]]:
    with serving(database) as one, serving(database) as other:
        yield one, other


def game(server: Server) -> tuple[str, dict[str, Any]]:
    status, state = server.ask("POST", "/sessions", {"game": "yams", "players": ["Ana", "Bo"]})
    assert status == 201
    return f"/sessions/{state['id']}", state


@pytest.mark.parametrize("count", [1, 2], ids=["one server", "two servers"])
def test_fifty_equal_taps_at_once_score_once(servers: tuple[Server, Server], count: int) -> None:
    path, _ = game(servers[0])
    servers[0].ask("POST", f"{path}/rolls", {"seq": 1, "dice": [2, 2, 4, 4, 4]})
    together = Barrier(TAPS)

    def tap(number: int) -> int:
        together.wait(30)
        return servers[number % count].ask("POST", f"{path}/scores", {"seq": 2, "box": "full_house"}, timeout=60)[0]

    with ThreadPoolExecutor(TAPS) as pool:
        assert Counter(pool.map(tap, range(TAPS))) == {200: 1, 409: TAPS - 1}
    for server in servers:
        _, state = server.ask("GET", path)
        assert (state["seq"], state["turn"]["player"]) == (3, 1)
        assert [player["total"] for player in state["players"]] == [25, 0]


def test_two_servers_share_a_file(servers: tuple[Server, Server], database: Path) -> None:
    """Eight phones on both servers, right seqs and stale ones: exactly one change is made on each seq."""
    path, state = game(servers[0])
    phones = 8
    together = Barrier(phones)

    def play(phone: int) -> list[tuple[int, int, int]]:
        dice = random.Random(phone)
        won = []
        for number in range(1, ROUNDS + 1):
            together.wait(30)
            server = servers[phone % 2]
            seq = server.ask("GET", path)[1]["seq"] - (0 if dice.random() < 0.8 else 1)
            token = phone * 1000 + number
            body = {"seq": seq, "player": phone % 2, "name": f"Player {token}"}
            status, answer = server.ask("POST", f"{path}/players", body, timeout=60)
            assert status in (200, 400, 409), answer
            if status == 200:
                won.append((seq, answer["seq"], token))
        return won

    with ThreadPoolExecutor(phones) as pool:
        won = [one for list_ in pool.map(play, range(phones)) for one in list_]
    assert len({seq for seq, _, _ in won}) == len(won) >= ROUNDS  # somebody wins each round
    assert all(after == seq + 1 for seq, after, _ in won)
    record = Store(database).record(state["id"])
    assert len(record) == 1 + len(won)
    for _, after, token in won:
        assert record[after - 1].event.to_json()["name"] == f"Player {token}"
