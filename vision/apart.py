"""Decodes photos in processes apart: a decoder that crashes, hangs or swallows memory takes nothing else along."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from io import BufferedReader, BufferedWriter
from pathlib import Path
from queue import LifoQueue
from typing import Any, cast

import numpy as np

from vision.decoder import DEADLINE, HEAD, READY
from vision.errors import BadImage
from vision.images import KEPT_PIXELS, MAX_SIDE, Picture, Plan, put_together
from vision.sentences import Sentence
from vision.types import Frame

START = "import sys; sys.path.insert(0, sys.argv[1]); from vision.decoder import main; main()"
COMMAND = (sys.executable, "-P", "-c", START, str(Path(__file__).parents[1]))
STARTING = 60.0
"""Seconds until a process must be ready; on an idle machine it takes a fraction of one."""
LONGEST_LINE = 4096
PIPE_BYTES = 2**20
"""What may wait in a pipe, where that can be chosen: it saves turns between the two processes."""
MEMORY_KEPT = {"MALLOC_MMAP_THRESHOLD_": str(32 * 2**20), "MALLOC_TRIM_THRESHOLD_": str(64 * 2**20)}
"""So much Linux's C library keeps between two photos: to get it anew, page by page, takes a third of the time."""
UNREADABLE = Sentence("This picture can't be read: send it again, or take another.")
TOO_LONG = Sentence("This picture takes too long to be read: send it smaller, or take another.")


class Decoders:
    """Up to `most` processes, each started when it is needed and kept; they end with this object and the program.

    A photo may have `longest` pixels a side and take `deadline` seconds. `command` is what to run. Safe to use from
    several threads.
    """

    def __init__(
        self, most: int, longest: int = MAX_SIDE, deadline: float = DEADLINE, command: Sequence[str] = COMMAND
    ) -> None:
        self._longest, self._deadline, self._command = longest, deadline, command
        self._desks: LifoQueue[_Decoder | None] = LifoQueue()
        for _ in range(most):
            self._desks.put(None)
        self._running: set[_Decoder] = set()
        # Also when nobody holds this any longer, and at the program's end.
        self.close = weakref.finalize(self, _end_all, self._running)

    def decode(self, data: bytes, *, coarse: bool = False) -> Picture:
        """As `images.decode`, apart; waits while all processes are busy.

        Raises BadImage, also for a photo of which the process died; OSError where no process can be started.
        """
        with self._decoder() as decoder:
            return decoder.decode(data, self._longest, self._deadline, coarse=coarse)

    def get_ready(self) -> None:
        """Start a process, if none runs, so that the next photo need not wait for it. Raises OSError."""
        with self._decoder():
            pass

    @contextlib.contextmanager
    def _decoder(self) -> Iterator[_Decoder]:
        """A process that nobody else uses meanwhile."""
        decoder = self._desks.get()
        try:
            if decoder is None or decoder.gone:
                self._part_with(decoder)
                decoder = None  # if none can be started, the desk is left empty
                decoder = _Decoder(self._command)
                self._running.add(decoder)
            yield decoder
        finally:
            if decoder is not None and decoder.broken:
                self._part_with(decoder)
                decoder = None
            self._desks.put(decoder)

    def _part_with(self, decoder: _Decoder | None) -> None:
        if decoder is not None:
            decoder.end()
            self._running.discard(decoder)


class _Decoder:
    """One process, used by one thread at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self.broken = True  # until it has said that it is there
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | MEMORY_KEPT,
            pipesize=PIPE_BYTES if sys.platform == "linux" else -1,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows alone has it
        )
        self._to, self._from = cast(BufferedWriter, self._process.stdin), cast(BufferedReader, self._process.stdout)
        with self._for(STARTING):
            ready = self._from.readline(LONGEST_LINE)
        if ready != READY:
            self.end()
            raise ChildProcessError("the process that decodes photos does not start")
        self.broken = False

    @property
    def gone(self) -> bool:
        """Whether the process has ended while there was nothing to do."""
        return self._process.poll() is not None

    def decode(self, data: bytes, longest: int, deadline: float, *, coarse: bool) -> Picture:
        """Raises BadImage; the decoder is `broken` after it where the process is not to be used again."""
        self.broken = True
        with self._for(deadline) as late:
            try:
                self._to.write(HEAD.pack(len(data), longest, coarse))
                self._to.write(data)
                self._to.flush()
                plan = _checked(Plan(**self._hear()["plan"]))
                picture = put_together(plan, self._bands(plan))
            # It may have died at any moment, and said anything before.
            except (OSError, ValueError, LookupError, TypeError):
                raise BadImage(TOO_LONG if late.is_set() else UNREADABLE) from None
        self.broken = False
        return picture

    def end(self) -> None:
        """End the process, whatever it does, and wait for its end."""
        self._process.kill()
        with contextlib.suppress(OSError):  # what was not sent yet can't be
            self._to.close()
        self._from.close()
        self._process.wait()

    def _bands(self, plan: Plan) -> Iterator[Frame]:
        """The bands as they come; each is overwritten by the next."""
        rows, columns = plan.kept
        band: Frame = np.empty((0, columns, 3), np.uint8)
        while "done" not in (said := self._hear()):
            if not 0 < said["rows"] <= rows:
                raise ValueError("more rows than there are")
            rows -= said["rows"]
            if len(band) != said["rows"]:
                band = np.empty((said["rows"], columns, 3), np.uint8)
            if self._from.readinto(band.data.cast("B")) < band.nbytes:
                raise ValueError("the end, before all rows")
            yield band

    def _hear(self) -> dict[str, Any]:
        line = self._from.readline(LONGEST_LINE)
        said = json.loads(line)
        if "bad" in said:
            self.broken = False
            raise BadImage(Sentence.from_json(said["bad"]), too_large=said["too_large"])
        return cast(dict[str, Any], said)

    @contextlib.contextmanager
    def _for(self, seconds: float) -> Iterator[threading.Event]:
        """The process ends if what is done inside takes longer; the event says whether it was so."""
        late = threading.Event()

        def kill() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, kill)
        timer.daemon = True
        timer.start()
        try:
            yield late
        finally:
            timer.cancel()


def _checked(plan: Plan) -> Plan:
    """The plan, if a photo may have it. Raises ValueError, TypeError."""
    rows, columns = plan.kept
    if min(rows, columns) < 1 or rows * columns > KEPT_PIXELS or plan.orientation not in range(1, 9):
        raise ValueError("no such picture is decoded")
    return plan


def _end_all(running: set[_Decoder]) -> None:
    while running:
        running.pop().end()
