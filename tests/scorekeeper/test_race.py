"""The race from round to round, by hand."""

from __future__ import annotations

from scorekeeper.events import Edited, Event, Left, Passed, Rolled, Scored
from scorekeeper.race import Race, race
from scorekeeper.session import Session, new_game

NOTHING = (1, 2, 3, 5, 6)  # in Yamslam: no chip
SIXES = (6, 6, 6, 6, 6)


def begin(*names: str, game: str = "yams", **options: str) -> Session:
    return Session.start(new_game(game, names, options))


def after(session: Session, *events: Event) -> Session:
    for event in events:
        session = session.then(event)
    return session


def fill(session: Session, *turns: tuple[tuple[int, int, int, int, int], str]) -> Session:
    for dice, box in turns:
        session = after(session, Rolled(dice), Scored(box) if box else Passed())
    return session


def points(found: Race) -> list[tuple[int, ...]]:
    return [runner.points for runner in found.runners]


def test_a_game_that_has_just_begun() -> None:
    assert points(race(begin("Ana", "Bo"))) == [(0,), (0,)]
    assert race(begin("Ana", "Bo")).rounds == 0
    assert points(race(begin("Ana", "Bo", game="yamslam"))) == [(0,), (0,)]


def test_a_sheet_with_an_undone_turn_and_a_correction() -> None:
    session = fill(
        begin("Ana", "Bo"),
        ((2, 2, 4, 4, 4), "full_house"),
        ((1, 1, 2, 3, 6), "chance"),
        ((1, 2, 3, 4, 5), "large_straight"),
    )
    undone = session.then(session.position.undo()).then(Rolled((1, 2, 3, 4, 6))).then(Scored("small_straight"))
    # The score was taken back, and a second roll went elsewhere.
    assert points(race(session)) == [(0, 25, 65), (0, 13)]
    assert points(race(undone)) == [(0, 25, 55), (0, 13)]
    corrected = after(undone, Edited(0, "full_house", points=0), Edited(1, "chance", dice=(1, 1, 2, 3, 5)))
    assert points(race(corrected)) == [(0, 0, 30), (0, 12)]
    assert race(corrected).rounds == 2


def test_the_upper_bonus_and_the_prime_come_with_their_turn() -> None:
    session = fill(
        begin("Ana", joker="none", prime="yes"),
        ((6, 6, 6, 6, 6), "yams"),  # 50
        ((6, 6, 6, 6, 6), "sixes"),  # 30, and 100
        ((5, 5, 5, 5, 1), "fives"),  # 20: 50 above
        ((4, 4, 4, 1, 1), "fours"),  # 12: 62
        ((1, 2, 3, 4, 6), "ones"),  # 1: 63, and 35
    )
    assert points(race(session)) == [(0, 50, 180, 200, 212, 248)]
    assert race(session).runners[0].points[-1] == session.position.game.totals(session.position.state)[0]
    # With a zero in the box of five alike no prime was earned, and with one point less there is no bonus.
    lower = after(session, Edited(0, "yams", points=0), Edited(0, "fours", points=8))
    assert points(race(lower)) == [(0, 0, 30, 50, 58, 59)]


def test_who_has_left_stops() -> None:
    session = fill(begin("Ana", "Bo", "Cy"), (SIXES, "yams"), (SIXES, "sixes"), (SIXES, "chance"))
    session = after(fill(session, (SIXES, "sixes")), Rolled(SIXES), Left(1))
    session = fill(session, (SIXES, "sixes"), (SIXES, "chance"), (SIXES, "yams"))
    found = race(session)
    assert points(found) == [(0, 50, 80, 110), (0, 30), (0, 30, 60, 110)]
    assert [runner.left for runner in found.runners] == [False, True, False]


def test_chips_and_the_further_turn_of_a_yamslam() -> None:
    session = fill(
        begin("Ana", "Bo", game="yamslam"),
        (SIXES, "large_straight"),  # 50, and again
        ((2, 2, 4, 4, 6), "flush"),  # 25
        (NOTHING, ""),
        ((1, 2, 3, 4, 6), "small_straight"),
        ((1, 2, 3, 4, 6), "small_straight"),
    )
    assert points(race(session)) == [(0, 75, 95), (0, 0, 20)]
    # Four of a kind: the fourth flush brings 25 and 30.
    for _ in range(3):
        session = fill(session, ((2, 2, 4, 4, 6), "flush"), (NOTHING, ""))
    assert points(race(session)) == [(0, 75, 95, 120, 145, 200), (0, 0, 20, 20, 20, 20)]


def test_alone_each_turn_is_a_round_and_a_yamslam_takes_two_chips() -> None:
    session = begin("Ana", game="yamslam", mode="solo")
    session = after(session, Rolled(SIXES), Scored("flush"), Scored("full_house"))
    assert points(race(session)) == [(0, 55)]
    session = after(session, Rolled(SIXES), Scored("flush"))
    assert points(race(session)) == [(0, 55)]  # the second chip is still to come
    session = after(session, Passed(), Rolled(NOTHING), Passed())
    assert points(race(session)) == [(0, 55, 80, 80)]


def test_partners_run_as_one() -> None:
    session = fill(
        begin("A", "B", "C", "D", game="yamslam", mode="teams"),
        ((2, 2, 4, 4, 6), "flush"),
        (NOTHING, ""),
        ((2, 2, 4, 4, 4), "full_house"),
        ((1, 2, 3, 4, 6), "small_straight"),
        (NOTHING, ""),
    )
    found = race(session)
    assert [runner.players for runner in found.runners] == [(0, 2), (1, 3)]
    assert points(found) == [(0, 55, 55), (0, 20, 20)]


def test_several_games_in_a_row_run_on() -> None:
    session = begin("Ana", "Bo", game="yamslam", games="2")
    session = fill(session, ((2, 2, 4, 4, 6), "flush"))
    while session.position.state.game == 0:
        session = fill(session, (NOTHING, ""))
    found = race(session)
    # A flush, then 27 rounds that each lay a chip aside.
    assert found.rounds == 28
    assert found.further_games == (28,)
    assert points(found) == [(0, *[25] * 28), (0, *[0] * 28)]
    # Bo begins the second one.
    assert session.position.turn is not None
    assert session.position.turn.player == 1
    session = fill(session, ((2, 2, 4, 4, 6), "flush"))
    assert points(race(session)) == [(0, *[25] * 29), (0, *[0] * 28, 25)]
