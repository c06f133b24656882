"""The games of the database for the command line: list, show, export, delete."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from scorekeeper.advice import advisor, ready
from scorekeeper.advice.review import FortuneFigures, fortune_figures
from scorekeeper.dice import short
from scorekeeper.errors import NoSession, StoreError
from scorekeeper.rulebooks import make_game
from scorekeeper.session import Session
from scorekeeper.statistics import GameFigures
from scorekeeper.store import Entry, Store
from web.api.states import entry_json, state_json
from web.coach.advisors import default_cache
from web.pages import figures
from web.words.names import game_name, row_name, rules_line

FORMAT = "dicescribe games"
VERSION = 2
"""Of the export: 2 has corrections, new names, another order and players who left."""
CSV_COLUMNS = ("session", "started_at", "game", "options", "player", "place", "row", "points")


def open_store(path: Path, *, must_exist: bool) -> Store | None:
    """The store in this file; None where there is none yet and none is to be made. Raises StoreError."""
    try:
        there = path.exists()
    except OSError as problem:
        raise StoreError(f"The database {path} cannot be used: {problem.strerror}.") from problem
    return Store(path) if there or not must_exist else None


def list_games(store: Store | None, out: TextIO, *, as_json: bool) -> None:
    """One line a session, the one changed last first."""
    entries = store.sessions() if store else ()
    for entry in entries:
        if as_json:
            print(json.dumps(entry_json(entry)), file=out)
        else:
            name = game_name(entry.started.game, entry.started.options)
            when = entry.changed_at[:16].replace("T", " ")
            print(f"{entry.id}  {when}  {name}: {', '.join(entry.players)}", file=out)
    if not entries and not as_json:
        print("There are no games yet: dicescribe serve starts one.", file=out)


def show_game(store: Store | None, session_id: str, out: TextIO, *, as_json: bool) -> None:
    """The sheet of one session. Raises NoSession."""
    session = _known(store, session_id).load(session_id)
    if as_json:
        print(json.dumps(state_json(session_id, session)), file=out)
    else:
        out.writelines(f"{line}\n" for line in sheet_text(session))


def sheet_text(session: Session) -> Iterator[str]:
    """The sheet as lines: a column a player, an empty box is a dot and a zero a zero."""
    position = session.position
    yield game_name(position.started.game, position.started.options)
    cells = _cells(session)
    table = [["", *position.players]]
    table += [[row_name(row), *("." if p is None else str(p) for p in points)] for row, points in cells]
    if position.places is not None:
        table.append(["Place", *("left" if place is None else str(place) for place in position.places)])
    yield from _aligned(table)
    if position.turn is not None:
        yield f"{position.players[position.turn.player]} is to play."


def _aligned(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for head, *rest in table:
        columns = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield "  ".join((head.ljust(widths[0]), *columns)).rstrip()


def show_statistics(store: Store | None, out: TextIO, *, as_json: bool) -> None:
    """What all finished games add up to, luck and choices too."""
    entries = store.sessions() if store else ()
    kinds, dice = figures.statistics(entries)
    fortunes = [_fortunes(kind, store, entries, default_cache()) for kind in kinds] if store else []
    if as_json:
        print(json.dumps(figures.statistics_json(kinds, dice, fortunes)), file=out)
        return
    for kind, own in zip(kinds, fortunes, strict=True):
        rules = rules_line(kind.game, kind.options)
        print(figures.title(kind) + (f" · {rules}" if rules else ""), file=out)
        rows: list[tuple[str, ...]] = [("", *figures.COLUMNS, *figures.FORTUNE_COLUMNS)]
        rows += [(*figures.player_row(one), *figures.fortune_row(own.get(one.name))) for one in kind.players]
        out.writelines(f"  {line}\n" for line in _aligned(rows))
    if not kinds:
        print("No game is finished yet.", file=out)
    counted = ", ".join(f"{face}: {count}" for face, count in enumerate(dice.counts, 1))
    print(f"Faces thrown: {counted}. {figures.verdict(dice)}", file=out)


def _fortunes(kind: GameFigures, store: Store, entries: Sequence[Entry], cache: Path) -> Mapping[str, FortuneFigures]:
    """Per player the luck with the dice and what choices cost; empty where the game was never worked out here.

    A tenth of a second a game, so a terminal is shown how far it is.
    """
    from tqdm import tqdm

    game = make_game(kind.game, kind.options)
    if not ready(game, cache):
        return {}
    played = tqdm(figures.ended(kind, entries), desc="looking back", unit="game", leave=False, disable=None)
    return fortune_figures((store.load(entry.id) for entry in played), advisor(game, cache=cache))


def export_json(store: Store | None, session_ids: Sequence[str], out: TextIO) -> None:
    """Everything there is of these sessions (none named: all), to be read by `imports.import_games` and by others."""
    sessions = []
    for session_id in session_ids or _all_ids(store):
        session, lines = _known(store, session_id).load_with_record(session_id)
        events = [{"at": line.at, "kind": line.event.kind, "data": line.event.to_json()} for line in lines]
        sessions.append({"id": session_id, "events": events, "state": state_json(session_id, session)})
    json.dump({"format": FORMAT, "version": VERSION, "sessions": sessions}, out, indent=1)
    out.write("\n")


def export_csv(store: Store | None, session_ids: Sequence[str], out: TextIO) -> None:
    """The scores of these sessions (none named: all): a line for each player and row of the sheet, sums too.

    A box still empty has no points, a zero has 0; there is a place when the game is over.
    """
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for session_id in session_ids or _all_ids(store):
        session, lines = _known(store, session_id).load_with_record(session_id)
        position, started_at = session.position, lines[0].at
        options = " ".join(f"{name}={value}" for name, value in position.started.options.items())
        places = position.places or ("",) * len(position.players)
        for number, (name, place) in enumerate(zip(position.players, places, strict=True)):
            for row, points in _cells(session):
                value = "" if points[number] is None else points[number]
                fixed = (session_id, started_at, position.started.game, options)
                writer.writerow((*fixed, _harmless(name), place, row, value))


def delete_games(store: Store | None, session_ids: Iterable[str]) -> None:
    """Remove sessions for good. Raises NoSession at the first that is not there."""
    for session_id in session_ids:
        _known(store, session_id).delete(session_id)


def _all_ids(store: Store | None) -> list[str]:
    return [entry.id for entry in store.sessions()] if store else []


def _known(store: Store | None, session_id: str) -> Store:
    if store is None:
        raise NoSession(f"There is no game {short(session_id)} here: dicescribe games list names those that are.")
    return store


def _cells(session: Session) -> list[tuple[str, list[int | None]]]:
    """Each row of the sheet with its points per player, as printed from top to bottom; chips by their worth."""
    position = session.position
    game, state = position.game, position.state
    per_player = [filled | sums for filled, sums in zip(game.filled(state), game.sums(state), strict=True)]
    if (stock := game.stock(state)) is not None:
        worth = game.points((1, 1, 1, 1, 1))  # five alike win a chip of any kind
        for cells, chips in zip(per_player, stock.chips, strict=True):
            cells |= {kind: number * worth[kind] for kind, number in chips.items()}
    return [(row, [cells.get(row) for cells in per_player]) for row in game.rows]


def _harmless(name: str) -> str:
    """A name that a spreadsheet takes for text and not for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t")) else name
