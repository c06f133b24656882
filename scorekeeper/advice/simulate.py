"""Whole games played by the advice for sheets, with random dice, to see that their totals come out as it says.

The decisions are those of SheetAdvisor, worked out for many games side by side; the rules of the game itself then
fill the boxes and add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scorekeeper.advice.rolls import FIRST_ROLL, KEEP_INDEX, KEEPS, ROLLS, Floats, best_keeps, keep_values
from scorekeeper.advice.sheet_rules import Places
from scorekeeper.advice.sheets import BATCH, Positions, positions_of
from scorekeeper.advice.tables import Table
from scorekeeper.advice.types import Progress
from scorekeeper.dice import DICE, FACES
from scorekeeper.sheet import SheetGame, SheetState

_SUBSETS: Final = [[place for place in range(DICE) if bits >> place & 1] for bits in range(1 << DICE)]
_KEEPS_OF: Final = np.array(
    [[KEEP_INDEX[tuple(roll[place] for place in subset)] for subset in _SUBSETS] for roll in ROLLS]
)
"""(252, 32): the keeps of each roll, those of equal dice several times."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Grand totals of simulated games: how many, their mean, and its standard error."""

    games: int
    mean: float
    error: float


def simulate(game: SheetGame, table: Table, games: int, seed: int, progress: Progress = lambda _: None) -> Simulated:
    """Play so many games of one player by the table, at least two; equal seeds give equal games."""
    player = Player(game, table, np.random.default_rng(seed))
    states = [game.start(1)] * games
    for turn in range(len(game.boxes)):
        states = player.turn(states)
        progress((turn + 1) / len(game.boxes))
    return simulated([game.totals(state)[0] for state in states])


def simulated(totals: Sequence[int]) -> Simulated:
    """The figures of these totals, two or more."""
    return Simulated(len(totals), float(np.mean(totals)), float(np.std(totals, ddof=1) / np.sqrt(len(totals))))


class Player:
    """Plays many games side by side."""

    def __init__(self, game: SheetGame, table: Table, random: np.random.Generator) -> None:
        self.game = game
        self.positions: Positions = positions_of(game)
        self.values = np.append(table.values, np.float32(-np.inf))
        self.random = random

    def turn(self, states: list[SheetState]) -> list[SheetState]:
        """The states after one more turn, in another order."""
        groups: dict[tuple[int, int, int], list[tuple[int, int, SheetState]]] = {}
        for state in states:
            upper, row, gap = self.positions.locate(state.columns[0].boxes)
            alike = upper, self.positions.held[row], self.positions.lower_filled[row]
            groups.setdefault(alike, []).append((row, gap, state))
        after: list[SheetState] = []
        for (upper, _, _), members in groups.items():
            for first in range(0, len(members), BATCH):
                rows, gaps, batch = zip(*members[first : first + BATCH], strict=True)
                rolls, boxes = self.play(upper, np.array(rows), np.array(gaps))
                for state, number, box in zip(batch, rolls, boxes, strict=True):
                    roll = ROLLS[number]
                    option = self.game.choose(state, roll, self.game.boxes[box])
                    after.append(self.game.take(state, roll, option))
        return after

    def play(self, upper: int, rows: Places, gaps: Places) -> tuple[list[int], list[int]]:
        """Per position the roll at the end of the turn, and the box it goes into; numbers of both."""
        worth = self.positions.box_values(self.values, upper, rows, gaps)
        places, _ = self.positions.scoring(upper, int(rows[0]))
        last = keep_values(self.positions.roll_values(self.values, upper, rows, gaps))
        rolls = throw(np.zeros(len(rows), dtype=np.intp), self.random)
        for values in (keep_values(best_keeps(last)), last):
            rolls = throw(best_of(values, rolls), self.random)
        every = np.arange(len(rows))
        found = np.array([outcomes[places[box, rolls], every] for box, outcomes in worth.items()])
        boxes = np.array(list(worth))[found.argmax(axis=0)]
        return rolls.tolist(), boxes.tolist()


def best_of(values: Floats, rolls: Places) -> Places:
    """(462, n) what each keep is worth, (n,) the rolls -> (n,) the best keep of each."""
    keeps = _KEEPS_OF[rolls]
    best = values[keeps, np.arange(len(rolls))[:, None]].argmax(axis=1)
    chosen: Places = keeps[np.arange(len(rolls)), best]
    return chosen


def throw(keeps: Places, random: np.random.Generator) -> Places:
    """(n,) keeps -> (n,) rolls with the other dice thrown."""
    thrown = random.integers(1, len(FACES) + 1, size=(len(keeps), DICE)).tolist()
    full = (KEEPS[keep] + tuple(dice[len(KEEPS[keep]) :]) for keep, dice in zip(keeps, thrown, strict=True))
    return np.array([KEEP_INDEX[tuple(sorted(dice))] - FIRST_ROLL for dice in full], dtype=np.intp)
