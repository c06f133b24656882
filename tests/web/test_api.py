"""The JSON interface, to the letter of the contract, and every way of using it wrongly."""

from __future__ import annotations

import io
import re
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.errors import StoreError
from scorekeeper.rulebooks import GAMES
from tests.web.conftest import CHANGE
from web import create_app
from web.api.fields import WHOLE, check
from web.api.states import ENTRY, STATE
from web.errors import Refused
from web.serving.photos import AT_ONCE, WAITING
from web.words import names

if TYPE_CHECKING:
    from tests.web.conftest import Player, ScriptedReader


# ---- State


def test_a_new_session_is_a_state_to_the_letter(player: Player) -> None:
    answer = player.post("/sessions", {"game": "yams", "options": {"joker": "seeds"}, "players": ["Ana", "Bo"]})
    assert answer.status_code == 201
    state = answer.json
    assert state is not None
    assert answer.headers["Location"].endswith(f"/api/v1/sessions/{state['id']}")
    sums = dict.fromkeys(
        (
            "upper_subtotal",
            "upper_bonus",
            "upper_total",
            "lower_subtotal",
            "prime",
            "lower_total",
            "grand_total",
        ),
        0,
    )
    assert state == {
        "id": state["id"],
        "seq": 1,
        "game": "yams",
        "options": {"joker": "seeds", "prime": "no", "five_alike_full_house": "no"},
        "players": [
            {"name": name, "boxes": {}, "sums": sums, "total": 0, "typed": [], "left": False, "course": 0}
            for name in ("Ana", "Bo")
        ],
        "turn": {"player": 0, "roll": 0, "dice": [], "kept": [], "options": [], "scratches": [], "pass": False},
    }


def test_a_turn_of_a_sheet_game(player: Player) -> None:
    state = player.roll(player.start(), 2, 2, 4, 4, 4)
    turn = state["turn"]
    assert (state["seq"], turn["player"], turn["roll"], turn["dice"]) == (2, 0, 1, [2, 2, 4, 4, 4])
    assert {option["box"]: option["points"] for option in turn["options"]} == {
        "ones": 0,
        "twos": 4,
        "threes": 0,
        "fours": 12,
        "fives": 0,
        "sixes": 0,
        "three_of_a_kind": 16,
        "four_of_a_kind": 0,
        "full_house": 25,
        "small_straight": 0,
        "large_straight": 0,
        "yams": 0,
        "chance": 16,
    }
    assert turn["scratches"] == ["twos", "fours", "three_of_a_kind", "full_house", "chance"]
    state = player.roll(state, 4, 4, 4, 4, 1, kept=[4, 4, 4], source="photo", inks=["black"] * 5, confidence=0.98)
    assert (state["turn"]["roll"], state["turn"]["kept"]) == (2, [4, 4, 4])
    state = player.score(state, "four_of_a_kind")
    assert state["players"][0]["boxes"] == {"four_of_a_kind": 17}
    assert state["players"][0]["total"] == state["players"][0]["sums"]["grand_total"] == 17
    assert (state["turn"]["player"], state["turn"]["roll"], state["turn"]["dice"]) == (1, 0, [])


@pytest.mark.parametrize("game", list(GAMES))
def test_every_answer_is_as_its_description_says(player: Player, game: str) -> None:
    state = player.start(
        game, options={option: values[-1] for option, values in GAMES[game].options.items()} | _four(game)
    )
    check(state, STATE)
    check(player.roll(state, 5, 5, 5, 5, 5), STATE)
    check(player.get(f"/sessions/{state['id']}").json, STATE)
    entries = player.get("/sessions").json
    assert isinstance(entries, list)
    check(entries[0], ENTRY)


def _four(game: str) -> dict[str, str]:
    return {"mode": "table"} if game == "yamslam" else {}


def test_a_turn_may_begin_with_its_last_roll(player: Player) -> None:
    state = player.roll(player.start(), 1, 2, 3, 4, 6, number=3)
    assert state["turn"]["roll"] == 3
    answer = player.post(f"/sessions/{state['id']}/rolls", {"seq": state["seq"], "dice": [1, 2, 3, 4, 5]})
    assert answer.status_code == 400


def test_a_scratch_is_a_zero_by_choice(player: Player) -> None:
    state = player.roll(player.start(), 2, 2, 4, 4, 4)
    state = player.score(state, "full_house", scratch=True)
    assert state["players"][0]["boxes"] == {"full_house": 0}


