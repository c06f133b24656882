"""Keeps the pictures of each settled roll in a folder, for a report of what was read wrongly."""

from __future__ import annotations

import json
from collections import deque
from importlib.metadata import version
from pathlib import Path

import cv2

import models
from vision.camera import Shot
from vision.steady import Settled
from vision.types import Frame
from web.api.readings import settled_json
from web.errors import BadUse

SECONDS = 2.0
"""What of the time before a roll was read is kept."""
PICTURES = 12
"""How many pictures of that time: all of them would fill the memory."""
QUALITY = 95


class Recorder:
    """A folder with one of its own for each roll: `read.jpg`, `before-01.jpg` and on, `roll.json`.

    `source` is what the film or camera is called. Raises BadUse when the folder can't be made or written to, or holds
    another recording, which would be mixed up with this one.
    """

    def __init__(self, folder: Path, source: str) -> None:
        self._folder, self._source = folder, source
        self._before: deque[Shot] = deque(maxlen=PICTURES)
        self._now: Shot | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            recorded = next(folder.glob("roll-*"), None)
        except OSError as problem:
            raise BadUse(f"The folder {folder} can't be made: {problem.strerror}.") from problem
        if recorded is not None:
            raise BadUse(f"{folder} holds a recording already: name another folder.")

    def saw(self, shot: Shot) -> None:
        """A picture that was looked at; times grow."""
        now = self._now
        if now is not None and (not self._before or now.t - self._before[-1].t >= SECONDS / PICTURES):
            self._before.append(now)
        self._now = shot

    def keep(self, settled: Settled) -> None:
        """A roll was read in the picture seen last; a correction takes the place of what it corrects."""
        assert self._now is not None
        folder = self._folder / f"roll-{settled.n:04}"
        named = {"read.jpg": self._now}
        recent = (shot for shot in self._before if self._now.t - shot.t <= SECONDS)
        named |= {f"before-{number:02}.jpg": shot for number, shot in enumerate(recent, 1)}
        said = settled_json(settled) | {
            "source": self._source,
            "model": models.DEFAULT,
            "version": version("dicescribe"),
            "pictures": {name: round(shot.t, 3) for name, shot in named.items()},
        }
        try:
            folder.mkdir(exist_ok=True)
            for old in folder.glob("before-*.jpg"):
                old.unlink()
            for name, shot in named.items():
                (folder / name).write_bytes(_jpeg(shot.pixels))
            (folder / "roll.json").write_text(f"{json.dumps(said)}\n", encoding="utf-8")
        except OSError as problem:
            raise BadUse(f"{folder} can't be written: {problem.strerror}.") from problem


def _jpeg(frame: Frame) -> bytes:
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
