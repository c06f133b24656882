"""Who has a sheet open hears of each change of it: server-sent events, whoever makes the change and wherever.

What this process changes is heard at once. What another one on the same file changes is found by one thread, which
looks ten times a second and only while somebody listens. A stream holds neither a connection to the database nor a
transaction while it waits.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator

from scorekeeper.errors import StoreError
from scorekeeper.store import Store

PLACES = 64
"""How many may listen at once: each keeps a thread of the server waiting. More are to ask now and then instead."""
LOOK = 0.1
"""Seconds between two looks for what another process has changed."""
BEAT = 15.0
"""Seconds after which something is sent at the latest, so that nothing on the way takes the line for dead."""
BACK_MS = 1000
"""Milliseconds after which a browser whose line broke comes back."""

_log = logging.getLogger(__name__)


class Crowded(Exception):
    """All places are taken, or no more are given as the server is being stopped."""


class Listener:
    """One open stream. `gone` says whether nobody is at its other end any more."""

    def __init__(self, session_id: str, gone: Callable[[], bool]) -> None:
        self.session_id, self.gone = session_id, gone
        self.wake = threading.Event()


class Changes:
    """The newest seq of every session that somebody listens to. Safe to use from several threads."""

    def __init__(self, store: Store, places: int = PLACES, beat: float = BEAT) -> None:
        self.places = places
        self._store, self._beat = store, beat
        self._lock = threading.Lock()
        self._listeners: set[Listener] = set()
        self._seqs: dict[str, int] = {}
        self._watching = False
        self._closed = False
        store.on_change(self._changed)

    def __len__(self) -> int:
        """How many listen."""
        with self._lock:
            return len(self._listeners)

    def listen(self, listener: Listener) -> None:
        """Take a place; `leave` gives it back. Raises NoSession, and Crowded."""
        with self._lock:
            if self._closed or len(self._listeners) >= self.places:
                raise Crowded
            self._listeners.add(listener)
        try:
            # After the place is taken, so that no change falls between.
            self._found(listener.session_id, self._store.seq(listener.session_id))
            with self._lock:
                if not self._watching:
                    threading.Thread(target=self._watch, name="events", daemon=True).start()
                    self._watching = True
        except BaseException:
            self.leave(listener)
            raise

    def leave(self, listener: Listener) -> None:
        """Give the place back; does nothing when that has been done."""
        with self._lock:
            self._listeners.discard(listener)
            if all(other.session_id != listener.session_id for other in self._listeners):
                self._seqs.pop(listener.session_id, None)

    def stream(self, listener: Listener, after: int | None) -> Iterator[str]:
        """What is sent to a listener: the present seq, or all since `after`, then each new one, until it ends.

        It ends when the session is deleted, nobody is there any more, or all is closed.
        """
        yield f"retry: {BACK_MS}\n\n"
        sent = after
        while (seq := self._present(listener)) is not None:
            if sent is None or sent > seq:
                sent = seq - 1  # of a record that was put back to an earlier state, perhaps
            # Even with nothing to say it says something: only so a line that is dead shows to be so.
            yield "".join(f'id: {new}\ndata: {{"seq": {new}}}\n\n' for new in range(sent + 1, seq + 1)) or ": \n\n"
            sent = seq
            listener.wake.wait(self._beat)
            listener.wake.clear()

    def close(self) -> None:
        """End all streams, for good."""
        with self._lock:
            self._closed = True
            self._wake(self._listeners)

    def _present(self, listener: Listener) -> int | None:
        with self._lock:
            return None if self._closed or listener.gone() else self._seqs.get(listener.session_id)

    def _changed(self, session_id: str, seq: int | None) -> None:
        if seq is not None:
            self._found(session_id, seq)
            return
        with self._lock:
            self._seqs.pop(session_id, None)
            self._wake([one for one in self._listeners if one.session_id == session_id])

    def _found(self, session_id: str, seq: int) -> None:
        """A seq was seen; it may be older than what is known by now."""
        with self._lock:
            concerned = [one for one in self._listeners if one.session_id == session_id]
            if concerned and seq > self._seqs.get(session_id, 0):
                self._seqs[session_id] = seq
                self._wake(concerned)

    @staticmethod
    def _wake(listeners: set[Listener] | list[Listener]) -> None:
        for one in listeners:
            one.wake.set()

    # ---- What other processes change

    def _watch(self) -> None:
        while True:
            try:
                # Opened anew now and then: the file may have been put in the place of another.
                with self._store.versions() as version:
                    if self._look_for(version):
                        return
            except StoreError:
                # Whoever asks for the sheet is told what is wrong with the file.
                _log.warning("The database can't be watched just now", exc_info=True)
                time.sleep(1)
                if self._may_rest():
                    return

    def _look_for(self, version: Callable[[], int]) -> bool:
        """Look for a while; says whether nobody listens any more."""
        known = -1
        until = time.monotonic() + self._beat
        while time.monotonic() < until:
            if self._may_rest():
                return True
            now = version()
            if now != known:
                known = now
                self._look()
            time.sleep(LOOK)
        return False

    def _may_rest(self) -> bool:
        """Whether nobody listens any more; streams that nobody is at the other end of are told to end."""
        with self._lock:
            self._wake([one for one in self._listeners if one.gone()])
            self._watching = bool(self._listeners) and not self._closed
            return not self._watching

    def _look(self) -> None:
        with self._lock:
            before = dict(self._seqs)
        seqs = self._store.seqs(before)
        for session_id in before:
            self._changed(session_id, seqs.get(session_id))