def test_yamslam_takes_chips_from_rack_and_pile_or_passes(player: Player) -> None:
    state = player.start("yamslam", ["Ana"])
    assert state["rack"] == dict.fromkeys(GAMES["yamslam"].boxes, 4)
    state = player.change(player.roll(state, 1, 2, 4, 6, 3), "scores", chip="small_straight")
    assert (state["players"][0]["chips"]["small_straight"], state["rack"]["small_straight"]) == (1, 3)
    assert state["players"][0]["total"] == 20
    # A round without a chip: the highest goes to the pile, whence only five alike take it.
    state = player.change(player.roll(state, 1, 2, 4, 6, 3), "scores", **{"pass": True})
    assert state["pile"]["large_straight"] == 1
    state = player.roll(state, 6, 6, 6, 6, 6)
    assert state["turn"]["pass"] is True
    assert {"box": "large_straight", "points": 50, "from": "pile"} in state["turn"]["options"]
    state = player.change(state, "scores", chip="large_straight", **{"from": "pile"})
    assert state["pile"]["large_straight"] == 0
    assert state["players"][0]["chips"]["large_straight"] == 1
    assert state["turn"]["roll"] == 0


def test_the_throws_say_who_begins(player: Player) -> None:
    tied = [[[6, 6, 1, 1, 1], [5, 5, 3, 1, 1]]]
    body: dict[str, Any] = {"game": "yams", "players": ["Ana", "Bo"], "throws": tied}
    answer = player.post("/sessions", body)
    assert answer.status_code == 400
    assert answer.json is not None
    assert "tied" in answer.json["error"]
    body["throws"] = [*tied, [[1, 1, 1, 1, 1], [2, 1, 1, 1, 1]]]
    answer = player.post("/sessions", body)
    assert answer.json is not None
    assert answer.json["turn"]["player"] == 1
    assert player.start(first=1)["turn"]["player"] == 1
    assert player.start("yamslam", throws=[[[3], [5]]])["turn"]["player"] == 1


def test_at_the_end_there_are_places_and_no_turn(player: Player) -> None:
    state = player.start(players=["Ana", "Bo", "Cy"])
    for box in GAMES["yams"].boxes:
        for dice in ((6, 6, 6, 6, 6), (6, 6, 6, 6, 6), (1, 2, 2, 3, 5)):
            state = player.score(player.roll(state, *dice), box)
    assert state["turn"] is None
    assert state["places"] == [1, 1, 3]
    answer = player.post(f"/sessions/{state['id']}/rolls", {"seq": state["seq"], "dice": [1, 1, 1, 1, 1]})
    assert answer.status_code == 400
    assert player.change(state, "undo")["turn"]["player"] == 2


# ---- Undo, stale changes, restarts


def test_undo_goes_back_over_the_turns_edge_and_totals_follow(player: Player) -> None:
    state = player.score(player.roll(player.start(), 6, 6, 6, 6, 6), "yams")
    assert state["players"][0]["total"] == 50
    state = player.change(state, "undo")
    assert (state["seq"], state["turn"]["player"], state["turn"]["roll"]) == (4, 0, 1)
    assert (state["players"][0]["boxes"], state["players"][0]["total"]) == ({}, 0)
    state = player.change(state, "undo")
    assert state["turn"]["roll"] == 0
    answer = player.post(f"/sessions/{state['id']}/undo", {"seq": state["seq"]})
    assert answer.status_code == 400
    assert answer.json is not None
    assert "nothing to undo" in answer.json["error"]


@pytest.mark.parametrize(
    "what, body",
    [
        ("rolls", {"dice": [1, 2, 3, 4, 5]}),
        ("scores", {"box": "yams"}),
        ("scores", {"box": "no such box"}),
        ("undo", {}),
    ],
)
@pytest.mark.parametrize("seq", [0, 1, 3, 1_000_000])
def test_a_stale_change_gets_409_and_the_fresh_state(player: Player, what: str, body: dict[str, Any], seq: int) -> None:
    state = player.roll(player.start(), 6, 6, 6, 6, 6)
    answer = player.post(f"/sessions/{state['id']}/{what}", {"seq": seq, **body})
    assert answer.status_code == 409
    fresh = answer.json
    assert fresh is not None
    assert fresh.pop("field") == "seq"
    assert fresh.pop("error")
    assert fresh == state == player.get(f"/sessions/{state['id']}").json


