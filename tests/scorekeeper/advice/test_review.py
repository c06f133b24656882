"""Looking back on turns: luck and cost add up to what was reached, and perfect play costs nothing."""

from __future__ import annotations

import random

import pytest

from scorekeeper.advice import Advisor, advisor
from scorekeeper.advice.review import Use, fortune_figures, fortunes, last_review, turn_reviews
from scorekeeper.dice import Roll, make_roll
from scorekeeper.errors import IllegalMove
from scorekeeper.events import Edited, Event, Left, Passed, Rolled, Scored, Undone
from scorekeeper.rulebooks import make_game
from scorekeeper.session import Session, new_game

RULES = [
    ("yams", {}),
    ("yams", {"joker": "forced", "prime": "yes"}),
    ("yams", {"joker": "seeds", "prime": "yes"}),
    ("scandinavian", {}),
]
"""Those whose tables come with the package."""


def begin(game: str, players: int, options: dict[str, str]) -> tuple[Session, Advisor]:
    session = Session.start(new_game(game, [f"P{number}" for number in range(players)], options))
    return session, advisor(make_game(game, options))


def after(session: Session, *events: Event) -> Session:
    for event in events:
        session = session.then(event)
    return session


def fall(dice: random.Random, kept: tuple[int, ...]) -> Roll:
    # Five alike come up often, so that jokers and primes do.
    face = dice.randint(1, 6)
    alike = dice.random() < 0.2
    return make_roll((*kept, *(face if alike else dice.randint(1, 6) for _ in range(5 - len(kept)))))


def play_at_random(session: Session, dice: random.Random, corrections: float = 0.05) -> Session:
    """A whole game: any keeps, any boxes, zeros by choice, undos, rolls left out, corrections."""
    while (turn := session.position.turn) is not None:
        chance = dice.random()
        if turn.dice is None:
            session = after(session, Rolled(fall(dice, ()), number=3 if chance < 0.1 else None))
        elif turn.rolls_left and chance < 0.7:
            kept = tuple(die for die in turn.dice if dice.random() < 0.5)[:4]
            session = after(session, Rolled(fall(dice, kept), kept, number=3 if chance < 0.1 else None))
        elif chance < 0.75 and session.position.before is not None:
            session = after(session, session.position.undo())
        else:
            option = dice.choice([*session.position.options, *session.position.scratches[:2]])
            session = after(session, Scored(str(option.box), option.scratch))
        if dice.random() < corrections:
            session = correct(session, dice)
    return session


def correct(session: Session, dice: random.Random) -> Session:
    game, player = session.position.game, dice.randrange(len(session.position.players))
    filled = game.filled(session.position.state)[player]
    if filled:
        box = dice.choice(list(filled))
        try:
            return after(session, Edited(player, box, dice=fall(dice, ())))
        except IllegalMove:  # those dice were a joker, or give what is there
            return session
    return session


@pytest.mark.parametrize("game, options", RULES, ids=str)
def test_a_total_is_start_and_luck_less_cost_and_what_was_corrected(game: str, options: dict[str, str]) -> None:
    dice = random.Random(f"{game} {options}")
    session, advise = begin(game, 2, options)
    assert fortunes(session, advise) is None
    session = play_at_random(session, dice)
    assert any(isinstance(event, Edited) for event in session.events)
    assert any(isinstance(event, Undone) for event in session.events)
    found = fortunes(session, advise)
    assert found is not None
    for fortune, total in zip(found, session.position.game.totals(session.position.state), strict=True):
        assert fortune is not None
        assert fortune.total == total
        # Values in tables are float32, good to about 1e-5.
        assert fortune.start + fortune.luck - fortune.cost + fortune.corrections == pytest.approx(total, abs=1e-3)
        assert fortune.cost > 20  # this is no way to play
    for review in turn_reviews(session, advise):
        assert all(roll.cost > -1e-4 for roll in review.rolls)
        assert all(use.cost > -1e-4 for use in review.uses)
        assert review.assumption is None


def test_means_over_games() -> None:
    start, advise = begin("yams", 2, {})
    sessions = [play_at_random(start, random.Random(number)) for number in (1, 2)]
    each = [fortunes(session, advise) or () for session in sessions]
    figures = fortune_figures([*sessions, start], advise)  # a running game counts nowhere
    assert [*figures] == ["P0", "P1"]
    for player, found in enumerate(figures.values()):
        one, other = (game[player] for game in each)
        assert one is not None
        assert other is not None
        assert found.games == 2
        assert found.luck == pytest.approx((one.luck + other.luck) / 2)
        assert found.cost == pytest.approx((one.cost + other.cost) / 2)
    table, advise = begin("yamslam", 2, {})
    assert fortune_figures([table], advise) == {}


