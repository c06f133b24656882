"""Figures over sessions: who won what, what the boxes bring, and whether the dice are fair.

Only what counts in the end is looked at: what was undone never happened. Zero and empty are different things: a box
left empty adds to no mean, a zero does.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorekeeper.dice import FACES, counts, missing
from scorekeeper.game import AnyGame
from scorekeeper.session import Position, Session
from scorekeeper.sheet import SheetGame
from scorekeeper.turn import Turn

ON_COURSE = 3
"""Dice of its face that each upper box needs for the 63 of the bonus: 3 * (1 + 2 + 3 + 4 + 5 + 6) = 63."""
ENOUGH = 300
"""Thrown dice, 50 a face, before a verdict on them is given: fewer show only the crudest loading."""
DOUBTFUL = 0.01
"""Fair dice come out as uneven once in a hundred times."""


@dataclass(frozen=True, slots=True)
class BoxFigures:
    """What one box brought: how often it was filled, how often with a zero, and the mean points."""

    filled: int
    zeros: int
    mean: float


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player's finished games of one kind.

    games        those played to the end; ``left`` counts those that the player left before, which count nowhere else
    contests     of the games those with somebody to win against
    wins         contests won alone (or as a team); ``shared_wins`` with others
    mean, best, worst, spread   of the grand totals; the spread is their standard deviation (of a sample, n - 1), None
                 for fewer than two games; all None without a game
    bonus        share of the games with the upper bonus; None without a game, or where there is none
    boxes        by id; of chips what a kind of chip brought a game, and only in games that are not several in a row
    """

    name: str
    games: int
    left: int
    contests: int
    wins: int
    shared_wins: int
    mean: float | None
    best: int | None
    worst: int | None
    spread: float | None
    bonus: float | None
    boxes: Mapping[str, BoxFigures]


@dataclass(frozen=True, slots=True)
class GameFigures:
    """All finished games with the same rules, and the figures of each who played them, most games first."""

    game: str
    options: Mapping[str, str]
    games: int
    players: tuple[PlayerFigures, ...]


@dataclass(frozen=True, slots=True)
class Faces:
    """How often each face came up among the dice thrown, and whether fair dice do that.

    counts       of the faces 1 to 6
    chi_squared  against a sixth of the throws each, five degrees of freedom; None without a throw
    p_value      how often fair dice come out at least as uneven
    verdict      few: not enough throws to tell; fair: nothing speaks against it; odd: fair dice do this less than once
                 in a hundred times
    """

    counts: tuple[int, int, int, int, int, int]
    chi_squared: float | None
    p_value: float | None
    verdict: Literal["few", "fair", "odd"]


def game_figures(sessions: Iterable[Session]) -> tuple[GameFigures, ...]:
    """The figures of the finished ones of these sessions, for each set of rules apart, the most played first.

    Games of different rules are never averaged together. Players are told apart by their names as they stand at the
    end; two of one name in a game are that player twice.
    """
    kinds: dict[tuple[str, tuple[tuple[str, str], ...]], list[Position]] = {}
    for session in sessions:
        position = session.position
        if position.over:
            rules = position.started.game, tuple(position.started.options.items())
            kinds.setdefault(rules, []).append(position)
    figures = [GameFigures(game, dict(options), len(ends), _players(ends)) for (game, options), ends in kinds.items()]
    return tuple(sorted(figures, key=lambda kind: -kind.games))


def faces(sessions: Iterable[Session]) -> Faces:
    """The faces of the dice thrown in the finished turns of these sessions.

    Only dice that are known to be thrown count:

    - all five of the first roll of a turn, and of a later one those beside the kept dice;
    - nothing of a later roll of which no kept dice are recorded: there is no telling a player who threw all five
      from one who did not say what was kept, and kept dice counted twice would make the favoured faces come up more;
    - nothing of a session in which most turns have one roll recorded: there the last roll was entered, with dice
      chosen before. Where most turns have more, one roll is a turn that ended early.

    Which dice count is settled before they fall, so this favours no face. Dice corrected afterwards on the sheet
    count as they were recorded.
    """
    found: Counter[int] = Counter()
    for session in sessions:
        turns = _turns(session)
        several = sum(len(turn.rolls) > 1 for turn in turns)
        if 2 * several >= len(turns):
            for turn in turns:
                found.update(_thrown(turn))
    return assess(counts(found.elements()))


