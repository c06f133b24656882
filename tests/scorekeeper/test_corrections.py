"""Corrections of a session: edited boxes, new names, another order, players who leave, and all of it undone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from scorekeeper.dice import Roll
from scorekeeper.errors import BadPlayers, BadRoll, IllegalMove
from scorekeeper.events import Edited, Event, Left, Passed, Renamed, Reordered, Rolled, Scored, Undone
from scorekeeper.session import Change, Session, new_game

LOW: Roll = (1, 1, 2, 3, 6)
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


def alike(face: int) -> Roll:
    return face, face, face, face, face


def begin(game: str = "yams", players: int = 2, first: int = 0, **options: str) -> Session:
    return Session.start(new_game(game, [f"P{number}" for number in range(players)], options, first=first))


def after(session: Session, *events: Event) -> Session:
    for event in events:
        session = session.then(event)
    return session


def turns(session: Session, *turns: tuple[Roll, str]) -> Session:
    for dice, box in turns:
        session = after(session, Rolled(dice), Scored(box))
    return session


def boxes(session: Session, player: int = 0) -> Mapping[str, int]:
    return session.position.game.filled(session.position.state)[player]


def sums(session: Session, player: int = 0) -> Mapping[str, int]:
    return session.position.game.sums(session.position.state)[player]


def at_turn(session: Session) -> int | None:
    return None if session.position.turn is None else session.position.turn.player


def whole_game(session: Session) -> Session:
    while session.position.turn is not None:
        session = after(
            session, Rolled(LOW), Scored(str(session.position.game.options(session.position.state, LOW)[0].box))
        )
    return session


# --- edits ---------------------------------------------------------------------------------------------


def test_typed_points_are_marked_and_the_sums_follow() -> None:
    session = turns(begin(players=1), (LOW, "ones"), (alike(6), "sixes"), (LOW, "chance"))
    assert session.position.typed == (frozenset(),)
    edited = after(session, Edited(0, "ones", points=4, by="Ana"))
    assert boxes(edited) == {"ones": 4, "sixes": 30, "chance": 13}
    assert (sums(edited)["upper_subtotal"], sums(edited)["grand_total"]) == (34, 47)
    assert edited.position.typed == (frozenset({"ones"}),)
    assert edited.position.turn == session.position.turn
    # Dice put in place of what was typed take the mark away.
    again = after(edited, Edited(0, "ones", dice=(1, 1, 1, 2, 2)))
    assert boxes(again)["ones"] == 3
    assert again.position.typed == (frozenset(),)


def test_the_bonus_follows_an_edit() -> None:
    session = turns(begin(players=1), *[((face,) * 3 + (face % 6 + 1,) * 2, box) for face, box in enumerate(UPPER, 1)])
    assert sums(session)["upper_bonus"] == 35
    low = after(session, Edited(0, "ones", points=2))
    assert (sums(low)["upper_subtotal"], sums(low)["upper_bonus"]) == (62, 0)
    assert sums(after(low, Edited(0, "twos", points=8)))["upper_bonus"] == 35


def test_an_edit_of_another_player_leaves_the_turn_and_its_rolls() -> None:
    session = after(turns(begin(), (LOW, "ones")), Rolled(LOW), Rolled((1, 1, 4, 4, 4), kept=(1, 1)))
    edited = after(session, Edited(0, "ones", points=0))
    assert edited.position.turn == session.position.turn
    assert after(edited, Scored("fours")).position.game.totals(edited.position.state) == (0, 0)


def test_an_edit_after_the_end_moves_the_places_and_can_be_undone() -> None:
    session = whole_game(begin())
    assert session.position.places == (1, 1)
    edited = after(session, Edited(1, "chance", points=30, by="Bo"))
    assert edited.position.over
    assert edited.position.places == (2, 1)
    back = after(edited, edited.position.undo())
    assert back.position.places == (1, 1)
    assert back.position.typed == (frozenset(), frozenset())
    assert back.position.over
    # The next undo goes behind the end, as it would have before the edit.
    assert not after(back, back.position.undo()).position.over


@pytest.mark.parametrize(
    "event, said",
    [
        (Edited(0, "twos", points=2), "'twos' is empty: only a turn fills it"),
        (Edited(0, "twos", dice=LOW), "'twos' is empty"),
        (Edited(1, "ones", points=2), "'ones' is empty"),
        (Edited(0, "flush", points=2), "no box 'flush' on this sheet"),
        (Edited(0, "ones", points=6), "'ones' cannot hold 6; possible is 0 to 5"),
        (Edited(0, "ones", points=-1), "cannot hold -1"),
        (Edited(0, "ones", points=True), "cannot hold True"),
        (Edited(0, "ones", points=2), "'ones' holds 2 already"),
        (Edited(0, "ones", dice=(6, 3, 2, 1, 1)), "'ones' holds 2 already"),
        (Edited(0, "ones"), "the points or the dice, one of them"),
        (Edited(0, "ones", points=3, dice=LOW), "the points or the dice, one of them"),
        (Edited(2, "ones", points=3), "no player 2: they are 0 to 1"),
        (Edited(-1, "ones", points=3), "no player -1"),
        (Edited(0, "ones", dice=(1, 1, 1, 1, 7)), "from 1 to 6, not 7"),
        (Edited(0, "ones", points=3, by=""), "Who corrects has no name"),
        (Edited(0, "ones", points=3, by=" Ana"), "begins or ends with a blank"),
        (Edited(0, "ones", points=3, by="a\nb"), "The name of who corrects holds characters"),
    ],
)
def test_edits_that_are_refused(event: Event, said: str) -> None:
    session = turns(begin(), (LOW, "ones"))
    with pytest.raises((IllegalMove, BadPlayers, BadRoll), match=said):
        session.then(event)


def test_points_typed_twice() -> None:
    session = after(turns(begin(), (LOW, "ones")), Edited(0, "ones", points=3))
    with pytest.raises(IllegalMove, match="holds 3 already"):
        session.then(Edited(0, "ones", points=3))
    # Dice that give the same show where the points come from, so they are no repetition; a second time they are.
    session = after(session, Edited(0, "ones", dice=(1, 1, 1, 2, 3)))
    assert session.position.typed == (frozenset(), frozenset())
    with pytest.raises(IllegalMove, match="holds 3 already"):
        session.then(Edited(0, "ones", dice=(1, 1, 1, 2, 3)))


def test_a_scratch_is_recomputed_from_the_dice() -> None:
    session = after(begin(), Rolled(LOW), Scored("chance", scratch=True))
    assert boxes(after(session, Edited(0, "chance", dice=LOW)))["chance"] == 13


def test_yamslam_is_not_edited() -> None:
    session = after(begin("yamslam"), Rolled((2, 2, 4, 4, 6)), Scored("flush"))
    for event in (Edited(0, "flush", points=25), Edited(0, "flush", dice=LOW), Edited(0, "ones", points=0)):
        with pytest.raises(IllegalMove, match="undo back to it instead"):
            session.then(event)


# --- edits and the prime -------------------------------------------------------------------------------


def primes(session: Session) -> int:
    return sums(session)["prime"] // 100


def test_primes_go_and_come_back_with_the_five_alike_box() -> None:
    session = turns(
        begin(players=1, prime="yes"),
        (alike(2), "twos"),
        (alike(1), "yams"),
        (alike(6), "sixes"),
        (LOW, "ones"),
        (alike(5), "chance"),
    )
    assert primes(session) == 2
    without = after(session, Edited(0, "yams", points=0))
    assert primes(without) == 0
    # Of what comes in between, five alike earn nothing at the time, but do once there is a 50 again.
    without = turns(without, (alike(4), "fours"))
    assert primes(without) == 0
    assert primes(after(without, Edited(0, "yams", points=50))) == 3
    assert primes(after(session, Edited(0, "yams", dice=LOW))) == 0
    assert primes(after(session, Edited(0, "yams", dice=LOW), Edited(0, "yams", dice=alike(3)))) == 2


def test_primes_follow_the_dice_of_other_boxes() -> None:
    session = turns(begin(players=1, prime="yes"), (alike(1), "yams"), (alike(6), "sixes"), (LOW, "chance"))
    assert primes(session) == 1
    assert primes(after(session, Edited(0, "sixes", dice=(6, 6, 6, 6, 1)))) == 0
    assert primes(after(session, Edited(0, "chance", dice=alike(2)))) == 2
    # Typed points say nothing of the dice, which stay as they were recorded.
    assert primes(after(session, Edited(0, "sixes", points=6))) == 1
    # Other dice of the same points are a correction too.
    three = turns(session, ((6, 6, 6, 1, 1), "three_of_a_kind"))
    assert primes(after(three, Edited(0, "three_of_a_kind", dice=alike(4)))) == 2


def test_a_box_filled_before_the_five_alike_box_earns_nothing() -> None:
    session = turns(begin(players=1, prime="yes"), (LOW, "sixes"), (alike(1), "yams"))
    assert primes(after(session, Edited(0, "sixes", dice=alike(6)))) == 0


def test_without_the_prime_an_edit_earns_none() -> None:
    session = turns(begin(players=1), (LOW, "yams"), (alike(6), "sixes"))
    edited = after(session, Edited(0, "yams", points=50))
    assert sums(edited)["prime"] == 0
    assert edited.position.state.columns[0].primes == 0


# --- edits and the joker -------------------------------------------------------------------------------


def joker_session(joker: str) -> Session:
    """Yams 50 and fours, then a full house of other dice, then nothing much."""
    return turns(
        begin(players=1, joker=joker),
        (alike(1), "yams"),
        (alike(4), "fours"),
        ((2, 2, 3, 3, 3), "full_house"),
        (LOW, "ones"),
        ((1, 2, 3, 4, 6), "large_straight"),
    )


@pytest.mark.parametrize("joker, points", [("none", 0), ("seeds", 40), ("forced", 40), ("free", 40)])
def test_dice_that_were_a_joker_get_its_points(joker: str, points: int) -> None:
    session = joker_session(joker)
    assert boxes(session)["large_straight"] == 0
    # Where they were none the points stay, and only the dice are put right.
    assert boxes(after(session, Edited(0, "large_straight", dice=alike(4))))["large_straight"] == points


def test_whether_it_was_a_joker_is_said_by_the_boxes_filled_before() -> None:
    # When the full house was filled the sixes were open, so the seeds' joker did not apply.
    session = turns(joker_session("seeds"), (alike(6), "sixes"))
    assert boxes(after(session, Edited(0, "full_house", dice=alike(6))))["full_house"] == 0
    # And by what they hold now.
    zero = after(session, Edited(0, "yams", points=0))
    assert boxes(after(zero, Edited(0, "large_straight", dice=alike(4))))["large_straight"] == 0


def test_dice_that_could_not_go_there_are_refused() -> None:
    session = joker_session("forced")
    with pytest.raises(IllegalMove, match="joker and may not go into 'full_house'; it may go into sixes"):
        session.then(Edited(0, "full_house", dice=alike(6)))
    with pytest.raises(IllegalMove, match="joker and may not go into 'ones'; it may go into three_of_a_kind"):
        session.then(Edited(0, "ones", dice=alike(4)))


def test_an_edit_undoes_no_joker_that_was_placed() -> None:
    session = turns(joker_session("seeds"), (alike(4), "small_straight"))
    assert boxes(session)["small_straight"] == 30
    assert boxes(after(session, Edited(0, "yams", points=0)))["small_straight"] == 30


# --- the history of a box ------------------------------------------------------------------------------


def test_the_history_says_who_changed_what() -> None:
    session = turns(begin(), (LOW, "ones"), (alike(2), "twos"))
    session = after(session, Edited(0, "ones", points=4, by="Bo"), Edited(0, "ones", dice=(1, 2, 2, 2, 2)))
    session = after(session, Edited(0, "ones", points=5), Undone(7))
    assert session.history() == {
        (0, "ones"): (
            Change(3, 2, LOW),
            Change(6, 4, None, edit=True, by="Bo"),
            Change(7, 1, (1, 2, 2, 2, 2), edit=True),
        ),
        (1, "twos"): (Change(5, 10, alike(2)),),
    }
    assert Session.replay(session.events).history() == session.history()


def test_chips_have_no_history_of_boxes() -> None:
    assert after(begin("yamslam"), Rolled(alike(2)), Scored("flush"), Rolled(LOW), Passed()).history() == {}


def test_steps_are_what_counts() -> None:
    session = after(begin(), Rolled(LOW), Scored("ones"), Undone(2), Scored("twos"), Renamed(1, "Bo"))
    assert [event for event, _ in session.steps] == [
        session.events[0],
        Rolled(LOW),
        Scored("twos"),
        Renamed(1, "Bo"),
    ]
    assert session.steps[-1][1] == session.position


# --- names and order -----------------------------------------------------------------------------------


def test_a_new_name_at_any_time() -> None:
    session = after(begin(), Renamed(1, "<b>Zoë</b>"), Rolled(LOW))
    assert session.position.players == ("P0", "<b>Zoë</b>")
    assert session.position.started.players == ("P0", "P1")
    renamed = after(session, Renamed(0, "Ana"))
    assert renamed.position.players == ("Ana", "<b>Zoë</b>")
    assert renamed.position.turn == session.position.turn
    assert after(renamed, renamed.position.undo()).position.players == session.position.players
    end = after(whole_game(renamed), Renamed(1, "Bo"))
    assert end.position.over
    assert end.position.players == ("Ana", "Bo")


@pytest.mark.parametrize(
    "event, said",
    [
        (Renamed(0, "P0"), "called that already"),
        (Renamed(0, " Ana"), "blank"),
        (Renamed(1, ""), "Player 2 has no name"),
        (Renamed(1, "x" * 41), "The name of player 2 is too long"),
        (Renamed(2, "Ana"), "no player 2"),
    ],
)
def test_names_that_are_refused(event: Event, said: str) -> None:
    with pytest.raises((IllegalMove, BadPlayers), match=said):
        begin().then(event)


@pytest.mark.parametrize("game, options", [("yams", {}), ("yamslam", {}), ("yamslam", {"games": "3"})])
def test_another_order_before_the_first_roll(game: str, options: dict[str, str]) -> None:
    session = after(begin(game, players=3, first=1, **options), Renamed(1, "Bo"), Reordered((2, 0, 1)))
    assert session.position.players == ("P2", "P0", "Bo")
    assert session.position.turn is not None
    assert session.position.turn.player == 2  # it is still Bo who begins
    same = begin(game, players=3, first=2, **options).position
    assert (session.position.state, session.position.turn) == (same.state, same.turn)
    twice = after(session, Reordered((2, 0, 1)))
    assert twice.position.players == ("Bo", "P2", "P0")
    assert twice.position.turn is not None
    assert twice.position.turn.player == 0
    assert after(twice, twice.position.undo()).position.turn == session.position.turn


@pytest.mark.parametrize(
    "events, order, said",
    [
        ((), (0, 1, 2), "in this order already"),
        ((), (0, 1), "names each of the players 0 to 2 once"),
        ((), (0, 1, 1), "once"),
        ((), (1, 2, 3), "once"),
        ((Rolled(LOW),), (1, 0, 2), "before the first roll"),
        ((Rolled(LOW), Scored("ones")), (1, 0, 2), "before the first roll"),
        ((Left(2),), (1, 0, 2), "while all are there"),
    ],
)
def test_orders_that_are_refused(events: tuple[Event, ...], order: Any, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        after(begin(players=3), *events).then(Reordered(order))


def test_undone_to_the_start_the_order_may_change() -> None:
    session = after(begin(), Rolled(LOW), Undone(1), Reordered((1, 0)))
    assert session.position.players == ("P1", "P0")


# --- leaving -------------------------------------------------------------------------------------------


def test_who_leaves_is_skipped_and_their_column_stays() -> None:
    session = turns(begin(players=3), (LOW, "ones"), (alike(2), "twos"), (LOW, "threes"))
    session = after(session, Rolled(LOW), Left(1))
    assert session.position.left == {1}
    assert session.position.turn is not None
    assert session.position.turn.dice == LOW  # the turn of another goes on
    session = after(session, Scored("twos"))
    assert session.position.turn == begin(players=3, first=2).position.turn
    assert boxes(session, 1) == {"twos": 10}
    session = whole_game(session)
    assert [len(boxes(session, player)) for player in range(3)] == [13, 1, 13]
    totals = session.position.game.totals(session.position.state)
    assert totals[1] == 10
    assert session.position.places == (1 + (totals[2] > totals[0]), None, 1 + (totals[0] > totals[2]))


def test_the_leavers_total_moves_no_place() -> None:
    session = turns(begin(players=3), (alike(6), "chance"), (LOW, "twos"), (LOW, "threes"))
    session = whole_game(after(session, Left(0)))
    assert session.position.game.totals(session.position.state)[0] == 30
    assert session.position.places == (None, 1, 1)


def test_who_leaves_at_their_turn_passes_it_on_without_the_rolls() -> None:
    session = after(begin(players=3), Rolled(LOW), Rolled(LOW), Left(0))
    assert session.position.turn == begin(players=3, first=1).position.turn
    back = after(session, session.position.undo())
    assert back.position.left == frozenset()
    assert back.position.turn is not None
    assert back.position.turn.roll == 2


@pytest.mark.parametrize("players", [2, 3])
def test_the_game_ends_when_all_who_stayed_are_done(players: int) -> None:
    session = begin(players=players)
    while len(boxes(session, 0)) < 13:
        session = turns(session, (LOW, session.position.game.boxes[len(boxes(session, players - 1))]))
    assert at_turn(session) == 1
    left = after(session, Left(1))
    if players == 3:  # who has a box to go still plays
        assert at_turn(left) == 2
        left = turns(left, (LOW, "chance"))
    assert left.position.over
    assert left.position.places == (1, None, 1)[:players]
    with pytest.raises(IllegalMove, match="over"):
        left.then(Left(0))


@pytest.mark.parametrize(
    "events, player, said",
    [
        ((Left(1),), 1, "P1 has left already"),
        ((Left(1), Left(2)), 0, "P0 is the last who plays"),
        ((), 3, "no player 3: they are 0 to 2"),
        ((), -1, "no player -1"),
    ],
)
def test_leaving_that_is_refused(events: tuple[Event, ...], player: int, said: str) -> None:
    with pytest.raises(IllegalMove, match=said):
        after(begin(players=3), *events).then(Left(player))


def test_alone_nobody_leaves() -> None:
    with pytest.raises(IllegalMove, match="the last who plays"):
        begin("yamslam", players=1, mode="solo").then(Left(0))


def test_who_left_can_still_be_renamed_and_edited() -> None:
    session = after(turns(begin(), (LOW, "ones")), Left(0), Renamed(0, "Ana"), Edited(0, "ones", points=5))
    assert boxes(session) == {"ones": 5}
    assert session.position.players == ("Ana", "P1")


# --- leaving a game of chips ---------------------------------------------------------------------------

NOTHING: Roll = (1, 2, 3, 5, 6)
NO_CHIP = (Rolled(NOTHING), Passed())
FLUSH = (Rolled((2, 2, 4, 4, 6)), Scored("flush"))


def pile(session: Session) -> int:
    stock = session.position.game.stock(session.position.state)
    assert stock is not None
    places = [stock.rack, stock.pile, *stock.chips]
    assert sum(sum(place.values()) for place in places) == 28
    return sum(stock.pile.values())


def test_the_chips_of_who_leaves_stay_theirs() -> None:
    session = after(begin("yamslam", players=3), *FLUSH, Left(0))
    assert session.position.game.totals(session.position.state) == (25, 0, 0)
    assert pile(session) == 0
    assert at_turn(session) == 1


def test_rounds_are_counted_over_those_who_play() -> None:
    # The one who began has left: a round is the two others.
    session = after(begin("yamslam", players=3), Left(0), *NO_CHIP)
    assert pile(session) == 0
    session = after(session, *NO_CHIP)
    assert (pile(session), at_turn(session)) == (1, 1)
    session = after(session, *NO_CHIP, *NO_CHIP)
    assert (pile(session), at_turn(session)) == (2, 1)


def test_the_last_of_a_round_leaves_at_their_turn() -> None:
    session = after(begin("yamslam", players=3), *NO_CHIP, *NO_CHIP, Rolled(NOTHING), Left(2))
    assert (pile(session), at_turn(session)) == (1, 0)
    # Not where a chip was won in the round.
    session = after(begin("yamslam", players=3), *NO_CHIP, *FLUSH, Left(2))
    assert (pile(session), at_turn(session)) == (0, 0)


def test_the_first_of_a_round_leaves_at_their_turn() -> None:
    session = after(begin("yamslam", players=3, first=1), Left(1))
    assert (pile(session), at_turn(session)) == (0, 2)
    session = after(session, *NO_CHIP)
    assert (pile(session), at_turn(session)) == (0, 0)
    assert (pile(after(session, *NO_CHIP)), at_turn(after(session, *NO_CHIP))) == (1, 2)


def test_the_one_who_stays_alone_is_a_round() -> None:
    session = after(begin("yamslam", players=3), Left(0), Left(2))
    for number in range(3):
        assert (pile(session), at_turn(session)) == (number, 1)
        session = after(session, *NO_CHIP)


def test_who_left_is_skipped_in_the_next_game_too() -> None:
    session = after(begin("yamslam", players=3, games="2"), Left(1))
    while pile(session) < 27:
        session = after(session, *NO_CHIP)
    session = after(session, *NO_CHIP, *NO_CHIP)
    # The second game begins at the next seat, which is empty, so at the one after it.
    assert session.position.state.game == 1
    assert (pile(session), at_turn(session)) == (0, 2)
    session = after(session, *NO_CHIP)
    assert (pile(session), at_turn(session)) == (0, 0)
    assert (pile(after(session, *NO_CHIP)), at_turn(after(session, *NO_CHIP))) == (1, 2)


def test_leaving_may_discard_the_last_chip() -> None:
    session = begin("yamslam", players=2)
    while pile(session) < 27:
        session = after(session, *NO_CHIP)
    assert at_turn(session) == 0
    ended = after(session, *NO_CHIP, Left(1))
    assert ended.position.over
    assert ended.position.places == (1, None)


def test_nobody_leaves_a_team() -> None:
    with pytest.raises(IllegalMove, match="both partners"):
        begin("yamslam", players=4, mode="teams").then(Left(2))
