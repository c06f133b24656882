"""Figures over sessions: who won what, what the boxes bring, and whether the dice are fair.

They are made from summaries, so no session is replayed for them. Zero and empty are different things: a box
left empty adds to no mean, a zero does.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorekeeper.dice import FACES
from scorekeeper.game import AnyGame
from scorekeeper.sheet import ON_COURSE, SheetGame
from scorekeeper.summary import Counts, Seat, Summary

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

    counts: Counts
    chi_squared: float | None
    p_value: float | None
    verdict: Literal["few", "fair", "odd"]


def game_figures(summaries: Iterable[Summary]) -> tuple[GameFigures, ...]:
    """The figures of the finished ones of these sessions, for each set of rules apart, the most played first.

    Games of different rules are never averaged together. Players are told apart by their names as they stand at the
    end; two of one name in a game are that player twice.
    """
    kinds: dict[tuple[str, tuple[tuple[str, str], ...]], list[Summary]] = {}
    for summary in summaries:
        if summary.over:
            rules = summary.started.game, tuple(summary.started.options.items())
            kinds.setdefault(rules, []).append(summary)
    figures = [GameFigures(game, dict(options), len(ends), _players(ends)) for (game, options), ends in kinds.items()]
    return tuple(sorted(figures, key=lambda kind: -kind.games))


def faces(summaries: Iterable[Summary]) -> Faces:
    """The faces of the dice that are known to have been thrown in these sessions, as of `summary.thrown`."""
    one, two, three, four, five, six = map(sum, zip((0,) * 6, *(summary.faces for summary in summaries), strict=True))
    return assess((one, two, three, four, five, six))


def assess(found: Counts) -> Faces:
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


def _players(ends: Sequence[Summary]) -> tuple[PlayerFigures, ...]:
    seats: dict[str, list[tuple[Summary, Seat]]] = {}
    for end in ends:
        for seat in end.seats:
            seats.setdefault(seat.name, []).append((end, seat))
    figures = [_player(name, played) for name, played in seats.items()]
    return tuple(sorted(figures, key=lambda one: (-one.games, one.name)))


def _player(name: str, seats: Sequence[tuple[Summary, Seat]]) -> PlayerFigures:
    played = [(end, seat) for end, seat in seats if not seat.left]
    totals = [seat.total for _, seat in played]
    bonus = [seat.bonus for _, seat in played if seat.bonus is not None]
    contests = [(end.winners, seat) for end, seat in played if len(end.sides) > 1]
    winners = [len(won) for won, seat in contests if seat.side in won]
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
        boxes=_boxes([seat for _, seat in played]),
    )


def _boxes(seats: Sequence[Seat]) -> dict[str, BoxFigures]:
    brought: dict[str, list[int]] = {}
    for seat in seats:
        for box, points in seat.points.items():
            brought.setdefault(box, []).append(points)
    return {box: BoxFigures(len(points), points.count(0), statistics.fmean(points)) for box, points in brought.items()}
