"""Advice for Yamslam: exact alone; with others at the table for the present turn alone, and it says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from scorekeeper.advice import tables
from scorekeeper.advice.chip_rules import ChipRules, chip_rules
from scorekeeper.advice.others import ThisTurn
from scorekeeper.advice.ranking import TIE, check_rolls_left, rank_keeps
from scorekeeper.advice.rolls import Floats
from scorekeeper.advice.solo import Alone, solve
from scorekeeper.advice.tables import Table
from scorekeeper.advice.types import Advice, BoxValue, KeepValue, Progress
from scorekeeper.chips import ChipGame, ChipState
from scorekeeper.dice import Roll, five_alike
from scorekeeper.errors import IllegalMove


class Outlook(Protocol):
    """What positions are worth to the player whose turn it is: their total in the end, or what is known of it."""

    @property
    def assumption(self) -> str | None: ...

    def check(self, state: ChipState) -> None: ...

    def before(self, state: ChipState, player: int) -> float: ...

    def after(self, state: ChipState, then: Sequence[ChipState], again: bool) -> list[float]: ...

    def outcomes(self, states: Sequence[ChipState]) -> Floats: ...


class ChipAdvisor:
    """Advice for a game of chips, as its outlook sees the positions."""

    def __init__(self, game: ChipGame, outlook: Outlook) -> None:
        self._game = game
        self._outlook = outlook

    def before(self, state: ChipState, player: int) -> float:
        """The total that the player may expect before their next turn.

        With others at the table: after one turn of theirs with rack and pile as they are now. Raises IllegalMove for
        a position that cannot be.
        """
        self._outlook.check(state)
        return self._outlook.before(state, player)

    def advise(self, state: ChipState, roll: Roll, rolls_left: int) -> Advice:
        """Advice for the player whose turn it is.

        Where a second chip is owed the roll stays as it is: there are no keeps, whatever ``rolls_left`` says.
        Raises IllegalMove when the game is over, for another number of rolls than 0 to 2, and for a position that
        cannot be.
        """
        if self._game.turn(state) is None:
            raise IllegalMove("The game is over: no chip is left on the rack.")
        check_rolls_left(rolls_left)
        self._outlook.check(state)
        boxes, passed = self._options(state, roll)
        as_it_is = max(passed, boxes[0].expected) if boxes else passed
        keeps: tuple[KeepValue, ...] = ()
        if rolls_left and not self._game.keeps_roll(state):
            outcomes = self._outlook.outcomes([state])[chip_rules(self._game).outcome]
            keeps = rank_keeps(roll, outcomes, rolls_left, as_it_is)
        return Advice(
            expected=keeps[0].expected if keeps else as_it_is,
            keeps=keeps,
            boxes=boxes,
            pass_expected=passed,
            assumption=self._outlook.assumption,
        )

    def _options(self, state: ChipState, roll: Roll) -> tuple[tuple[BoxValue, ...], float]:
        """The chips that may be taken, best first, and what it is worth to take none.

        Of equal ones the higher chip, then the one from the rack: what is left there is then worth less to others,
        and a bonus that the lower chip would complete stays in reach.
        """
        options = self._game.options(state, roll)
        (none,) = self._game.scratches(state, roll)
        then = [self._game.take(state, roll, option) for option in (*options, none)]
        *values, passed = self._outlook.after(state, then, five_alike(roll))
        boxes = [
            BoxValue(option.box or "", option.points, value, option.source)
            for option, value in zip(options, values, strict=True)
        ]
        boxes.sort(key=lambda box: (-round(box.expected, TIE), -box.points, box.source == "pile"))
        return tuple(boxes), passed


def advisor(game: ChipGame, cache: Path | None, progress: Progress | None) -> ChipAdvisor:
    """See scorekeeper.advice.advisor. Only alone a table is needed."""
    rules = chip_rules(game)
    outlook = Alone(game, rules, _table(rules, cache, progress)) if game.mode == "solo" else ThisTurn(game, rules)
    return ChipAdvisor(game, outlook)


def ready(game: ChipGame, cache: Path | None) -> bool:
    """See scorekeeper.advice.ready."""
    return game.mode != "solo" or tables.stored(chip_rules(game).key, cache)


def start_value(game: ChipGame, cache: Path | None, progress: Progress | None) -> float:
    """See scorekeeper.advice.start_value: alone, whatever the mode; of several games the sum."""
    return game.games * _table(chip_rules(game), cache, progress).start


def suited(game: ChipGame, state: ChipState) -> ChipGame:
    """The game to advise in for a plain position (ChipGame.position) for which no mode was named.

    Where rack, pile and the player's own chips are all the chips there are, nobody else holds any: the player is taken
    to play alone. Else others are at the table.
    """
    return replace(game, mode="solo" if state.players == 1 else "table")


def _table(rules: ChipRules, cache: Path | None, progress: Progress | None) -> Table:
    return tables.load_or_build(rules.key, lambda told: solve(rules, told), cache, progress)
