"""Yamslam with others at the table: what the present turn brings.

What others will take, and so what is left for later turns, is not foreseen: a position is worth the own total (of a
team: the team's) at the end of the turn, chips and bonuses completed by it included. After five alike the same player
goes on, so the turn that follows at once belongs to it, and so on while five alike come.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice.chip_rules import ChipRules, Numbers
from scorekeeper.advice.rolls import ROLLS, Floats, turn_values
from scorekeeper.chips import CHIPS_OF_A_KIND, LAST_CHIP, ChipGame, ChipState
from scorekeeper.dice import five_alike

NEAR: Final = 2e-5
"""How far a value may be off, in points: chains of five alike are followed until what is left out is less."""
DECIMALS: Final = 4


class ThisTurn:
    """What the player whose turn it is may have at its end."""

    assumption = "others"

    def __init__(self, game: ChipGame, rules: ChipRules) -> None:
        self._game = game
        self._rules = rules

    def check(self, state: ChipState) -> None:
        """All positions can be looked at."""

    def before(self, state: ChipState, player: int) -> float:
        """The total after a turn of the player, were it theirs now."""
        if self._game.turn(state) is None:
            return float(self._game.totals(state)[player])
        return self._with_turn([state], player)[0]

    def after(self, state: ChipState, then: Sequence[ChipState], again: bool) -> list[float]:
        """What each of the states that may follow is worth; ``again``: after five alike, so the player goes on."""
        player = state.player
        values = [float(self._game.totals(one)[player]) for one in then]
        if again:
            # A last chip may have ended the game, or begun the next.
            on = [place for place, one in enumerate(then) if any(one.rack) and one.game == state.game]
            for place, value in zip(on, self._with_turn([then[place] for place in on], player), strict=True):
                values[place] = value
        return values

    def outcomes(self, states: Sequence[ChipState]) -> Floats:
        """(outcomes, n) what each outcome of a turn is worth to the player whose turn it is in each of these states."""
        chips = np.concatenate([self._chips([state], state.player) for state in states])
        gains = _gains(self._rules, chips)
        origins, options = np.nonzero(np.isfinite(gains))
        after, place = _distinct(_taken(chips[origins], options))
        worth = gains[origins, options] + further_turns(self._rules, after)[place]
        outcomes = _outcomes(self._rules, gains, _best(len(chips), origins, worth))
        outcomes += [self._game.totals(state)[state.player] for state in states]
        return outcomes

    def _with_turn(self, states: Sequence[ChipState], player: int) -> list[float]:
        if not states:
            return []
        gains = further_turns(self._rules, self._chips(states, player)).tolist()
        return [self._game.totals(state)[player] + gain for state, gain in zip(states, gains, strict=True)]

    def _chips(self, states: Sequence[ChipState], player: int) -> Numbers:
        """(n, 3, kinds) chips on the rack, in the pile and held by the player's side."""
        side = self._game.sides(states[0].players)[player]
        return np.array([[state.rack, state.pile, state.held[side]] for state in states])


def further_turns(rules: ChipRules, chips: Numbers) -> Floats:
    """(n, 3, kinds) chips on the rack, in the pile and held -> (n,) the points that a turn adds on average.

    Right to NEAR, then rounded to DECIMALS. It goes from each position to those after five alike, and on to those
    after five alike again. Chips that cannot be the best to take there are left out: a further turn adds at least what
    it would if its own five alike ended it, and at most ``spread`` more, as a whole chain adds no more than ``most``.

    To take no chip after five alike is never better, so it is not looked at: a further turn without five alike adds
    no more than the best chip did, and one with five alike stands before the same choice again.
    """
    chance = five_alike_in_a_turn()
    most = rules.most / (1 - chance)
    spread = chance * most
    error = most / 2
    gains, least = _gains(rules, chips), np.zeros(len(chips))
    steps = []
    while error > NEAR and np.isfinite(gains).any():
        origins, options = np.nonzero(np.isfinite(gains))
        after, place = _distinct(_taken(chips[origins], options))
        gains_after = _gains(rules, after)
        least_after = _turn(rules, gains_after, gains_after.max(axis=1))
        worth = gains[origins, options] + least_after[place]
        keep = worth + spread >= _best(len(chips), origins, worth)[origins]
        wanted, place = np.unique(place[keep], return_inverse=True)
        steps.append((gains, origins[keep], options[keep], place))
        chips, gains, least = after[wanted], gains_after[wanted], least_after[wanted]
        error = chance ** len(steps) * spread / 2
    values = least + spread / 2 * np.isfinite(gains).any(axis=1)
    for gains, origins, options, place in reversed(steps):
        values = _turn(rules, gains, _best(len(gains), origins, gains[origins, options] + values[place]))
    # The same decimals for what is equal but for what was left out.
    return values.round(DECIMALS)


@lru_cache(maxsize=1)
def five_alike_in_a_turn() -> float:
    """The chance of five alike in a turn played for nothing else: no way to play has a higher one."""
    return float(turn_values(np.array([[float(five_alike(roll))] for roll in ROLLS]))[0])


def _gains(rules: ChipRules, chips: Numbers) -> Floats:
    """(n, 2 * kinds) what each kind adds, from the rack, from the pile; minus infinity where there is no chip."""
    rack, pile, held = chips[:, 0], chips[:, 1], chips[:, 2]
    more = rules.worth(np.minimum(held[:, None] + np.eye(rules.kinds, dtype=np.int64), CHIPS_OF_A_KIND))
    adds = more - rules.worth(held)[:, None]
    left = rack.sum(axis=1, keepdims=True)
    gains: Floats = np.where(np.hstack([rack, pile]) > 0, np.hstack([adds + LAST_CHIP * (left == 1), adds]), -np.inf)
    gains[left[:, 0] == 0] = -np.inf
    return gains


def _taken(chips: Numbers, options: NDArray[np.intp]) -> Numbers:
    """The chips after each has given the chip of that number: of rack and pile together."""
    chips = chips.copy()
    each, kinds = np.arange(len(chips)), chips.shape[-1]
    chips[each, options // kinds, options % kinds] -= 1
    chips[each, 2, options % kinds] += 1
    return chips


def _distinct(chips: Numbers) -> tuple[Numbers, NDArray[np.intp]]:
    """The different ones among the positions, and for each position its place among them."""
    codes = chips.reshape(len(chips), -1) @ (CHIPS_OF_A_KIND + 1) ** np.arange(chips[0].size)
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    return chips[first], place


def _best(number: int, origins: NDArray[np.intp], worth: Floats) -> Floats:
    best = np.full(number, -np.inf)
    np.maximum.at(best, origins, worth)
    return best


def _turn(rules: ChipRules, gains: Floats, five: Floats) -> Floats:
    """(n,) what a turn adds on average, if five alike in it add ``five``; nothing where the game is over."""
    return turn_values(_outcomes(rules, gains, five)[rules.outcome])


def _outcomes(rules: ChipRules, gains: Floats, five: Floats) -> Floats:
    """(outcomes, n) what each outcome of a turn adds, at least nothing."""
    chip = gains[:, : rules.kinds].T
    outcomes = np.array([np.max(chip[won], axis=0, initial=0.0) for won in rules.wins])
    outcomes[-1] = np.maximum(five, 0.0)
    return outcomes
