"""How fast advice is, and whether games played by it come out as it says.

``python -m scorekeeper.advice.bench GAME [NAME=VALUE …]`` prints one line of JSON; with ``--games 100000`` so many
games are played by the advice, and their mean is set beside the exact one. Yamslam has a table, and games to play, in
``mode=solo``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import numpy as np

from scorekeeper.advice import advisor as advisor_for
from scorekeeper.advice import simulate_chips, solo, tables
from scorekeeper.advice.chip_rules import chip_rules
from scorekeeper.advice.chips import ChipAdvisor
from scorekeeper.advice.rolls import ROLLS
from scorekeeper.advice.sheet_rules import sheet_rules
from scorekeeper.advice.sheets import SheetAdvisor, positions_of, solve
from scorekeeper.advice.simulate import simulate
from scorekeeper.advice.tables import Table
from scorekeeper.advice.types import Advisor
from scorekeeper.chips import ChipGame
from scorekeeper.errors import RuleError
from scorekeeper.game import AnyGame
from scorekeeper.rulebooks import make_game
from scorekeeper.sheet import SheetGame

PIECES: Final = 200
"""Pieces of advice that are timed."""


def measure(game: SheetGame | ChipGame) -> tuple[Table | None, dict[str, float | None]]:
    """The table, built anew, and what it took; None where advice needs none.

    ``build_s`` seconds to build it, ``load_ms`` to have an advisor from its file, ``advice_ms`` for a piece of advice
    with two rolls left (the median over random positions), ``table_mb``, and ``peak_mb``: the most memory that this
    process has used so far, None where the system doesn't say. Run it in a process of its own.
    """
    if isinstance(game, ChipGame) and game.mode != "solo":
        return None, _with_advice({}, game, advisor_for(game))
    began = perf_counter()
    table = solve(sheet_rules(game), _silent) if isinstance(game, SheetGame) else solo.solve(chip_rules(game), _silent)
    build = perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        key = _key(game)
        file = Path(folder, tables.file_name(key))
        file.write_bytes(tables.to_bytes(key, table))
        for cached in (sheet_rules, positions_of, chip_rules):
            cached.cache_clear()
        began = perf_counter()
        loaded = tables.from_bytes(_key(game), file.read_bytes())
        assert loaded is not None
        advisor: Advisor
        if isinstance(game, SheetGame):
            advisor = SheetAdvisor(game, loaded)
        else:
            advisor = ChipAdvisor(game, solo.Alone(game, chip_rules(game), loaded))
        load = perf_counter() - began
        size = file.stat().st_size
    figures = {"build_s": round(build, 2), "load_ms": round(1000 * load, 1), "table_mb": round(size / 1e6, 2)}
    return table, _with_advice(figures, game, advisor)


def _with_advice(figures: Mapping[str, float], game: AnyGame, advisor: Advisor) -> dict[str, float | None]:
    return {**figures, "advice_ms": round(1000 * advice_seconds(game, advisor), 2), "peak_mb": _peak()}


def _key(game: SheetGame | ChipGame) -> str:
    return sheet_rules(game).key if isinstance(game, SheetGame) else chip_rules(game).key


def _silent(done: float) -> None:
    """A table is built here without telling how far it is."""


def advice_seconds(game: AnyGame, advisor: Advisor) -> float:
    """Median seconds of a piece of advice with two rolls left, over random positions of the game."""
    random = np.random.default_rng(1)
    start = state = game.start(game.players[0])
    took: list[float] = []
    while len(took) < PIECES:
        if game.turn(state) is None:
            state = start
        roll = ROLLS[random.integers(len(ROLLS))]
        began = perf_counter()
        advisor.advise(state, roll, 2)
        took.append(perf_counter() - began)
        options = game.options(state, roll) or game.scratches(state, roll)
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
    parser = argparse.ArgumentParser(prog="python -m scorekeeper.advice.bench", description="Speed of advice.")
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
    assert isinstance(game, SheetGame | ChipGame)
    if chosen.games and isinstance(game, ChipGame) and game.mode != "solo":
        parser.error("--games goes with mode=solo: advice with others at the table says nothing of whole games.")
    table, figures = measure(game)
    line: dict[str, object] = {"game": chosen.game, "options": chosen.options, **figures}
    if table is not None:
        line["start"] = round(table.start, 9)
    if table is not None and chosen.games:
        if isinstance(game, SheetGame):
            played = simulate(game, table, chosen.games, chosen.seed)
        else:
            played = simulate_chips.simulate(replace(game, games=1), table, chosen.games, chosen.seed)
        line |= {"games": played.games, "mean": round(played.mean, 4), "error": round(played.error, 4)}
        line |= {"errors_off": round((played.mean - table.start) / played.error, 3)}
    print(json.dumps(line))


if __name__ == "__main__":
    main()
