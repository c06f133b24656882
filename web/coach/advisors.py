"""The advisors of the games that are played: those at hand, and one table at a time built in the background."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import platformdirs

from scorekeeper.advice import Advisor, Progress, advisor, ready
from scorekeeper.game import AnyGame
from scorekeeper.sentences import Sentence

HELD = 4
"""Advisors in memory at once, a few megabytes each; beyond it the one asked for longest ago is let go."""
AGAIN_AFTER = 60.0
"""Seconds after which a table that could not be built is tried anew."""


def default_cache() -> Path:
    """Where tables that had to be built are kept: in the user's cache folder."""
    return platformdirs.user_cache_path("dicescribe", appauthor=False)


class Load(Protocol):
    """Makes an advisor: `scorekeeper.advice.advisor`."""

    def __call__(self, game: AnyGame, *, cache: Path | None, progress: Progress | None) -> Advisor:
        """The advisor for the game."""
        ...


class AdviceFailed(Exception):
    """The table of a game could not be made; `sentence` says why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class _Closed(Exception):
    """Ends a build that nobody waits for any more."""


class Advisors:
    """Gives the advisor of a game at once where its table is ready, and else says how far it is. Thread-safe."""

    def __init__(
        self,
        cache: Path,
        load: Load = advisor,
        is_ready: Callable[[AnyGame, Path | None], bool] = ready,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cache, self._load, self._is_ready, self._clock = cache, load, is_ready, clock
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._held: OrderedDict[AnyGame, Advisor] = OrderedDict()
        self._asked: dict[AnyGame, float] = {}  # how far each is; the first is being built
        self._failed: dict[AnyGame, tuple[float, Sentence]] = {}
        self._builder: threading.Thread | None = None
        self._closed = False

    def get(self, game: AnyGame) -> Advisor | float:
        """The advisor; or while its table is being built how much of it is there, from 0 to 1.

        The first to ask for a game without a table has it built. Raises AdviceFailed when that went wrong.
        """
        known = self._known(game)
        if known is not None:
            return known
        with self._loading:  # two phones ask at once: one of them loads
            known = self._known(game)
            if known is not None:
                return known
            if not self._is_ready(game, self._cache):
                return self._ask(game)
            try:
                made = self._load(game, cache=self._cache, progress=None)
            except Exception as problem:
                raise self._fail(game, problem) from problem
            self._hold(game, made)
            return made

    def close(self) -> None:
        """Stop building; what is built then is thrown away."""
        with self._lock:
            self._closed = True
            builder = self._builder
        if builder is not None:
            builder.join(10)

    def _known(self, game: AnyGame) -> Advisor | float | None:
        with self._lock:
            if game in self._held:
                self._held.move_to_end(game)
                return self._held[game]
            if game in self._failed:
                when, why = self._failed[game]
                if self._clock() < when + AGAIN_AFTER:
                    raise AdviceFailed(why)
                del self._failed[game]
            return self._asked.get(game)

    def _hold(self, game: AnyGame, made: Advisor) -> None:
        with self._lock:
            self._held[game] = made
            self._asked.pop(game, None)
            while len(self._held) > HELD:
                self._held.popitem(last=False)

    def _fail(self, game: AnyGame, problem: Exception) -> AdviceFailed:
        why = Sentence(
            "The advice for this game can't be worked out here: %(why)s.", why=str(problem) or type(problem).__name__
        )
        with self._lock:
            self._failed[game] = (self._clock(), why)
            self._asked.pop(game, None)
        return AdviceFailed(why)

    def _ask(self, game: AnyGame) -> float:
        with self._lock:
            self._asked.setdefault(game, 0.0)
            if self._builder is None and not self._closed:
                self._builder = threading.Thread(target=self._build, name="advice", daemon=True)
                self._builder.start()
            return self._asked[game]

    def _build(self) -> None:
        """Builds what is asked for, one after another, until nothing is."""
        while True:
            with self._lock:
                game = next(iter(self._asked), None)
                if game is None or self._closed:
                    self._builder = None
                    return

            def progress(done: float, game: AnyGame = game) -> None:
                with self._lock:
                    if self._closed:
                        raise _Closed
                    self._asked[game] = done

            try:
                self._hold(game, self._load(game, cache=self._cache, progress=progress))
            except _Closed:
                continue
            except Exception as problem:
                self._fail(game, problem)
