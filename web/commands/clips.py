"""`dicescribe bench --clips`: films whose throws are known, followed as fast as it goes or in real time."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, perf_counter, process_time
from typing import Any

from vision.camera import Shot, frames, played
from vision.errors import CameraError
from vision.follow import Follower, View
from vision.pipeline import open_reader
from vision.reader import Reader
from vision.score_clips import Clip, Result, Told, by_kind, figures, labelled_clips, result, table
from vision.steady import Settled
from vision.types import Frame
from web.commands.bench import THREADS
from web.commands.indexes import labelled
from web.commands.watch import settled_rolls
from web.errors import BadUse

STILL = 1.0
"""Seconds after dice have come to rest from which nothing is left to do but wait."""


class Timed:
    """A follower whose time is taken: `costs` has for each throw the seconds that went into the frame that told it."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self.costs: dict[int, float] = {}

    def wants(self, t: float) -> bool:
        return self._follower.wants(t)

    def feed(self, frame: Frame, t: float) -> tuple[Settled, ...]:
        began = perf_counter()
        settled = self._follower.feed(frame, t)
        self.costs |= {one.n: perf_counter() - began for one in settled}
        return settled

    def end(self) -> tuple[Settled, ...]:
        settled = self._follower.end()
        self.costs |= {one.n: 0.0 for one in settled}
        return settled

    def new_turn(self) -> None:
        self._follower.new_turn()

    @property
    def view(self) -> View:
        return self._follower.view


def bench_clips(index: Path, minutes: float | None, *, as_json: bool) -> None:
    """Follow the clips of an index and print how well; with `minutes` in real time, and also at what cost.

    Raises BadUse for an index that can't be used, and for a film that can't be played.
    """
    clips = labelled(index, labelled_clips, "film")
    reader = open_reader(threads=THREADS)
    try:
        if minutes is None:
            results = list(followed(reader, _progress(clips)))
            shown: dict[str, Any] = {"clips": summary(results)}
            lines = words(results)
        else:
            soaked = soak(reader, clips, 60 * minutes)
            shown, lines = {"soak": soaked}, soak_words(soaked)
    except CameraError as problem:
        raise BadUse(str(problem)) from problem
    print(json.dumps(shown) if as_json else "\n".join(lines))


def followed(reader: Reader, clips: Iterable[Clip]) -> Iterator[Result]:
    """Each clip followed from its beginning, every picture of it."""
    for clip in clips:
        yield follow(clip, frames(clip.path), Timed(Follower(reader)))


def follow(clip: Clip, shots: Iterator[Shot], timed: Timed) -> Result:
    """What was told of one clip. As at a table, the turn is ended where its last roll is not the third."""
    ends: SimpleQueue[None] = SimpleQueue()
    cut = list(clip.turns_cut_short)

    def passing() -> Iterator[Shot]:
        for shot in shots:
            while cut and shot.t >= cut[0]:
                cut.pop(0)
                ends.put(None)
            yield shot

    told = list(settled_rolls(timed, passing(), ends))
    return result(clip, [Told(settled, timed.costs[settled.n]) for settled in told])


def summary(results: list[Result]) -> dict[str, Any]:
    """The figures over all clips, by kind, and what went wrong."""
    return {
        "all": figures(results).to_json(),
        "kinds": {kind: row.to_json() for kind, row in by_kind(results).items()},
        "faults": [fault for one in results for fault in one.faults()],
    }


def words(results: list[Result]) -> list[str]:
    """The same in columns and lines."""
    rows = {**by_kind(results), "all": figures(results)}
    return [*table(rows), *(fault for one in results for fault in one.faults())]


