"""Which bonuses a player of Yamslam can still get, and what is missing for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorekeeper.chips import CHIPS_OF_A_KIND
from scorekeeper.game import Stock

Chance = Literal["won", "open", "yamslam", "gone"]
"""A bonus: it is won; all that is missing lies on the rack; some of it only in the discard pile, which takes a yamslam;
others hold what is missing.
"""


@dataclass(frozen=True, slots=True)
class Goal:
    """A bonus: how it stands, how many chips are missing, and the kinds that they may be of."""

    chance: Chance
    missing: int
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """The bonuses of one player (or team).

    golden  one chip of each kind
    silver  exactly one kind short of that, which pays only where golden is not won
    stacks  by kind, all four of it; only the kinds of which the player holds a chip
    """

    golden: Goal
    silver: Goal
    stacks: Mapping[str, Goal]


def reach(stock: Stock) -> tuple[Reach, ...]:
    """Per player the bonuses that the chips left allow. What others hold they keep, so it is out of reach."""
    return tuple(_reach(stock, chips) for chips in stock.chips)


def _reach(stock: Stock, chips: Mapping[str, int]) -> Reach:
    lacking = [kind for kind, number in chips.items() if not number]
    return Reach(
        golden=_goal(stock, lacking, len(lacking)),
        silver=_goal(stock, lacking, len(lacking) - 1),
        stacks={
            kind: _goal(stock, [kind], CHIPS_OF_A_KIND - number, CHIPS_OF_A_KIND)
            for kind, number in chips.items()
            if number
        },
    )


def _goal(stock: Stock, kinds: Sequence[str], missing: int, of_each: int = 1) -> Goal:
    """Of these kinds so many chips are missing, at most `of_each` of one."""
    if missing <= 0:
        return Goal("won", 0, ())
    on_rack = {kind: min(of_each, stock.rack[kind]) for kind in kinds}
    anywhere = {kind: min(of_each, stock.rack[kind] + stock.pile[kind]) for kind in kinds}
    chance: Chance = (
        "open" if sum(on_rack.values()) >= missing else "yamslam" if sum(anywhere.values()) >= missing else "gone"
    )
    return Goal(chance, missing, tuple(kind for kind in kinds if anywhere[kind]))
