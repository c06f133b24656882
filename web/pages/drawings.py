"""Sheets as they were drawn last: all phones that show the same one are given the same text."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

MOST = 64
"""Drawings that are kept: the games of one house, in its languages."""


class Drawings:
    """Texts, each with what it was made of. Safe to use from several threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: dict[Hashable, tuple[object, str]] = {}
        self._lock = threading.Lock()  # a table asks all at once after a change: one draws, the others are given it

    def get(self, name: Hashable, made_of: object, draw: Callable[[], str]) -> str:
        """The text of this name if it was made of what equals `made_of`; else what `draw` gives, kept instead."""
        with self._lock:
            before, text = self._kept.pop(name, (None, None))
            if text is None or before != made_of:
                text = draw()
            self._kept[name] = made_of, text
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
            return text
