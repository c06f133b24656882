"""Games gone by: the list, one turn by turn, as files; and the pictures of figures."""

from __future__ import annotations

import json
import re
import sqlite3
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.rulebooks import GAMES
from scorekeeper.store import Store
from web.pages.plots import HEIGHT, MARKS, Bar, Line, Row, bars, classes_of, dots, lines

if TYPE_CHECKING:
    from tests.web.conftest import Player, Run

MARKUP = "<script>alert(1)</script>"


def finish(player: Player, *dice: tuple[int, ...], game: str = "yams", **more: Any) -> dict[str, Any]:
    """A game in which each player throws the same dice all the time."""
    state = player.start(game, **more)
    for box in GAMES[game].boxes:
        for roll in dice:
            state = player.score(player.roll(state, *roll), box)
    return state


class Text(HTMLParser):
    """What can be read, without blanks at the ends."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.feed(html)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.words.append(data.strip())


def drawings(html: str) -> list[ElementTree.Element]:
    """The pictures of a page; each must be well formed."""
    found = re.findall(r'<svg class="plot".*?</svg>(?=\s*(?:<details|</figure))', html, re.DOTALL)
    return [ElementTree.fromstring(one) for one in found]


# ---- All games


def test_all_games_paged_and_chosen(client: FlaskClient, player: Player) -> None:
    assert "No game has been played here yet." in client.get("/history").text
    for n in range(32):
        player.start("yams" if n % 2 else "scandinavian", ["Ana", f"Bo{n}"])
    first, second = (client.get(f"/history?page={page}").text for page in (1, 2))
    assert "32 games" in first
    assert (first.count('class="resume"'), second.count('class="resume"')) == (30, 2)
    assert "Page 1 of 2" in first
    assert "Bo31" in first.split('class="games-list"')[1]
    assert "Bo0 0" in second
    chosen = client.get("/history?game=yams&player=Bo7").text
    assert "1 game<" in chosen
    assert chosen.count('class="resume"') == 1
    assert '<option value="Bo7" selected>' in chosen
    assert client.get("/history?game=yams").text.count('class="resume"') == 16
    for odd in ("0", "-1", "9" * 30, "x", "²", ""):
        assert client.get("/history", query_string={"page": odd}).status_code == 200
    assert "0 games" in client.get("/history?player=nobody").text


def test_a_game_turn_by_turn(client: FlaskClient, player: Player) -> None:
    state = player.start(players=["Ana", "Bo"])
    state = player.roll(state, 2, 2, 4, 4, 5)
    state = player.roll(state, 2, 2, 4, 4, 4, kept=[2, 2, 4, 4])
    state = player.score(state, "full_house")
    state = player.change(state, "undo")
    state = player.score(state, "fours")
    state = player.score(player.roll(state, 1, 1, 2, 3, 6), "yams")
    state = player.change(state, "edits", player=1, box="yams", dice=[6, 6, 6, 6, 6], by="Cy")
    state = player.change(state, "players", player=1, name=MARKUP)
    page = client.get(f"/sessions/{state['id']}/history").text
    assert MARKUP not in page
    said = Text(page).words
    for words in (
        "Ana begins.",
        "Ana: 12 in Fours.",
        "The last change was taken back.",
        "Bo: 0 in Yams.",
        "Bo: corrected to 50 in Yams. (by Cy)",
        f"Bo is now {MARKUP}.",
    ):
        assert words in said
    # What was taken back is there and marked so; what counts is not.
    gone = re.findall(r'class="moment undone">(.*?)</div>', page, re.DOTALL)
    assert ["Ana: 25 in Full house." in one for one in gone] == [True]
    assert page.count("taken back</span>") == 1
    assert 'aria-label="2 kept, 2 kept, 4 kept, 4 kept, 4"' in page
    assert page.count('<span class="kept">') == 4
    assert '#die-6"></use>' in page


def test_chips_turn_by_turn(client: FlaskClient, player: Player) -> None:
    state = player.start("yamslam", ["Ana"])
    state = player.change(player.roll(state, 1, 2, 4, 6, 6), "scores", **{"pass": True})
    state = player.roll(state, 6, 6, 6, 6, 6)
    state = player.change(state, "scores", chip="large_straight", **{"from": "pile"})
    said = Text(client.get(f"/sessions/{state['id']}/history").text).words
    assert "Ana took no chip." in said
    assert "Ana took a chip from the discard pile: Large straight." in said


def test_a_damaged_game_is_told_as_far_as_it_goes(client: FlaskClient, player: Player, app: Flask) -> None:
    state = player.score(player.roll(player.start(), 1, 1, 2, 3, 6), "ones")
    with sqlite3.connect(app.extensions["dicescribe"].store.path) as connection:
        connection.execute("UPDATE event SET data = '{' WHERE seq = 3")
    connection.close()
    page = client.get(f"/sessions/{state['id']}/history")
    assert page.status_code == 200
    assert "This part of the record was damaged." in page.text


# ---- Files


def test_the_files_are_those_of_the_command(client: FlaskClient, player: Player, run: Run, database: Path) -> None:
    one, two = (player.score(player.roll(player.start(), 1, 1, 2, 3, 6), "ones")["id"] for _ in range(2))
    for path, arguments in (
        (f"/sessions/{one}/game.json", ["export", one]),
        (f"/sessions/{two}/game.csv", ["export", "--format", "csv", two]),
        ("/history/games.json", ["export"]),
        ("/history/games.csv", ["export", "--format", "csv"]),
    ):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
        assert answer.text == run("games", *arguments, "--db", database).out
    assert json.loads(client.get(f"/sessions/{one}/game.json").text)["sessions"][0]["id"] == one
    for wrong in (f"/sessions/{one}/game.xml", "/history/games.", "/sessions/nosuch/game.csv", "/sessions/x/history"):
        assert client.get(wrong).status_code == 404


# ---- Pictures


def names_of(drawing: ElementTree.Element) -> list[tuple[float, str]]:
    """Height and words of the names at the ends of lines."""
    return sorted(
        (float(text.get("y", "0")), text.text or "") for group in drawing.iter("g") for text in group.iter("text")
    )


@pytest.mark.parametrize("totals", [[30] * 8, [0, 0, 1, 1, 2, 300, 300, 301], [10, 20, 30, 40, 50, 60, 70, 80]])
def test_eight_lines_are_told_apart_and_their_names_do_not_overlap(app: Flask, totals: list[int]) -> None:
    drawn = [Line(f"Player {n}", [(0, 0), (1, total / 2), (2, total)]) for n, total in enumerate(totals)]
    with app.test_request_context():
        (picture,) = drawings(str(lines(drawn, title="T & t", told="d", below="Round")) + "</figure>")
    assert picture.get("role") == "img"
    assert picture.find("title").text == "T & t"  # type: ignore[union-attr]
    named = names_of(picture)
    heights = [height for height, _ in named]
    assert all(low + 12 <= high for low, high in pairwise(heights)), heights
    assert heights[0] > 0
    assert heights[-1] < HEIGHT
    # The higher line's name stands higher.
    order = [int(name.split()[1]) for _, name in named]
    assert [totals[n] for n in order] == sorted(totals, reverse=True)
    strokes = {path.get("stroke-dasharray") for path in picture.iter("path") if path.get("class") == "plot-line"}
    marks = {path.get("d") for path in picture.iter("path") if path.get("class") == "plot-mark"}
    assert len(strokes) == len(marks) == len(set(MARKS)) == 8


def test_names_are_text_and_cut_where_they_are_long(app: Flask) -> None:
    with app.test_request_context():
        drawn = str(lines([Line(MARKUP, [(0, 0), (1, 5)]), Line("w" * 40, [(0, 0)])], title="", told="", below=""))
        dotted = str(dots([Row(MARKUP, [1.5, None])], [MARKUP, "Bo"], title=MARKUP, told=""))
    for one in (drawn, dotted):
        assert "<script" not in one
        assert "style=" not in one
        drawings(f"{one}</figure>")
    assert "w" * 11 + "…<" in drawn


@pytest.mark.parametrize("means", [[25.0] * 8, [0.0, 0.0, 12.0], [10.0, 10.4, 10.8, 30.0], [5.0, 20.0]])
def test_no_dot_hides_another(app: Flask, means: list[float]) -> None:
    with app.test_request_context():
        names = [f"Player {n}" for n in range(len(means))]
        drawn = dots([Row("Fives", means), Row("Chance", [30.0] * len(means))], names, title="", told="")
        (picture,) = drawings(f"{drawn}</figure>")
    found = [path.get("transform", "") for path in picture.iter("path") if path.get("class") == "plot-mark"]
    places = [tuple(map(float, re.findall(r"[\d.]+", one))) for one in found]
    assert len(places) == 3 * len(means)  # two rows, and what the marks mean
    for (x, y), (other_x, other_y) in combinations(places, 2):
        assert abs(x - other_x) >= 8.9 or abs(y - other_y) >= 8.9
    # Sideways each still stands where its mean is.
    fives = [x for x, _y in places[: len(means)]]
    assert [fives[n] - fives[0] for n in range(len(means))] == pytest.approx(
        [(mean - means[0]) * 234 / 30 for mean in means], abs=0.2
    )


def test_bars_have_their_heights_and_a_level(app: Flask) -> None:
    with app.test_request_context():
        drawn = bars([Bar(1, 10), Bar("x", 0), Bar(3, 20)], title="", told="", below="", level=(10, "a sixth"))
        (picture,) = drawings(f"{drawn}</figure>")
    heights = [float(rect.get("height", "-1")) for rect in picture.iter("rect")]
    assert heights[0] * 2 == pytest.approx(heights[2], abs=0.2)
    assert heights[1] == 0
    assert [use.get("href") for use in picture.iter("use")] == ["#die-1", "#die-3"]


def test_in_larger_type_the_words_of_a_picture_are_larger(app: Flask) -> None:
    """The picture fills the same room, and is a narrower one; numbers below its bars still stand apart."""
    many = [Bar(str(n), 1) for n in range(200, 320, 10)]
    wide = {}
    for choice in ("normal", "large"):
        with app.test_request_context(headers={"Cookie": f"dicescribe_type={choice}"}):
            (picture,) = drawings(f"{bars(many, title='', told='', below='')}</figure>")
            (line,) = drawings(f"{lines([Line('Ana', [(0, 0), (9, 5)])], title='', told='', below='')}</figure>")
        wide[choice] = float((picture.get("viewBox") or "").split()[2])
        assert line.get("viewBox") == picture.get("viewBox")
        below = [float(text.get("x", "0")) for text in picture.iter("text") if len(text.text or "") == 3]
        assert all(right - left >= 22 for left, right in pairwise(below))
    assert wide["normal"] == pytest.approx(1.3 * wide["large"], abs=0.01)


def test_classes_are_round_and_without_gaps() -> None:
    assert classes_of([]) == (1, [])
    assert classes_of([7]) == (1, [(7, 1)])
    assert classes_of([0, 3, 3]) == (1, [(0, 1), (1, 0), (2, 0), (3, 2)])
    width, found = classes_of([95, 120, 260, 261, 340])
    assert (width, found[0], found[-1]) == (50, (50, 1), (300, 1))
    assert sum(many for _, many in found) == 5


def test_the_statistics_are_drawn(client: FlaskClient, player: Player) -> None:
    # One game, none drawn over time; after a second one that too.
    finish(player, (6, 6, 6, 6, 6), (1, 2, 2, 5, 6), players=["Ana", MARKUP])
    page = client.get("/statistics").text
    assert MARKUP not in page
    assert [one.find("title").text for one in drawings(page)] == [  # type: ignore[union-attr]
        "How the totals are spread",
        "Each box on average",
    ]
    finish(player, (6, 6, 6, 6, 6), (1, 2, 2, 5, 6), players=["Ana", MARKUP])
    page = client.get("/statistics").text
    assert len(drawings(page)) == 3
    table = page.split("Totals, game by game")[-1]
    assert re.findall(r"<td>(\d+)</td>", table)[:4] == ["32", "170", "32", "170"]
    state = player.roll(player.start(), 1, 2, 3, 4, 5)
    player.score(player.roll(state, 1, 2, 3, 4, 6, kept=[1, 2, 3, 4]), "ones")
    assert "How often each face was thrown" in client.get("/statistics").text


def test_lists_and_statistics_replay_nothing(
    client: FlaskClient, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(player, (6, 6, 6, 6, 6), (1, 2, 2, 5, 6))
    monkeypatch.setattr(Store, "load", None)
    monkeypatch.setattr(Store, "_load", None)
    for path in ("/", "/history", "/statistics"):
        assert client.get(path).status_code == 200
