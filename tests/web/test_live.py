"""The live table through the JSON interface: what a camera reads lands on the sheet, and nothing else does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

from scorekeeper.errors import StoreError
from scorekeeper.events import Rolled
from scorekeeper.store import Store
from tests.web.acted import ActedCamera, LiveTable, settled, until
from tests.web.conftest import Player
from vision.camera import Lost
from vision.types import Colour
from web.api.live import LARGEST_FRAME
from web.live.following import GONE, OWN_FAILURE, QUIET
from web.serving.server import camera_line


@pytest.fixture
def live(app: Flask, photo: bytes) -> LiveTable:
    return LiveTable(app, photo)


@pytest.fixture
def camera(app: Flask, photo: bytes) -> Iterator[LiveTable]:
    table = LiveTable(app, photo, ActedCamera())
    yield table
    table.live.close()


def _state(player: Player, session: str) -> dict[str, Any]:
    state = player.get(f"/sessions/{session}").json
    assert isinstance(state, dict)
    return state


def _turn(player: Player, session: str) -> tuple[int, int, list[int], list[int]]:
    """Whose turn, which roll, the dice, those kept."""
    turn = _state(player, session)["turn"]
    return turn["player"], turn["roll"], turn["dice"], turn["kept"]


def _stands_at(player: Player, session: str, roll: int) -> bool:
    return _turn(player, session)[1] == roll


# ---- A turn


def test_a_turn_lands_on_the_sheet_with_the_dice_kept(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    assert live.on(session)["source"] == "browser"
    live.see(session, None, settled(1, 1, 1, 2, 4, 4, 5, 6))
    assert _turn(player, session) == (0, 1, [2, 4, 4, 5, 6], [])
    live.see(session, settled(2, 1, 2, 1, 4, 4, 3, 4, kept=(1, 2)))
    answer = live.see(session, None, settled(3, 1, 3, 4, 4, 4, 4, 4, kept=(1, 2, 4)))
    assert _turn(player, session) == (0, 3, [4, 4, 4, 4, 4], [4, 4, 4])
    assert answer["rolls"] == [
        {"roll": 1, "dice": [2, 4, 4, 5, 6], "kept": []},
        {"roll": 2, "dice": [1, 4, 4, 3, 4], "kept": [4, 4]},
        {"roll": 3, "dice": [4, 4, 4, 4, 4], "kept": [4, 4, 4]},
    ]
    assert answer["seq"] == 4
    assert (answer["state"], answer["words"]) == ("settled", "Roll 3 read: 4 4 4 4 4.")
    # It counts by itself as the sheet does, and is not disturbed.
    assert live.followers[0].told == []


def test_the_record_says_that_it_was_the_camera(live: LiveTable, player: Player, database: Path) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    (event,) = [line.event for line in Store(database).record(session) if isinstance(line.event, Rolled)]
    assert event == Rolled((2, 4, 4, 5, 6), (), source="camera", inks=("black",) * 5, confidence=0.99)


def test_a_box_ends_the_turn_for_the_camera_too(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    player.score(_state(player, session), "chance")
    live.see(session, None)
    assert live.told[-1] == ("expect", 2, 1)
    live.see(session, settled(2, 2, 1, 1, 1, 1, 5, 6))
    assert _turn(player, session) == (1, 1, [1, 1, 1, 5, 6], [])


def test_all_five_thrown_again_keep_nothing(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6), settled(2, 1, 2, 2, 4, 4, 5, 6))
    assert _turn(player, session) == (0, 2, [2, 4, 4, 5, 6], [])


# ---- Rolls that wait


def test_a_roll_before_the_box_is_chosen_is_held_and_then_is_the_next_players(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    rolls = [settled(n, 1, n, n, 2, 3, 4, 6) for n in (1, 2, 3)]
    live.see(session, *rolls)
    answer = live.see(session, settled(4, 2, 1, 5, 5, 5, 1, 1), settled(5, 2, 2, 5, 5, 5, 2, 3, kept=(0, 1, 2)))
    assert (answer["held"], answer["seq"]) == (2, 4)
    assert answer["words"] == "The next roll is read already: choose a box for the one before."
    assert _turn(player, session) == (0, 3, [3, 2, 3, 4, 6], [])
    state = player.score(_state(player, session), "chance")
    # The answer to the box is the state with the rolls that had waited.
    assert (state["turn"]["player"], state["turn"]["roll"], state["seq"]) == (1, 2, 7)
    assert _turn(player, session) == (1, 2, [5, 5, 5, 2, 3], [5, 5, 5])
    assert live.get(session)["held"] == 0


def test_an_unsure_roll_waits_for_a_word(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    answer = live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6, unsure=(3,)))
    assert _turn(player, session)[1] == 0
    assert answer["state"] == "unsure"
    assert answer["words"] == "Roll 1: the die in place 4 may not be a 5."
    assert [die["sure"] for die in answer["pending"]["dice"]] == [True, True, True, False, True]
    assert [die["sure"] for die in answer["dice"]] == [True, True, True, False, True]
    picture = live.client.get(f"/api/v1/sessions/{session}/live/picture?roll=1")
    assert (picture.status_code, picture.mimetype) == (200, "image/jpeg")
    answer = LiveTable._good(live.post(session, "/dice", {"n": 1, "dice": [2, 4, 4, 6, 6]}))
    assert answer["pending"] is None
    assert _turn(player, session) == (0, 1, [2, 4, 4, 6, 6], [])
    live.see(session, None)
    assert ("fixed", 2, 4, 4, 6, 6) in live.told


def test_an_unsure_roll_may_become_sure_by_itself(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6, unsure=(3,)))
    answer = live.see(session, settled(1, 1, 1, 2, 4, 4, 6, 6))
    assert answer["pending"] is None
    assert _turn(player, session) == (0, 1, [2, 4, 4, 6, 6], [])


def test_who_throws_on_leaves_an_unsure_roll_behind(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6, unsure=(3,)))
    answer = live.see(session, settled(2, 1, 2, 2, 4, 4, 1, 1, kept=(1, 2)))
    assert answer["pending"] is None
    assert _turn(player, session) == (0, 2, [2, 4, 4, 1, 1], [4, 4])


def test_fewer_than_five_dice_are_never_recorded_unasked(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    answer = live.see(session, settled(1, 1, 1, 2, 4, 4, 5))
    assert answer["pending"]["values"] == [2, 4, 4, 5]
    assert _turn(player, session)[1] == 0
    LiveTable._good(live.post(session, "/dice", {"n": 1, "dice": [2, 4, 4, 5, 1]}))
    assert _turn(player, session) == (0, 1, [2, 4, 4, 5, 1], [])


def test_in_yamslam_an_ink_may_speak_against_the_pips(live: LiveTable, player: Player) -> None:
    session = player.start("yamslam")["id"]
    live.on(session)
    roll = settled(1, 1, 1, 1, 2, 3, 4, 5)
    inks = ("black", "red", "black", "red", "red")
    dice = tuple(replace(die, ink=Colour(ink, 0.97)) for die, ink in zip(roll.dice, inks, strict=True))
    answer = live.see(session, replace(roll, dice=dice))
    assert answer["pending"]["doubts"] == ["the red die read as 5 should be black: look again"]
    live.post(session, "/dice", {"n": 1, "dice": [1, 2, 3, 4, 6]})
    assert _turn(player, session)[2] == [1, 2, 3, 4, 6]


# ---- The player's word holds


def test_not_a_roll_takes_it_back(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    answer = LiveTable._good(live.post(session, "/not-a-roll"))
    assert (answer["roll"], answer["rolls"]) == (None, [])
    live.see(session, None)
    assert live.told[-2:] == [("not a roll",), ("expect", 1, 1)]
    live.see(session, settled(2, 1, 1, 1, 1, 1, 1, 2))
    assert _turn(player, session) == (0, 1, [1, 1, 1, 1, 2], [])


def test_not_a_roll_drops_what_waits(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6, unsure=(0,)))
    assert LiveTable._good(live.post(session, "/not-a-roll"))["pending"] is None
    live.see(session, None)
    assert ("not a roll",) in live.told


def test_not_a_roll_leaves_alone_what_was_built_upon(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    player.score(_state(player, session), "chance")
    answer = live.post(session, "/not-a-roll")
    assert answer.status_code == 400
    assert answer.json == {"error": "The camera's last roll is not the last thing on the sheet: use Undo there."}
    # With the box taken back, it is the last thing again.
    player.change(_state(player, session), "undo")
    LiveTable._good(live.post(session, "/not-a-roll"))
    assert _turn(player, session)[:2] == (0, 0)


def test_undo_on_the_sheet_is_heard(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    player.change(_state(player, session), "undo")
    live.see(session, None)
    assert live.told[-2:] == [("not a roll",), ("expect", 1, 1)]
    assert _turn(player, session)[1] == 0


def test_a_die_of_a_recorded_roll_is_fixed(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6), settled(2, 1, 2, 2, 4, 4, 1, 1, kept=(1, 2)))
    answer = LiveTable._good(live.post(session, "/dice", {"n": 2, "dice": [2, 4, 4, 1, 3]}))
    assert answer["roll"]["values"] == [1, 2, 3, 4, 4]
    assert _turn(player, session) == (0, 2, [2, 4, 4, 1, 3], [4, 4])
    # What is no longer the camera's last roll is not changed behind the players' backs.
    assert live.post(session, "/dice", {"n": 1, "dice": [2, 4, 4, 1, 3]}).status_code == 400
    player.score(_state(player, session), "chance")
    assert live.post(session, "/dice", {"n": 2, "dice": [2, 4, 4, 1, 1]}).status_code == 400


def test_reading_again_corrects_the_roll_once(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    LiveTable._good(live.post(session, "/again"))
    live.see(session, settled(1, 1, 1, 2, 4, 4, 6, 6))
    assert ("again",) in live.told
    assert _turn(player, session) == (0, 1, [2, 4, 4, 6, 6], [])
    # A second look that is less sure than the first changes nothing.
    live.see(session, settled(1, 1, 1, 2, 4, 3, 6, 6, unsure=(2,)))
    assert _turn(player, session) == (0, 1, [2, 4, 4, 6, 6], [])


def test_dice_that_were_typed_meanwhile_hold(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6, unsure=(3,)))
    player.roll(_state(player, session), 2, 4, 4, 6, 6)
    answer = live.see(session, None)
    assert answer["pending"] is None
    # Whatever it reads at last in the dice that it was not sure of, and if it takes them for the next throw.
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    assert _turn(player, session) == (0, 1, [2, 4, 4, 6, 6], [])
    live.see(session, settled(2, 1, 2, 2, 4, 4, 6, 6))
    assert _turn(player, session) == (0, 1, [2, 4, 4, 6, 6], [])
    live.see(session, settled(3, 1, 2, 2, 4, 4, 6, 6, kept=(0,)))
    assert _turn(player, session)[1] == 2


def test_a_roll_that_lies_there_when_following_starts_is_not_recorded_twice(live: LiveTable, player: Player) -> None:
    session = player.roll(player.start(), 2, 4, 4, 5, 6)["id"]
    live.on(session)
    answer = live.see(session, settled(1, 1, 2, 2, 4, 4, 5, 6))
    assert answer["words"] == "Roll 1 read: 2 4 4 5 6."
    assert _turn(player, session)[1] == 1
    live.see(session, settled(2, 1, 2, 2, 4, 4, 1, 1, kept=(1, 2)))
    assert live.told[-1] == ("expect", 1, 2)
    assert _turn(player, session) == (0, 2, [2, 4, 4, 1, 1], [4, 4])


def test_a_new_name_or_a_corrected_box_does_not_disturb(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    player.change(_state(player, session), "players", player=0, name="Anna")
    live.see(session, None, settled(2, 1, 2, 2, 4, 4, 1, 1, kept=(1, 2)))
    assert live.told == []
    assert _turn(player, session)[:2] == (0, 2)


def test_a_full_disk_loses_no_roll(live: LiveTable, player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, None)

    def full(*_: object) -> None:
        raise StoreError("The disk is full: make room, then try again.")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "append", full)
        live.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6))
        answer = live.send(session, "t=9000", live.photo)
        assert (answer.status_code, answer.json) == (503, {"error": "The disk is full: make room, then try again."})
    live.frame(session, t=9100)
    assert _turn(player, session) == (0, 1, [2, 4, 4, 5, 6], [])


# ---- Who is followed


def test_one_game_is_followed_at_a_time_and_the_other_is_told(live: LiveTable, player: Player) -> None:
    first, second = player.start()["id"], player.start("yamslam", ("Cy", "Di", "Eve"))["id"]
    live.on(first)
    live.see(first, None)
    assert live.get(second)["other"] == "The camera follows another game: Yams, Ana and Bo."
    assert live.on(second)["on"]
    answer = live.see(first, settled(1, 1, 1, 2, 4, 4, 5, 6))
    assert (answer["on"], answer["state"]) == (False, "off")
    assert answer["other"] == answer["words"] == "The camera follows another game: Yamslam, Cy, Di and Eve."
    assert _turn(player, first)[1] == 0


def test_another_device_takes_over_and_the_first_ones_pictures_count_no_more(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session, by="a phone")
    live.frame(session, by="a phone")
    assert live.on(session, by="a tablet")["by"] == "a tablet"
    live.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6))
    assert live.frame(session, by="a phone")["by"] == "a tablet"
    assert _turn(player, session)[1] == 0
    # Nor can the first one stop it by leaving.
    assert LiveTable._good(live.post(session, body={"on": False, "by": "a phone"}))["on"]
    live.frame(session, t=5, by="a tablet")
    assert _turn(player, session)[1] == 1


def test_asking_again_for_the_same_goes_on_with_what_is_known(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session, by="a phone")
    live.frame(session, by="a phone")
    live.on(session, by="a phone")
    live.frame(session, by="a phone")
    assert len(live.followers) == 1


def test_a_game_that_is_over_holds_no_camera_from_the_next(live: LiveTable, player: Player) -> None:
    state = player.start("yamslam", ("Ana", "Bo"), options={"mode": "table"})
    live.on(state["id"])
    live.frame(state["id"])
    state = player.change(state, "players", player=1, leave=True)
    while state["turn"] is not None:
        state = player.roll(state, 6, 6, 6, 6, 6) if not state["turn"]["dice"] else state
        option = max(state["turn"]["options"], key=lambda option: option["points"], default=None)
        use = {"pass": True} if option is None else {"chip": option["box"], "from": option["from"]}
        state = player.change(state, "scores", **use)
    assert live.get(state["id"])["words"] == "The game is over."
    assert live.get(player.start()["id"])["other"] is None


def test_a_game_that_is_deleted_is_followed_no_more(live: LiveTable, player: Player, database: Path) -> None:
    session, other = player.start()["id"], player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    Store(database).delete(session)
    assert live.send(session, "t=5000", live.photo).status_code == 404
    assert live.live.now is None
    assert live.client.get(f"/api/v1/sessions/{session}/live").status_code == 404
    assert live.get(other)["other"] is None


def test_the_description_tells_pictures_from_json(player: Player) -> None:
    paths = player.get("/openapi.json").json["paths"]  # type: ignore[index]
    path = "/api/v1/sessions/{session_id}/live"
    picture = paths[f"{path}/picture"]["get"]["responses"]
    assert list(picture["200"]["content"]) == ["image/jpeg"]
    assert "content" not in picture["204"]
    assert list(paths[f"{path}/frames"]["post"]["requestBody"]["content"]) == ["image/jpeg"]
    assert paths[f"{path}/frames"]["post"]["parameters"][-1]["name"] == "X-Dicescribe"


def test_stopped_means_stopped(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, None)
    assert not LiveTable._good(live.post(session, body={"on": False}))["on"]
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    assert _turn(player, session)[1] == 0
    assert live.post(session, "/again").status_code == 400
    assert live.post(session, "/not-a-roll").status_code == 400


def test_a_device_that_falls_silent_is_said_and_then_let_go(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.see(session, settled(1, 1, 1, 2, 4, 4, 5, 6))
    live.clock.now += QUIET + 1
    answer = live.get(session)
    assert (answer["state"], answer["dice"]) == ("lost", [])
    assert "No pictures come" in answer["words"]
    live.see(session, None)
    assert live.get(session)["state"] == "settled"
    live.clock.now += GONE + 1
    assert live.get(session)["on"] is False


def test_a_game_that_is_over_is_not_followed(live: LiveTable, player: Player) -> None:
    state = player.start(players=("Ana", "Bo"))
    state = player.change(state, "players", player=0, leave=True)
    boxes = list(player.get("/games").json[0]["boxes"])  # type: ignore[index]
    for box in boxes:
        state = player.roll(state, 1, 2, 3, 5, 6)
        state = player.change(state, "scores", box=box["id"])
    assert state["turn"] is None
    answer = live.post(state["id"], body={"on": True})
    assert (answer.status_code, answer.json) == (
        400,
        {"error": "This game is over: there is nothing to follow.", "field": "on"},
    )


# ---- Pictures of a device


def test_late_and_repeated_pictures_are_dropped(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    for t in (1000, 1000, 900, 1100):
        live.frame(session, t=t)
    assert live.followers[0].times == [1.0, 1.1]


def test_a_clock_that_begins_anew_is_followed_on(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.frame(session, t=900_000)
    assert live.send(session, "t=5", b"words").status_code == 415  # what is no picture sets no clock
    for t in (900_100, 1000, 1100, 1050, 1200):
        live.frame(session, t=t)
    assert live.followers[0].times == pytest.approx([900.0, 900.1, 901.1, 901.2, 901.3])


def test_what_is_no_picture_is_refused_and_the_next_one_is_taken(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)

    def refused(answer: Any, status: int, *words: str) -> None:
        assert answer.status_code == status, answer.json
        assert all(word in answer.json["error"] for word in words), answer.json

    refused(live.send(session, "t=1", live.photo, "image/png"), 415, "JPEG")
    refused(live.send(session, "t=1", live.photo, "application/json"), 415, "JPEG")
    refused(live.send(session, "t=1", b""), 400, "No picture")
    refused(live.send(session, "t=1", b"words"), 415)
    refused(live.send(session, "t=1", live.photo[: len(live.photo) // 2]), 415, "cut off")
    refused(live.send(session, "t=1", b"x" * (LARGEST_FRAME + 1)), 413, "4 MB")
    large = cv2.imencode(".jpg", np.zeros((200, 3000, 3), np.uint8))[1].tobytes()
    refused(live.send(session, "t=1", large), 413, "2560")
    for query in ("", "t=", "t=-1", "t=nan", "t=inf", "t=soon"):
        refused(live.send(session, query, live.photo), 400, "milliseconds")
    assert live.followers == []
    live.frame(session, t=2)
    assert live.followers[0].times == [0.002]


def test_a_picture_that_comes_while_another_is_looked_at_is_left_out(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    live.on(session)
    live.frame(session)
    inside, go_on = threading.Event(), threading.Event()

    def feed(frame: Any, t: float) -> tuple[()]:
        inside.set()
        assert go_on.wait(10)
        return ()

    live.followers[0].feed = feed  # type: ignore[method-assign]
    first = threading.Thread(target=live.frame, args=(session, 5000))
    first.start()
    assert inside.wait(10)
    assert live.frame(session, t=6000)["on"]  # answered at once
    # Nor does the sheet wait for it.
    player.roll(_state(player, session), 1, 2, 3, 4, 5)
    go_on.set()
    first.join(10)


def test_sessions_and_headers_are_checked(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    for path in ("", "/frames?t=1", "/again", "/not-a-roll", "/dice"):
        answer = live.client.post(f"/api/v1/sessions/{session}/live{path}", json={"on": True})
        assert (answer.status_code, answer.json and answer.json["field"]) == (403, "X-Dicescribe")
    assert live.client.get("/api/v1/sessions/nowhere/live").status_code == 404
    assert live.client.get("/api/v1/sessions/nowhere/live/picture").status_code == 404
    assert live.post("nowhere", body={"on": True}).status_code == 404
    assert live.post("nowhere", body={"on": False}).status_code == 404
    assert live.send("nowhere", "t=1", live.photo).status_code == 404
    assert live.post("nowhere", "/again").status_code == 404
    assert live.post("nowhere", "/not-a-roll").status_code == 404
    assert live.post("nowhere", "/dice", {"n": 1, "dice": [1, 2, 3, 4, 5]}).status_code == 404
    assert live.post(session, body={"on": True, "source": "server"}).status_code == 400  # there is none
    assert live.post(session, body={"on": True, "by": "x" * 65}).status_code == 400
    live.on(session)
    assert live.post(session, "/dice", {"n": 1, "dice": [1, 2, 3, 4]}).status_code == 400
    assert live.post(session, "/dice", {"n": 1, "dice": [1, 2, 3, 4, 5]}).status_code == 400  # none is read
    assert live.client.get(f"/api/v1/sessions/{session}/live/picture?roll=1").status_code == 404
    assert live.client.get(f"/api/v1/sessions/{session}/live/picture?after=x").status_code == 400


# ---- The computer's own camera


def test_the_computers_camera_is_followed_by_a_thread(camera: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    assert camera.get(session)["available"]
    answer = camera.on(session)
    assert (answer["source"], answer["state"], answer["words"]) == ("server", "starting", "The camera is being opened.")
    assert camera.camera is not None
    path = f"/api/v1/sessions/{session}/live/picture"
    assert camera.client.get(path).status_code == 204
    camera.script.append(settled(1, 1, 1, 2, 4, 4, 5, 6))
    camera.camera.shoot()
    until(lambda: _turn(player, session)[1] == 1)
    picture = camera.client.get(path)
    assert (picture.mimetype, picture.headers["X-Picture"]) == ("image/jpeg", "1")
    assert camera.client.get(f"{path}?after=1").status_code == 204
    # A page that has looked on before, when more had come, sees the new ones too.
    assert camera.client.get(f"{path}?after=250").headers["X-Picture"] == "1"
    # Pictures from elsewhere are not mixed in.
    camera.script.append(settled(2, 1, 2, 1, 1, 1, 1, 1))
    camera.frame(session)
    assert _turn(player, session)[1] == 1


def test_a_lost_camera_is_said_and_comes_back(camera: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    camera.on(session)
    assert camera.camera is not None
    camera.camera.given.put(Lost("Camera 0 gives no pictures: see whether it is plugged in.", 0.5))
    until(lambda: camera.get(session)["state"] == "lost")
    assert camera.get(session)["words"] == "Camera 0 gives no pictures: see whether it is plugged in."
    player.roll(_state(player, session), 1, 2, 3, 4, 6)  # typing goes on
    camera.script.append(settled(1, 1, 2, 1, 2, 3, 4, 5, kept=(0, 1, 2, 3)))
    camera.camera.shoot()
    until(lambda: _turn(player, session)[1] == 2)
    until(lambda: camera.get(session)["state"] == "settled")  # said a moment after the sheet has it


def test_the_cameras_thread_outlives_whatever_goes_wrong(
    camera: LiveTable, player: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("web.live.following._PAUSE", 0.05)
    session = player.start()["id"]
    camera.on(session)
    assert camera.camera is not None
    camera.script.append(RuntimeError("a network broke"))
    camera.camera.shoot()
    until(lambda: camera.camera is not None and camera.camera.opened == 2)
    assert camera.get(session)["words"] == OWN_FAILURE
    assert "a network broke" in caplog.text
    camera.camera.t = 0.0  # a camera that is opened anew counts from 0 again
    camera.clock.now += 60
    camera.camera.given.put(RuntimeError("and the camera too"))
    until(lambda: camera.camera is not None and camera.camera.opened == 3)
    camera.script.append(settled(1, 1, 1, 1, 2, 3, 4, 5))
    camera.camera.shoot()
    until(lambda: _turn(player, session)[1] == 1)
    until(lambda: camera.get(session)["state"] == "settled")  # said a moment after the sheet has it


def test_another_game_gets_the_camera_when_the_first_has_let_go(camera: LiveTable, player: Player) -> None:
    first, second = player.start()["id"], player.start()["id"]
    camera.on(first)
    thread = camera.live._thread
    assert thread is not None
    camera.on(second)
    assert not thread.is_alive()
    assert camera.camera is not None
    camera.script.append(settled(1, 1, 1, 1, 2, 3, 4, 5))
    camera.camera.shoot()
    until(lambda: _turn(player, second)[1] == 1)
    assert _turn(player, first)[1] == 0


def test_closing_stops_the_thread(camera: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    camera.on(session)
    thread = camera.live._thread
    assert thread is not None
    camera.live.close()
    assert not thread.is_alive()
    assert camera.get(session)["on"] is False


def test_a_whole_game_is_played_by_the_computers_camera_and_thirteen_presses(camera: LiveTable, player: Player) -> None:
    acted = camera.camera
    assert acted is not None

    def shoot(_: str) -> None:
        acted.shoot()

    plays_a_whole_game(camera, player, shoot)


def test_a_whole_game_is_played_by_a_devices_camera_and_thirteen_presses(live: LiveTable, player: Player) -> None:
    plays_a_whole_game(live, player, live.frame)


def plays_a_whole_game(table: LiveTable, player: Player, shoot: Callable[[str], object]) -> None:
    session = player.start(players=("Ana",))["id"]
    table.on(session)
    games = player.get("/games").json
    assert isinstance(games, list)
    boxes = [box["id"] for box in games[0]["boxes"]]
    dice = np.random.default_rng(5)
    n = 0
    for turn, box in enumerate(boxes, 1):
        lying = tuple(int(value) for value in dice.integers(1, 7, 5))
        kept: tuple[int, ...] = ()
        for roll in (1, 2, 3):
            n += 1
            if roll > 1:
                kept = tuple(place for place in range(5) if dice.random() < 0.4)[:4]
                lying = tuple(v if i in kept else int(dice.integers(1, 7)) for i, v in enumerate(lying))
            table.script.append(settled(n, turn, roll, *lying, kept=kept))
            shoot(session)
            until(partial(_stands_at, player, session, roll))
            assert _turn(player, session) == (0, roll, list(lying), sorted(lying[place] for place in kept))
        state = player.score(_state(player, session), box)
    assert state["turn"] is None
    assert set(state["players"][0]["boxes"]) == set(boxes)
    assert table.get(session)["words"] == "The game is over."


def test_the_server_says_which_camera_it_has(tmp_path: Path) -> None:
    film = tmp_path / "throws.mp4"
    assert str(film) in camera_line(str(film))  # there is none: it says so
    film.write_bytes(b"no film")
    assert camera_line(str(film)) == f"Camera:            {film}"


def test_without_the_header_a_frame_is_refused(live: LiveTable, player: Player) -> None:
    session = player.start()["id"]
    assert live.send(session, "t=1", live.photo, **{"Accept": "*/*"}).status_code == 403
