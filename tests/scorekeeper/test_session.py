"""A session as a fold of its events: rolls, scores, undo, the end, names, who begins."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.dice import Roll
from scorekeeper.errors import BadGame, BadPlayers, BadRoll, IllegalMove
from scorekeeper.events import Event, Lost, Passed, Rolled, Scored, Started, Undone
from scorekeeper.names import tidy_names
from scorekeeper.session import Position, Session, apply, new_game

LOW: Roll = (1, 1, 2, 3, 6)


def begin(game: str = "yams", players: int = 2, **options: str) -> Session:
    return Session.start(new_game(game, [f"P{number}" for number in range(players)], options))


def after(session: Session, *events: Event) -> Session:
    for event in events:
        session = session.then(event)
    return session


def whole_game(session: Session) -> Session:
    """Every box filled from top to bottom with a roll of little worth."""
    for box in session.position.game.boxes:
        for _ in session.position.players:
            session = after(session, Rolled(LOW), Scored(box))
    return session


def boxes(session: Session) -> tuple[dict[str, int], ...]:
    return session.position.game.filled(session.position.state)


# --- turns and rolls -----------------------------------------------------------------------------------


def test_a_turn_of_three_rolls() -> None:
    session = begin()
    assert session.seq == 1
    turn = session.position.turn
    assert turn is not None
    assert (turn.player, turn.roll, turn.dice, turn.kept, turn.rolls_left) == (0, 0, None, (), 3)
    assert session.position.options == session.position.scratches == ()
    session = after(session, Rolled((2, 4, 4, 1, 6)), Rolled((4, 4, 5, 5, 4), kept=(4, 4)))
    session = after(session, Rolled((4, 4, 4, 2, 2), kept=(4, 4, 4), source="photo"))
    turn = session.position.turn
    assert turn is not None
    assert (turn.player, turn.roll, turn.dice, turn.kept, turn.rolls_left) == (
        0,
        3,
        (4, 4, 4, 2, 2),
        (4, 4, 4),
        0,
    )
    assert [roll.dice for roll in turn.rolls] == [(2, 4, 4, 1, 6), (4, 4, 5, 5, 4), (4, 4, 4, 2, 2)]
    assert {option.box: option.points for option in session.position.options}["full_house"] == 25
    session = after(session, Scored("full_house"))
    assert boxes(session) == ({"full_house": 25}, {})
    turn = session.position.turn
    assert turn is not None
    assert (turn.player, turn.roll, turn.dice) == (1, 0, None)


def test_one_roll_is_enough_and_it_may_be_the_last() -> None:
    assert boxes(after(begin(), Rolled(LOW), Scored("ones"))) == ({"ones": 2}, {})
    session = after(begin(), Rolled(LOW, number=3))
    assert session.position.turn is not None
    assert session.position.turn.rolls_left == 0
    with pytest.raises(IllegalMove, match="three rolls"):
        session.then(Rolled(LOW))
    # What was kept from a roll that nobody recorded cannot be checked.
    session = after(begin(), Rolled((1, 2, 3, 4, 5)), Rolled(LOW, kept=(6,), number=3))
    assert boxes(after(session, Scored("sixes"))) == ({"sixes": 6}, {})


@pytest.mark.parametrize("confidence", [0, 0.5, 1])
def test_a_roll_says_how_sure_it_is(confidence: float) -> None:
    session = after(begin(), Rolled(LOW, inks=("red",) * 5, confidence=confidence, source="photo"))
    assert session.position.turn is not None
    assert session.position.turn.rolls[-1].confidence == confidence


def test_a_kept_die_may_be_thrown_again_later() -> None:
    session = after(begin(), Rolled((1, 1, 2, 3, 6)), Rolled((1, 1, 5, 5, 5), kept=(1, 1)))
    session = after(session, Rolled((5, 5, 5, 6, 6), kept=(5, 5, 5)))
    assert session.position.turn is not None
    assert session.position.turn.roll == 3


@pytest.mark.parametrize(
    "event, said",
    [
        (Rolled((1, 2, 3, 4, 5), kept=(1, 1)), "cannot change: 1 1 were kept, but the roll 1 2 3 4 5 lacks 1"),
        (Rolled((4, 4, 4, 4, 4), kept=(4,)), "1 1 2 3 6 has no 4 to keep"),
        (Rolled((1, 1, 1, 2, 3), kept=(1, 1, 1)), "has no 1 to keep"),
        (Rolled(LOW, kept=LOW), "nothing was thrown"),
        (Rolled((1, 1, 2, 3, 6), kept=(True,)), "not True"),
        (Rolled((1, 1, 2, 3, 6), kept=(0,)), "not 0"),
        (Rolled(LOW, number=1), "is 2 of 3, it cannot be 1"),
        (Rolled(LOW, number=4), "cannot be 4"),
        (Rolled(LOW, inks=("red",) * 4), "five colours"),
        (Rolled(LOW, inks=("red", "red", "red", "red", "<b>")), "five colours"),
        (Rolled(LOW, confidence=1.5), "not 1.5"),
        (Rolled(LOW, confidence=-0.1), "not -0.1"),
        (Rolled(LOW, confidence=float("nan")), "not nan"),
        (Passed(), "cannot be passed"),
        (Scored("flush"), "no box 'flush'"),
        (Started("yams", {}, ("Eve",)), "started already"),
        (Undone(9), "no way back to change 9"),
        (Undone(0), "no way back"),
        (Undone(2), "no way back"),
    ],
    ids=str,
)
def test_what_a_roll_allows_no_more(event: Event, said: str) -> None:
    session = after(begin(), Rolled(LOW))
    with pytest.raises(IllegalMove, match=said):
        session.then(event)
    assert session.seq == 2


@pytest.mark.parametrize("dice", [(1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4), (1, 2, 3, 4, 7)])
def test_dice_that_are_none(dice: Any) -> None:
    with pytest.raises(BadRoll):
        begin().then(Rolled(dice))


def test_a_fourth_roll_and_a_score_without_a_roll() -> None:
    session = after(begin(), Rolled(LOW), Rolled(LOW), Rolled(LOW))
    with pytest.raises(IllegalMove, match="All three rolls of this turn are used"):
        session.then(Rolled(LOW))
    for event in (Scored("ones"), Passed(), Scored("ones", scratch=True)):
        with pytest.raises(IllegalMove, match="no roll to score"):
            begin().then(event)
    with pytest.raises(IllegalMove, match="first roll of the turn: there is nothing to keep"):
        begin().then(Rolled(LOW, kept=(1,)))


def test_a_box_is_filled_once_and_the_sheet_stays_as_it_was() -> None:
    session = after(begin(players=1), Rolled(LOW), Scored("ones"), Rolled(LOW))
    with pytest.raises(IllegalMove, match="filled already"):
        session.then(Scored("ones"))
    assert boxes(session) == ({"ones": 2},)
    assert boxes(after(session, Scored("chance"))) == ({"ones": 2, "chance": 13},)


def test_a_scratch_is_its_own_choice() -> None:
    session = after(begin(), Rolled(LOW))
    assert "chance" in {option.box for option in session.position.scratches}
    assert boxes(after(session, Scored("chance", scratch=True)))[0] == {"chance": 0}


# --- undo ----------------------------------------------------------------------------------------------


def test_undo_takes_back_a_roll_or_a_score_and_goes_on_from_there() -> None:
    session = after(begin(), Rolled(LOW), Scored("ones"))
    back = session.then(session.position.undo())
    assert back.seq == 4
    assert back.position.turn == after(begin(), Rolled(LOW)).position.turn
    assert boxes(back) == ({}, {})
    again = after(back, Scored("twos"), Rolled(LOW))
    assert boxes(again) == ({"twos": 2}, {})
    twice = after(again, again.position.undo())
    twice = after(twice, twice.position.undo())
    assert boxes(twice) == ({}, {})
    assert twice.position.turn == back.position.turn
    assert twice.seq == 8


def test_undo_goes_across_players_to_the_start_and_no_further() -> None:
    start = begin()
    session = after(start, Rolled(LOW), Scored("ones"), Rolled(LOW), Rolled(LOW, kept=(6,)), Scored("sixes"))
    for _ in range(5):
        session = session.then(session.position.undo())
    assert (session.position.state, session.position.turn) == (start.position.state, start.position.turn)
    assert session.seq == 11
    with pytest.raises(IllegalMove, match="nothing to undo"):
        session.position.undo()


def test_undo_after_the_end() -> None:
    session = whole_game(begin())
    assert session.position.over
    assert session.position.places == (1, 1)
    with pytest.raises(IllegalMove, match="over"):
        session.then(Rolled(LOW))
    back = session.then(session.position.undo())
    assert not back.position.over
    assert back.position.places is None
    assert len(boxes(back)[1]) == 12
    assert after(back, Scored("chance")).position.places == (1, 1)


def test_undo_may_go_back_several_steps_at_once_but_not_into_what_was_undone() -> None:
    session = after(begin(), Rolled(LOW), Scored("ones"), Rolled(LOW))
    assert session.then(Undone(1)).position.turn == begin().position.turn
    session = after(session, Undone(2), Scored("twos"))
    for gone in (3, 4, 5):
        with pytest.raises(IllegalMove, match="no way back"):
            session.then(Undone(gone))


def test_undo_brings_back_a_chip() -> None:
    session = after(begin("yamslam"), Rolled((2, 2, 4, 4, 6)), Scored("flush"))
    back = session.then(session.position.undo())
    stock = back.position.game.stock(back.position.state)
    assert stock is not None
    assert stock.rack["flush"] == 4


def test_a_long_chain_of_positions_is_let_go_without_a_fuss() -> None:
    session = begin("yamslam", players=1, games="99")
    position: Position | None = session.position
    for _ in range(2700):
        assert position is not None
        position = apply(apply(position, Rolled((1, 2, 3, 5, 6))), Passed())
    assert position is not None
    assert position.seq == 5401
    assert repr(position)
    position = None  # frees the whole chain at once


# --- Yamslam -------------------------------------------------------------------------------------------


def test_chips_pass_and_a_yamslam_at_the_table() -> None:
    session = after(begin("yamslam"), Rolled((3, 3, 3, 3, 3)))
    assert [option.box for option in session.position.scratches] == [None]
    session = after(session, Scored("large_straight"))
    assert session.position.turn is not None
    assert (session.position.turn.player, session.position.turn.roll) == (0, 0)
    session = after(session, Rolled((1, 2, 3, 5, 6)), Passed())
    assert session.position.turn is not None
    assert session.position.turn.player == 1
    assert session.position.game.totals(session.position.state) == (50, 0)


def test_a_solo_yamslam_scores_its_roll_twice() -> None:
    session = after(begin("yamslam", players=1, mode="solo"), Rolled((3, 3, 3, 3, 3)), Scored("flush"))
    turn = session.position.turn
    assert turn is not None
    assert turn.dice == (3, 3, 3, 3, 3)
    with pytest.raises(IllegalMove, match="second one"):
        session.then(Rolled((1, 2, 3, 4, 5)))
    session = after(session, Scored("full_house"))
    assert session.position.turn is not None
    assert session.position.turn.roll == 0
    assert session.position.game.totals(session.position.state) == (55,)


# --- places --------------------------------------------------------------------------------------------


def test_equal_totals_share_a_place_and_the_next_is_skipped() -> None:
    session = begin("scandinavian", players=4)
    for box in session.position.game.boxes:
        for player in range(4):
            roll: Roll = (1, 2, 2, 3, 5) if player in (0, 2) else (1, 1, 2, 3, 6)
            scratch = player == 3 and box == "chance"
            session = after(session, Rolled(roll), Scored(box, scratch=scratch))
    position = session.position
    totals = position.game.totals(position.state)
    assert totals[0] == totals[2] > totals[1] > totals[3]
    assert position.places == (1, 3, 1, 4)


def test_a_team_has_one_place() -> None:
    session = begin("yamslam", players=4, mode="teams")
    flush, chips = Rolled((2, 2, 4, 4, 6)), ["flush"] * 4
    while not session.position.over:
        assert session.position.turn is not None
        take = session.position.turn.player == 1 and chips
        session = after(session, flush, Scored(chips.pop()) if take else Passed())
    assert session.position.places == (2, 1, 2, 1)


# --- the start -----------------------------------------------------------------------------------------


def test_turns_go_clockwise_from_the_starter_in_their_seats() -> None:
    started = new_game("yams", ["Ana", "Bo", "Cy"], throws=(((1,) * 5, (2,) * 5, (6,) * 5),))
    assert (started.players, started.first) == (("Ana", "Bo", "Cy"), 2)
    session, seats = Session.start(started), []
    for _ in range(4):
        assert session.position.turn is not None
        seats.append(session.position.turn.player)
        session = after(session, Rolled(LOW), Scored(("ones", "twos")[len(seats) == 4]))
    assert seats == [2, 0, 1, 2]


def test_throws_of_one_die_in_yamslam_and_a_tie_to_break() -> None:
    tie = ((6,), (6,), (1,))
    with pytest.raises(BadRoll, match="Ana, Bo are tied and throw again"):
        new_game("yamslam", ["Ana", "Bo", "Cy"], throws=(tie,))
    started = new_game("yamslam", ["Ana", "Bo", "Cy"], throws=(tie, ((2,), (3,))))
    assert started.first == 1
    with pytest.raises(BadRoll, match="5 dice"):
        new_game("yams", ["Ana", "Bo", "Cy"], throws=(tie, ((2,), (3,))))


@pytest.mark.parametrize(
    "game, names, options, first",
    [
        ("yams", ["P"] * 9, {}, 0),
        ("yams", ["Ana", "Bo"], {}, 2),
        ("yamslam", ["Ana", "Bo"], {"mode": "solo"}, 0),
        ("yamslam", ["Ana", "Bo"], {"mode": "teams"}, 0),
    ],
)
def test_a_new_game_is_checked(game: str, names: list[str], options: dict[str, str], first: int) -> None:
    with pytest.raises(BadPlayers):
        new_game(game, names, options, first=first)


def test_a_start_spells_its_options_out() -> None:
    assert new_game("scandinavian", ["Ana"], {"four_alike_two_pairs": "yes"}).options == {
        "five_alike_full_house": "no",
        "four_alike_two_pairs": "yes",
    }


@pytest.mark.parametrize(
    "started, error",
    [
        (Started("poker", {}, ("Ana",)), BadGame),
        (Started("yams", {"joker": "no"}, ("Ana",)), BadGame),
        (Started("yams", {}, ()), BadPlayers),
        (Started("yams", {}, ("Ana",) * 9), BadPlayers),
        (Started("yams", {}, ("Ana",), 1), BadPlayers),
        (Started("yams", {}, (" Ana",)), BadPlayers),
        (Started("yamslam", {"mode": "solo"}, ("Ana", "Bo")), BadPlayers),
        (Started("yamslam", {}, ("Ana", "Bo"), 0, (((1,), (2,)),)), BadPlayers),
    ],
    ids=str,
)
def test_a_start_that_is_not_possible(started: Started, error: type[Exception]) -> None:
    with pytest.raises(error):
        Session.start(started)


def test_a_log_begins_with_its_start() -> None:
    for events in ([], [Rolled(LOW)], [Undone(1)]):
        with pytest.raises(IllegalMove, match="first event"):
            Session.replay(events)
    with pytest.raises(IllegalMove, match="first event"):
        apply(None, Rolled(LOW))


def test_lost_entries_change_nothing_but_the_seq() -> None:
    session = after(begin(), Rolled(LOW), Lost("unreadable"))
    assert session.seq == session.position.seq == 3
    assert [lost.why for lost in session.lost] == ["unreadable"]
    assert boxes(after(session, Scored("ones"))) == ({"ones": 2}, {})
    assert after(session, session.position.undo()).position.turn == begin().position.turn


# --- names ---------------------------------------------------------------------------------------------


def test_names_are_text_whatever_they_hold() -> None:
    names = ["  Ana ", "<script>alert(1)</script>", "'; DROP TABLE event; --", "Zoë 👩‍👧", "名無し", "x" * 40]
    assert tidy_names(names) == ("Ana", *names[1:])
    assert begin_with(names).position.players == ("Ana", *names[1:])


def begin_with(names: list[str]) -> Session:
    return Session.start(new_game("yams", names))


@pytest.mark.parametrize(
    "name, said",
    [
        ("", "Player 2 has no name"),
        (" \t ", "no name"),
        ("\u200b", "no name"),
        ("\u3164 \u2800", "no name"),
        ("\u0301\u034f", "no name"),
        ("x" * 41, "at most 40 characters"),
        ("\n".join("x" * 21), "at most 40 characters"),  # before a look at each of what may be millions
        ("a\nb", "cannot be shown"),
        ("a\x00b", "cannot be shown"),
        ("a\x1b[31mb", "cannot be shown"),
        ("a\u2028b", "cannot be shown"),
        ("\u202eanA", "cannot be shown"),
        ("half \ud83d", "cannot be shown"),
    ],
)
def test_names_that_cannot_be_shown(name: str, said: str) -> None:
    with pytest.raises(BadPlayers, match=said):
        begin_with(["Ana", name])