@pytest.mark.parametrize("since", [0, 1])
def test_a_change_that_is_sent_again_is_known_to_have_arrived(player: Player, since: int) -> None:
    start = player.start()
    rolled = player.roll(start, 6, 6, 6, 6, 6, confidence=0.9)
    scored = player.score(rolled, "yams")
    if since:
        player.roll(scored, 1, 2, 3, 4, 5)
    again = (
        ("rolls", start, {"dice": [6, 6, 6, 6, 6], "confidence": 0.9}, True),
        ("rolls", start, {"dice": [6, 6, 6, 6, 5], "confidence": 0.9}, False),
        ("scores", rolled, {"box": "yams"}, True),
        ("scores", rolled, {"box": "chance"}, False),
    )
    for what, state, body, arrived in again:
        answer = player.post(f"/sessions/{start['id']}/{what}", {"seq": state["seq"], **body})
        assert answer.status_code == 409
        assert (answer.json or {})["seq"] == scored["seq"] + since
        assert (answer.json or {}).get("recorded", False) is arrived


def test_parallel_posts_score_once(app: Flask, player: Player) -> None:
    state = player.roll(player.start(), 6, 6, 6, 6, 6)

    def tap(box: str) -> int:
        body = {"seq": state["seq"], "box": box}
        return app.test_client().post(f"/api/v1/sessions/{state['id']}/scores", json=body, headers=CHANGE).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(tap, ["yams", "chance", "sixes", "yams"] * 4))
    assert statuses == [200] + [409] * 15
    now = player.get(f"/sessions/{state['id']}").json
    assert now is not None
    assert now["seq"] == state["seq"] + 1
    assert [len(one["boxes"]) for one in now["players"]] == [1, 0]


def test_a_game_goes_on_after_the_database_is_opened_again(player: Player, database: Path) -> None:
    state = player.score(player.roll(player.start(), 3, 3, 3, 2, 2), "full_house")
    state = player.roll(state, 1, 1, 1, 1, 2)
    again = create_app({"DATABASE": database}, None).test_client()
    found = again.get(f"/api/v1/sessions/{state['id']}").json
    assert found == state
    answer = again.post(
        f"/api/v1/sessions/{state['id']}/scores", json={"seq": state["seq"], "box": "ones"}, headers=CHANGE
    )
    assert answer.status_code == 200


# ---- Wrong use


@pytest.mark.parametrize(
    "body, field",
    [
        ([], None),
        ("yams", None),
        ({}, "game"),
        ({"game": "yams"}, "players"),
        ({"game": "poker", "players": ["Ana"]}, "game"),
        ({"game": 7, "players": ["Ana"]}, "game"),
        ({"game": "yams", "players": "Ana"}, "players"),
        ({"game": "yams", "players": []}, "players"),
        ({"game": "yams", "players": ["Ana"] * 9}, "players"),
        ({"game": "yams", "players": ["  "]}, "players"),
        ({"game": "yams", "players": ["A" * 41]}, "players"),
        ({"game": "yams", "players": ["A\nB"]}, "players"),
        ({"game": "yams", "players": ["\ud800"]}, "players"),
        ({"game": "yams", "players": [None]}, "players"),
        ({"game": "yams", "players": ["Ana"], "options": {"joker": "maybe"}}, "options"),
        ({"game": "yams", "players": ["Ana"], "options": {"mode": "solo"}}, "options"),
        ({"game": "yams", "players": ["Ana"], "options": {"prime": True}}, "options"),
        ({"game": "yams", "players": ["Ana"], "options": []}, "options"),
        ({"game": "yamslam", "players": ["Ana"], "options": {"mode": "teams"}}, "players"),
        ({"game": "yams", "players": ["Ana"], "first": 1}, "first"),
        ({"game": "yams", "players": ["Ana"], "first": -1}, "first"),
        ({"game": "yams", "players": ["Ana", "Bo"], "first": 0, "throws": [[[1] * 5, [2] * 5]]}, "first"),
        ({"game": "yams", "players": ["Ana", "Bo"], "throws": [[[1] * 5]]}, "throws"),
        ({"game": "yams", "players": ["Ana", "Bo"], "throws": [[[1], [2]]]}, "throws"),
        ({"game": "yams", "players": ["Ana", "Bo"], "throws": [[[9] * 5, [2] * 5]]}, "throws"),
        ({"game": "yams", "players": ["Ana", "Bo"], "throws": [[[2] * 5, [2] * 5]]}, "throws"),
        ({"game": "yams", "players": ["Ana"], "colour": "red"}, "colour"),
    ],
)
def test_a_wrong_start_is_refused_in_a_sentence(player: Player, body: object, field: str | None) -> None:
    _refused(player.post("/sessions", body), 400, field)
    assert player.get("/sessions").json == []


