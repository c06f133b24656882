"""Random whole games of every kind, with all that can happen to them, and what must hold after every event.

A few games are played every time. The long proof plays as many as it is told of each game, and says what it did:

    python tests/scorekeeper/test_whole_games.py 20000
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.dice import Roll, five_alike, make_roll
from scorekeeper.events import (
    Edited,
    Left,
    Passed,
    Recorded,
    Renamed,
    Reordered,
    Rolled,
    Scored,
    Started,
    Undone,
    event_from_json,
)
from scorekeeper.game import Option
from scorekeeper.rulebooks import GAMES
from scorekeeper.session import Position, Session, new_game
from scorekeeper.sheet import SheetGame
from scorekeeper.store import Store
from web.commands.games import export_json
from web.commands.imports import import_games

CHIPS = {
    "two_pairs": 5,
    "three_of_a_kind": 10,
    "small_straight": 20,
    "flush": 25,
    "full_house": 30,
    "four_of_a_kind": 40,
    "large_straight": 50,
}


class Tape:
    """Decisions for a game, drawn as bytes: quick to draw, and they shrink to a short game."""

    def __init__(self, decisions: bytes) -> None:
        self._rest: Iterator[int] = iter(decisions)
        self.over = False

    def next(self) -> int:
        decision = next(self._rest, None)
        self.over = decision is None
        return decision or 0

    def below(self, number: int) -> int:
        return self.next() % number


def start(tape: Tape, game_id: str) -> Started:
    spec = GAMES[game_id]
    options = {name: values[tape.below(min(4, len(values)))] for name, values in spec.options.items()}
    if "games" in options:
        options["games"] = str(tape.below(2) + 1)
    most = 8 if tape.below(8) == 0 else 3  # few of the large tables, which take long
    players = {"solo": 1, "teams": 4}.get(options.get("mode", "")) or tape.below(most) + 1
    return new_game(spec.id, [f"P{number}" for number in range(players)], options, first=tape.below(players))


def roll(tape: Tape, before: Roll | None) -> Rolled:
    mask = tape.next()
    kept = tuple(die for place, die in enumerate(before or ()) if mask >> place & 1)[:4]
    return Rolled(dice(tape, kept), kept)


def dice(tape: Tape, kept: tuple[int, ...] = ()) -> Roll:
    # Five alike come up often, so that jokers, primes and yamslams do.
    bias = tape.next()
    face = bias % 6 + 1
    return make_roll([*kept, *(face if bias < 100 else tape.below(6) + 1 for _ in range(5 - len(kept)))])


def event_of(option: Option) -> Recorded:
    return Passed() if option.box is None else Scored(option.box, option.scratch, option.source)


def edit(tape: Tape, position: Position) -> Edited | None:
    """A correction of any filled box, by points or by dice; None where there is none, or it would be refused."""
    game, player = position.game, tape.below(len(position.players))
    filled = game.filled(position.state)[player]
    if not isinstance(game, SheetGame) or not filled:
        return None
    box = [*filled][tape.below(len(filled))]
    if tape.below(2):
        others = sorted(game.possible(box) - {filled[box]})
        return Edited(player, box, points=others[tape.below(len(others))], by=("Ana", None)[tape.below(2)])
    event = Edited(player, box, dice=dice(tape))
    try:
        Session((), position).then(event)
    except ValueError:  # the dice were a joker that could not go there, or they are those that are there
        return None
    return event


def next_event(tape: Tape, position: Position) -> Recorded:
    decision, players, turn = tape.next(), len(position.players), position.turn
    event: Recorded | None = None
    if position.before is not None and (decision < 6 or (turn is None and decision < 60)):
        return position.undo()
    if decision < 16 or (turn is None and decision < 200):
        event = edit(tape, position)
    elif decision < 20 or turn is None:
        event = Renamed(tape.below(players), f"Q{position.seq}")
    elif decision < 26 and position.started.options.get("mode") != "teams":
        player = tape.below(players)
        if player not in position.left and len(position.left) < players - 1:
            event = Left(player)
    elif decision < 60 and position.before is None and players > 1:
        event = Reordered((*range(1, players), 0))
    if event is not None:
        return event
    if turn is None:
        return position.undo()
    may_roll = turn.rolls_left and not position.game.keeps_roll(position.state)
    if turn.dice is None or (may_roll and decision < 110):
        return roll(tape, turn.dice)
    choices = [*position.options, *position.scratches]
    return event_of(choices[tape.below(len(choices))])


# --- what must hold ------------------------------------------------------------------------------------


def check_step(before: Position, event: Recorded, after: Position) -> None:
    assert after.seq == before.seq + 1
    if isinstance(event, Undone):
        back = before.before
        assert back is not None
        assert (after.state, after.turn, after.players, after.typed, after.before) == (
            (back.state, back.turn, back.players, back.typed, back.before)
        )
        return
    assert after.before is before
    assert after.at == after.seq
    game, player = after.game, before.turn and before.turn.player
    assert [*before.left] == [*after.left] or isinstance(event, Left)
    assert before.players == after.players or isinstance(event, Renamed | Reordered)
    if isinstance(event, Edited | Renamed):
        assert before.turn == after.turn
    if isinstance(event, Left):
        assert after.left - before.left == {event.player}
        assert before.turn is not None
        assert after.turn == before.turn or event.player == player or after.turn is None
    if isinstance(event, Renamed | Rolled):
        assert before.state == after.state
    for number, (was, now) in enumerate(zip(game.filled(before.state), game.filled(after.state), strict=True)):
        if isinstance(event, Edited) and event.player == number:
            assert now.keys() == was.keys()
            assert {box: now[box] for box in now if box != event.box} == {b: was[b] for b in was if b != event.box}
        elif isinstance(event, Scored) and number == player and isinstance(game, SheetGame):
            assert now.items() > was.items()
            assert set(now) - set(was) == {event.box}
        else:
            assert now == was


def check_position(position: Position) -> None:
    game, state, turn = position.game, position.state, position.turn
    assert game.turn(state) == (turn and turn.player)
    assert turn is None or turn.player not in position.left
    assert len(position.left) < len(position.players)
    if isinstance(game, SheetGame):
        check_sheet(game, position)
    else:
        check_chips(position)
    check_places(position)
    check_options(position)


def check_sheet(game: SheetGame, position: Position) -> None:
    columns, stayed = game.filled(position.state), set(range(len(position.players))) - position.left
    for column, sums, typed in zip(columns, game.sums(position.state), position.typed, strict=True):
        assert all(points in game.possible(box) for box, points in column.items())
        assert typed <= column.keys()
        upper = sum(points for box, points in column.items() if box in game.boxes[:6])
        assert sums["upper_subtotal"] == upper
        assert bool(sums["upper_bonus"]) == (upper >= 63)
        assert sums["grand_total"] == sum(column.values()) + sums["upper_bonus"] + sums.get("prime", 0)
    sizes = [len(columns[player]) for player in stayed]
    assert max(sizes) - min(sizes) <= 1
    assert position.over == (min(sizes) == len(game.boxes))


def check_chips(position: Position) -> None:
    stock = position.game.stock(position.state)
    assert stock is not None
    sides = dict(zip(position.game.sides(len(position.players)), stock.chips, strict=True))
    places = [stock.rack, stock.pile, *sides.values()]
    assert sum(sum(place.values()) for place in places) == 28
    assert sum(CHIPS[kind] * number for place in places for kind, number in place.items()) == 720
    assert all(sum(place[kind] for place in places) == 4 for kind in CHIPS)
    assert all(number >= 0 for place in places for number in place.values())
    assert position.over == (not any(stock.rack.values()))


def check_places(position: Position) -> None:
    if not position.over:
        assert position.places is None
        return
    totals, sides = position.game.totals(position.state), position.game.sides(len(position.players))
    assert position.places is not None
    for player, place in enumerate(position.places):
        better = {sides[other] for other, total in enumerate(totals) if total > totals[player]} - position.left
        assert place == (None if player in position.left else 1 + len(better))


def check_options(position: Position) -> None:
    """What is offered is legal, as it is offered; the rest is not offered for a reason."""
    dice = position.turn.dice if position.turn else None
    if dice is None:
        assert position.options == position.scratches == ()
        return
    game, state = position.game, position.state
    options, scratches = position.options, position.scratches
    assert all(not option.scratch for option in options)
    assert all(option.scratch and option.points == 0 for option in scratches)
    for option in (*options[-1:], *scratches[-1:]):
        assert option == game.choose(state, dice, option.box, scratch=option.scratch, source=option.source)
        game.take(state, dice, option)
    if game.stock(state) is None:
        assert options  # there is always a box to fill
    if not five_alike(dice):
        # Without jokers a box is worth what it is worth on an empty sheet, and every free one is legal.
        worth = game.points(dice)
        assert all(option.points == worth[option.box or ""] for option in options)


def check_record(session: Session) -> None:
    """What follows from all the events together: the history of each box, and the primes."""
    position, game = session.position, session.position.game
    if not isinstance(game, SheetGame):
        assert session.history() == {}
        return
    filled, history = game.filled(position.state), session.history()
    assert {(player, box) for player, column in enumerate(filled) for box in column} == set(history)
    lies: list[dict[str, Roll]] = [{} for _ in filled]  # the dice of each box in the order of the turns
    for event, after in session.steps:
        turn = after.before.turn if after.before else None
        if isinstance(event, Scored) and turn is not None and turn.dice is not None:
            lies[turn.player][event.box] = turn.dice
        elif isinstance(event, Edited) and event.dice is not None:
            lies[event.player][event.box] = event.dice
    for (player, box), changes in history.items():
        assert changes[-1].points == filled[player][box]
        assert (box in position.typed[player]) == (changes[-1].dice is None)
        assert [change.edit for change in changes] == [False, *[True] * (len(changes) - 1)]
        assert sorted(change.seq for change in changes) == [change.seq for change in changes]
    for column, sums, turns in zip(filled, game.sums(position.state), lies, strict=True):
        order = [*turns]
        since = order[order.index(game.five_alike) + 1 :] if column.get(game.five_alike) else []
        assert sums.get("prime", 0) == game.prime * sum(five_alike(turns[box]) for box in since)


def chain(position: Position) -> list[tuple[object, ...]]:
    """The way back to the start."""
    steps: list[tuple[object, ...]] = []
    step: Position | None = position
    while step is not None:
        steps.append((step.state, step.turn, step.players, step.typed, step.at))
        step = step.before
    return steps


def check_log(session: Session) -> None:
    """The fold of the log is the session as it grew; undone to the start it is the start."""
    again = Session.replay(
        event_from_json(event.kind, json.loads(json.dumps(event.to_json()))) for event in session.events
    )
    assert again == session
    assert chain(again.position) == chain(session.position)
    beginning = chain(Session.start(session.position.started).position)
    # Several steps at once here; one by one they are taken back in the games themselves.
    back = session if session.position.before is None else session.then(Undone(1))
    assert chain(back.position) == beginning
    assert back.seq == len(back.events)


def check_export(session: Session) -> None:
    """Put into a database, taken out as JSON, put into another: the same to the last event."""
    with tempfile.TemporaryDirectory() as folder:
        here, there = Store(Path(folder) / "here.db"), Store(Path(folder) / "there.db")
        session_id = here.create(session.position.started)
        lines = here.record(session_id)
        here.delete(session_id)
        here.restore(session_id, [type(lines[0])(lines[0].at, event) for event in session.events])
        assert here.load(session_id) == session
        out, again = StringIO(), StringIO()
        export_json(here, (), out)
        assert [len(ids) for ids in import_games(there, out.getvalue().encode())] == [1, 0]
        assert [len(ids) for ids in import_games(there, out.getvalue().encode())] == [0, 1]
        assert there.record(session_id) == here.record(session_id)
        assert chain(there.load(session_id).position) == chain(session.position)
        export_json(there, (), again)
        assert again.getvalue() == out.getvalue()
        assert [entry.players for entry in there.sessions()] == [session.position.players]


# --- the games -----------------------------------------------------------------------------------------


def play(tape: Tape, started: Started, after_end: int) -> Session:
    """A game to its end and some events beyond it, or as far as the tape goes; checked at every step."""
    session = Session.start(started)
    check_position(session.position)
    while not tape.over and after_end:
        after_end -= session.position.over
        before = session.position
        event = next_event(tape, before)
        session = session.then(event)
        check_step(before, event, session.position)
        check_position(session.position)
        if isinstance(event, Edited):
            check_record(session)
    check_record(session)
    check_log(session)
    return session


def play_whole(game_id: str, seed: str) -> Session:
    tape = Tape(random.Random(seed).randbytes(60_000))
    session = play(tape, start(tape, game_id), after_end=6)
    assert not tape.over  # each of them came to its end
    return session


@given(st.sampled_from([*GAMES]), st.binary(min_size=300, max_size=1500))
@settings(max_examples=25, deadline=None)
def test_whole_games(game_id: str, decisions: bytes) -> None:
    tape = Tape(decisions)
    play(tape, start(tape, game_id), after_end=20)


@pytest.mark.parametrize("game_id", GAMES)
def test_games_to_their_end(game_id: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(12):
        session = play_whole(game_id, f"{game_id} {number}")
        seen.update(event.kind for event in session.events)
    missing = {"edited"} if game_id == "yamslam" else {"passed"}
    assert {"started", "rolled", "scored", "passed", "undone", "renamed", "left"} - seen.keys() <= missing


@pytest.mark.parametrize("game_id", GAMES)
def test_an_export_put_back_is_the_same(game_id: str) -> None:
    for number in range(3):
        check_export(play_whole(game_id, f"export {game_id} {number}"))


# --- the long proof ------------------------------------------------------------------------------------


def _batch(job: tuple[str, int, int]) -> Counter[str]:
    game_id, first, last = job
    seen: Counter[str] = Counter()
    for number in range(first, last):
        session = play_whole(game_id, f"proof {game_id} {number}")
        if number % 100 == 0:
            check_export(session)
        seen["games"] += 1
        seen.update(event.kind for event in session.events)
    return seen


def main(games: int) -> None:
    step = 100
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for game_id in GAMES:
            jobs = [(game_id, first, min(first + step, games)) for first in range(0, games, step)]
            seen: Counter[str] = Counter()
            for done in pool.map(_batch, jobs):
                seen += done
                sys.stderr.write(f"\r{game_id}: {seen['games']}")
            sys.stdout.write(f"\r{game_id}: {', '.join(f'{number:,} {kind}' for kind, number in seen.items())}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
