"""Advice as JSON, and positions written as JSON; the command line and the HTTP interface share both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.advice import Advice, Advisor, BoxValue
from scorekeeper.advice.chips import suited
from scorekeeper.advice.odds import Hope, hopes
from scorekeeper.chips import ChipGame
from scorekeeper.dice import DICE, Roll, make_roll
from scorekeeper.errors import RuleError
from scorekeeper.game import AnyGame
from scorekeeper.rulebooks import make_game
from scorekeeper.session import Session
from scorekeeper.sheet import SheetGame
from web.api.fields import DIE, TEXT, WHOLE, YES, Schema, check, fields, list_of, parsed
from web.api.states import SHELF
from web.coach.advisors import Advisors
from web.coach.phrases import why
from web.errors import BadUse, Refused

DECIMALS = 6
OVER = "The game is over: there is nothing left to advise."
# What each may hold the game checks, and says better.
NUMBERS: Schema = {"type": "object", "additionalProperties": True}
ROLLED: dict[str, Schema] = {
    "dice": list_of(DIE, DICE, DICE),
    "rolls_left": {"type": "integer", "minimum": 0, "maximum": 2},
}
ON_A_SHEET = fields({"boxes": NUMBERS}, {"primes": {"type": "integer"}, **ROLLED})
WITH_CHIPS = fields({"rack": NUMBERS}, {"pile": NUMBERS, "chips": NUMBERS, **ROLLED})

NUMBER: Schema = {"type": "number"}
KEEP = list_of(DIE, 0, DICE)
ADVICE = fields(
    {"seq": WHOLE},
    {
        "over": YES,
        "player": WHOLE,
        "expected": NUMBER,
        "keep": KEEP,
        "keeps": list_of(fields({"keep": KEEP, "expected": NUMBER})),
        **dict.fromkeys(
            ("boxes", "chips"),
            list_of(fields({"id": TEXT, "points": WHOLE, "expected": NUMBER}, {"from": SHELF, "prime": WHOLE})),
        ),
        "pass": NUMBER,
        "why": TEXT,
        "odds": list_of(fields({"box": TEXT, "chance": NUMBER}, {"count": WHOLE})),
        "assumption": TEXT,
    },
)
BUILDING = fields({"seq": WHOLE, "building": {"type": "number", "minimum": 0, "maximum": 1}})


@dataclass(frozen=True, slots=True)
class Position:
    """What advice is asked for: the game, its state with the player to move, and the roll; None before the first."""

    game: AnyGame
    state: Any
    roll: Roll | None
    rolls_left: int


def parse_position(text: str, game_id: str, options: Mapping[str, str]) -> Position:
    """A position as the command line takes it. Raises BadUse or RuleError with what is allowed.

    Without dice it stands before the first roll. In Yamslam it is one of playing alone if all 28 chips are named and
    no mode is given.
    """
    game = make_game(game_id, options)
    try:
        data = parsed(text)
        check(data, ON_A_SHEET if isinstance(game, SheetGame) else WITH_CHIPS, "A position")
        if ("dice" in data) != ("rolls_left" in data):
            raise BadUse("A position has dice and rolls_left, or before the first roll of a turn neither.")
        game, state = _stand(game, data, options)
    except RuleError:
        raise
    except Refused as refused:
        raise BadUse(refused.message) from refused
    except (ValueError, RecursionError) as problem:
        raise BadUse(f"A position is one JSON object in a line; this is none: {_reason(problem)}.") from problem
    if game.turn(state) is None:
        raise BadUse("The game is over in this position: there is nothing left to play for.")
    roll = make_roll(data["dice"]) if "dice" in data else None
    return Position(game, state, roll, data.get("rolls_left", 3))


def _stand(game: AnyGame, data: Mapping[str, Any], options: Mapping[str, str]) -> tuple[AnyGame, Any]:
    """The game and its state, with one player to move. Raises IllegalMove."""
    if isinstance(game, SheetGame):
        return game, replace(game.start(1), columns=(game.column(data["boxes"], data.get("primes", 0)),))
    assert isinstance(game, ChipGame)
    state = game.position(*(data.get(place, {}) for place in ("rack", "pile", "chips")))
    return game if "mode" in options else suited(game, state), state


def advice_json(advisor: Advisor, position: Position) -> dict[str, Any]:
    """The object of `dicescribe advise --json`; before the first roll only what is to be expected."""
    if position.roll is None:
        player = position.game.turn(position.state)
        assert player is not None
        return {"expected": _rounded(advisor.before(position.state, player))}
    return told(position, advisor.advise(position.state, position.roll, position.rolls_left))


def session_advice(advisors: Advisors, session: Session) -> dict[str, Any]:
    """The object of the HTTP interface for where a session stands: ADVICE, or BUILDING. Raises AdviceFailed."""
    answer: dict[str, Any] = {"seq": session.seq}
    turn = session.position.turn
    if turn is None:
        return answer | {"over": True, "why": OVER}
    found = advisors.get(session.position.game)
    if isinstance(found, float):
        return answer | {"building": round(found, 3)}
    return answer | {"player": turn.player} | advice_json(found, present(session))


def present(session: Session) -> Position:
    """Where a session stands that is not over."""
    position = session.position
    assert position.turn is not None
    return Position(position.game, position.state, position.turn.dice, position.turn.rolls_left)


def told(position: Position, advice: Advice) -> dict[str, Any]:
    """Advice for a roll, and why."""
    chips = position.game.stock(position.state) is not None
    odds = hoped_for(position, advice)
    answer: dict[str, Any] = {}
    if advice.keeps:
        answer["keep"] = list(advice.keeps[0].keep)
    answer["expected"] = _rounded(advice.expected)
    if advice.keeps:
        answer["keeps"] = [{"keep": list(one.keep), "expected": _rounded(one.expected)} for one in advice.keeps]
    answer["chips" if chips else "boxes"] = [_box_json(one) for one in advice.boxes]
    if advice.pass_expected is not None:
        answer["pass"] = _rounded(advice.pass_expected)
    answer["why"] = why(advice, odds)
    if odds:
        answer["odds"] = [
            {"box": hope.box, "chance": _rounded(hope.chance)} | ({} if hope.count is None else {"count": hope.count})
            for hope in odds
        ]
    if advice.assumption is not None:
        answer["assumption"] = advice.assumption
    return answer


def hoped_for(position: Position, advice: Advice) -> tuple[Hope, ...]:
    """What the keep advised may bring; nothing where no die is thrown."""
    if not advice.keeps or len(advice.keeps[0].keep) == DICE:
        return ()
    game, state = position.game, position.state
    stock = game.stock(state)
    if stock is None:
        filled = game.filled(state)[game.turn(state) or 0]
        boxes = [box for box in game.boxes if box not in filled]
    else:
        boxes = [box for box in game.boxes if stock.rack[box]]
    return hopes(game, boxes, advice.keeps[0].keep, position.rolls_left)


def _box_json(box: BoxValue) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": box.box, "points": box.points, "expected": _rounded(box.expected)}
    if box.source is not None:
        shown["from"] = box.source
    if box.prime:
        shown["prime"] = box.prime
    return shown


def _rounded(value: float) -> float:
    return round(value, DECIMALS)


def _reason(problem: ValueError | RecursionError) -> str:
    if isinstance(problem, RecursionError):
        return "it is nested too deep"
    if isinstance(problem, json.JSONDecodeError):
        return f"{problem.msg} at sign {problem.pos + 1}"
    text = str(problem)
    return "it holds a number with too many digits" if "integer string" in text else text