@pytest.mark.parametrize(
    "body, field",
    [
        ({"dice": [1, 2, 3]}, "dice"),
        ({"dice": [1, 2, 3, 4, 5, 6, 1]}, "dice"),
        ({"dice": [1, 2, 3, 4, 0]}, "dice"),
        ({"dice": [1, 2, 3, 4, 7]}, "dice"),
        ({"dice": [1, 2, 3, 4, 5.0]}, "dice"),
        ({"dice": [1, 2, 3, 4, True]}, "dice"),
        ({"dice": "12345"}, "dice"),
        ({"dice": None}, "dice"),
        ({}, "dice"),
        ({"dice": [1, 2, 3, 4, 5], "kept": [6]}, "dice"),
        ({"dice": [1, 2, 3, 4, 5], "kept": "1"}, "kept"),
        ({"dice": [1, 2, 3, 4, 5], "source": "guessed"}, "source"),
        ({"dice": [1, 2, 3, 4, 5], "inks": ["red"]}, "inks"),
        ({"dice": [1, 2, 3, 4, 5], "confidence": 7}, "confidence"),
        ({"dice": [1, 2, 3, 4, 5], "number": 4}, "number"),
        ({"dice": [1, 2, 3, 4, 5], "extra": 1}, "extra"),
        ({"dice": [1, 2, 3, 4, 5], "seq": "1"}, "seq"),
        ({"dice": [1, 2, 3, 4, 5], "seq": 1.0}, "seq"),
        ({"dice": [1, 2, 3, 4, 5], "seq": 10**30}, "seq"),
    ],
)
def test_a_wrong_roll_is_refused_and_the_sheet_stays(player: Player, body: dict[str, Any], field: str) -> None:
    state = player.start()
    _refused(player.post(f"/sessions/{state['id']}/rolls", {"seq": 1, **body}), 400, field)
    assert player.get(f"/sessions/{state['id']}").json == state


@pytest.mark.parametrize(
    "body, field",
    [
        ({}, "box"),
        ({"box": "yams", "pass": True}, "pass"),
        ({"box": "sevens"}, "box"),
        ({"box": "ones"}, "box"),
        ({"box": ["twos"]}, "box"),
        ({"box": "twos", "scratch": "yes"}, "scratch"),
        ({"box": "twos", "from": "rack"}, "box"),
        ({"box": "twos", "from": "sleeve"}, "from"),
        ({"chip": "flush"}, "chip"),
        ({"pass": True}, "box"),
        ({"pass": True, "scratch": True}, "scratch"),
        ({"pass": False}, "box"),
    ],
)
def test_a_wrong_score_is_refused_and_the_sheet_stays(player: Player, body: dict[str, Any], field: str) -> None:
    state = player.start(players=["Ana"])
    state = player.roll(player.score(player.roll(state, 1, 1, 2, 3, 5), "ones"), 2, 2, 4, 4, 4)
    _refused(player.post(f"/sessions/{state['id']}/scores", {"seq": state["seq"], **body}), 400, field)
    assert player.get(f"/sessions/{state['id']}").json == state


def test_a_chip_that_is_not_won_or_a_box_in_yamslam_is_refused(player: Player) -> None:
    state = player.roll(player.start("yamslam"), 1, 2, 4, 6, 3)
    for body, field in (({"chip": "flush"}, "box"), ({"box": "small_straight"}, "box")):
        _refused(player.post(f"/sessions/{state['id']}/scores", {"seq": state["seq"], **body}), 400, field)


def test_scoring_before_a_roll_is_refused(player: Player) -> None:
    state = player.start()
    _refused(player.post(f"/sessions/{state['id']}/scores", {"seq": 1, "box": "yams"}), 400, "box")


