"""What the pages show; how they behave is tested in a real browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.rulebooks import GAMES
from web.words import names

if TYPE_CHECKING:
    from tests.web.conftest import Player

MARKUP = "<script>alert(1)</script>"
QUOTES = "\" onfocus=alert(1) x='&lt;"


class Elements(HTMLParser):
    """All start tags with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def with_attribute(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for _, attributes in self.found if name in attributes]


def _page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("game", list(GAMES))
def test_markup_in_a_name_is_text_everywhere(client: FlaskClient, player: Player, game: str) -> None:
    state = player.start(game, [MARKUP, QUOTES])
    for dice in ((5, 5, 5, 5, 5), (5, 5, 5, 5, 5), (1, 1, 1, 1, 1)):
        state = player.roll(state, *dice)
        option = state["turn"]["options"][0]["box"]
        state = player.change(state, "scores", **{"chip" if game == "yamslam" else "box": option})
    for path in ("/", f"/?again={state['id']}", f"/sessions/{state['id']}", f"/sessions/{state['id']}/sheet"):
        text = _page(client, path)
        assert MARKUP not in text
        assert "&lt;script&gt;alert(1)" in text
        elements = Elements(text)
        scripts = [attributes for tag, attributes in elements.found if tag == "script"]
        assert all((attributes["src"] or "").startswith("/static/") for attributes in scripts)
        assert not any(name.startswith("on") for _, attributes in elements.found for name in attributes)


def test_pages_ask_nothing_of_other_machines_and_hold_no_inline_style(client: FlaskClient, player: Player) -> None:
    state = player.roll(player.start(), 1, 2, 3, 4, 5)
    texts = [_page(client, path) for path in ("/", f"/sessions/{state['id']}")]
    static = Path(names.__file__).parents[1] / "static"
    for text in texts:
        for tag, attributes in Elements(text).found:
            assert "style" not in attributes, (tag, attributes)
            assert tag != "style"
            for name in ("href", "src", "action", "poster"):
                assert not re.match(r"(?i)\s*(https?:|//)", attributes.get(name) or ""), (tag, attributes)
    for file in (one for one in static.rglob("*") if one.suffix in {".js", ".css", ".svg"}):
        outside = re.findall(r"""(?:url\(|@import|from |import\(|fetch\()\s*["'`]?https?:""", file.read_text("utf-8"))
        assert not outside, file


def test_a_photo_can_be_taken_or_chosen_or_the_dice_typed(client: FlaskClient, player: Player) -> None:
    elements = Elements(_page(client, f"/sessions/{player.start()['id']}"))
    for inputs in (elements.with_attribute("data-photo")[:2], elements.with_attribute("data-photo")[2:]):
        camera, file = inputs
        assert (camera["type"], camera["capture"]) == ("file", "environment")
        assert file["type"] == "file"
        assert "capture" not in file
        assert all((one["accept"] or "").startswith("image/*") for one in inputs)
    assert len(elements.with_attribute("data-by-hand")) == 1


def test_open_boxes_show_what_the_roll_would_score_zeros_too(client: FlaskClient, player: Player) -> None:
    state = player.roll(player.start(), 2, 2, 4, 4, 4)
    text = _page(client, f"/sessions/{state['id']}")
    labels = {one["data-box"]: one["aria-label"] for one in Elements(text).with_attribute("data-box")}
    assert list(labels) == list(GAMES["yams"].boxes)
    assert labels["full_house"] == "Full house, would score 25"
    assert labels["ones"] == "Ones, would score 0"


def test_an_empty_box_a_zero_and_a_score_look_different(client: FlaskClient, player: Player) -> None:
    state = player.start(players=["Ana"])
    state = player.score(player.roll(state, 2, 2, 4, 4, 4), "yams")
    state = player.score(player.roll(state, 2, 2, 4, 4, 4), "fours")
    text = _page(client, f"/sessions/{state['id']}")
    cells = dict(re.findall(r'data-cell="([a-z_]+)-0">(.*?)</td>', text, re.DOTALL))
    assert 'class="zero"' in cells["yams"]
    assert "struck out" in cells["yams"]
    assert '<span class="written">12</span>' in cells["fours"]
    assert cells["chance"] == '<span class="unseen">empty</span>'
    assert cells["upper_bonus"] == '<span class="bar">on course for 63<small>51 to go</small></span>'


def test_all_seven_sum_rows_are_on_the_sheet(client: FlaskClient, player: Player) -> None:
    text = _page(client, f"/sessions/{player.start()['id']}")
    rows = re.findall(r'scope="row">([^<]+)<', text)
    assert rows[6:9] == ["Subtotal A", "Upper bonus B", "Upper total A+B"]
    assert rows[-4:] == ["Subtotal C", "Bonus 100 D", "Lower total C+D", "Grand total"]


def test_the_fragment_is_empty_while_nothing_has_changed(client: FlaskClient, player: Player) -> None:
    state = player.start()
    path = f"/sessions/{state['id']}/sheet"
    answer = client.get(f"{path}?shown=1%20off")
    assert (answer.status_code, answer.data) == (204, b"")
    player.roll(state, 1, 1, 1, 1, 2)
    answer = client.get(f"{path}?shown=1%20off")
    assert answer.status_code == 200
    assert 'data-seq="2"' in answer.text
    assert "<html" not in answer.text