def assess(found: tuple[int, int, int, int, int, int]) -> Faces:
    """Pearson's chi-squared test of these counts against fair dice."""
    dice = sum(found)
    if not dice:
        return Faces(found, None, None, "few")
    expected = dice / len(FACES)
    chi_squared = sum((count - expected) ** 2 for count in found) / expected
    p_value = chi_squared_tail(chi_squared)
    if dice < ENOUGH:
        return Faces(found, chi_squared, p_value, "few")
    return Faces(found, chi_squared, p_value, "odd" if p_value < DOUBTFUL else "fair")


def chi_squared_tail(value: float) -> float:
    """The chance that chi-squared with five degrees of freedom is at least ``value``.

    The closed form for odd degrees: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4.
    """
    density = math.sqrt(2 * value / math.pi) * math.exp(-value / 2)
    return math.erfc(math.sqrt(value / 2)) + density * (1 + value / 3)


def course(game: AnyGame, filled: Mapping[str, int]) -> int | None:
    """How far the filled upper boxes are ahead (+) or behind (-) of three dice of each face, which make 63.

    An empty box is no part of it, a zero is all behind. None for a game without upper boxes.
    """
    if not isinstance(game, SheetGame):
        return None
    upper = {box.id: ON_COURSE * face for face, box in enumerate(game.upper, start=1)}
    return sum(points - upper[box] for box, points in filled.items() if box in upper)


def _players(ends: Sequence[Position]) -> tuple[PlayerFigures, ...]:
    seats: dict[str, list[tuple[Position, int]]] = {}
    for end in ends:
        for player, name in enumerate(end.players):
            seats.setdefault(name, []).append((end, player))
    figures = [_player(name, played) for name, played in seats.items()]
    return tuple(sorted(figures, key=lambda one: (-one.games, one.name)))


def _player(name: str, seats: Sequence[tuple[Position, int]]) -> PlayerFigures:
    played = [(end, player) for end, player in seats if player not in end.left]
    totals = [end.game.totals(end.state)[player] for end, player in played]
    sums = [end.game.sums(end.state)[player] for end, player in played]
    bonus = [row["upper_bonus"] > 0 for row in sums if "upper_bonus" in row]
    contests = [(end, player) for end, player in played if len(_sides(end)) > 1]
    winners = [len(won) for end, player in contests if _side(end, player) in (won := _winners(end))]
    return PlayerFigures(
        name=name,
        games=len(played),
        left=len(seats) - len(played),
        contests=len(contests),
        wins=winners.count(1),
        shared_wins=len(winners) - winners.count(1),
        mean=statistics.fmean(totals) if totals else None,
        best=max(totals, default=None),
        worst=min(totals, default=None),
        spread=statistics.stdev(totals) if len(totals) > 1 else None,
        bonus=statistics.fmean(bonus) if bonus else None,
        boxes=_boxes(played),
    )


def _side(end: Position, player: int) -> int:
    return end.game.sides(len(end.players))[player]


def _sides(end: Position) -> set[int]:
    """The sides that played to the end."""
    return {_side(end, player) for player in range(len(end.players)) if player not in end.left}


def _winners(end: Position) -> set[int]:
    return {_side(end, player) for player, place in enumerate(end.places or ()) if place == 1}


def _boxes(played: Sequence[tuple[Position, int]]) -> dict[str, BoxFigures]:
    brought: dict[str, list[int]] = {}
    for end, player in played:
        for box, points in _points(end, player).items():
            brought.setdefault(box, []).append(points)
    return {box: BoxFigures(len(points), points.count(0), statistics.fmean(points)) for box, points in brought.items()}


def _points(end: Position, player: int) -> dict[str, int]:
    """What each box brought; of chips each kind, where it can be told: the chips of earlier games are gone."""
    stock = end.game.stock(end.state)
    if stock is None:
        return end.game.filled(end.state)[player]
    if end.started.options["games"] != "1":
        return {}
    worth = end.game.points((1, 1, 1, 1, 1))  # five alike win a chip of any kind
    return {kind: number * worth[kind] for kind, number in stock.chips[player].items()}


def _turns(session: Session) -> list[Turn]:
    """The finished turns that had a roll, those of a player who left in the middle too."""
    turns = []
    for _, after in session.steps:
        before = after.before.turn if after.before else None
        if before and before.roll and (after.turn is None or not after.turn.roll):
            turns.append(before)
    return turns


def _thrown(turn: Turn) -> Iterable[int]:
    number = 0
    for roll in turn.rolls:
        number = roll.number or number + 1
        if number == 1 or roll.kept:
            yield from missing(roll.dice, roll.kept)