@pytest.mark.parametrize(
    "data, kind, status",
    [
        (b"{", "application/json", 400),
        (b"", "application/json", 400),
        (b"\xff\xfe\x00", "application/json", 400),
        (b'{"seq": NaN}', "application/json", 400),
        (b"[" * 60_000, "application/json", 400),
        (b'{"seq": 1' + b"0" * 5000 + b"}", "application/json", 400),
        (b"{}" + b" " * 100_000, "application/json", 413),
        (b'{"seq": 1}', "text/plain", 415),
        (b"seq=1", "application/x-www-form-urlencoded", 415),
    ],
)
def test_a_body_that_is_not_json_is_refused(
    client: FlaskClient, player: Player, data: bytes, kind: str, status: int
) -> None:
    state = player.start()
    path = f"/api/v1/sessions/{state['id']}/undo"
    _refused(client.post(path, data=data, content_type=kind, headers=CHANGE), status)


def test_a_change_that_is_too_large_is_not_called_a_photo(client: FlaskClient) -> None:
    answer = client.post("/api/v1/sessions", data=b" " * 100_000, content_type="application/json", headers=CHANGE)
    assert (answer.status_code, answer.json) == (413, {"error": "That is too large: a change may have 64 KB."})


def test_a_value_too_deep_to_be_shown_is_refused_like_any_other() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Refused, match="not so deep a nest"):
        check(deep, WHOLE, "seq")


def test_what_is_not_there_is_404_and_a_wrong_method_405(player: Player, client: FlaskClient) -> None:
    for answer in (
        player.get("/sessions/nosuch"),
        player.post("/sessions/nosuch/rolls", {"seq": 1, "dice": [1, 2, 3, 4, 5]}),
        player.post("/sessions/nosuch/undo", {"seq": 1}),
        player.get("/nothing"),
        player.get("/sessions/../../etc/passwd"),
    ):
        _refused(answer, 404)
    _refused(client.delete("/api/v1/sessions", headers=CHANGE), 405)


def test_a_change_needs_the_header_and_reading_does_not(client: FlaskClient, player: Player, photo: bytes) -> None:
    state = player.start()
    _refused(client.post("/api/v1/sessions", json={"game": "yams", "players": ["Ana"]}), 403, "X-Dicescribe")
    for what in ("rolls", "scores", "undo"):
        _refused(client.post(f"/api/v1/sessions/{state['id']}/{what}", json={"seq": 1}), 403, "X-Dicescribe")
    assert client.post("/api/v1/read", data=photo).status_code == 200


def test_a_failure_of_ours_is_a_sentence_too(player: Player, monkeypatch: pytest.MonkeyPatch, app: Flask) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    store = app.extensions["dicescribe"].store
    monkeypatch.setattr(type(store), "sessions", fail)
    answer = player.get("/sessions")
    _refused(answer, 500)
    assert b"secret" not in answer.data

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(type(store), "sessions", full)
    _refused(player.get("/sessions"), 503)


# ---- Reading


def test_a_photo_is_read_raw_or_from_a_form(client: FlaskClient, photo: bytes, reader: ScriptedReader) -> None:
    raw = client.post("/api/v1/read", data=photo)
    typed = client.post("/api/v1/read", data=photo, content_type="application/x-www-form-urlencoded")
    form = client.post("/api/v1/read", data={"photo": (io.BytesIO(photo), "IMG_1.jpg")})
    for answer, file in ((raw, "photo"), (typed, "photo"), (form, "IMG_1.jpg")):
        assert answer.status_code == 200
        seen = answer.json
        assert seen is not None
        assert list(seen) == [
            "file", "width", "height", "model", "dice", "values", "other", "sure", "doubts", "ms",
        ]  # fmt: skip
        assert (seen["file"], seen["width"], seen["height"]) == (file, 640, 480)
        assert (seen["values"], seen["sure"], seen["doubts"]) == ([2, 2, 4, 4, 4], True, [])
        assert seen["dice"][0]["box"] == [64.0, 192.0, 57.6, 57.6]
        assert seen["ms"]["decode"] > 0


def test_expect_makes_a_wrong_count_a_doubt(client: FlaskClient, photo: bytes, reader: ScriptedReader) -> None:
    reader.readings = [[1, 2, 3], [1, 2, 3, 4, 5, 6, 6], [1, 2, 3, 4, 5], []]
    for count, sure in ((3, False), (7, False), (5, True), (0, False)):
        seen = client.post("/api/v1/read?expect=5", data=photo).json
        assert seen is not None
        assert (len(seen["dice"]), seen["sure"], bool(seen["doubts"])) == (count, sure, not sure)
    for wrong in ("", "five", "-1", "5.0", "1000", "٥"):
        _refused(client.post("/api/v1/read", query_string={"expect": wrong}, data=photo), 400, "expect")