class Cost:
    """How much of one processor core was used, as long as dice lie still and in the meantime.

    Both are fed with the seconds of the clip; pauses between clips count as neither.
    """

    def __init__(self, clip: Clip) -> None:
        self._clip = clip
        self._last: tuple[float, float, bool] | None = None
        self.still = [0.0, 0.0]  # seconds of work, and of time
        self.action = [0.0, 0.0]

    def passing(self, shots: Iterator[Shot]) -> Iterator[Shot]:
        """The same shots, as they come; what is done between two of them is counted."""
        for shot in shots:
            self._count(shot.t)
            yield shot

    def _count(self, t: float) -> None:
        work, time = process_time(), monotonic()
        if self._last is not None:
            into = self.still if self._last[2] else self.action
            into[0] += work - self._last[0]
            into[1] += time - self._last[1]
        still = any(throw.rest + STILL <= t < throw.until for throw in self._clip.throws)
        self._last = (work, time, still)


def soak(reader: Reader, clips: list[Clip], seconds: float) -> dict[str, Any]:
    """All clips over and over at their own speed, as a camera would show them, for so many seconds.

    `cpu`: shares of one core while dice lie `still`, in `action`, and what playing the films alone takes (`film`),
    which is part of both. `memory_mb`: after the first clip, the most after any, and after the last; None where the
    system does not say. `loops`: what was told in each, and what was wrong; a clip that is cut short does not count.
    """
    film = film_share(clips)
    still, action, loops, memory = [0.0, 0.0], [0.0, 0.0], [], []
    stop = threading.Event()
    alarm = threading.Timer(seconds, stop.set)
    alarm.start()
    while not stop.is_set():
        results = []
        for clip in clips:
            timed, cost = Timed(Follower(reader)), Cost(clip)
            told = follow(clip, cost.passing(played(clip.path, timed.wants, stop)), timed)
            for total, part in ((still, cost.still), (action, cost.action)):
                total[0] += part[0]
                total[1] += part[1]
            if stop.is_set():
                break
            results.append(told)
            memory.append(resident_mb())
        if results:
            counted = figures(results)
            loop: dict[str, Any] = {name: getattr(counted, name) for name in ("clips", "throws", "found", "invented")}
            loops.append(loop | {"faults": [fault for one in results for fault in one.faults()]})
    alarm.cancel()
    known = [mb for mb in memory if mb is not None]
    return {
        "seconds": round(seconds),
        "cpu": {"still": _share(still), "action": _share(action), "film": round(film, 3)},
        "memory_mb": {"first": known[0], "max": max(known), "last": known[-1]} if known else None,
        "loops": loops,
    }


def film_share(clips: list[Clip]) -> float:
    """The share of a core that playing the films takes, which a camera would not: seconds of work per second shown."""
    began, shown = process_time(), 0.0
    for clip in clips[:3]:
        shown += clip.seconds
        for _ in frames(clip.path, lambda t: False):
            pass
    return (process_time() - began) / shown


def soak_words(soaked: dict[str, Any]) -> list[str]:
    """The cost in words."""
    cpu, memory = soaked["cpu"], soaked["memory_mb"]
    lines = [
        f"in {soaked['seconds']} s, shares of one core: {cpu['still']} while dice lie still, {cpu['action']} in action "
        f"(of both, playing the films takes {cpu['film']})"
    ]
    if memory is not None:
        lines.append(
            "memory: {first} MB after the first film, {max} MB at most, {last} MB after the last".format_map(memory)
        )
    row = "loop {}: {clips} clips, {throws} throws, {found} found, {invented} invented"
    for number, loop in enumerate(soaked["loops"], 1):
        lines += [row.format(number, **loop), *(f"  {fault}" for fault in loop["faults"])]
    return lines


def resident_mb() -> float | None:
    """The memory of this process in MB, where the system says so."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return None
    return next((round(int(row.split()[1]) / 1024, 1) for row in status.splitlines() if row.startswith("VmRSS")), None)


def _share(of: list[float]) -> float | None:
    return round(of[0] / of[1], 3) if of[1] else None


def _progress(clips: list[Clip]) -> Iterable[Clip]:
    """The clips, with a progress bar where it does not run into the lines."""
    if len(clips) < 2 or not sys.stderr.isatty():
        return clips
    from tqdm import tqdm

    return tqdm(clips, unit="clip")
