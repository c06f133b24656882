"""Whole games played by the advice come out as it says."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scorekeeper.advice import bench
from scorekeeper.advice.rolls import KEEP_INDEX, KEEPS, ROLLS, best_keeps, keep_values
from scorekeeper.advice.sheet_rules import sheet_rules
from scorekeeper.advice.sheets import SheetAdvisor
from scorekeeper.advice.ship import FOLDER, shipped, shipped_solo
from scorekeeper.advice.simulate import Player, best_of, simulate, throw
from scorekeeper.advice.tables import Table, file_name, from_bytes
from scorekeeper.sheet import SheetGame

SHIPPED = dict(shipped().values())


def table_of(game: SheetGame) -> Table:
    key = sheet_rules(game).key
    table = from_bytes(key, (FOLDER / file_name(key)).read_bytes())
    assert table is not None
    return table


@pytest.mark.parametrize("name", ["yams", "official"])
def test_the_mean_of_games_is_near_the_exact_one(name: str) -> None:
    table = table_of(SHIPPED[name])
    played = simulate(SHIPPED[name], table, 1000, seed=2)
    assert played.games == 1000
    assert 1 < played.error < 3
    assert abs(played.mean - table.start) < 3 * played.error


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_the_mean_of_a_hundred_thousand_games(name: str) -> None:
    table = table_of(SHIPPED[name])
    played = simulate(SHIPPED[name], table, 100_000, seed=1)
    assert played.error < 0.25
    assert abs(played.mean - table.start) < 3 * played.error


def test_equal_seeds_play_equal_games() -> None:
    game = SHIPPED["yams"]
    first, again, other = (simulate(game, table_of(game), 20, seed) for seed in (3, 3, 4))
    assert first == again != other


@pytest.mark.parametrize("name", SHIPPED)
def test_its_decisions_are_those_of_the_advisor(name: str) -> None:
    game = SHIPPED[name]
    table, random = table_of(game), np.random.default_rng(6)
    player, advice = Player(game, table, random), SheetAdvisor(game, table)
    states = [game.start(1)] * 12
    for _ in game.boxes:
        for state in states[:2]:
            upper, row, gap = player.positions.locate(state.columns[0].boxes)
            rows, gaps = np.array([row]), np.array([gap])
            last = keep_values(player.positions.roll_values(player.values, upper, rows, gaps))
            for rolls_left, values in ((1, last), (2, keep_values(best_keeps(last)))):
                number = int(random.integers(len(ROLLS)))
                found = advice.advise(state, ROLLS[number], rolls_left)
                keep = KEEPS[int(best_of(values, np.array([number]))[0])]
                assert {kept.keep: kept.expected for kept in found.keeps}[keep] == pytest.approx(
                    found.expected, abs=1e-6
                )
            (number,), (box,) = player.play(upper, rows, gaps)
            found = advice.advise(state, ROLLS[number], 0)
            chosen = {value.box: value.expected for value in found.boxes}[game.boxes[box]]
            assert chosen == pytest.approx(found.expected, abs=1e-6)
        states = player.turn(states)
        assert len(states) == 12
    assert all(game.turn(state) is None for state in states)


def test_thrown_dice_are_kept_or_fair() -> None:
    kept = np.full(6000, KEEP_INDEX[2, 5, 5])
    dice = np.array([ROLLS[number] for number in throw(kept, np.random.default_rng(8))])
    counts = np.array([(dice == face).sum() for face in range(1, 7)]) - np.array([0, 6000, 0, 0, 12000, 0])
    assert counts.sum() == 12000
    assert np.abs(counts - 2000).max() < 5 * np.sqrt(12000 * 5 / 36)


def test_the_bench_prints_its_figures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "solve", lambda rules, progress: table_of(SHIPPED["yams"]))
    bench.main(["yatzy", "joker=none", "--games", "50"])
    figures = json.loads(capsys.readouterr().out)
    assert figures["start"] == 245.870774514
    assert figures["table_mb"] == 0.5
    assert figures["games"] == 50
    assert figures["errors_off"] == pytest.approx((figures["mean"] - figures["start"]) / figures["error"], abs=0.01)


def test_the_bench_of_chips(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    key, _ = shipped_solo()
    table = from_bytes(key, (FOLDER / file_name(key)).read_bytes())
    assert table is not None
    monkeypatch.setattr("scorekeeper.advice.solo.solve", lambda rules, progress: table)
    monkeypatch.setattr(bench, "PIECES", 20)
    bench.main(["yamslam", "mode=solo", "games=2", "--games", "20"])
    figures = json.loads(capsys.readouterr().out)
    assert figures["start"] == round(table.start, 9)
    assert 0 < figures["table_mb"] < 5
    assert 700 < figures["mean"] < 1000
    bench.main(["yamslam"])
    assert json.loads(capsys.readouterr().out).keys() == {"game", "options", "advice_ms", "peak_mb"}


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["chess"], "There is no game 'chess'"),
        (["yams", "joker=maybe"], "joker cannot be 'maybe'"),
        (["yamslam", "--games", "50"], "mode=solo"),
        (["yams", "--games", "1"], "--games"),
    ],
)
def test_what_it_cannot_measure(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        bench.main(arguments)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
