"""Advisors at hand, built in the background, let go: with tables that take as long as the test wants."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.advice import Advice, Progress
from scorekeeper.dice import Roll
from scorekeeper.game import AnyGame
from scorekeeper.rulebooks import make_game
from web.coach.advisors import AGAIN_AFTER, HELD, AdviceFailed, Advisors

PATIENCE = 10
GAMES = [make_game("yamslam", {"games": str(number)}) for number in range(1, 10)]
SLOW = GAMES[0]


class Known:
    """An advisor that knows nothing but its game."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def before(self, state: Any, player: int) -> float:
        return 0.0

    def advise(self, state: Any, roll: Roll, rolls_left: int) -> Advice:
        return Advice(0.0, (), ())


class Tables:
    """Loads at once what is `ready`; builds the rest step by step, as far as it is let."""

    def __init__(self) -> None:
        self.ready: set[AnyGame] = set()
        self.loaded: list[AnyGame] = []
        self.at_once = 0
        self.go_on = threading.Semaphore(0)
        self.stepped = threading.Semaphore(0)
        self.problem: Exception | None = None
        self.now = 0.0

    def is_ready(self, game: AnyGame, cache: Path | None) -> bool:
        return game in self.ready

    def load(self, game: AnyGame, *, cache: Path | None, progress: Progress | None) -> Known:
        self.loaded.append(game)
        if progress is None:
            if self.problem is not None:
                raise self.problem
            return Known(game)
        self.at_once += 1
        try:
            for step in (0.25, 0.5, 0.75):
                assert self.go_on.acquire(timeout=PATIENCE)
                if self.problem is not None:
                    raise self.problem
                progress(step)
                self.stepped.release()
        finally:
            self.at_once -= 1
        return Known(game)


@pytest.fixture
def tables() -> Tables:
    return Tables()


@pytest.fixture
def advisors(tables: Tables, tmp_path: Path) -> Advisors:
    return Advisors(tmp_path, tables.load, tables.is_ready, lambda: tables.now)


def _builder() -> threading.Thread | None:
    return next((thread for thread in threading.enumerate() if thread.name == "advice"), None)


def _finish() -> None:
    builder = _builder()
    if builder is not None:
        builder.join(PATIENCE)
        assert not builder.is_alive()


def test_a_ready_table_is_loaded_at_once_and_once(advisors: Advisors, tables: Tables) -> None:
    tables.ready.add(SLOW)
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(advisors.get, [SLOW] * 16))
    assert len(set(map(id, got))) == 1
    assert isinstance(got[0], Known)
    assert got[0].game == SLOW
    assert tables.loaded == [SLOW]
    assert _builder() is None


def test_a_table_is_built_in_the_background_and_its_progress_told(advisors: Advisors, tables: Tables) -> None:
    assert advisors.get(SLOW) == 0.0
    tables.go_on.release()
    assert tables.stepped.acquire(timeout=PATIENCE)
    assert advisors.get(SLOW) == 0.25
    tables.go_on.release(2)
    _finish()
    assert isinstance(advisors.get(SLOW), Known)
    assert tables.loaded == [SLOW]


def test_tables_are_built_one_after_another_in_the_order_asked_for(advisors: Advisors, tables: Tables) -> None:
    for game in GAMES[:3]:
        assert advisors.get(game) == 0.0
    assert advisors.get(GAMES[0]) == 0.0
    tables.go_on.release()
    assert tables.stepped.acquire(timeout=PATIENCE)
    assert tables.at_once == 1
    assert [advisors.get(game) for game in GAMES[:3]] == [0.25, 0.0, 0.0]
    tables.go_on.release(8)
    _finish()
    assert tables.loaded == GAMES[:3]
    assert all(isinstance(advisors.get(game), Known) for game in GAMES[:3])


def test_while_one_is_built_another_is_loaded(advisors: Advisors, tables: Tables) -> None:
    assert advisors.get(SLOW) == 0.0
    tables.ready.add(GAMES[1])
    assert isinstance(advisors.get(GAMES[1]), Known)
    tables.go_on.release(3)
    _finish()


def test_a_failure_is_told_and_tried_again_later(advisors: Advisors, tables: Tables) -> None:
    tables.problem = MemoryError("no room")
    assert advisors.get(SLOW) == 0.0
    tables.go_on.release()
    _finish()
    for _ in range(2):
        with pytest.raises(AdviceFailed, match="can't be worked out here: no room"):
            advisors.get(SLOW)
    assert tables.loaded == [SLOW]
    tables.problem, tables.now = None, AGAIN_AFTER
    assert advisors.get(SLOW) == 0.0
    tables.go_on.release(3)
    _finish()
    assert isinstance(advisors.get(SLOW), Known)


def test_a_ready_table_that_cannot_be_loaded_is_told_too(advisors: Advisors, tables: Tables) -> None:
    tables.ready.add(SLOW)
    tables.problem = OSError("a broken disk")
    with pytest.raises(AdviceFailed, match="a broken disk"):
        advisors.get(SLOW)


def test_after_a_failure_the_next_one_is_built(advisors: Advisors, tables: Tables) -> None:
    tables.problem = RuntimeError()
    advisors.get(GAMES[0])
    advisors.get(GAMES[1])
    tables.go_on.release(2)
    _finish()
    for game in GAMES[:2]:
        with pytest.raises(AdviceFailed, match="RuntimeError"):
            advisors.get(game)


def test_only_a_few_are_held_and_those_used_last(advisors: Advisors, tables: Tables) -> None:
    tables.ready.update(GAMES)
    for game in GAMES[:HELD]:
        advisors.get(game)
    advisors.get(GAMES[0])
    advisors.get(GAMES[HELD])
    advisors.get(GAMES[0])
    assert tables.loaded == GAMES[: HELD + 1]
    advisors.get(GAMES[1])
    assert tables.loaded == [*GAMES[: HELD + 1], GAMES[1]]


def test_closing_ends_a_build_and_starts_no_other(advisors: Advisors, tables: Tables) -> None:
    advisors.get(GAMES[0])
    advisors.get(GAMES[1])
    builder = _builder()
    assert builder is not None
    tables.go_on.release()
    assert tables.stepped.acquire(timeout=PATIENCE)
    closing = threading.Thread(target=advisors.close)
    closing.start()
    while not advisors._closed:
        pass
    tables.go_on.release()
    closing.join(PATIENCE)
    assert not builder.is_alive()
    assert tables.loaded == [GAMES[0]]
    advisors.get(GAMES[2])
    assert _builder() is None
