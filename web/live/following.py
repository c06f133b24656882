"""The live table: at most one game at a time is followed by a camera, the computer's own or that of a player's device.

The computer's camera is watched by a thread of its own, a device sends its pictures one by one. Either way each goes to
one `Follower`, and what that finds to a `Scribe`, which keeps the sheet. Nothing here ever ends the game: whatever goes
wrong is said in words and tried again, and photos and typing go on working.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import cv2
import numpy as np

from scorekeeper.errors import NoSession
from scorekeeper.store import Store
from vision.camera import Lost, Shot, steadily
from vision.devices import Source
from vision.follow import Follower, View
from vision.reader import Reader
from vision.types import Frame
from web.live.scribe import Scribe
from web.words import mark

From = Literal["server", "browser"]
"""Whose camera is watched: the computer's own, or that of a device with the page open."""

QUIET = 4.0
"""Seconds after which a device that sends no pictures is said to be silent, and a computer's camera to be slow."""
GONE = 300.0
"""Seconds after which a device that sends no pictures is not waited for any longer."""
BACK, RESUMED = 60.0, 1.0
"""A clock set back by more than so many seconds counts anew, so long after the newest picture."""
STILL_WIDTH, STILL_QUALITY, READ_QUALITY = 960, 70, 85
FILM_OVER = mark("The film has come to its end. To see it again: Stop, then Follow the dice.")
GAME_GONE = mark("This game is no longer on the table's computer.")
OWN_FAILURE = mark("Something went wrong while the dice were watched. It is tried again; photos and typing work.")
_PAUSE = 2.0

_log = logging.getLogger(__name__)


class Frames(Protocol):
    """Gives the pictures of a camera: `vision.camera.steadily`."""

    def __call__(
        self, source: Source, wanted: Callable[[float], bool], stop: threading.Event
    ) -> Iterator[Shot | Lost]: ...


@dataclass(frozen=True, slots=True)
class Still:
    """A picture of the table by its number, as a JPEG."""

    number: int
    jpeg: bytes


class Following:
    """One game that is being followed.

    `by` names the device whose camera it is; "" for the computer's own.
    """

    def __init__(self, scribe: Scribe, source: From, by: str, make: Callable[[], Follower], clock: Callable[[], float]):
        self.scribe, self.source, self.by = scribe, source, by
        self.stop = threading.Event()
        self.trouble = ""
        self._make, self._clock = make, clock
        self._follower: Follower | None = None
        self._feeding = threading.Lock()
        self._last = float("-inf")  # the time of the newest picture, by the camera's clock
        self._ahead = 0.0  # what its clock has been set back by, in all
        self._heard = clock()
        self._newest: tuple[int, Frame] | None = None
        self._still: Still | None = None

    @property
    def view(self) -> View | None:
        """What the follower knows; None until it has had a picture."""
        return None if self._follower is None else self._follower.view

    @property
    def silent(self) -> float:
        """Seconds since the last picture."""
        return self._clock() - self._heard

    def wants(self, t: float) -> bool:
        """Whether a picture of this time is of interest, so that others need not be decoded."""
        return self._follower is None or self._follower.wants(t)

    def see(self, t: float, picture: Callable[[], Frame]) -> bool:
        """Look at a picture of the time `t` in seconds; one that is late, or comes while another is looked at, is not.

        A time that lies far back is no late picture: the clock of the camera has been set, or began anew.
        `picture` gives its pixels, and is only called if they are needed. Says whether it was looked at. Raises what
        `picture` raises, NoSession, and whatever goes wrong in the networks.
        """
        if not self._feeding.acquire(blocking=False):
            return False
        try:
            self._heard = self._clock()
            ahead = self._ahead
            if t + ahead < self._last - BACK:
                ahead = self._last + RESUMED - t
            t += ahead
            if self.stop.is_set() or t <= self._last or not self.wants(t):
                return False
            frame = picture()
            self._last, self._ahead = t, ahead
            if self._follower is None:
                self._follower = self._make()
            if self.scribe.stuck:
                self.scribe.look()
            while self.scribe.orders:
                self.scribe.orders.popleft()(self._follower)
            settled = self._follower.feed(frame, t)
            self._newest = ((self._newest[0] if self._newest else 0) + 1, frame)
            for one in settled:
                self.scribe.take(one, _jpeg(frame, READ_QUALITY))
            return True
        finally:
            self._feeding.release()

    def still(self, after: int) -> Still | None:
        """The newest picture, made small, unless its number is `after`; a higher one is from an earlier following."""
        newest = self._newest
        if newest is None or newest[0] == after:
            return None
        number, frame = newest
        if self._still is None or self._still.number != number:
            height, width = frame.shape[:2]
            if width > STILL_WIDTH:
                size = (STILL_WIDTH, max(1, round(height * STILL_WIDTH / width)))
                frame = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
            self._still = Still(number, _jpeg(frame, STILL_QUALITY))
        return self._still


