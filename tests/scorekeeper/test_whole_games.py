"""Random whole games of every kind, with undos among the moves, and what must hold after every event."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.dice import Roll, five_alike, make_roll
from scorekeeper.events import Passed, Recorded, Rolled, Scored, Started, Undone, event_from_json
from scorekeeper.game import Option
from scorekeeper.rulebooks import GAMES
from scorekeeper.session import Position, Session, new_game

CHIPS = {
    "two_pairs": 5,
    "three_of_a_kind": 10,
    "small_straight": 20,
    "flush": 25,
    "full_house": 30,
    "four_of_a_kind": 40,
    "large_straight": 50,
}


@st.composite
def starts(draw: st.DrawFn) -> Started:
    spec = draw(st.sampled_from([*GAMES.values()]))
    options = {name: draw(st.sampled_from(values[:4])) for name, values in spec.options.items()}
    players = {"solo": 1, "teams": 4}.get(options.get("mode", "")) or draw(st.integers(1, 4))
    return new_game(
        spec.id, [f"P{number}" for number in range(players)], options, first=draw(st.integers(0, players - 1))
    )


class Tape:
    """Decisions for a game, drawn as bytes: quick to draw, and they shrink to a short game."""

    def __init__(self, decisions: bytes) -> None:
        self._rest: Iterator[int] = iter(decisions)
        self.over = False

    def next(self) -> int:
        decision = next(self._rest, None)
        self.over = decision is None
        return decision or 0


def roll(tape: Tape, before: Roll | None) -> Rolled:
    mask = tape.next()
    kept = tuple(die for place, die in enumerate(before or ()) if mask >> place & 1)[:4]
    # Five alike come up often, so that jokers, primes and yamslams do.
    bias = tape.next()
    face = bias % 6 + 1
    thrown = [face if bias < 100 else tape.next() % 6 + 1 for _ in range(5 - len(kept))]
    return Rolled(make_roll([*kept, *thrown]), kept)


def event_of(option: Option) -> Recorded:
    return Passed() if option.box is None else Scored(option.box, option.scratch, option.source)


def next_event(tape: Tape, position: Position) -> Recorded:
    decision = tape.next()
    if position.before is not None and (position.turn is None or decision < 20):
        return position.undo()
    turn = position.turn
    assert turn is not None
    may_roll = turn.rolls_left and not position.game.keeps_roll(position.state)
    if turn.dice is None or (may_roll and decision < 100):
        return roll(tape, turn.dice)
    choices = [*position.options, *position.scratches]
    return event_of(choices[decision % len(choices)])


def check_sheet(before: Position, event: Recorded, after: Position) -> None:
    columns = after.game.filled(after.state)
    if isinstance(event, Scored):
        assert before.turn is not None
        for player, (was, now) in enumerate(zip(before.game.filled(before.state), columns, strict=True)):
            assert now.items() >= was.items()
            assert set(now) - set(was) == ({event.box} if player == before.turn.player else set())
    for column, sums in zip(columns, after.game.sums(after.state), strict=True):
        upper = sum(points for box, points in column.items() if box in after.game.boxes[:6])
        assert sums["upper_subtotal"] == upper
        assert bool(sums["upper_bonus"]) == (upper >= 63)
        assert sums["grand_total"] == sum(column.values()) + sums["upper_bonus"] + sums.get("prime", 0)
    assert after.over == all(len(column) == len(after.game.boxes) for column in columns)


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


def check_options(position: Position) -> None:
    """What is offered is legal, as it is offered; the rest is not offered for a reason."""
    dice = position.turn.dice if position.turn else None
    if dice is None:
        assert position.options == position.scratches == ()
        return
    game, state = position.game, position.state
    assert all(not option.scratch for option in position.options)
    assert all(option.scratch and option.points == 0 for option in position.scratches)
    for option in (*position.options, *position.scratches):
        assert option == game.choose(state, dice, option.box, scratch=option.scratch, source=option.source)
        game.take(state, dice, option)
    if game.stock(state) is None:
        assert position.options  # there is always a box to fill
    if not five_alike(dice):
        # Without jokers a box is worth what it is worth on an empty sheet, and every free one is legal.
        worth = game.points(dice)
        assert all(option.points == worth[option.box or ""] for option in position.options)


def chain(position: Position) -> list[tuple[object, object, int]]:
    """The way back to the start."""
    steps: list[tuple[object, object, int]] = []
    step = position
    while True:
        steps.append((step.state, step.turn, step.at))
        if step.before is None:
            return steps
        step = step.before


@given(starts(), st.binary(min_size=300, max_size=1500))
@settings(max_examples=25, deadline=None)
def test_whole_games(started: Started, decisions: bytes) -> None:
    session, tape = Session.start(started), Tape(decisions)
    start = session.position
    while not tape.over:
        before = session.position
        event = next_event(tape, before)
        assert event_from_json(event.kind, json.loads(json.dumps(event.to_json()))) == event
        session = session.then(event)
        after = session.position
        assert after.seq == session.seq == before.seq + 1
        if isinstance(event, Undone):
            assert before.before is not None
            assert (after.state, after.turn) == (before.before.state, before.before.turn)
        else:
            assert after.before is before
        assert after.turn is None or after.turn.player == after.game.turn(after.state)
        if after.game.stock(after.state) is None:
            check_sheet(before, event, after)
        else:
            check_chips(after)
        check_options(after)

    # The fold of the log is the session as it grew, its way back included.
    again = Session.replay(session.events)
    assert again == session
    assert chain(again.position) == chain(session.position)

    # Undone to the start it is the start, however many undos there were before.
    while session.position.before is not None:
        session = session.then(session.position.undo())
    assert chain(session.position) == chain(start)


@given(starts(), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_every_game_ends(started: Started, seed: int) -> None:
    """Played without undo, to the last box or chip, and the places follow from the totals."""
    tape = Tape(random.Random(seed).randbytes(100_000))
    session = Session.start(started)
    while not session.position.over:
        assert not tape.over
        position = session.position
        assert position.turn is not None
        if position.turn.dice is None:
            session = session.then(roll(tape, None))
            continue
        choices = [*position.options, *position.scratches]
        session = session.then(event_of(choices[tape.next() % len(choices)]))
    position = session.position
    totals, places = position.game.totals(position.state), position.places
    assert places is not None
    for mine, place in zip(totals, places, strict=True):
        better = {side for side, total in zip(position.game.sides(len(totals)), totals, strict=True) if total > mine}
        assert place == len(better) + 1
