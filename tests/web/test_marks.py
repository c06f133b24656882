"""What the sheet marks, by hand: the way to 63, who leads, what brings most, bonuses of chips in reach."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.dice import make_roll
from scorekeeper.events import Edited, Event, Left, Passed, Rolled, Scored
from scorekeeper.rulebooks import GAMES
from scorekeeper.session import Session, new_game
from web.pages.marks import leading, marks
from web.pages.pictures import race_picture

if TYPE_CHECKING:
    from tests.web.conftest import Player

LOW = (1, 1, 2, 3, 6)


def begin(*names: str, game: str = "yams", **options: str) -> Session:
    return Session.start(new_game(game, names or ("Ana",), options))


def after(session: Session, *events: Event) -> Session:
    for event in events:
        session = session.then(event)
    return session


def fill(session: Session, *turns: tuple[tuple[int, ...], str]) -> Session:
    for dice, box in turns:
        session = after(session, Rolled(make_roll(dice)), Scored(box) if box else Passed())
    return session


def told(app: Flask, session: Session, what: str) -> Any:
    with app.test_request_context():
        return marks(session.position)[what]


@pytest.mark.parametrize(
    "boxes, words",
    [
        ({}, []),
        ({"sixes": 24}, ["+6 on course for 63", "39 to go"]),
        ({"ones": 3, "sixes": 24}, ["+6 on course for 63", "36 to go"]),
        ({"twos": 4, "fives": 10}, ["7 short", "49 to go"]),  # 2 and 5 behind
        ({"fours": 12}, ["on course for 63", "51 to go"]),
        ({"ones": 0, "twos": 0, "threes": 0}, ["18 short", "63 to go"]),
        ({"ones": 0, "fours": 0, "fives": 10}, ["20 short", "53 to go"]),  # 55 may still come
        ({"ones": 0, "fives": 5, "sixes": 6}, ["out of reach"]),
        ({"sixes": 30, "fives": 25, "fours": 8}, []),  # 63: the bonus itself is shown
        ({"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}, []),  # done, and 0
    ],
)
def test_the_way_to_the_bonus(app: Flask, boxes: dict[str, int], words: list[str]) -> None:
    session = begin()
    for box, points in boxes.items():
        face = ["ones", "twos", "threes", "fours", "fives", "sixes"].index(box) + 1
        many = points // face
        session = fill(session, ((face,) * many + ((1 + face % 6),) * (5 - many), box))
    assert told(app, session, "course") == [words]


def test_who_leads() -> None:
    session = begin("Ana", "Bo", "Cy")
    assert leading(session.position) == set()
    session = fill(session, ((2, 2, 4, 4, 4), "full_house"))
    assert leading(session.position) == {0}
    session = fill(session, ((2, 2, 4, 4, 4), "full_house"), (LOW, "chance"))
    assert leading(session.position) == {0, 1}
    assert leading(after(session, Left(0)).position) == {1}
    # Who is alone, or has what all have, leads nobody.
    assert leading(after(session, Left(0), Left(2)).position) == set()
    assert leading(after(session, Edited(2, "chance", points=25)).position) == set()


def test_what_brings_most(app: Flask) -> None:
    session = after(begin(), Rolled((2, 2, 4, 4, 4)))
    assert told(app, session, "most") == {("full_house", "rack")}
    session = fill(begin(), ((2, 2, 4, 4, 4), "full_house"))
    assert told(app, after(session, Rolled((2, 2, 4, 4, 4))), "most") == {
        ("three_of_a_kind", "rack"),
        ("chance", "rack"),
    }
    left = [box for box in session.position.game.boxes if box not in ("full_house", "sixes")]
    for box in left:
        session = fill(session, (LOW, box))
    assert told(app, after(session, Rolled((1, 1, 2, 3, 5))), "most") == set()  # a zero is nothing
    chips = after(begin(game="yamslam"), Rolled((2, 2, 4, 4, 4)))
    assert told(app, chips, "most") == {("full_house", "rack")}


def test_bonuses_of_chips_in_words(app: Flask) -> None:
    session = fill(begin("Ana", "Bo", game="yamslam"), *[((2, 2, 4, 4, 6), "flush"), (LOW, "")] * 3)
    ana, bo = told(app, session, "reach")
    assert [bonus.words for bonus in ana] == [
        "Golden 7 – 6 more chips",
        "Silver 6 – 5 more chips",
        "All four: Flush – 1 more chip (Flush)",
    ]
    assert [(bonus.chance, bonus.words) for bonus in bo] == [
        ("open", "Golden 7 – 7 more chips"),
        ("open", "Silver 6 – 6 more chips"),
    ]
    session = fill(session, ((2, 2, 4, 4, 6), "flush"))
    ana, bo = told(app, session, "reach")
    assert [bonus.words for bonus in ana][2:] == ["All four: Flush – won"]
    assert [(bonus.chance, bonus.words) for bonus in bo] == [
        ("gone", "Golden 7 – out of reach"),
        ("open", "Silver 6 – 6 more chips"),
    ]
    assert told(app, begin(), "reach") == [[]]


def test_the_sheet_shows_them(client: FlaskClient, player: Player) -> None:
    state = player.score(player.roll(player.start(), 6, 6, 6, 6, 1), "sixes")
    state = player.roll(state, 4, 4, 4, 4, 2)
    text = client.get(f"/sessions/{state['id']}").text
    assert '<span class="bar">+6 on course for 63<small>39 to go</small></span>' in text
    assert text.count("#icon-crown") == 1
    assert 'Ana<span class="unseen">, leads</span>' in text
    assert re.findall(r'class="option most" id="box-(\w+)"', text) == ["three_of_a_kind", "four_of_a_kind", "chance"]
    why = dict(re.findall(r'data-box="(\w+)".*?data-why="([^"]*)"', text))
    assert why["full_house"].endswith("These are four alike and one other.")


def test_a_box_that_a_joker_closes_says_so(client: FlaskClient, player: Player) -> None:
    state = player.start(players=["Ana"], options={"joker": "forced"})
    state = player.score(player.roll(state, 6, 6, 6, 6, 6), "yams")
    state = player.roll(state, 6, 6, 6, 6, 6)
    text = client.get(f"/sessions/{state['id']}").text
    closed = re.findall(r'id="closed-(\w+)" data-name="[^"]+" data-why="([^"]+)"', text)
    assert len(closed) == 11
    assert all("while Sixes is free, it goes there" in words for _, words in closed)


def test_chips_that_a_roll_does_not_win_say_why(client: FlaskClient, player: Player) -> None:
    state = player.roll(player.start("yamslam", ["Ana"]), 1, 2, 3, 4, 6)
    text = client.get(f"/sessions/{state['id']}").text
    assert re.findall(r'id="closed-(\w+)"', text) == [
        "two_pairs", "three_of_a_kind", "flush", "full_house", "four_of_a_kind", "large_straight",
    ]  # fmt: skip
    assert "28 chips left. The last one brings 20 more." in text
    assert "Golden 7 – 7 more chips" in text


def test_the_end_has_the_race_and_the_files(client: FlaskClient, player: Player) -> None:
    state = player.start(players=["Ana", "Bo"])
    for n, box in enumerate(GAMES["yams"].boxes):
        state = player.score(player.roll(state, 6, 6, 6, 6, 6), box)
        state = player.score(player.roll(state, 1, 2, 2, 5, 6), box)
        text = client.get(f"/sessions/{state['id']}").text
        assert ("Points by round" in text) == (n == 12)
    assert "Ana wins" in text
    assert f'href="/sessions/{state["id"]}/game.csv"' in text
    assert f'href="/sessions/{state["id"]}/history"' in text
    rows = re.findall(r'<tr><th scope="row">(\d+)</th><td>(\d+)</td><td>(\d+)</td></tr>', text)
    assert [int(row[0]) for row in rows] == list(range(1, 14))
    assert rows[-1] == ("13", "170", "32")
    assert "leads" not in text


def test_who_left_ends_in_the_race_and_is_named_so(app: Flask) -> None:
    session = fill(begin("Ana", "Bo"), ((2, 2, 4, 4, 4), "full_house"), (LOW, "chance"), (LOW, "ones"))
    session = fill(after(session, Left(1)), (LOW, "chance"))
    with app.test_request_context():
        picture = race_picture(session)
    assert picture is not None
    assert picture["columns"] == ["Round", "Ana", "Bo (left)"]
    assert picture["rows"] == [["1", "25", "13"], ["2", "27", "–"], ["3", "40", "–"]]
    with app.test_request_context():
        assert race_picture(begin("Ana", "Bo")) is None