class Live:
    """Which game is followed, and by which camera. Safe to use from several threads.

    `camera` is the computer's own, None if there is none. `reader` opens the networks, when the first picture comes.
    """

    def __init__(
        self,
        store: Store,
        reader: Callable[[], Reader],
        camera: Source | None = None,
        follower: Callable[[Reader], Follower] = Follower,
        frames: Frames = steadily,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.camera = camera
        self._store, self._reader, self._follower, self._frames, self._clock = store, reader, follower, frames, clock
        self._lock = threading.Lock()
        self._now: Following | None = None
        self._thread: threading.Thread | None = None

    @property
    def now(self) -> Following | None:
        """What is followed at present; None if nothing is."""
        now = self._now
        if now is not None and now.source == "browser" and now.silent > GONE:
            self.leave(now)
            return None
        return now

    def of(self, session_id: str) -> Following | None:
        """The following of a session, if it is the one that is followed."""
        now = self.now
        return now if now is not None and now.scribe.session_id == session_id else None

    def follow(self, session_id: str, source: From, by: str = "") -> Following:
        """Follow a session from now on, and no other. Asking again for what is followed already changes nothing.

        Raises NoSession, StoreError, and ValueError when the computer has no camera.
        """
        if source == "server" and self.camera is None:
            raise ValueError("this computer watches no camera")
        by = by if source == "browser" else ""
        with self._lock:
            now = self._now
            if now is not None and (now.scribe.session_id, now.source, now.by) == (session_id, source, by):
                return now
            following = Following(
                Scribe(self._store, session_id), source, by, lambda: self._follower(self._reader()), self._clock
            )
            self._end(now)
            self._now = following
            if source == "server":
                self._thread = threading.Thread(target=self._watch, args=(following,), name="live", daemon=True)
                self._thread.start()
            return following

    def leave(self, following: Following) -> None:
        """Follow this no longer."""
        with self._lock:
            if self._now is following:
                self._end(following)

    def changed(self, session_id: str) -> bool:
        """A sheet was changed by a player. Says whether it is followed, so that it may have been changed once more.

        Never raises: the change is made, whatever the camera says to it.
        """
        following = self.of(session_id)
        if following is None:
            return False
        try:
            following.scribe.look()
        except Exception:
            _log.exception("The camera's side of a change failed")
        return True

    def close(self) -> None:
        """Stop the camera."""
        with self._lock:
            self._end(self._now)

    def _end(self, following: Following | None) -> None:
        self._now = None
        if following is not None:
            following.stop.set()
        thread, self._thread = self._thread, None
        # The next to follow may want the same camera, which only one can hold.
        if thread is not None and thread is not threading.current_thread():
            thread.join(10)

    def _watch(self, following: Following) -> None:
        """Watch the computer's camera until told to stop, whatever happens."""
        assert self.camera is not None
        began = self._clock()
        while not following.stop.is_set():
            ahead = self._clock() - began  # who begins anew counts from 0 again
            try:
                for shot in self._frames(self.camera, _later(following.wants, ahead), following.stop):
                    if isinstance(shot, Lost):
                        following.trouble = shot.message
                        continue
                    following.see(shot.t + ahead, _pixels(shot))
                    following.trouble = ""
                if not following.stop.is_set():
                    following.trouble = FILM_OVER
                return
            except NoSession:
                following.trouble = GAME_GONE
                return
            except Exception:
                _log.exception("Watching the camera failed")
                following.trouble = OWN_FAILURE
                following.stop.wait(_PAUSE)


def _later(wanted: Callable[[float], bool], ahead: float) -> Callable[[float], bool]:
    return lambda t: wanted(t + ahead)


def _pixels(shot: Shot) -> Callable[[], Frame]:
    return lambda: shot.pixels


def _jpeg(frame: Frame, quality: int) -> bytes:
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return data.tobytes()
