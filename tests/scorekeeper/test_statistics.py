"""Figures over sessions, checked by hand on small ones; the test of the dice against known values."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from math import sqrt

import pytest

from scorekeeper.dice import Roll, counts, make_roll
from scorekeeper.events import Edited, Event, Left, Passed, Renamed, Rolled, Scored, Undone
from scorekeeper.rulebooks import make_game
from scorekeeper.session import Session, new_game
from scorekeeper.statistics import (
    BoxFigures,
    Faces,
    GameFigures,
    PlayerFigures,
    assess,
    chi_squared_tail,
    course,
)
from scorekeeper.statistics import faces as faces_of
from scorekeeper.statistics import game_figures as figures_of
from scorekeeper.summary import Summary, summarise

LOW: Roll = (1, 1, 2, 3, 6)
WORTH = {  # of LOW in the boxes of Yams
    "ones": 2,
    "twos": 2,
    "threes": 3,
    "fours": 0,
    "fives": 0,
    "sixes": 6,
    "three_of_a_kind": 0,
    "four_of_a_kind": 0,
    "full_house": 0,
    "small_straight": 0,
    "large_straight": 0,
    "yams": 0,
    "chance": 13,
}
TOTAL = 26


def after(session: Session, *events: Event) -> Session:
    for event in events:
        session = session.then(event)
    return session


def begin(*names: str, game: str = "yams", **options: str) -> Session:
    return Session.start(new_game(game, names, options))


def played(*names: str, edits: tuple[Edited, ...] = (), **options: str) -> Session:
    """A whole game of Yams in which everybody has LOW every time, and the edits at the end."""
    session = begin(*names, **options)
    while session.position.turn is not None:
        filled = session.position.game.filled(session.position.state)[session.position.turn.player]
        box = next(box for box in session.position.game.boxes if box not in filled)
        session = after(session, Rolled(LOW), Scored(box))
    return after(session, *edits)


def shortened(sessions: list[Session]) -> list[Summary]:
    """Their summaries as they come back from where they are kept."""
    return [
        Summary.from_json(session.position.started, json.loads(json.dumps(summarise(session).to_json())))
        for session in sessions
    ]


def game_figures(sessions: list[Session]) -> tuple[GameFigures, ...]:
    return figures_of(shortened(sessions))


def faces(sessions: list[Session]) -> Faces:
    return faces_of(shortened(sessions))


def of(figures: tuple[GameFigures, ...], name: str) -> PlayerFigures:
    (found,) = [player for kind in figures for player in kind.players if player.name == name]
    return found


# --- games ---------------------------------------------------------------------------------------------


def test_one_game_of_two() -> None:
    (kind,) = game_figures([played("Ana", "Bo", edits=(Edited(0, "chance", points=20),))])
    assert (kind.game, kind.games, kind.options["joker"]) == ("yams", 1, "none")
    ana, bo = kind.players
    assert ana == PlayerFigures(
        name="Ana",
        games=1,
        left=0,
        contests=1,
        wins=1,
        shared_wins=0,
        mean=33.0,
        best=33,
        worst=33,
        spread=None,
        bonus=0.0,
        boxes={box: BoxFigures(1, int(not points), points) for box, points in (WORTH | {"chance": 20}).items()},
    )
    assert (bo.wins, bo.shared_wins, bo.mean, bo.boxes["chance"].mean) == (0, 0, 26.0, 13.0)
    assert asdict(kind)["players"][0]["boxes"]["fours"] == {"filled": 1, "zeros": 1, "mean": 0.0}


def test_means_and_spread_of_several_games() -> None:
    games = [played("Ana", "Bo", edits=(Edited(0, "chance", points=points),)) for points in (23, 27, 28)]
    ana = of(game_figures(games), "Ana")
    totals = [36, 40, 41]
    mean = sum(totals) / 3
    assert ana.mean == pytest.approx(mean)
    assert (ana.games, ana.best, ana.worst, ana.wins) == (3, 41, 36, 3)
    assert ana.spread == pytest.approx(sqrt(sum((total - mean) ** 2 for total in totals) / 2))
    assert ana.boxes["chance"] == BoxFigures(3, 0, 26.0)


def test_wins_are_against_somebody_and_may_be_shared() -> None:
    games = [
        played("Ana"),
        played("Ana", "Bo"),
        played("Ana", "Bo", "Cy", edits=(Edited(2, "chance", points=0),)),
        played("Cy", "Ana", edits=(Edited(0, "chance", points=30),)),
    ]
    figures = game_figures(games)
    won = {
        name: (one.games, one.contests, one.wins, one.shared_wins)
        for name in ("Ana", "Bo", "Cy")
        for one in [of(figures, name)]
    }
    assert won == {"Ana": (4, 3, 0, 2), "Bo": (2, 2, 0, 2), "Cy": (2, 2, 1, 0)}
    assert [player.name for player in figures[0].players] == ["Ana", "Bo", "Cy"]


def test_only_finished_games_count_and_each_set_of_rules_is_apart() -> None:
    running = after(begin("Ana"), Rolled(LOW), Scored("ones"))
    assert game_figures([running]) == ()
    back = played("Ana")
    back = after(back, back.position.undo())
    figures = game_figures([running, back, played("Ana", joker="free"), played("Ana"), played("Ana")])
    assert [(kind.options["joker"], kind.games) for kind in figures] == [("none", 2), ("free", 1)]


def test_who_left_is_counted_as_such_and_wins_nothing() -> None:
    session = after(begin("Ana", "Bo"), Rolled((6, 6, 6, 6, 6)), Scored("yams"), Left(0))
    while session.position.turn is not None:
        filled = session.position.game.filled(session.position.state)[1]
        session = after(session, Rolled(LOW), Scored(next(box for box in WORTH if box not in filled)))
    ana, bo = (of(game_figures([session]), name) for name in ("Ana", "Bo"))
    assert (ana.games, ana.left, ana.contests, ana.mean, ana.best, ana.bonus, ana.boxes) == (
        0,
        1,
        0,
        None,
        None,
        None,
        {},
    )
    assert (bo.games, bo.contests, bo.wins, bo.mean) == (1, 0, 0, TOTAL)


def test_names_are_those_of_the_end() -> None:
    figures = game_figures([after(played("Ana", "Bo"), Renamed(0, "Bo"))])
    assert [(player.name, player.games) for player in figures[0].players] == [("Bo", 2)]


def test_the_bonus_rate() -> None:
    upper = [(3 * face, box) for face, box in enumerate(list(WORTH)[:6], 1)]
    edits = tuple(Edited(0, box, points=points) for points, box in upper if points != WORTH[box])
    figures = game_figures([played("Ana", edits=edits), played("Ana")])
    assert of(figures, "Ana").bonus == 0.5


def chips_game(*names: str, **options: str) -> Session:
    """Everybody takes one flush, then nobody takes anything."""
    session = begin(*names, game="yamslam", **options)
    for _ in names:
        session = after(session, Rolled((2, 2, 4, 4, 6)), Scored("flush"))
    while session.position.turn is not None:
        session = after(session, Rolled((1, 2, 3, 5, 6)), Passed())
    return session


def test_chips_by_kind() -> None:
    ana = of(game_figures([chips_game("Ana", "Bo")]), "Ana")
    assert (ana.games, ana.shared_wins, ana.mean, ana.bonus) == (1, 1, 25.0, None)
    assert ana.boxes["flush"] == BoxFigures(1, 0, 25.0)
    assert ana.boxes["two_pairs"] == BoxFigures(1, 1, 0.0)
    # Of several games in a row the chips of the earlier ones are gone.
    assert of(game_figures([chips_game("Ana", "Bo", games="2")]), "Ana").boxes == {}


def test_a_team_wins_together() -> None:
    session = begin("A", "B", "C", "D", game="yamslam", mode="teams")
    session = after(session, Rolled((2, 2, 4, 4, 6)), Scored("flush"))
    while session.position.turn is not None:
        session = after(session, Rolled((1, 2, 3, 5, 6)), Passed())
    figures = game_figures([session])
    assert [(player.name, player.wins, player.shared_wins, player.mean) for player in figures[0].players] == [
        ("A", 1, 0, 25.0),
        ("B", 0, 0, 0.0),
        ("C", 1, 0, 25.0),
        ("D", 0, 0, 0.0),
    ]


# --- the way to 63 -------------------------------------------------------------------------------------


def test_the_course_to_63() -> None:
    game = make_game("yams")
    assert course(game, {}) == 0
    assert course(game, {"chance": 30, "yams": 0}) == 0
    assert course(game, {"ones": 3, "sixes": 24, "chance": 30}) == 6
    assert course(game, {"ones": 0}) == -3  # a zero is behind, an empty box is not
    assert course(game, {box: 3 * face for face, box in enumerate(game.boxes[:6], 1)}) == 0
    assert course(make_game("scandinavian"), {"fives": 10}) == -5
    assert course(make_game("yamslam"), {}) is None


# --- the dice ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value, tail",
    # From the usual table of critical values for five degrees of freedom.
    [
        (0, 1),
        (1.1455, 0.95),
        (1.6103, 0.9),
        (4.3515, 0.5),
        (9.2364, 0.1),
        (11.0705, 0.05),
        (15.0863, 0.01),
        (20.515, 0.001),
    ],
)
def test_the_tail_of_chi_squared(value: float, tail: float) -> None:
    assert chi_squared_tail(value) == pytest.approx(tail, rel=1e-4)


def test_the_tail_against_its_integral() -> None:
    # d/dx of the tail is minus the density x^1.5 e^(-x/2) / (2^2.5 Gamma(2.5)), and Gamma(2.5) = 3/4 sqrt(pi).
    for value in (0.3, 2.0, 7.7, 30.0):
        step = 1e-5
        slope = (chi_squared_tail(value - step) - chi_squared_tail(value + step)) / (2 * step)
        density = value**1.5 * 2.718281828459045 ** (-value / 2) / (2**2.5 * 0.75 * 3.141592653589793**0.5)
        assert slope == pytest.approx(density, rel=1e-4)


def test_a_verdict_needs_enough_throws() -> None:
    nothing = assess((0, 0, 0, 0, 0, 0))
    assert (nothing.chi_squared, nothing.p_value, nothing.verdict) == (None, None, "few")
    assert assess((50, 0, 0, 0, 0, 0)).verdict == "few"
    # 5 * 2^2 / 50 + 10^2 / 50 = 2.4, by hand.
    uneven = assess((60, 48, 48, 48, 48, 48))
    assert uneven.chi_squared == pytest.approx(2.4)
    assert uneven.verdict == "fair"
    assert assess((100, 40, 40, 40, 40, 40)).verdict == "odd"


@pytest.mark.parametrize("weight, verdict", [(1.0, "fair"), (1.5, "odd")])
def test_fair_dice_are_fair_and_loaded_ones_are_not(weight: float, verdict: str) -> None:
    drawn = random.Random(4).choices(range(1, 7), weights=(1, 1, 1, 1, 1, weight), k=3000)
    assert assess(counts(drawn)).verdict == verdict


def test_only_dice_that_were_thrown_are_counted() -> None:
    session = after(
        begin("Ana"),
        Rolled((6, 6, 1, 2, 3)),  # all five
        Rolled((6, 6, 4, 4, 5), kept=(6, 6)),  # 4 4 5
        Rolled((6, 6, 6, 4, 4), kept=(6, 6, 4, 4)),  # 6
        Scored("sixes"),
    )
    assert faces([session]).counts == (1, 1, 1, 2, 1, 3)
    # A turn that is not finished is not looked at yet.
    assert faces([after(session, Rolled((1, 1, 1, 1, 1)))]).counts == (1, 1, 1, 2, 1, 3)


def test_a_later_roll_without_kept_dice_says_nothing() -> None:
    session = after(begin("Ana"), Rolled((6, 6, 1, 2, 3)), Rolled((6, 6, 6, 2, 3)), Scored("sixes"))
    assert faces([session]).counts == (1, 1, 1, 0, 0, 2)
    session = after(
        begin("Ana"), Rolled((6, 6, 1, 2, 3)), Rolled((6, 6, 6, 2, 3), kept=(6, 6), number=3), Scored("sixes")
    )
    assert faces([session]).counts == (1, 2, 2, 0, 0, 3)


def test_sessions_with_only_last_rolls_are_left_out() -> None:
    assert sum(faces([played("Ana")]).counts) == 0
    # As many turns with several rolls as with one: the single rolls are early ends.
    session = after(
        begin("Ana"), Rolled(LOW), Rolled((1, 1, 4, 4, 4), kept=(1, 1)), Scored("ones"), Rolled(LOW), Scored("sixes")
    )
    assert sum(faces([session]).counts) == 13
    assert sum(faces([after(session, Rolled(LOW), Scored("chance"))]).counts) == 0


def test_what_was_undone_was_not_thrown_but_a_leavers_dice_were() -> None:
    session = after(
        begin("Ana", "Bo"), Rolled((6, 6, 6, 6, 6)), Undone(1), Rolled(LOW), Rolled((1, 1, 4, 4, 4), kept=(1, 1))
    )
    assert faces([after(session, Scored("ones"))]).counts == (2, 1, 1, 3, 0, 1)
    assert faces([after(session, Left(0))]).counts == (2, 1, 1, 3, 0, 1)


def test_the_second_chip_of_a_roll_counts_its_dice_once() -> None:
    session = after(
        begin("Ana", game="yamslam", mode="solo"),
        Rolled((3, 3, 3, 3, 1)),
        Rolled((3, 3, 3, 3, 3), kept=(3, 3, 3, 3)),
        Scored("flush"),
        Scored("full_house"),
    )
    assert faces([session]).counts == (1, 0, 5, 0, 0, 0)


def test_choosing_what_to_keep_favours_no_face() -> None:
    """Whole games in which sixes are always kept: of the dice thrown each face is as frequent as any other."""
    dice, sessions = random.Random(7), []
    for _ in range(30):
        session = begin("Ana")
        while session.position.turn is not None:
            roll: tuple[int, ...] = ()
            for _ in range(3):
                kept = tuple(die for die in roll if die == 6)[:4]
                roll = (*kept, *(dice.randint(1, 6) for _ in range(5 - len(kept))))
                session = after(session, Rolled(make_roll(roll), kept))
            session = after(session, Scored(str(session.position.options[0].box)))
        sessions.append(session)
    found = faces(sessions)
    assert sum(found.counts) > 3000
    assert found.verdict == "fair"
    assert found.p_value is not None
    assert found.p_value > 0.05
