"""A game of chips as its solvers see it: what the rolls win, and what chips and bonuses are worth, in arrays."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice.rolls import ROLLS, Floats
from scorekeeper.chips import CHIPS_OF_A_KIND, FULL_STACK, GOLDEN_SEVEN, LAST_CHIP, SILVER_SIX, ChipGame
from scorekeeper.dice import Roll, five_alike

VERSION: Final = 1
"""Of the solver: raise it when the same rules give other tables."""

Numbers = NDArray[np.signedinteger[Any]]
"""Numbers of chips: positions in rows, kinds in columns."""


class ChipRules:
    """What matters of a game of chips beside who plays it.

    kinds     how many kinds of chips there are
    outcomes  one roll for each outcome: rolls that win the same kinds have it in common. Five alike come last
    outcome   (252,) the outcome of each of ROLLS
    wins      (outcomes, kinds) whether an outcome wins a kind
    """

    def __init__(self, game: ChipGame) -> None:
        self.kinds: Final = len(game.kinds)
        self._points: Final = np.array([kind.points for kind in game.kinds])
        won = [(five_alike(roll), tuple(box in game.points(roll) for box in game.boxes)) for roll in ROLLS]
        found = sorted(set(won))
        self.outcomes: Final[tuple[Roll, ...]] = tuple(ROLLS[won.index(outcome)] for outcome in found)
        self.outcome: Final = np.array([found.index(outcome) for outcome in won])
        self.wins: Final = np.array([kinds for _, kinds in found])

    def worth(self, held: Numbers) -> NDArray[np.float64]:
        """(..., kinds) numbers of chips -> (...) their points with the bonuses for kinds and full stacks."""
        there = (held > 0).sum(-1)
        bonus = np.where(there == self.kinds, GOLDEN_SEVEN, np.where(there == self.kinds - 1, SILVER_SIX, 0))
        total: Floats = held @ self._points + bonus + FULL_STACK * (held == CHIPS_OF_A_KIND).sum(-1) + 0.0
        return total

    @property
    def most(self) -> int:
        """No chip brings more than this, with all the bonuses that it may complete."""
        return int(self._points.max()) + max(SILVER_SIX, GOLDEN_SEVEN - SILVER_SIX) + FULL_STACK + LAST_CHIP

    @property
    def key(self) -> str:
        """The name of the table of solo games: a hash of all that its values depend on."""
        bonuses = [CHIPS_OF_A_KIND, GOLDEN_SEVEN, SILVER_SIX, FULL_STACK, LAST_CHIP]
        content = [VERSION, bonuses, self._points.tolist(), self.outcome.tolist(), self.wins.tolist()]
        return f"chips{VERSION}-{hashlib.sha256(json.dumps(content).encode()).hexdigest()[:24]}"


@lru_cache(maxsize=8)
def chip_rules(game: ChipGame) -> ChipRules:
    """The rules of the game as arrays."""
    return ChipRules(game)
