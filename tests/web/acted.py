"""A follower that acts out a script, a camera that gives what a test puts into it, and a live table made of both."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from flask import Flask
from werkzeug.test import TestResponse

from tests.web.conftest import CHANGE
from vision.camera import Lost, Shot
from vision.follow import View
from vision.steady import Settled
from vision.types import Colour, Die, Frame, Region
from web.api.fields import check
from web.api.live import LIVE
from web.live.following import Live
from web.table import Table

SIZE = (640, 480)


def settled(
    n: int, turn: int, roll: int, *values: int, kept: Sequence[int] = (), unsure: Sequence[int] = ()
) -> Settled:
    """A settled throw; `kept` and `unsure` are the places of such dice, from 0."""
    dice = tuple(
        Die(Region(50 + 110 * n, 200, 60, 60, 0.9), value, Colour("black", 0.97), Colour("white", 0.99), 0.99)
        for n, value in enumerate(values)
    )
    return Settled(
        n,
        turn,
        roll,
        float(n),
        dice,
        tuple(place in kept for place in range(len(dice))),
        tuple(place in unsure for place in range(len(dice))),
        tuple(f"the die in place {place + 1} may not be a {values[place]}" for place in unsure),
    )


def until(done: Callable[[], bool], patience: float = 60.0) -> None:
    """Wait for what another thread does."""
    pause = threading.Event()
    for _ in range(int(patience / 0.02)):
        if done():
            return
        pause.wait(0.02)
    assert done()


class ActedFollower:
    """Settles what is in its script, one entry a picture (None: nothing), and remembers what it was told."""

    def __init__(self, script: deque[Settled | Exception | None]) -> None:
        self.script = script
        self.told: list[tuple[Any, ...]] = []
        self.times: list[float] = []
        self.view = View(state="waiting", words="waiting", size=SIZE)

    def wants(self, t: float) -> bool:
        return True

    def feed(self, frame: Frame, t: float) -> tuple[Settled, ...]:
        self.times.append(t)
        entry = self.script.popleft() if self.script else None
        if isinstance(entry, Exception):
            raise entry
        if entry is None:
            return ()
        size = (frame.shape[1], frame.shape[0])
        self.view = View("settled" if entry.sure else "unsure", "read", entry.dice, size, entry)
        return (entry,)

    def shows(self, **more: Any) -> None:
        self.view = replace(self.view, **more)

    def new_turn(self) -> None:
        self.told.append(("new turn",))

    def expect_roll(self, turn: int, roll: int) -> None:
        self.told.append(("expect", turn, roll))

    def not_a_roll(self) -> None:
        self.told.append(("not a roll",))

    def read_again(self) -> None:
        self.told.append(("again",))

    def fixed(self, values: Sequence[int]) -> None:
        self.told.append(("fixed", *values))


class ActedCamera:
    """A computer's camera: gives the pictures and the losses that a test puts in, and counts how often it is opened."""

    def __init__(self) -> None:
        self.given: queue.Queue[Shot | Lost | Exception] = queue.Queue()
        self.opened = 0
        self.t = 0.0

    def __call__(self, source: Any, wanted: Callable[[float], bool], stop: threading.Event) -> Iterator[Shot | Lost]:
        self.opened += 1
        while not stop.is_set():
            try:
                given = self.given.get(timeout=0.02)
            except queue.Empty:
                continue
            if isinstance(given, Exception):
                raise given
            yield given

    def shoot(self) -> None:
        """Take a picture."""
        self.t += 0.1
        self.given.put(Shot(self.t, np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)))


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class LiveTable:
    """A live table with acted parts, and who uses it through the JSON interface."""

    def __init__(self, app: Flask, photo: bytes, camera: ActedCamera | None = None) -> None:
        self.script: deque[Settled | Exception | None] = deque()
        self.followers: list[ActedFollower] = []
        self.clock, self.camera, self.photo = Clock(), camera, photo
        self.client = app.test_client()
        self.t = 0.0
        table: Table = app.extensions["dicescribe"]
        self.live = Live(
            table.store,
            lambda: None,  # type: ignore[arg-type, return-value]
            None if camera is None else 0,
            self._follower,  # type: ignore[arg-type]
            camera or ActedCamera(),
            self.clock,
        )
        app.extensions["dicescribe"] = replace(table, live=self.live)

    def _follower(self, _: object) -> ActedFollower:
        self.followers.append(ActedFollower(self.script))
        return self.followers[-1]

    @property
    def told(self) -> list[tuple[Any, ...]]:
        return self.followers[-1].told

    def post(self, session: str, path: str = "", body: object = None, **more: Any) -> TestResponse:
        return self.client.post(f"/api/v1/sessions/{session}/live{path}", json=body, headers=CHANGE, **more)

    def on(self, session: str, **more: Any) -> dict[str, Any]:
        return self._good(self.post(session, body={"on": True, **more}))

    def get(self, session: str) -> dict[str, Any]:
        return self._good(self.client.get(f"/api/v1/sessions/{session}/live"))

    def frame(self, session: str, t: float | None = None, by: str = "", data: bytes | None = None) -> dict[str, Any]:
        """Send a picture; t in milliseconds, by itself a little later than the last."""
        self.t = self.t + 100 if t is None else t
        return self._good(self.send(session, f"t={self.t}&by={by}", self.photo if data is None else data))

    def send(self, session: str, query: str, data: bytes, kind: str = "image/jpeg", **headers: str) -> TestResponse:
        return self.client.post(
            f"/api/v1/sessions/{session}/live/frames?{query}", data=data, content_type=kind, headers=headers or CHANGE
        )

    def see(self, session: str, *rolls: Settled | None) -> dict[str, Any]:
        """Each of these settles, with a picture of the browser's camera."""
        answer: dict[str, Any] = {}
        for roll in rolls:
            self.script.append(roll)
            answer = self.frame(session)
        return answer

    @staticmethod
    def _good(answer: TestResponse) -> dict[str, Any]:
        assert answer.status_code == 200, (answer.status_code, answer.data)
        assert isinstance(answer.json, dict)
        check(answer.json, LIVE)
        return answer.json