def test_a_restricting_joker_is_explained(client: FlaskClient, player: Player) -> None:
    state = player.start(players=["Ana"], options={"joker": "seeds", "prime": "yes"})
    state = player.score(player.roll(state, 6, 6, 6, 6, 6), "yams")
    state = player.score(player.roll(state, 6, 6, 6, 6, 6), "sixes")
    assert "a joker" not in _page(client, f"/sessions/{state['id']}")
    state = player.roll(state, 6, 6, 6, 6, 6)
    text = _page(client, f"/sessions/{state['id']}")
    assert "Five alike again: a joker." in text
    labels = {one["data-box"]: one["aria-label"] for one in Elements(text).with_attribute("data-box")}
    assert "ones" not in labels
    assert labels["large_straight"] == "Large straight, would score 40 and 100 more"


def test_yamslam_shows_rack_pile_and_everyones_chips(client: FlaskClient, player: Player) -> None:
    state = player.start("yamslam", ["Ana", "Bo"])
    for _ in range(2):
        state = player.change(player.roll(state, 1, 2, 4, 6, 6), "scores", **{"pass": True})
    state = player.change(player.roll(state, 1, 3, 3, 5, 5), "scores", chip="flush")
    state = player.roll(state, 2, 2, 2, 2, 2)
    text = _page(client, f"/sessions/{state['id']}")
    chips = [(one["data-chip"], one["data-from"]) for one in Elements(text).with_attribute("data-chip")]
    assert chips == [(kind, "rack") for kind in GAMES["yamslam"].boxes] + [("large_straight", "pile")]
    assert 'role="img" aria-label="Flush"' in text
    assert [one["id"] for one in Elements(text).with_attribute("data-pass")] == ["pass"]


def test_the_end_names_all_who_share_the_first_place(client: FlaskClient, player: Player) -> None:
    state = player.start(players=["Ana", "Bo", "Cy"])
    for box in GAMES["yams"].boxes:
        for dice in ((6, 6, 6, 6, 6), (6, 6, 6, 6, 6), (1, 2, 2, 3, 5)):
            state = player.score(player.roll(state, *dice), box)
    text = _page(client, f"/sessions/{state['id']}")
    assert "Ana &amp; Bo win" in text
    assert "share the first place" in text
    assert re.findall(r'class="place">(\d)\.', text) == ["1", "3"]
    assert f'href="/?again={state["id"]}"' in text
    again = _page(client, f"/?again={state['id']}")
    inputs = [one.get("value") for one in Elements(again).with_attribute("maxlength")]
    assert inputs == ["Ana", "Bo", "Cy"]


def test_playing_again_with_house_rules_of_ones_own(client: FlaskClient, player: Player) -> None:
    options = {"joker": "free", "prime": "no", "five_alike_full_house": "yes"}
    state = player.start("yatzy", ["Ana"], options=options)
    elements = Elements(_page(client, f"/?again={state['id']}"))
    chosen = [one["value"] for one in elements.with_attribute("checked") if one["name"] == "preset"]
    assert chosen == ["classic_yatzy"]
    assert [one["value"] for one in elements.with_attribute("selected")] == ["free", "no", "yes"]


def test_home_lists_games_to_go_on_with_and_finished_ones(client: FlaskClient, player: Player) -> None:
    going = player.roll(player.start("scandinavian", ["Ana"]), 1, 2, 3, 4, 5)
    done = player.start("yams", ["Bo"], options={"joker": "forced", "prime": "yes"})
    for box in GAMES["yams"].boxes:
        done = player.score(player.roll(done, 1, 1, 2, 3, 5), box)
    text = _page(client, "/")
    first, second = text.split("Finished games")
    assert f"/sessions/{going['id']}" in first
    assert "Round 1 of 15" in first
    assert f"/sessions/{done['id']}" in second
    assert "Official rules" in second


def test_every_game_and_its_options_can_be_chosen(client: FlaskClient) -> None:
    elements = Elements(_page(client, "/"))
    presets = [one["value"] for one in elements.with_attribute("data-game")]
    assert presets == ["yams", "yams_joker_prime", "official", "classic_yatzy", "scandinavian", "yamslam"]
    selects = {one["id"] for one in elements.with_attribute("data-option")}
    assert selects == {f"{spec.id}-{option}" for spec in GAMES.values() for option in spec.options}


def test_a_page_that_is_not_there_says_so(client: FlaskClient) -> None:
    for path in ("/sessions/nosuch", "/sessions/nosuch/sheet", "/nothing", "/?again=nosuch"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "Not this time" in answer.text


def test_the_invitation_carries_the_code_and_an_address_for_phones(
    client: FlaskClient, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pages.sheet.lan_addresses", lambda: ["192.0.2.1"])
    code = app.extensions["dicescribe"].key.code
    text = _page(client, "/")
    assert "http://192.0.2.1" in text
    assert code in text
    assert "<svg" in text.split('id="phones"')[1]
    text = client.get("/", headers={"Host": "192.0.2.99:8000"}).text
    assert "http://192.0.2.99:8000" in text
    monkeypatch.setattr("web.pages.sheet.lan_addresses", list)
    assert code not in _page(client, "/")


def test_a_name_from_right_to_left_does_not_turn_the_points_beside_it(client: FlaskClient, player: Player) -> None:
    name = "\u05d3\u05e0\u05d4"
    state = player.start(players=[name, "Bo"])
    player.score(player.roll(state, 2, 2, 4, 4, 4), "full_house")
    alone = f"\u2068{name}\u2069"
    assert f"{alone} 25 \u00b7 Bo 0" in client.get("/").text
    sheet = client.get(f"/sessions/{state['id']}").text
    assert f"{alone}: 25 in Full house." in sheet
    assert state["players"][0]["name"] == name