def test_an_unsure_die_is_marked(client: FlaskClient, photo: bytes, reader: ScriptedReader) -> None:
    reader.unsure = {1}
    seen = client.post("/api/v1/read", data=photo).json
    assert seen is not None
    assert [die["sure"] for die in seen["dice"]] == [True, False, True, True, True]
    assert seen["sure"] is False


def test_what_is_no_photo_is_refused(client: FlaskClient, photo: bytes) -> None:
    path = "/api/v1/read"
    _refused(client.post(path), 400, "photo")
    _refused(client.post(path, data={"picture": (io.BytesIO(photo), "a.jpg")}), 400, "photo")
    _refused(client.post(path, data={"photo": "text"}, content_type="multipart/form-data"), 400, "photo")
    _refused(client.post(path, data={"photo": (io.BytesIO(b""), "a.jpg")}), 400, "photo")
    _refused(client.post(path, data=b"these are words, not a picture"), 415, "photo")
    _refused(client.post(path, data=photo[:200]), 415, "photo")
    _refused(client.post(path, data=b"x" * (40 * 2**20 + 1)), 413)
    _refused(client.post(path, data=b"x" * (41 * 2**20)), 413)
    assert client.post(path, data=photo).status_code == 200


def test_ten_phones_at_once_are_all_answered_two_by_two(
    app: Flask, photo: bytes, reader: ScriptedReader, held: Any
) -> None:
    def send(_: int) -> int:
        return app.test_client().post("/api/v1/read", data=photo).status_code

    with ThreadPoolExecutor(10) as pool:
        answers = [pool.submit(send, n) for n in range(10)]
        held.set()
        assert [answer.result(30) for answer in answers] == [200] * 10
    assert reader.most_at_once <= 2


def test_more_photos_than_can_wait_get_429(app: Flask, photo: bytes, held: Any) -> None:
    def send(_: int) -> tuple[int, str | None]:
        answer = app.test_client().post("/api/v1/read", data=photo)
        return answer.status_code, answer.headers.get("Retry-After")

    with ThreadPoolExecutor(AT_ONCE + WAITING + 4) as pool:
        answers = [pool.submit(send, n) for n in range(AT_ONCE + WAITING + 4)]
        done, _ = wait(answers, 10, FIRST_COMPLETED)
        held.set()
        statuses = [answer.result(30) for answer in answers]
    assert {answer.result() for answer in done} == {(429, "3")}
    assert {status for status, _ in statuses} == {200, 429}
    assert sum(status == 200 for status, _ in statuses) >= AT_ONCE + WAITING


# ---- What it says about itself


def test_games_have_names_for_everything(player: Player) -> None:
    games = player.get("/games").json
    assert isinstance(games, list)
    assert [game["id"] for game in games] == ["yams", "yatzy", "scandinavian", "yamslam"]
    yams = games[0]
    assert yams["boxes"][8] == {"id": "full_house", "name": "Full house"}
    assert [option["id"] for option in yams["options"]] == ["joker", "prime", "five_alike_full_house"]
    assert yams["options"][0]["default"] == "none"
    for spec in GAMES.values():
        game = spec.make({option: values[-1] for option, values in spec.options.items()})
        assert all(names.row_name(row) for row in game.rows)


def test_the_description_names_every_route_and_schema(player: Player, app: Flask) -> None:
    described = player.get("/openapi.json").json
    assert described is not None
    assert described["openapi"].startswith("3.1")
    routed = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routed == {(path, method.upper()) for path, methods in described["paths"].items() for method in methods}
    roll = described["paths"]["/api/v1/sessions/{session_id}/rolls"]["post"]
    assert set(roll["responses"]) == {"200", "400", "403", "404", "409", "413", "415", "429", "503"}
    assert roll["requestBody"]["content"]["application/json"]["schema"]["required"] == ["seq", "dice"]
    assert roll["responses"]["200"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/State"}


def _refused(answer: Any, status: int, field: str | None = None) -> None:
    assert answer.status_code == status, (answer.status_code, answer.data)
    said = answer.json
    assert set(said) <= {"error", "field"}
    assert said["error"].endswith((".", "?")), said
    assert len(said["error"]) < 400
    assert "Traceback" not in said["error"]
    if field is not None:
        assert said["field"] == field, said
