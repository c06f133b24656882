"""Pictures one at a time from something that is grabbed from: their times, and the thread that keeps up with them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import cv2
import numpy as np

from vision.types import Frame

SILENT_SECONDS = 10.0
"""So long without a picture, and a live source counts as lost."""
PATIENCE, PAUSE = 20, 0.05
"""How often in a row a live source may fail to give a picture, and the seconds between."""
JOIN_SECONDS = 1.0
"""How long a driver is waited for when its camera is given back."""
_SHORT, _SHORT_SHARE = 1.0, 0.1
"""Of what a film promises, the seconds and the share that may be missing: lengths are often estimates."""
_STEP = 0.1
"""How soon a request to stop is heard, in seconds."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture (H x W x 3, BGR, upright), and when it was taken: in seconds of the source's own clock."""

    t: float
    pixels: Frame


class Capture(Protocol):
    """What is used of OpenCV's VideoCapture."""

    def grab(self) -> bool: ...
    def retrieve(self) -> tuple[bool, Frame | None]: ...
    def get(self, what: int, /) -> float: ...
    def release(self) -> None: ...


class FilmClock:
    """The time of each grabbed picture in the film's seconds: as stored, or where that does not grow, counted."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        rate = capture.get(cv2.CAP_PROP_FPS)
        self._step = 1 / rate if 1 <= rate <= 1000 else 1 / 30
        self._last = -self._step
        self._pictures, self._grabbed = capture.get(cv2.CAP_PROP_FRAME_COUNT), 0
        self.promised = self._pictures / rate if rate > 0 else 0.0
        """Seconds that the film says it has."""

    def next(self) -> float:
        t = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        self._last = t if t > self._last else self._last + self._step
        self._grabbed += 1
        return self._last

    @property
    def seconds(self) -> float:
        """Up to the end of the last picture."""
        return self._last + self._step

    @property
    def breaks_off(self) -> bool:
        """Whether much of what the film promises, in time and in pictures, is missing after the last one."""
        missing = self.promised - self.seconds
        return (
            missing > max(_SHORT, _SHORT_SHARE * self.promised) and self._grabbed < (1 - _SHORT_SHARE) * self._pictures
        )


class Paced:
    """A film that runs like a camera: a picture can be grabbed when its time has come, and not before."""

    def __init__(self, capture: Capture, stop: threading.Event) -> None:
        self._capture, self._stop = capture, stop
        self._clock, self._began = FilmClock(capture), monotonic()
        self.t = 0.0

    def grab(self) -> bool:
        if self._stop.is_set() or not self._capture.grab():
            return False
        self.t = self._clock.next()
        self._stop.wait(max(0.0, self._began + self.t - monotonic()))
        return True

    def retrieve(self) -> tuple[bool, Frame | None]:
        return self._capture.retrieve()

    def get(self, what: int, /) -> float:
        return self._capture.get(what)

    def release(self) -> None:
        self._capture.release()


class Grabber(threading.Thread):
    """Keeps a source's queue empty. Only while somebody waits in `take` is a picture decoded, if it is wanted."""

    def __init__(self, capture: Capture, clock: Callable[[], float], wanted: Callable[[float], bool], patience: int):
        super().__init__(name="camera", daemon=True)  # a driver that hangs must not keep the program from ending
        self._capture, self._clock, self._wanted, self._patience = capture, clock, wanted, patience
        self._change = threading.Condition()
        self._waiting = False
        self._shot: Shot | None = None
        self._problem: Exception | None = None
        self._closed = threading.Event()
        self._alive = monotonic()
        self.over = False

    def take(self, stop: threading.Event) -> Shot | None:
        """The next wanted picture; None when there are no more, or `stop` is set. Raises what `wanted` raises."""
        with self._change:
            self._waiting = True
            while self._shot is None and not self.over and not stop.is_set():
                self._change.wait(_STEP)
                if monotonic() - self._alive > SILENT_SECONDS:
                    self.over = True
            self._waiting = False
            if self._problem is not None:
                raise self._problem
            shot, self._shot = self._shot, None
            return shot

    def run(self) -> None:
        try:
            self._grab()
        except cv2.error:
            pass  # the source is gone, which `over` says
        except Exception as problem:
            self._problem = problem
        finally:
            with self._change:
                self.over = True
                self._change.notify_all()
            self._capture.release()

    def _grab(self) -> None:
        failures, last = 0, -1.0
        while failures < self._patience and not self._closed.is_set():
            if not self._capture.grab():
                failures += 1
                if failures < self._patience:
                    self._closed.wait(PAUSE)
                continue
            failures, t = 0, self._clock()
            if t <= last or not self._waiting or not self._wanted(t):
                self._alive = monotonic()
                continue
            pixels = retrieved(self._capture)
            if pixels is not None:
                last = t
                with self._change:
                    self._alive, self._shot, self._waiting = monotonic(), Shot(t, pixels), False
                    self._change.notify_all()

    def close(self) -> None:
        """Ends the thread, which gives the camera back; one whose driver hangs is left to itself."""
        self._closed.set()
        self.join(JOIN_SECONDS)


def retrieved(capture: Capture) -> Frame | None:
    """The picture just grabbed, or None where it is torn."""
    done, pixels = capture.retrieve()
    if not done or pixels is None or pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.size:
        return None
    return pixels if pixels.dtype == np.uint8 else None
