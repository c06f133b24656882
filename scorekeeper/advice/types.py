"""What advice is made of: what each keep, and each way to use the roll, is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from scorekeeper.dice import Roll
from scorekeeper.game import Source

Progress = Callable[[float], None]
"""Is told how much of a table is built, from 0 to 1, several times a second."""


@dataclass(frozen=True, slots=True)
class KeepValue:
    """Dice to keep, sorted, and the final total to be expected when the others are thrown again."""

    keep: tuple[int, ...]
    expected: float


@dataclass(frozen=True, slots=True)
class BoxValue:
    """A box to fill, or a chip to take, as in game.Option; and the final total to be expected after it."""

    box: str
    points: int
    expected: float
    source: Source | None = None
    prime: int = 0


@dataclass(frozen=True, slots=True)
class Advice:
    """What a roll is worth to the player whose turn it is, with best play from here on.

    Expected values are final grand totals: points already on the sheet, bonuses and primes included.

    expected       the best there is: the first of ``keeps`` while a roll is left, then the best of ``boxes``
                   (in Yamslam perhaps to pass)
    keeps          the distinct keeps of the roll, best first, equal ones with more dice first; holding all five
                   is one of them, worth the best box. Empty when no roll is left
    boxes          the game's legal options for the roll, best first; no scratches, no pass
    pass_expected  Yamslam: with no chip taken; None on a sheet
    assumption     id of what the values rest on where they are not exact ("others": what the others do next is
                   left out, this turn alone is looked at); None where they are exact
    """

    expected: float
    keeps: tuple[KeepValue, ...]
    boxes: tuple[BoxValue, ...]
    pass_expected: float | None = None
    assumption: str | None = None


class Advisor(Protocol):
    """Advice for the states of one game."""

    def before(self, state: Any, player: int) -> float:
        """The final total that the player may expect before the first roll of their next turn."""
        ...

    def advise(self, state: Any, roll: Roll, rolls_left: int) -> Advice:
        """Advice for the player whose turn it is, who has rolled this and may roll again so many times (0 to 2).

        Raises IllegalMove when the game is over, or for another number of rolls.
        """
        ...
