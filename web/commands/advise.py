"""`dicescribe advise`: what perfect play is worth from the start, or what to do in a position."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from scorekeeper.advice import Advisor, advisor, start_value
from scorekeeper.errors import RuleError
from scorekeeper.game import AnyGame
from scorekeeper.rulebooks import make_game
from web.coach.advice import advice_json, parse_position
from web.coach.advisors import default_cache
from web.coach.phrases import dice_words, points_words
from web.errors import BadUse
from web.words.names import row_name

START_DECIMALS = 9
KEEPS_SHOWN = 5


def advise_start(game_id: str, options: Mapping[str, str], *, as_json: bool) -> None:
    """Print what one player may expect of a fresh game under perfect play. Raises BadGame."""
    with _progress() as progress:
        value = start_value(make_game(game_id, options), cache=default_cache(), progress=progress)
    value = round(value, START_DECIMALS)
    print(json.dumps({"expected": value}) if as_json else f"{value:.{START_DECIMALS}f} on average under perfect play")


def advise_one(text: str, game_id: str, options: Mapping[str, str], *, as_json: bool) -> None:
    """Print advice for one position. Raises BadUse, RuleError."""
    position = parse_position(text, game_id, options)
    _print(advice_json(_advisor(position.game, {}), position), as_json=as_json)


def advise_lines(lines: Iterable[str], game_id: str, options: Mapping[str, str], *, as_json: bool) -> list[str]:
    """Print advice for a position a line; gives the sentences about those that can't be understood."""
    make_game(game_id, options)
    advisors: dict[AnyGame, Advisor] = {}
    problems = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            position = parse_position(line, game_id, options)
            answer = advice_json(_advisor(position.game, advisors), position)
        except (BadUse, RuleError) as problem:
            problems.append(f"Line {number}: {problem}")
            answer = {"error": str(problem)}
        _print(answer, as_json=as_json)
    return problems


def _advisor(game: AnyGame, known: dict[AnyGame, Advisor]) -> Advisor:
    if game not in known:
        with _progress() as progress:
            known[game] = advisor(game, cache=default_cache(), progress=progress)
    return known[game]


@contextmanager
def _progress() -> Iterator[Callable[[float], None]]:
    """Shows how far a table is built, on a terminal, once there is something to show."""
    bar: Any = None

    def show(done: float) -> None:
        nonlocal bar
        if bar is None:
            if not sys.stderr.isatty():
                return
            from tqdm import tqdm

            bar = tqdm(total=100, desc="working out the game", unit="%", bar_format="{desc} {percentage:3.0f}%|{bar}|")
        bar.update(round(100 * done) - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()


def _print(answer: dict[str, Any], *, as_json: bool) -> None:
    print(json.dumps(answer) if as_json else "\n".join(_text(answer)), flush=True)


def _text(answer: dict[str, Any]) -> Iterator[str]:
    if "error" in answer:
        yield f"not understood: {answer['error']}"
        return
    if "why" not in answer:
        yield f"{points_words(answer['expected'])} on average under perfect play"
        return
    yield answer["why"]
    for keep in answer.get("keeps", ())[:KEEPS_SHOWN]:
        held = f"keep {dice_words(keep['keep'])}" if keep["keep"] else "keep nothing"
        yield f"  {held:<26}{keep['expected']:>8.2f}"
    for box in answer.get("boxes", answer.get("chips", ())):
        name = row_name(box["id"]) + (" (pile)" if box.get("from") == "pile" else "")
        yield f"  {name:<22}{box['points']:>4}{box['expected']:>8.2f}"
    if "pass" in answer:
        yield f"  {'No chip':<26}{answer['pass']:>8.2f}"
