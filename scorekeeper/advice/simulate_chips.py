"""Whole solo games of Yamslam played by the advice, with random dice, to see that their totals come out as it says."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scorekeeper.advice.chip_rules import chip_rules
from scorekeeper.advice.chips import ChipAdvisor
from scorekeeper.advice.rolls import best_keeps, keep_values
from scorekeeper.advice.simulate import Simulated, best_of, simulated, throw
from scorekeeper.advice.solo import BATCH, Alone
from scorekeeper.advice.tables import Table
from scorekeeper.advice.types import Progress
from scorekeeper.chips import ChipGame, ChipState
from scorekeeper.dice import Roll


def simulate(game: ChipGame, table: Table, games: int, seed: int, progress: Progress = lambda _: None) -> Simulated:
    """Play so many solo games by the table, at least two; equal seeds give equal games."""
    random = np.random.default_rng(seed)
    rules = chip_rules(game)
    outlook = Alone(game, rules, table)
    advisor = ChipAdvisor(game, outlook)
    # Rolls that win the same chips are used alike: one of them stands for all.
    alike = [rules.outcomes[outcome] for outcome in rules.outcome]

    @lru_cache(maxsize=1 << 17)
    def used(state: ChipState, roll: Roll) -> ChipState:
        """The state after the roll was used as advised."""
        advice = advisor.advise(state, roll, 0)
        passed = advice.pass_expected or 0.0
        if advice.boxes and advice.boxes[0].expected >= passed:
            option = game.choose(state, roll, advice.boxes[0].box, source=advice.boxes[0].source)
        else:
            (option,) = game.scratches(state, roll)
        then = game.take(state, roll, option)
        return used(then, roll) if game.keeps_roll(then) else then

    totals: list[int] = []
    states = [game.start(1)] * games
    while states:
        after: list[ChipState] = []
        for first in range(0, len(states), BATCH):
            batch = states[first : first + BATCH]
            last = keep_values(outlook.outcomes(batch)[rules.outcome])
            rolls = throw(np.zeros(len(batch), dtype=np.intp), random)
            for values in (keep_values(best_keeps(last)), last):
                rolls = throw(best_of(values, rolls), random)
            after.extend(used(state, alike[roll]) for state, roll in zip(batch, rolls.tolist(), strict=True))
        totals.extend(game.totals(state)[0] for state in after if game.turn(state) is None)
        states = [state for state in after if game.turn(state) is not None]
        progress(len(totals) / games)
    return simulated(totals)