def test_turns_add_up_one_by_one() -> None:
    session, advise = begin("yams", 2, {})
    session = play_at_random(session, random.Random(3), corrections=0.0)
    for player in range(2):
        value = 245.870774514
        reviews = [review for review in turn_reviews(session, advise) if review.player == player]
        assert len(reviews) == 13
        for review in reviews:
            assert review.before == pytest.approx(value, abs=1e-3)
            assert review.after == pytest.approx(review.before + review.luck - review.cost, abs=1e-3)
            value = review.after
        assert value == pytest.approx(session.position.game.totals(session.position.state)[player], abs=1e-3)


def test_perfect_play_costs_nothing() -> None:
    dice = random.Random(11)
    session, advise = begin("yams", 1, {"joker": "forced", "prime": "yes"})
    while (turn := session.position.turn) is not None:
        if turn.dice is None:
            session = after(session, Rolled(fall(dice, ())))
            continue
        advice = advise.advise(session.position.state, turn.dice, turn.rolls_left)
        keep = advice.keeps[0].keep if advice.keeps else ()
        # Nothing kept cannot be told from nothing said, so that is no test of the cost.
        if advice.keeps and len(keep) < 5:
            session = after(session, Rolled(fall(dice, keep), keep))
        else:
            session = after(session, Scored(advice.boxes[0].box))
    (fortune,) = fortunes(session, advise) or ()
    assert fortune is not None
    assert fortune.cost == pytest.approx(0, abs=1e-3)
    assert fortune.start + fortune.luck == pytest.approx(fortune.total, abs=1e-3)


