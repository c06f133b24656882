"""A disk that is full, a file that may not be written: said in a clear word, nothing lost, and it goes on after."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.store import Store
from tests.web.serving import Server, serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="disks are filled here as Linux lets one")

Disk = tuple[Path, Callable[[Server], None], Callable[[Server], None]]
SCORE = {"seq": 2, "box": "full_house"}
BOUND = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
"""Has root heed permissions, too."""


@contextlib.contextmanager
def small_disk() -> Iterator[Disk]:
    """A disk of half a megabyte, which is really filled."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder], capture_output=True)
        if mounted.returncode != 0:
            pytest.skip("no disk may be mounted here")
        ballast = Path(folder, "ballast")

        def fill(_: Server) -> None:
            with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(bytes(512))

        try:
            yield Path(folder, "games.db"), fill, lambda _: ballast.unlink()
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextlib.contextmanager
def small_allowance() -> Iterator[Disk]:
    """A quota: the server's files may grow no more."""
    import resource

    endless = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    with tempfile.TemporaryDirectory() as folder:
        yield (
            Path(folder, "games.db"),
            lambda server: resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, endless[1])) and None,
            lambda server: resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, endless) and None,
        )


@pytest.mark.parametrize("disk", [small_disk, small_allowance], ids=["full", "over its quota"])
def test_a_full_disk(disk: Callable[[], contextlib.AbstractContextManager[Disk]]) -> None:
    with disk() as (database, fill, free), serving(database) as server:
        path, state = begun(server)
        fill(server)
        is_refused(server, path, state, "full")
        free(server)
        goes_on(server, path, state, database)


def test_a_database_that_may_not_be_written(tmp_path: Path) -> None:
    command = [*(BOUND if os.getuid() == 0 else []), sys.executable, "-u", "-m", "web.cli"]
    database = tmp_path / "games.db"
    try:
        with serving(database, command) as server:
            path, state = begun(server)
            allow(tmp_path, False)
            is_refused(server, path, state, "read-only")
            allow(tmp_path, True)
            goes_on(server, path, state, database)
            allow(tmp_path, False)
        # Started anew it still shows what is there.
        with serving(database, command) as server:
            status, after = server.ask("GET", path)
            assert (status, after["seq"]) == (200, 3)
            is_refused(server, path, after, "read-only", what="undo", body={"seq": 3})
    finally:
        allow(tmp_path, True)


def allow(folder: Path, write: bool) -> None:
    """Whether the folder and what is in it may be written."""
    for file in (folder, *folder.iterdir()):
        file.chmod((0o755 if write else 0o555) if file.is_dir() else (0o644 if write else 0o444))


def begun(server: Server) -> tuple[str, dict[str, Any]]:
    """A game with one roll."""
    _, made = server.ask("POST", "/sessions", {"game": "yams", "players": ["Ana", "Bo"]})
    path = f"/sessions/{made['id']}"
    status, state = server.ask("POST", f"{path}/rolls", {"seq": 1, "dice": [2, 2, 4, 4, 4]})
    assert status == 200
    return path, state


def is_refused(
    server: Server, path: str, state: dict[str, Any], word: str, what: str = "scores", body: object = SCORE
) -> None:
    """What changes is refused with what to do; whatever only looks goes on."""
    for _ in range(3):
        status, said = server.ask("POST", f"{path}/{what}", body)
        assert status == 503
        assert word in said["error"]
        assert server.ask("POST", "/sessions", {"game": "yams", "players": ["Ana"]})[0] == 503
        assert server.ask("GET", path) == (200, state)
        assert server.ask("GET", "/sessions")[1][0]["id"] == state["id"]
        assert server.ask("GET", "/statistics")[0] == 200
        for page in ("/", path, f"{path}/sheet", "/statistics", "/history"):
            with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{page}", timeout=20) as answer:
                assert answer.status == 200


def goes_on(server: Server, path: str, state: dict[str, Any], database: Path) -> None:
    """Without a new start, and nothing that was refused has been recorded."""
    status, after = server.ask("POST", f"{path}/scores", SCORE)
    assert (status, after["seq"], after["players"][0]["total"]) == (200, 3, 25)
    store = Store(database)
    assert [line.event.kind for line in store.record(state["id"])] == ["started", "rolled", "scored"]
    assert len(store.sessions()) == 1
