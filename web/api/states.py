"""A session as the JSON object that programs and the page are built on."""

from __future__ import annotations

from typing import Any

from scorekeeper.game import MAX_PLAYERS, Option
from scorekeeper.session import Position, Session
from scorekeeper.statistics import course
from scorekeeper.store import Entry
from web.api.fields import DIE, TEXT, WHOLE, YES, Schema, fields, list_of

TIME: Schema = {"type": "string", "format": "date-time"}
NUMBERS: Schema = {"type": "object", "additionalProperties": WHOLE}
OPTIONS: Schema = {"type": "object", "additionalProperties": TEXT}
SHELF: Schema = {"type": "string", "enum": ["rack", "pile"]}
OPTION: Schema = fields({"box": TEXT, "points": WHOLE}, {"from": SHELF, "prime": WHOLE})
TURN: Schema = fields(
    {
        "player": WHOLE,
        "roll": {"type": "integer", "minimum": 0, "maximum": 3},
        "dice": list_of(DIE, 0, 5),
        "kept": list_of(DIE, 0, 4),
        "options": list_of(OPTION),
        "scratches": list_of(TEXT),
        "pass": YES,
    }
)
PLAYER: Schema = fields(
    {"name": TEXT, "boxes": NUMBERS, "sums": NUMBERS, "total": WHOLE, "typed": list_of(TEXT), "left": YES},
    {"chips": NUMBERS, "course": {"type": "integer"}},
)
STATE: Schema = fields(
    {
        "id": TEXT,
        "seq": WHOLE,
        "game": TEXT,
        "options": OPTIONS,
        "players": list_of(PLAYER, 1, MAX_PLAYERS),
        "turn": {"anyOf": [TURN, {"type": "null"}]},
    },
    {"places": list_of({"anyOf": [WHOLE, {"type": "null"}]}, 1, MAX_PLAYERS), "rack": NUMBERS, "pile": NUMBERS},
)
ENTRY: Schema = fields(
    {
        "id": TEXT,
        "seq": WHOLE,
        "game": TEXT,
        "options": OPTIONS,
        "players": list_of(fields({"name": TEXT}), 1, MAX_PLAYERS),
        "started_at": TIME,
        "changed_at": TIME,
    }
)


def state_json(session_id: str, session: Session) -> dict[str, Any]:
    """The State of a session.

    Of a player, `typed` are the boxes whose points were typed and do not come from dice, `left` says that they play no
    more, and `course`, on a score sheet, how many points the upper boxes filled are ahead (+) or behind (-) of three
    dice of each face, which make the 63 of the bonus.

    `turn` is null and `places` is there when the game is over; `rack`, `pile` and the players' `chips` only in a game
    with shared chips.
    """
    position = session.position
    game, state = position.game, position.state
    stock = game.stock(state)
    players: list[dict[str, Any]] = [
        {
            "name": name,
            "boxes": boxes,
            "sums": sums,
            "total": total,
            "typed": [box for box in game.boxes if box in typed],
            "left": number in position.left,
            **({} if (ahead := course(game, boxes)) is None else {"course": ahead}),
        }
        for number, (name, boxes, sums, total, typed) in enumerate(
            zip(
                position.players,
                game.filled(state),
                game.sums(state),
                game.totals(state),
                position.typed,
                strict=True,
            )
        )
    ]
    shared = {}
    if stock is not None:
        shared = {"rack": dict(stock.rack), "pile": dict(stock.pile)}
        for player, chips in zip(players, stock.chips, strict=True):
            player["chips"] = dict(chips)
    places = {} if position.places is None else {"places": list(position.places)}
    return {
        "id": session_id,
        "seq": session.seq,
        "game": position.started.game,
        "options": dict(position.started.options),
        "players": players,
        "turn": _turn_json(position),
        **places,
        **shared,
    }


def entry_json(entry: Entry) -> dict[str, Any]:
    """One line of the list of sessions."""
    return {
        "id": entry.id,
        "seq": entry.seq,
        "game": entry.started.game,
        "options": dict(entry.started.options),
        "players": [{"name": name} for name in entry.players],
        "started_at": entry.started_at,
        "changed_at": entry.changed_at,
    }


def _turn_json(position: Position) -> dict[str, Any] | None:
    turn = position.turn
    if turn is None:
        return None
    scratches = position.scratches
    return {
        "player": turn.player,
        "roll": turn.roll,
        "dice": list(turn.dice or ()),
        "kept": list(turn.kept),
        "options": [_option_json(option) for option in position.options],
        "scratches": [option.box for option in scratches if option.box is not None],
        "pass": any(option.box is None for option in scratches),
    }


def _option_json(option: Option) -> dict[str, Any]:
    shown: dict[str, Any] = {"box": option.box, "points": option.points}
    if option.source is not None:
        shown["from"] = option.source
    if option.prime:
        shown["prime"] = option.prime
    return shown
