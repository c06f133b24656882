"""Exact expected values of keeps and boxes. The only part of the rules that uses numpy.

A game is solved once, backwards from its end; the values of its positions are a table. Tables of the common games are
part of the package, others are built on demand and kept in a folder that the caller names.
"""

from __future__ import annotations

from pathlib import Path

from scorekeeper.advice import chips, sheets
from scorekeeper.advice.types import Advice, Advisor, BoxValue, KeepValue, Progress
from scorekeeper.chips import ChipGame
from scorekeeper.game import AnyGame
from scorekeeper.sheet import SheetGame

__all__ = ["Advice", "Advisor", "BoxValue", "KeepValue", "Progress", "advisor", "ready", "start_value"]


def advisor(game: AnyGame, *, cache: Path | None = None, progress: Progress | None = None) -> Advisor:
    """The advisor for the game. Its table comes with the package, or from the folder, or is built and put there.

    Building takes up to a minute and tells ``progress`` how far it is; see ``ready``. A folder that cannot be
    written, or a damaged file in it, is no error: the table is then built each time, or anew.
    """
    match game:
        case SheetGame():
            return sheets.advisor(game, cache, progress)
        case ChipGame():
            return chips.advisor(game, cache, progress)
    raise TypeError(f"no advice for a {type(game).__name__}")


def ready(game: AnyGame, cache: Path | None = None) -> bool:
    """Whether ``advisor`` would answer at once, without building a table."""
    match game:
        case SheetGame():
            return sheets.ready(game, cache)
        case ChipGame():
            return chips.ready(game, cache)
    raise TypeError(f"no advice for a {type(game).__name__}")


def start_value(game: AnyGame, *, cache: Path | None = None, progress: Progress | None = None) -> float:
    """The final total to be expected of a fresh game for one player, right to 1e-6; Yamslam is played solo."""
    match game:
        case SheetGame():
            return sheets.start_value(game, cache, progress)
        case ChipGame():
            return chips.start_value(game, cache, progress)
    raise TypeError(f"no advice for a {type(game).__name__}")
