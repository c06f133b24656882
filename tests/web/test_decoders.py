"""Photos and live pictures that kill what decodes them: a sentence for whoever sent them; the others are read."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.vision.clumsy import CLUMSY
from vision.apart import Decoders
from vision.images import MAX_SIDE
from web import create_app
from web.serving import photos

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.conftest import Player, ScriptedReader

PATIENCE = 3.0
WORDS = {"abort": "can't be read", "segfault": "can't be read", "eat": "be read", "hang": "too long"}
JPEG = {"Content-Type": "image/jpeg"}


@pytest.fixture
def app(database: Path, cache: Path, reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    def clumsy(most: int, longest: int = MAX_SIDE, deadline: float = PATIENCE) -> Decoders:
        return Decoders(most, longest, min(deadline, PATIENCE), CLUMSY)

    monkeypatch.setattr(photos, "Decoders", clumsy)
    app = create_app({"DATABASE": database, "CACHE": cache}, reader)
    yield app
    app.extensions["dicescribe"].photos.close()


@pytest.mark.parametrize("mishap", WORDS)
def test_one_photo_takes_no_other_along(app: Flask, client: FlaskClient, photo: bytes, mishap: str) -> None:
    bad = mishap.encode() + b" " + photo

    def send(data: bytes) -> tuple[int, Any]:
        answer = app.test_client().post("/api/v1/read?expect=5", data=data, headers=JPEG)
        return answer.status_code, answer.json

    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(send, [photo, bad, photo, bad, photo]))
    assert [status for status, _ in answers] == [200, 415, 200, 415, 200]
    for status, said in answers:
        if status == 415:
            assert WORDS[mishap] in said["error"]
            assert said["field"] == "photo"
        else:
            assert (said["width"], said["height"], said["values"]) == (640, 480, [2, 2, 4, 4, 4])
    assert client.get("/api/v1/sessions").status_code == 200


@pytest.mark.parametrize("mishap", ["abort", "hang"])
def test_a_live_picture_takes_nothing_along(player: Player, client: FlaskClient, photo: bytes, mishap: str) -> None:
    """What is no JPEG at its beginning does not even come so far: this one dies within."""
    state = player.start()
    path = f"/api/v1/sessions/{state['id']}/live"
    player.post(f"/sessions/{state['id']}/live", {"on": True, "source": "browser", "by": "a"})
    bad = photo[:2] + b"\xff\xfe\x00\x0a" + mishap.encode().ljust(8) + photo[2:]
    headers = {"X-Dicescribe": "1", **JPEG}
    answer = client.post(f"{path}/frames?t=10&by=a", data=bad, headers=headers)
    assert answer.status_code == 415
    assert WORDS[mishap] in (answer.json or {})["error"]
    assert client.post(f"{path}/frames?t=200&by=a", data=photo, headers=headers).status_code == 200
    assert player.get(f"/sessions/{state['id']}/live").status_code == 200


def test_a_live_picture_is_a_jpeg_and_no_larger_than_it_may_be(player: Player, client: FlaskClient) -> None:
    state = player.start()
    player.post(f"/sessions/{state['id']}/live", {"on": True, "source": "browser", "by": "a"})
    path, headers = f"/api/v1/sessions/{state['id']}/live/frames?by=a&t=", {"X-Dicescribe": "1", **JPEG}
    wide = cv2.imencode(".jpg", np.zeros((2, 2561, 3), np.uint8))[1].tobytes()
    png = cv2.imencode(".png", np.zeros((48, 64, 3), np.uint8))[1].tobytes()
    assert client.post(f"{path}1", data=wide, headers=headers).status_code == 413
    assert client.post(f"{path}2", data=png, headers=headers).status_code == 415
