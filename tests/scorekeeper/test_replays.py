"""Sessions that are kept to be carried on from: never another than the whole log would give."""

from __future__ import annotations

import json
import random

import pytest

from scorekeeper.errors import RuleError
from scorekeeper.events import Event, Rolled, Scored, Undone
from scorekeeper.replays import Replays, Row
from scorekeeper.session import Session, new_game


def rows(*events: Event) -> tuple[Row, ...]:
    return tuple((event.kind, json.dumps(event.to_json())) for event in events)


def played(seed: int, steps: int) -> Session:
    """A session of so many steps, with an undo now and then."""
    chance = random.Random(seed)
    session = Session.start(new_game("yams", ["Ana", "Bo"]))
    for _ in range(steps):
        position = session.position
        if position.before is not None and chance.random() < 0.2:
            session = session.then(position.undo())
        elif position.turn is not None and position.turn.dice is None:
            a, b, c, d, e = sorted(chance.choices(range(1, 7), k=5))
            session = session.then(Rolled((a, b, c, d, e)))
        else:
            session = session.then(Scored(chance.choice(position.options).box or ""))
    return session


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """What sessions are carried on by, once they have begun."""
    taken: list[Event] = []

    def then(self: Session, event: Event, real=Session.then) -> Session:  # type: ignore[no-untyped-def]
        taken.append(event)
        return real(self, event)  # type: ignore[no-any-return]

    monkeypatch.setattr(Session, "then", then)
    return taken


@pytest.mark.parametrize("seed", range(4))
def test_a_log_that_grows_is_at_each_step_what_all_of_it_gives(seed: int) -> None:
    session, replays = played(seed, 30), Replays()
    log = rows(*session.events)
    for length in range(1, len(log) + 1):
        assert replays.session("a", log[:length]) == Session.replay(session.events[:length])
    for length in (5, 30, 1, 17):  # as it was before: of a backup that was put back
        assert replays.session("a", log[:length]) == Session.replay(session.events[:length])


def test_one_entry_more_is_one_step_and_no_more_is_none(steps: list[Event]) -> None:
    session, replays = played(1, 12), Replays()
    log = rows(*session.events)
    before = replays.session("a", log[:-1])
    steps.clear()
    after = replays.session("a", log)
    assert steps == [session.events[-1]]
    assert after.position.before is before.position or isinstance(steps[0], Undone)
    assert replays.session("a", rows(*session.events)) is after
    assert len(steps) == 1


def test_another_log_of_the_same_name_and_length_is_another_session() -> None:
    one, other, replays = played(1, 8), played(2, 8), Replays()
    assert replays.session("a", rows(*one.events)) == one
    assert replays.session("a", rows(*other.events)) == other
    longer = other.then(other.position.undo())
    assert replays.session("a", rows(*longer.events)) == longer


def test_what_is_not_legal_is_refused_each_time_and_spoils_nothing() -> None:
    replays = Replays()
    good = rows(new_game("yams", ["Ana"]), Rolled((1, 2, 3, 4, 5)))
    want = replays.session("a", good)
    for bad in (*rows(Rolled((9, 9, 9, 9, 9))), *rows(Scored("no box")), ("rolled", "{"), ("no kind", "{}")):
        for _ in range(2):
            with pytest.raises(RuleError):
                replays.session("a", (*good, bad))
        assert replays.session("a", good) == want


def test_only_so_many_are_kept_those_asked_for_last(steps: list[Event]) -> None:
    replays, log = Replays(most=2), rows(new_game("yams", ["Ana"]), Rolled((1, 2, 3, 4, 5)))
    for name in ("a", "b", "a", "c"):
        replays.session(name, log)
    steps.clear()
    kept = [replays.session(name, log) for name in ("a", "c")]
    assert steps == []
    assert kept[0] == replays.session("b", log)
    assert len(steps) == 1
