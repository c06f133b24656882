"""How fast advice for a sheet is, and whether games played by it come out as it says.

``python -m scorekeeper.advice.bench GAME [NAME=VALUE …]`` prints one line of JSON; with ``--games 100000`` so many
games are played by the advice, and their mean is set beside the exact one.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import numpy as np

from scorekeeper.advice import tables
from scorekeeper.advice.rolls import ROLLS
from scorekeeper.advice.sheet_rules import sheet_rules
from scorekeeper.advice.sheets import SheetAdvisor, positions_of, solve
from scorekeeper.advice.simulate import simulate
from scorekeeper.advice.tables import Table
from scorekeeper.advice.types import Advisor
from scorekeeper.errors import RuleError
from scorekeeper.rulebooks import make_game
from scorekeeper.sheet import SheetGame

PIECES: Final = 200
"""Pieces of advice that are timed."""


def measure(game: SheetGame) -> tuple[Table, dict[str, float | None]]:
    """The table, built anew, and what it took.

    ``build_s`` seconds to build it, ``load_ms`` to have an advisor from its file, ``advice_ms`` for a piece of advice
    with two rolls left (the median over random positions), ``table_mb``, and ``peak_mb``: the most memory that this
    process has used so far, None where the system doesn't say. Run it in a process of its own.
    """
    began = perf_counter()
    table = solve(sheet_rules(game), lambda _: None)
    build = perf_counter() - began
    key = sheet_rules(game).key
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, tables.file_name(key))
        file.write_bytes(tables.to_bytes(key, table))
        sheet_rules.cache_clear()
        positions_of.cache_clear()
        began = perf_counter()
        loaded = tables.from_bytes(sheet_rules(game).key, file.read_bytes())
        assert loaded is not None
        advisor = SheetAdvisor(game, loaded)
        load = perf_counter() - began
        size = file.stat().st_size
    figures = {
        "build_s": round(build, 2),
        "load_ms": round(1000 * load, 1),
        "advice_ms": round(1000 * advice_seconds(game, advisor), 2),
        "table_mb": round(size / 1e6, 2),
        "peak_mb": _peak(),
    }
    return table, figures


def advice_seconds(game: SheetGame, advisor: Advisor) -> float:
    """Median seconds of a piece of advice with two rolls left, over random positions of the game."""
    random = np.random.default_rng(1)
    state = game.start(1)
    took: list[float] = []
    while len(took) < PIECES:
        if game.turn(state) is None:
            state = game.start(1)
        roll = ROLLS[random.integers(len(ROLLS))]
        began = perf_counter()
        advisor.advise(state, roll, 2)
        took.append(perf_counter() - began)
        options = game.options(state, roll)
        state = game.take(state, roll, options[random.integers(len(options))])
    return median(took)


def _peak() -> float | None:
    try:
        status = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((round(int(line.split()[1]) / 1024, 1) for line in status if line.startswith("VmHWM")), None)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what the arguments name, and print it."""
    parser = argparse.ArgumentParser(
        prog="python -m scorekeeper.advice.bench", description="Speed of advice for a sheet."
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("options", metavar="NAME=VALUE", nargs="*")
    parser.add_argument("--games", type=int, default=0, help="play so many games by the advice, two or more")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    try:
        game = make_game(
            chosen.game, {name: value for name, _, value in (text.partition("=") for text in chosen.options)}
        )
    except RuleError as problem:
        parser.error(str(problem))
    if chosen.games < 0 or chosen.games == 1:
        parser.error("--games takes a number from 2 on: one game has no standard error.")
    if not isinstance(game, SheetGame):
        parser.error(f"{chosen.game} has no sheet.")
    table, figures = measure(game)
    line: dict[str, object] = {
        "game": chosen.game,
        "options": chosen.options,
        "start": round(table.start, 9),
        **figures,
    }
    if chosen.games:
        played = simulate(game, table, chosen.games, chosen.seed)
        line |= {"games": played.games, "mean": round(played.mean, 4), "error": round(played.error, 4)}
        line |= {"errors_off": round((played.mean - table.start) / played.error, 3)}
    print(json.dumps(line))


if __name__ == "__main__":
    main()
