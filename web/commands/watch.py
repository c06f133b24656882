"""`dicescribe watch`: a camera, a film or a stream in, one line for each settled roll out."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from io import UnsupportedOperation
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import Protocol, TextIO

from vision.camera import Lost, Shot, cameras, find, frames, steadily
from vision.devices import Source, there_are
from vision.errors import CameraError
from vision.follow import Follower, View
from vision.pipeline import open_reader
from vision.steady import Settled
from vision.types import Frame
from web.api.readings import settled_json
from web.commands.recorder import Recorder
from web.errors import BadUse, one_line

HELD = 2.5
"""Seconds for which the line of an unsure roll is held back: looked at longer, it often becomes sure."""


class FollowerLike(Protocol):
    """What is used of a Follower."""

    def wants(self, t: float) -> bool: ...
    def feed(self, frame: Frame, t: float) -> tuple[Settled, ...]: ...
    def end(self) -> tuple[Settled, ...]: ...
    def new_turn(self) -> None: ...
    @property
    def view(self) -> View: ...


def watch(source: Source, *, as_json: bool, expect: int = 5, record: Path | None = None) -> None:
    """Print a line for each roll that settles, until the film ends or Ctrl+C.

    An empty line on stdin ends the turn, where the source is live; a film goes on as fast as it can, so nobody could
    say when. Raises BadUse when the source can't be opened, or the folder for the recording can't be used.
    """
    try:
        found = find(source)
        recorder = None if record is None else Recorder(record, found.name)
        follower = Follower(open_reader(), expect)
        ends = turn_ends(sys.stdin) if found.live else SimpleQueue[None]()
        shots = living(source, follower, sys.stderr) if found.live else frames(source)
        held_for = HELD if found.live else inf
        for settled in settled_rolls(follower, shots, ends, recorder, held_for):
            print(json.dumps(settled_json(settled)) if as_json else line(settled), flush=True)
    except CameraError as problem:
        raise BadUse(str(problem)) from problem
    except KeyboardInterrupt:
        return


def list_cameras(out: TextIO, said: TextIO, *, as_json: bool) -> None:
    """The cameras of this computer, one a line: its number and its name. Where there is none, `said` is told so."""
    found = cameras()
    for camera in found:
        plain = f"{camera.index}  {camera.name}"
        print(json.dumps({"index": camera.index, "name": camera.name}) if as_json else one_line(plain), file=out)
    if not found:
        print(there_are(found), file=said)


def settled_rolls(
    follower: FollowerLike,
    shots: Iterator[Shot],
    ends: SimpleQueue[None],
    recorder: Recorder | None = None,
    held_for: float = inf,
) -> Iterator[Settled]:
    """The settled rolls of these shots, in their order; `ends` holds an item for each time that a turn is ended.

    One that is not sure is held back until a surer look corrects it, the next roll comes, the turn is ended, or
    `held_for` seconds have gone by, so that each roll comes once. Where a correction is later than that, the roll comes
    again, with the same `n`. Ctrl+C is an end like any other: what is held back still comes; as it does before a
    CameraError that the shots raise, and a BadUse of the recorder.
    """
    held: Settled | None = None
    broken: CameraError | BadUse | None = None
    try:
        for shot in shots:
            over = held is not None and shot.t - held.t >= held_for
            while not ends.empty():
                ends.get()
                follower.new_turn()
                over = True
            if held is not None and over:
                yield held
                held = None
            settled = follower.feed(shot.pixels, shot.t)
            if recorder is not None:
                recorder.saw(shot)
            for roll in settled:
                if held is not None and held.n != roll.n:
                    yield held
                held = None if roll.sure else roll
                if roll.sure:
                    yield roll
                if recorder is not None:
                    recorder.keep(roll)
    except KeyboardInterrupt:
        pass
    except CameraError as problem:
        broken = problem
    except BadUse as problem:
        broken, recorder = problem, None
    if held is not None:
        yield held
    for roll in follower.end():
        yield roll
        if recorder is not None:
            recorder.keep(roll)
    if broken is not None:
        raise broken


def living(source: Source, follower: FollowerLike, said: TextIO) -> Iterator[Shot]:
    """The shots of a live source, which may go and come back once it was there. Raises CameraError if it never was.

    When it is gone `said` is told so, and if that is a terminal also what is seen, whenever that changes.
    """
    words, there = "", False
    with closing(steadily(source, follower.wants)) as shots:
        for item in shots:
            if isinstance(item, Lost):
                if not there:
                    raise CameraError(item.message)
                new = f"{item.message} It is tried again by itself."
            else:
                there = True
                yield item
                new = follower.view.words
            if new != words and (isinstance(item, Lost) or said.isatty()):
                print(one_line(new), file=said, flush=True)
                words = new


def line(settled: Settled) -> str:
    """A roll for people to read."""

    def row(values: tuple[int, ...]) -> str:
        return " ".join(map(str, values))

    kept = f"  (kept {row(settled.kept_values)})" if settled.kept_values else ""
    said = "sure" if settled.sure else f"not sure: {'; '.join(settled.doubts)}"
    return f"{settled.t:.1f} s  turn {settled.turn}, roll {settled.roll}: {row(settled.values)}{kept}  {said}"


def turn_ends(stream: TextIO) -> SimpleQueue[None]:
    """An item for each empty line that comes on a stream, read by a thread for as long as the program runs."""
    ends: SimpleQueue[None] = SimpleQueue()
    try:
        file = stream.fileno()
    except UnsupportedOperation:  # nothing that anybody could type at
        return ends

    def read() -> None:
        # Past Python's own buffer: its lock, held while waiting for a line, would keep the program from ending.
        text = b""
        while data := os.read(file, 1024):
            *lines, text = (text + data).split(b"\n")
            for said in lines:
                if not said.strip():
                    ends.put(None)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    return ends
