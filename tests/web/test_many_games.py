"""The measure of the pages of games gone by."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.web.conftest import Run


def test_the_pages_are_timed_over_so_many_games(run: Run) -> None:
    (told,) = run("bench", "--games", "30", "--json").objects
    assert told["games"] == 30
    assert list(told["ms"]) == ["home", "history", "statistics"]
    for ms in told["ms"].values():
        assert 0 < ms["p95"] < 5000  # milliseconds, not seconds
        assert ms["first"] > 0
    lines = run("bench", "--games", "13").out.splitlines()
    assert [line.split()[0] for line in lines] == ["13", "home", "history", "statistics"]


def test_too_many_are_refused(run: Run) -> None:
    run("bench", "--games", "0").is_refused("--games")
