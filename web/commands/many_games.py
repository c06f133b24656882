"""`dicescribe bench --games`: how fast the pages of games gone by are when there are many."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from scorekeeper.dice import FACES, make_roll
from scorekeeper.events import Passed, Rolled, Scored
from scorekeeper.rulebooks import GAMES
from scorekeeper.session import Session, new_game
from scorekeeper.store import ID_LENGTH, ID_SIGNS, Line, Store
from web import create_app

PAGES = {"home": "/", "history": "/history", "statistics": "/statistics"}
ASKED = 40  # times each, after the first one
NAMES = ("Ana", "Bo", "Cleo", "Dimitri")


def bench_games(games: int, *, as_json: bool) -> None:
    """Measure and print."""
    times = page_times(games)
    if as_json:
        print(json.dumps({"games": games, "ms": times}))
        return
    print(f"{f'{games} games, ms':<20}{'first':>8}{'95 %':>8}")
    for name, ms in times.items():
        print(f"{name:<20}{ms['first']:>8}{ms['p95']:>8}")


def page_times(games: int) -> dict[str, dict[str, float]]:
    """Per page the milliseconds of its first answer after a start, and of 95 % of the later ones.

    The games are finished ones of all kinds, of one to four players, with three rolls each turn.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        database = Path(folder) / "games.db"
        fill(Store(database), games)
        client = create_app({"DATABASE": database, "CACHE": Path(folder)}).test_client()
        times = {}
        for name, path in PAGES.items():
            took = []
            for _ in range(1 + ASKED):
                began = perf_counter()
                with closing(client.get(path)) as answer:
                    assert answer.status_code == 200
                took.append(1000 * (perf_counter() - began))
            first, *later = took
            times[name] = {"first": round(first, 1), "p95": round(sorted(later)[int(0.95 * ASKED)], 1)}
    return times


def fill(store: Store, games: int, different: int = 12) -> None:
    """Put so many finished games into the store; a few different ones, over and over."""
    chance = random.Random(1)
    played = [_played(list(GAMES)[n % len(GAMES)], NAMES[: 1 + n % len(NAMES)], chance) for n in range(different)]
    start = datetime(2026, 1, 1, 18, tzinfo=UTC)
    for n in range(games):
        began = start + timedelta(hours=2 * n)
        lines = [
            Line((began + timedelta(seconds=20 * seq)).isoformat(), event)
            for seq, event in enumerate(played[n % different].events)
        ]
        store.restore("".join(chance.choices(ID_SIGNS, k=ID_LENGTH)), lines)


def _played(game: str, names: Sequence[str], chance: random.Random) -> Session:
    """A whole game in which some dice are kept and the best is taken."""
    session = Session.start(new_game(game, names))
    while not session.position.over:
        dice: tuple[int, ...] = ()
        for _ in range(3):
            kept = dice[: chance.randrange(5)] if dice else ()
            dice = (*kept, *chance.choices(FACES, k=5 - len(kept)))
            session = session.then(Rolled(make_roll(dice), kept=kept))
        best = max(session.position.options, key=lambda option: option.points, default=None)
        if best is None or best.box is None:
            session = session.then(Passed())
        else:
            session = session.then(Scored(best.box, source=best.source))
    return session