def test_luck_is_nothing_on_average() -> None:
    """Over all first rolls of a game, weighted by their chance, the luck of the roll is zero."""
    session, advise = begin("yams", 1, {})
    lucks = []
    for number in range(7776):
        roll = make_roll(number // 6**place % 6 + 1 for place in range(5))
        if list(roll) == sorted(roll):  # 252 of them, each with its weight
            weight = 120
            for face in range(1, 7):
                for count in range(2, roll.count(face) + 1):
                    weight //= count
            reviewed = last_review(after(session, Rolled(roll), Scored("chance")), advise)
            assert reviewed is not None
            lucks.append((weight, reviewed.rolls[0].luck))
    assert sum(weight for weight, _ in lucks) == 7776
    assert sum(weight * luck for weight, luck in lucks) / 7776 == pytest.approx(0, abs=1e-4)


def test_a_turn_in_words() -> None:
    session, advise = begin("yams", 1, {})
    session = after(
        session,
        Rolled((4, 4, 4, 1, 2)),
        Rolled((1, 2, 6, 6, 6), kept=(1, 2)),  # the wrong ones
        Rolled((6, 6, 6, 6, 3), kept=(6, 6, 6)),
        Scored("chance"),
    )
    review = last_review(session, advise)
    assert review is not None
    assert (review.seq, review.player) == (5, 0)
    assert [(roll.number, roll.dice, roll.kept, roll.best) for roll in review.rolls] == [
        (1, (1, 2, 4, 4, 4), (1, 2), (4, 4, 4)),
        (2, (1, 2, 6, 6, 6), (6, 6, 6), (6, 6, 6)),
        (3, (3, 6, 6, 6, 6), (3, 6, 6, 6, 6), (3, 6, 6, 6, 6)),
    ]
    assert review.rolls[0].cost > 5
    assert review.rolls[1].cost == review.rolls[2].cost == 0
    (use,) = review.uses
    assert use.box == "chance"
    assert use.best_box in {"sixes", "four_of_a_kind"}
    assert use.cost > 1
    assert review.after == pytest.approx(review.before + review.luck - review.cost, abs=1e-3)
    assert review.before == pytest.approx(245.870774514, abs=1e-4)


def test_stopping_too_early_has_its_cost() -> None:
    session, advise = begin("yams", 1, {})
    review = last_review(after(session, Rolled((4, 4, 4, 1, 2)), Scored("fours")), advise)
    assert review is not None
    (roll,) = review.rolls
    assert (roll.kept, roll.best) == ((1, 2, 4, 4, 4), (4, 4, 4))
    assert roll.cost > 5
    assert review.uses[0].cost == 0


def test_what_was_kept_is_not_known_and_so_costs_nothing() -> None:
    session, advise = begin("yams", 1, {})
    unsaid = after(session, Rolled((4, 4, 4, 1, 2)), Rolled((4, 4, 4, 6, 6)), Scored("full_house"))
    left_out = after(
        session, Rolled((4, 4, 4, 1, 2)), Rolled((4, 4, 4, 6, 6), kept=(6,), number=3), Scored("full_house")
    )
    for played in (unsaid, left_out):
        review = last_review(played, advise)
        assert review is not None
        assert [roll.kept for roll in review.rolls] == [None, (4, 4, 4, 6, 6)]
        assert review.rolls[0].cost == 0
    only_last = last_review(after(session, Rolled((4, 4, 4, 6, 6), number=3), Scored("full_house")), advise)
    assert only_last is not None
    (roll,) = only_last.rolls
    assert (roll.number, roll.cost) == (3, 0)
    assert roll.luck == pytest.approx(only_last.after - only_last.before, abs=1e-3)


def test_a_zero_by_choice_costs_what_it_gives_away() -> None:
    session, advise = begin("yams", 1, {})
    rolled = after(session, Rolled((6, 6, 6, 6, 6), number=3))
    review = last_review(after(rolled, Scored("yams", scratch=True)), advise)
    assert review is not None
    assert review.uses[0].box == review.uses[0].best_box == "yams"
    assert review.uses[0].cost == pytest.approx(50, abs=1e-3)
    # A zero that the roll gives anyway is an option like any other.
    forced = last_review(after(rolled, Scored("ones", scratch=True)), advise)
    assert forced is not None
    assert forced.uses[0].cost > 40


def test_running_turns_and_those_of_leavers_are_not_reviewed() -> None:
    session, advise = begin("yams", 2, {})
    assert last_review(session, advise) is None
    session = after(session, Rolled((1, 2, 3, 4, 5)), Scored("large_straight"), Rolled((1, 1, 1, 1, 2)))
    assert [review.player for review in turn_reviews(session, advise)] == [0]
    session = after(session, Left(1), Rolled((1, 1, 1, 1, 2)))
    assert [review.player for review in turn_reviews(session, advise)] == [0]
    while session.position.turn is not None:
        if session.position.turn.dice is None:
            session = after(session, Rolled((1, 1, 2, 3, 6)))
        session = after(session, Scored(str(session.position.options[0].box)))
    found = fortunes(session, advise)
    assert found is not None
    assert found[0] is not None
    assert found[1] is None


def test_edits_in_the_middle_of_turns() -> None:
    session, advise = begin("yams", 2, {})
    session = after(
        session,
        Rolled((6, 6, 6, 6, 6)),
        Scored("yams"),
        Rolled((1, 2, 3, 4, 5)),
        Edited(0, "yams", points=0),  # of the other
        Scored("large_straight"),
        Rolled((6, 6, 1, 1, 2)),
        Edited(0, "yams", points=50),  # one's own
        Rolled((6, 6, 1, 1, 1), kept=(6, 6)),
        Scored("full_house"),
    )
    reviews = turn_reviews(session, advise)
    assert [review.player for review in reviews] == [0, 1, 0]
    for review in reviews[:2]:
        assert review.after == pytest.approx(review.before + review.luck - review.cost, abs=1e-3)
    # The correction, 50 points and what hangs on them, is neither luck nor a choice.
    assert reviews[2].after - (reviews[2].before + reviews[2].luck - reviews[2].cost) == pytest.approx(50, abs=0.5)


def test_yamslam_at_the_table_looks_at_the_turn_alone() -> None:
    session, advise = begin("yamslam", 2, {})
    session = after(session, Rolled((1, 1, 1, 2, 2), number=3), Scored("full_house"))
    review = last_review(session, advise)
    assert review is not None
    assert review.uses == (Use("full_house", "rack", "full_house", "rack", 0.0),)
    session = after(session, Rolled((1, 1, 1, 2, 2), number=3), Passed())
    review = last_review(session, advise)
    assert review is not None
    assert review.assumption == "others"
    assert (review.uses[0].box, review.uses[0].best_box) == (None, "full_house")
    assert review.uses[0].cost == pytest.approx(30)
