"""Photos in, readings out: one reader for all, and only so many photos at once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from vision.apart import Decoders
from vision.errors import BadImage
from vision.images import Picture
from vision.photo import read_photo
from vision.reader import Reader
from vision.types import Frame, Reading
from web.errors import Refused
from web.words import said

# A 12-megapixel photo takes some 100 MB while it is decoded, so two at a time; a table of phones waits its turn.
AT_ONCE = 2
WAITING = 14
PATIENCE = 60.0
LONGEST_FRAME_SIDE = 2560  # pixels of a live picture
FRAME_SECONDS = 3.0  # that a live picture may take to decode; the next ones are left out meanwhile

_log = logging.getLogger(__name__)


class Photos:
    """Reads photos with a reader that is opened once: when the first photo comes, or before. They are decoded apart."""

    def __init__(self, open_reader: Callable[[], Reader]) -> None:
        self._open_reader = open_reader
        self._reader: Reader | None = None
        self._opening = threading.Lock()
        self._before: threading.Thread | None = None
        self._places = threading.BoundedSemaphore(AT_ONCE + WAITING)
        self._desks = threading.BoundedSemaphore(AT_ONCE)
        self._decoders = Decoders(AT_ONCE)
        # Of its own, so that no photo keeps a live picture waiting; one game is followed at a time.
        self._frames = Decoders(1, LONGEST_FRAME_SIDE, FRAME_SECONDS)

    def read(self, fetch: Callable[[], bytes]) -> Reading:
        """The reading of a photo.

        `fetch` gives the photo's bytes; it is called when the turn has come, so that waiting photos take no memory.
        Raises Refused: 400 without a photo, 413 too large, 415 not a picture, 429 too many at once, 503 when this
        machine can't decode any.
        """
        if not self._places.acquire(blocking=False):
            raise _busy()
        try:
            if not self._desks.acquire(timeout=PATIENCE):
                raise _busy()
            try:
                return self._read(fetch())
            finally:
                self._desks.release()
        finally:
            self._places.release()

    def _read(self, data: bytes) -> Reading:
        if not data:
            raise Refused(400, said("No photo came with this: send one."), field="photo")
        try:
            return read_photo(self.reader(), data, partial(_decoded, self._decoders))
        except BadImage as bad:
            raise Refused(413 if bad.too_large else 415, bad.sentence, field="photo") from bad

    def get_ready(self) -> None:
        """Open the reader and start a process that decodes, beside all else: then no first photo waits for them."""

        def prepare() -> None:
            with suppress(Exception):  # tried again with a photo, whose sender is told
                self.reader()
                self._decoders.get_ready()

        self._before = threading.Thread(target=prepare, name="photos", daemon=True)
        self._before.start()

    def frame(self, data: bytes) -> Frame:
        """The pixels of a picture from a device's live camera. Raises BadImage, and Refused: 503 as above."""
        return _decoded(self._frames, data).pixels

    def close(self) -> None:
        """End the processes that decode."""
        if self._before is not None:
            self._before.join()  # what it starts is to be ended as well
        self._decoders.close()
        self._frames.close()

    def reader(self) -> Reader:
        """The reader, opened by whoever asks first."""
        with self._opening:
            if self._reader is None:
                self._reader = self._open_reader()
            return self._reader


def _decoded(decoders: Decoders, data: bytes, *, coarse: bool = False) -> Picture:
    try:
        return decoders.decode(data, coarse=coarse)
    except OSError as problem:
        _log.exception("No process can be started to decode a picture")
        raise Refused(503, said("This table's computer can't read a photo just now: type the dice.")) from problem


def _busy() -> Refused:
    return Refused(429, said("Many photos are being read just now: send it again in a moment."), retry_after=3)
