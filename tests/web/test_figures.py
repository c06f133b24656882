"""The statistics: by the JSON interface, on the page and on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

import web.commands.games
from scorekeeper.advice import Advisor, advisor
from scorekeeper.events import Rolled, Scored
from scorekeeper.game import AnyGame
from scorekeeper.rulebooks import make_game
from scorekeeper.session import new_game
from scorekeeper.store import Store
from web.api.fields import check
from web.pages.figures import STATISTICS

if TYPE_CHECKING:
    from tests.web.conftest import Player, Run

NAMES = ("Ana", "=Bo")
"""A name that is no formula here either."""


@pytest.fixture
def finished(database: Path) -> Store:
    """Two games are finished: Ana always has sixes, Bo what scores nothing but in chance."""
    store = Store(database)
    for _ in range(2):
        session_id = store.create(new_game("yams", NAMES, {"joker": "none"}))
        session = store.load(session_id)
        for box in session.position.game.boxes:
            for roll in ((6, 6, 6, 6, 6), (1, 2, 2, 5, 6)):
                session = store.append(session_id, session.seq, Rolled(roll))
                session = store.append(session_id, session.seq, Scored(box))
    return store


def play_alone(store: Store, options: Mapping[str, str]) -> None:
    """A game of Yams with these options, to its end."""
    session_id = store.create(new_game("yams", ["Ana"], options))
    session = store.load(session_id)
    for box in session.position.game.boxes:
        session = store.append(session_id, session.seq, Rolled((1, 2, 2, 5, 6)))
        session = store.append(session_id, session.seq, Scored(box))


def test_the_figures_of_finished_games(player: Player, finished: Store) -> None:
    answer = player.get("/statistics")
    assert answer.status_code == 200
    shown: dict[str, Any] = answer.json or {}
    check(shown, STATISTICS)
    (kind,) = shown["games"]
    assert (kind["game"], kind["games"], kind["options"]["prime"]) == ("yams", 2, "no")
    bo, ana = kind["players"]
    assert (bo["name"], bo["wins"], bo["contests"], bo["mean"], bo["spread"]) == ("=Bo", 0, 2, 16 + 5 + 1 + 4 + 6, 0)
    assert (ana["name"], ana["wins"], ana["best"], ana["bonus"]) == ("Ana", 2, 30 + 30 + 30 + 50 + 30, 0)
    assert ana["boxes"]["full_house"] == {"filled": 2, "zeros": 2, "mean": 0}
    assert ana["boxes"]["sixes"] == {"filled": 2, "zeros": 0, "mean": 30}
    # One roll a turn: nobody knows what was kept before it.
    assert (shown["faces"]["counts"], shown["faces"]["verdict"]) == ([0] * 6, "few")


def test_without_a_finished_game_there_are_no_figures(player: Player, client: FlaskClient) -> None:
    player.start()
    shown: dict[str, Any] = player.get("/statistics").json or {}
    check(shown, STATISTICS)
    assert shown["games"] == []
    assert shown["faces"] == {"counts": [0] * 6, "chi_squared": None, "p_value": None, "verdict": "few"}
    assert "as soon as a game is finished" in client.get("/statistics").text


def test_the_page_has_the_tables(client: FlaskClient, finished: Store) -> None:
    text = client.get("/statistics").text
    assert "Yams: 2 games" in text
    assert '<th scope="row">=Bo</th>' in text
    assert "<td>170.0</td>" in text
    assert "0.0 (100% zeros)" in text
    assert 'href="/statistics"' in client.get("/").text


def test_rules_of_ones_own_are_named(run: Run, client: FlaskClient, database: Path) -> None:
    play_alone(Store(database), {"joker": "free"})
    text = client.get("/statistics").text
    assert "Yams: 1 game<" in text
    assert "A further yams or yatzy: joker in any free box" in text
    assert "<td>–</td>" in text  # alone nobody wins, and one game has no spread
    lines = run("games", "stats", "--db", database).out.splitlines()
    assert lines[0] == "Yams: 1 game · A further yams or yatzy: joker in any free box"


def test_rules_worked_out_before_are_not_worked_out_again(
    run: Run, database: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_alone(Store(database), {"joker": "free"})
    plain = advisor(make_game("yams"))
    asked = []

    def kept(game: AnyGame, *, cache: Path | None = None) -> Advisor:
        asked.append((game, cache))
        return plain

    monkeypatch.setattr(web.commands.games, "default_cache", lambda: cache)
    monkeypatch.setattr(web.commands.games, "ready", lambda game, folder: folder == cache)
    monkeypatch.setattr(web.commands.games, "advisor", kept)
    run("games", "stats", "--json", "--db", database)
    assert asked == [(make_game("yams", {"joker": "free"}), cache)]


def test_the_command_prints_them(run: Run, finished: Store, database: Path, tmp_path: Path) -> None:
    (shown,) = run("games", "stats", "--json", "--db", database).objects
    check(shown, STATISTICS)
    bo, ana = shown["games"][0]["players"]
    start = 245.870774514
    for one in (bo, ana):  # how a total comes about
        assert one["mean"] == pytest.approx(start + one["luck"] - one["cost"], abs=1e-3)
    assert bo["luck"] < 0 < ana["luck"]
    lines = run("games", "stats", "--db", database).out.splitlines()
    assert lines[0] == "Yams: 2 games"
    assert lines[1].split() == [
        "Games", "Wins", "Shared", "Mean", "Best", "Worst", "Spread", "Bonus", "Luck", "Given", "away",
    ]  # fmt: skip
    assert [line.split()[:5] for line in lines[2:4]] == [
        ["=Bo", "2", "0", "0", "32.0"],
        ["Ana", "2", "2", "0", "170.0"],
    ]
    assert lines[4].startswith("Faces thrown: 1: ")
    ran = run("games", "stats", "--db", tmp_path / "none.db")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "No game is finished yet.")
