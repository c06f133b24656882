"""The statistics as JSON, and as the rows of the page's and the command line's tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.advice.review import FortuneFigures
from scorekeeper.statistics import BoxFigures, Faces, GameFigures, PlayerFigures, faces, game_figures
from scorekeeper.store import Entry
from web.api.fields import TEXT, WHOLE, Schema, fields, list_of
from web.api.states import OPTIONS
from web.words import mark, number, percent, said, said_of
from web.words.names import game_name, in_line, row_name

DECIMALS = 4
COLUMNS = (
    mark("Games"),
    mark("Wins"),
    mark("Shared"),
    mark("Mean"),
    mark("Best"),
    mark("Worst"),
    mark("Spread"),
    mark("Bonus"),
)
"""Of the table of players; see `player_row`."""

FORTUNE_COLUMNS = ("Luck", "Given away")
"""Further ones, of what takes its time: a mean a game."""

NUMBER: Schema = {"type": "number"}
NUMBER_OR_NULL: Schema = {"anyOf": [NUMBER, {"type": "null"}]}
BOXES: Schema = {
    "type": "object",
    "additionalProperties": fields({"filled": WHOLE, "zeros": WHOLE, "mean": NUMBER}),
}
STATISTICS: Schema = fields(
    {
        "games": list_of(
            fields(
                {
                    "game": TEXT,
                    "options": OPTIONS,
                    "games": WHOLE,
                    "players": list_of(
                        fields(
                            {
                                "name": TEXT,
                                **dict.fromkeys(("games", "left", "contests", "wins", "shared_wins"), WHOLE),
                                **dict.fromkeys(("mean", "best", "worst", "spread", "bonus"), NUMBER_OR_NULL),
                                "boxes": BOXES,
                            },
                            dict.fromkeys(("luck", "cost"), NUMBER),
                        )
                    ),
                }
            )
        ),
        "faces": fields(
            {
                "counts": list_of(WHOLE, 6, 6),
                "chi_squared": NUMBER_OR_NULL,
                "p_value": NUMBER_OR_NULL,
                "verdict": {"type": "string", "enum": ["few", "fair", "odd"]},
            }
        ),
    }
)

VERDICTS = {
    "few": mark("There are not yet enough throws to tell."),
    "fair": mark("Nothing speaks against these dice."),
    "odd": mark("Fair dice come out as uneven less than once in a hundred times: have a look at them."),
}


def statistics(entries: Sequence[Entry]) -> tuple[tuple[GameFigures, ...], Faces]:
    """The figures over these sessions."""
    summaries = [entry.summary for entry in entries]
    return game_figures(summaries), faces(summaries)


def ended(kind: GameFigures, entries: Sequence[Entry]) -> list[Entry]:
    """Those of the sessions that these figures are of: finished, and played by their rules."""
    rules = kind.game, kind.options
    return [entry for entry in entries if entry.summary.over and (entry.started.game, entry.started.options) == rules]


def statistics_json(
    kinds: Sequence[GameFigures], dice: Faces, fortunes: Sequence[Mapping[str, FortuneFigures]] = ()
) -> dict[str, Any]:
    """The object STATISTICS; with `luck` and `cost` of the players where their `fortunes` are given, a map a kind."""
    told = fortunes or [{}] * len(kinds)
    return {
        "games": [
            {
                "game": kind.game,
                "options": dict(kind.options),
                "games": kind.games,
                "players": [_player_json(player) | _fortune_json(own.get(player.name)) for player in kind.players],
            }
            for kind, own in zip(kinds, told, strict=True)
        ],
        "faces": {
            "counts": list(dice.counts),
            "chi_squared": _rounded(dice.chi_squared),
            "p_value": _rounded(dice.p_value),
            "verdict": dice.verdict,
        },
    }


def title(kind: GameFigures) -> str:
    """The name of a game, and how many were finished."""
    name = game_name(kind.game, kind.options)
    return said_of("%(name)s: %(num)s game", "%(name)s: %(num)s games", kind.games, name=name)


def columns() -> tuple[str, ...]:
    """COLUMNS in the language of the page."""
    return tuple(map(said, COLUMNS))


def verdict(dice: Faces) -> str:
    """What there is to say about how often each face came up."""
    return said(VERDICTS[dice.verdict])


def player_row(player: PlayerFigures) -> tuple[str, ...]:
    """The name and the cells of COLUMNS; what can't be told is a dash."""
    return (
        in_line(player.name),
        number(player.games),
        *((number(player.wins), number(player.shared_wins)) if player.contests else ("–", "–")),
        _shown(player.mean),
        _shown(player.best),
        _shown(player.worst),
        _shown(player.spread),
        "–" if player.bonus is None else percent(player.bonus),
    )


def fortune_row(own: FortuneFigures | None) -> tuple[str, ...]:
    """The cells of FORTUNE_COLUMNS."""
    return ("–", "–") if own is None else (number(own.luck, 1, sign=True), _shown(own.cost))


def box_rows(kind: GameFigures) -> list[tuple[str, ...]]:
    """Per box its name, and for each player the mean with the share of zeros."""
    boxes = dict.fromkeys(box for player in kind.players for box in player.boxes)
    return [(row_name(box), *(_box_cell(player.boxes.get(box)) for player in kind.players)) for box in boxes]


def _box_cell(figures: BoxFigures | None) -> str:
    if figures is None:
        return "–"
    mean = number(figures.mean, 1)
    if not figures.zeros:
        return mean
    return said("%(mean)s (%(share)s zeros)", mean=mean, share=percent(figures.zeros / figures.filled))


def _player_json(player: PlayerFigures) -> dict[str, Any]:
    return {
        "name": player.name,
        "games": player.games,
        "left": player.left,
        "contests": player.contests,
        "wins": player.wins,
        "shared_wins": player.shared_wins,
        "mean": _rounded(player.mean),
        "best": player.best,
        "worst": player.worst,
        "spread": _rounded(player.spread),
        "bonus": _rounded(player.bonus),
        "boxes": {
            box: {"filled": one.filled, "zeros": one.zeros, "mean": round(one.mean, DECIMALS)}
            for box, one in player.boxes.items()
        },
    }


def _fortune_json(own: FortuneFigures | None) -> dict[str, Any]:
    return {} if own is None else {"luck": _rounded(own.luck), "cost": _rounded(own.cost)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS)


def _shown(value: float | None) -> str:
    return "–" if value is None else number(value, 0 if isinstance(value, int) else 1)
