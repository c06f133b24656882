"""The pictures of games and figures, each with its numbers as a table: `svg`, `columns`, `rows`, and a `label`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask_babel import gettext as _

from scorekeeper.race import race
from scorekeeper.session import Session
from scorekeeper.statistics import Faces, GameFigures
from scorekeeper.store import Entry
from scorekeeper.summary import Summary
from web.pages.figures import ended
from web.pages.plots import MOST, Bar, Line, Row, bars, classes_of, dots, lines
from web.words import number
from web.words.names import in_line, row_name

NEWEST = 50
"""So many games are drawn over time; the older ones are in the other figures."""

Picture = dict[str, Any]


def race_picture(session: Session) -> Picture | None:
    """The points of each side from round to round; None before the first round is played."""
    run = race(session)
    if not run.rounds:
        return None
    players = session.position.players
    together = [" & ".join(players[player] for player in runner.players) for runner in run.runners]
    names = [
        _("%(name)s (left)", name=name) if runner.left else name
        for name, runner in zip(together, run.runners, strict=True)
    ]
    ends = [
        _("%(name)s: %(points)s", name=in_line(name), points=number(runner.points[-1]))
        for name, runner in zip(names, run.runners, strict=True)
    ]
    drawn = [
        Line(name, [(float(n), float(points)) for n, points in enumerate(runner.points)])
        for name, runner in zip(names, run.runners, strict=True)
    ]
    label = _("Points by round")
    return {
        "label": label,
        "svg": lines(drawn, title=label, told=", ".join(ends) + ".", below=_("Round"), breaks=run.further_games),
        "columns": [_("Round"), *names],
        "rows": [
            [
                str(n),
                *(number(runner.points[n]) if n < len(runner.points) else "–" for runner in run.runners),
            ]
            for n in range(1, run.rounds + 1)
        ],
    }


def kind_pictures(kind: GameFigures, entries: Sequence[Entry]) -> dict[str, Picture | None]:
    """Of the finished games with these rules: how the totals are spread, each box, and the totals over time."""
    summaries = [entry.summary for entry in sorted(ended(kind, entries), key=lambda entry: entry.started_at)]
    return {
        "spread": _spread(summaries),
        "box_means": _box_means(kind),
        "over_time": _over_time([player.name for player in kind.players][:MOST], summaries),
    }


def faces_picture(dice: Faces) -> Picture | None:
    """How often each face was thrown, against a sixth of all; None without a throw."""
    thrown = sum(dice.counts)
    if not thrown:
        return None
    expected = number(thrown / 6, 1)
    drawn = [Bar(face, count, number(count)) for face, count in enumerate(dice.counts, start=1)]
    label = _("How often each face was thrown")
    told = _("Fair dice would show each face about %(times)s times.", times=expected)
    level = thrown / 6, _("a sixth: %(times)s", times=expected)
    return {"label": label, "svg": bars(drawn, title=label, told=told, below="", level=level)}


def _spread(summaries: Sequence[Summary]) -> Picture | None:
    totals = [seat.total for summary in summaries for seat in summary.seats if not seat.left]
    if not totals:
        return None
    width, found = classes_of(totals)
    ranges = [_("%(low)s to %(high)s", low=number(low), high=number(low + width - 1)) for low, _many in found]
    label = _("How the totals are spread")
    told = _("From %(least)s to %(most)s points.", least=number(min(totals)), most=number(max(totals)))
    drawn = [Bar(number(low), many, number(many) if many else "") for low, many in found]
    return {
        "label": label,
        "svg": bars(drawn, title=label, told=told, below=_("Points, from")),
        "columns": [_("Points"), _("How often")],
        "rows": [[range_, number(many)] for range_, (_low, many) in zip(ranges, found, strict=True)],
    }


def _box_means(kind: GameFigures) -> Picture | None:
    """The table beside it, with the zeros, is that of `figures.box_rows`."""
    players = [player for player in kind.players if player.boxes][:MOST]
    if not players:
        return None
    boxes = dict.fromkeys(box for player in players for box in player.boxes)
    rows = [
        Row(row_name(box), [player.boxes[box].mean if box in player.boxes else None for player in players])
        for box in boxes
    ]
    label = _("Each box on average")
    return {
        "label": label,
        "svg": dots(rows, [player.name for player in players], title=label, told=_("Points a game.")),
    }


def _over_time(names: Sequence[str], summaries: Sequence[Summary]) -> Picture | None:
    """The totals of the players, game by game."""
    if len(summaries) < 2:
        return None
    first = max(0, len(summaries) - NEWEST)
    shown = list(enumerate(summaries[first:], start=first + 1))
    per_player = {
        name: [
            (float(n), float(seat.total))
            for n, summary in shown
            for seat in summary.seats
            if seat.name == name and not seat.left
        ]
        for name in names
    }
    drawn = [Line(name, points) for name, points in per_player.items() if points]
    label = _("Totals, game by game")
    if first:
        label = _("Totals of the newest %(num)s games", num=NEWEST)
    ends = [_("%(name)s: %(points)s", name=in_line(line.name), points=number(line.points[-1][1])) for line in drawn]
    told = _("In the last game of each: %(totals)s.", totals=", ".join(ends))
    rows = [[str(n), *(_totals_of(line.name, summary) for line in drawn)] for n, summary in shown]
    return {
        "label": label,
        "svg": lines(drawn, title=label, told=told, below=_("Game")),
        "columns": [_("Game"), *(line.name for line in drawn)],
        "rows": rows,
    }


def _totals_of(name: str, summary: Summary) -> str:
    """The total of the player of this name in a game; of each where two are called so."""
    totals = [number(seat.total) for seat in summary.seats if seat.name == name and not seat.left]
    return ", ".join(totals) or "–"
