"""Indexes of labelled photos and films, as the commands that measure by them take them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from vision.evaluate import Photo
from vision.score_clips import Clip
from web.errors import BadUse

Labelled = TypeVar("Labelled", Photo, Clip)


def labelled(index: Path, load: Callable[[Path], list[Labelled]], what: str, which: str = "") -> list[Labelled]:
    """What an index holds, some and all of it there; `what` one of it is called, `which` of them are asked for.

    Raises BadUse.
    """
    try:
        found = load(index)
    except (OSError, ValueError, RecursionError) as problem:
        raise BadUse(f"{index} can't be used: {getattr(problem, 'strerror', None) or problem}.") from problem
    if not found:
        raise BadUse(f"{index} holds no labelled {what}s{which}.")
    missing = next((one.path for one in found if not one.path.is_file()), None)
    if missing is not None:
        raise BadUse(f"{index} names the {what} {missing}, which is not there.")
    return found
