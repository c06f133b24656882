"""The page says why a roll is worth what it is, in every box of every game, and says it right."""

from __future__ import annotations

import re
from itertools import combinations_with_replacement
from typing import Any

import pytest
from flask import Flask

from scorekeeper.dice import make_roll
from scorekeeper.events import Rolled, Scored
from scorekeeper.rulebooks import GAMES
from scorekeeper.session import Session, new_game
from web.pages.why import why

ROLLS = [make_roll(dice) for dice in combinations_with_replacement(range(1, 7), 5)]


def told(app: Flask, session: Session, box: str, source: str | None = None) -> str:
    position = session.position
    option = next((one for one in position.options if one.box == box and one.source in (source, "rack", None)), None)
    with app.test_request_context():
        return why(position, box, option)


def thrown(dice: tuple[int, ...], game: str = "yams", **options: str) -> Session:
    return Session.start(new_game(game, ["Ana"], options)).then(Rolled(make_roll(dice)))


RULES = [
    (game, {name: value for name, values in spec.options.items() if value in values})
    for game, spec in GAMES.items()
    for value in ("yes", "no")
]


@pytest.mark.parametrize("game, options", RULES)
def test_every_roll_in_every_box_has_a_sentence_that_agrees(app: Flask, game: str, options: dict[str, str]) -> None:
    start = Session.start(new_game(game, ["Ana"], options))
    with app.test_request_context():
        for dice in ROLLS:
            position = start.then(Rolled(dice)).position
            options_ = {option.box: option for option in position.options}
            for box in position.game.boxes:
                words = why(position, box, options_.get(box))
                assert words.endswith(".")
                points = options_[box].points if box in options_ else 0
                if sums := re.findall(r"Here: (.*?)(?: = (\d+))?\.", words):
                    (added, total) = sums[0]
                    assert points == int(total or added)
                    assert sum(map(int, added.split(" + "))) == points
                else:
                    assert not points, (dice, box, words)


def test_before_a_roll_there_is_nothing_to_tell(app: Flask) -> None:
    assert told(app, Session.start(new_game("yams", ["Ana"])), "ones") == ""


@pytest.mark.parametrize(
    "dice, game, box, words",
    [
        ((4, 4, 4, 4, 2), "yams", "full_house", "neither four alike nor five. These are four alike and one other."),
        ((4, 4, 4, 4, 4), "yams", "full_house", "These are five alike."),
        ((2, 3, 4, 5, 3), "yams", "small_straight", "four dice in a row; the fifth may show anything. Here: 30."),
        ((2, 3, 4, 5, 3), "scandinavian", "small_straight", "is 1-2-3-4-5 and nothing else. These are 2-3-3-4-5."),
        ((5, 5, 5, 2, 1), "yams", "three_of_a_kind", "Here: 1 + 2 + 5 + 5 + 5 = 18."),
        ((5, 5, 5, 2, 1), "scandinavian", "three_of_a_kind", "and no others. Here: 5 + 5 + 5 = 15."),
        ((4, 4, 4, 4, 2), "scandinavian", "two_pairs", "four alike are only one. These are 4 alike."),
        ((3, 3, 6, 6, 6), "scandinavian", "two_pairs", "Here: 3 + 3 + 6 + 6 = 18."),
        (
            (1, 2, 4, 5, 6),
            "yams",
            "threes",
            "that show a 3 are added up, and no others. None of these dice does.",
        ),
        ((1, 2, 4, 6, 6), "yams", "large_straight", "no more than 2 are in a row."),
        ((1, 3, 3, 5, 6), "yamslam", "flush", "all odd, or all even. These dice are mixed."),
    ],
)
def test_what_looks_wrong_and_is_right(app: Flask, dice: tuple[int, ...], game: str, box: str, words: str) -> None:
    assert told(app, thrown(dice, game), box).endswith(words)


def fill(session: Session, *turns: tuple[int, str]) -> Session:
    """Five alike of these faces into these boxes."""
    for face, box in turns:
        session = session.then(Rolled(make_roll((face,) * 5))).then(Scored(box))
    return session


def test_jokers(app: Flask) -> None:
    start = Session.start(new_game("yams", ["Ana"], {"joker": "forced", "prime": "yes"}))
    session = fill(start, (6, "yams")).then(Rolled((6, 6, 6, 6, 6)))
    assert told(app, session, "chance") == "Five alike again are a joker: while Sixes is free, it goes there."
    words = told(app, session, "sixes")
    assert "Here: 6 + 6 + 6 + 6 + 6 = 30." in words
    assert "It also earns 100" in words
    session = fill(start, (6, "yams"), (6, "sixes")).then(Rolled((6, 6, 6, 6, 6)))
    assert "a joker: it scores 40 here" in told(app, session, "large_straight")
    assert told(app, session, "ones") == "Five alike again are a joker: it goes into a free box of the lower half."


def test_a_joker_without_a_box_below(app: Flask) -> None:
    session = Session.start(new_game("yams", ["Ana"], {"joker": "free"}))
    session = fill(session, (6, "yams"), (6, "sixes"))
    assert session.position.game.points((6, 6, 6, 6, 6))["ones"] == 0
    words = told(app, session.then(Rolled((6, 6, 6, 6, 6))), "ones")
    assert words == "All dice that show a 1 are added up, and no others. None of these dice does."


def test_chips_that_are_gone(app: Flask) -> None:
    session: Any = Session.start(new_game("yamslam", ["Ana", "Bo"]))
    for _ in range(4):
        session = session.then(Rolled((2, 2, 4, 4, 6))).then(Scored("flush"))
    words = told(app, session.then(Rolled((2, 2, 4, 4, 6))), "flush")
    assert words.endswith("No chip of this kind is left on the rack.")
