"""A reading, and a settled roll, as the JSON objects that the command line prints and the HTTP interface answers."""

from __future__ import annotations

from typing import Any

from vision.steady import Settled
from vision.types import Colour, Die, Reading


def reading_json(
    reading: Reading,
    *,
    file: str | None = None,
    expect: int | None = None,
) -> dict[str, Any]:
    """The object of `dicescribe read --json` for a photo that could be read.

    `file` is the photo's name as it was given (left out if None), `expect` the number of dice thrown
    (None: any). Boxes are x, y, w, h in pixels of the upright full-size photo.
    """
    doubts = reading.doubts(expect)
    reading = reading.expecting(expect)
    named = {} if file is None else {"file": file}
    return named | {
        "width": reading.width,
        "height": reading.height,
        "model": reading.model,
        "dice": [die_json(die) for die in reading.dice],
        "values": list(reading.values),
        "other": reading.other,
        "sure": not doubts,
        "doubts": list(doubts),
        "ms": {stage: round(ms, 1) for stage, ms in reading.ms.items()},
    }


def settled_json(settled: Settled) -> dict[str, Any]:
    """The object of `dicescribe watch --json` for a settled roll.

    `t` in seconds of the source's clock; boxes in pixels of its frames; of each die also whether it was `kept`, and
    whether it is `sure`.
    """
    dice = zip(settled.dice, settled.kept, settled.doubtful, strict=True)
    return {
        "n": settled.n,
        "turn": settled.turn,
        "roll": settled.roll,
        "t": round(settled.t, 2),
        "values": list(settled.values),
        "kept": list(settled.kept_values),
        "thrown": list(settled.thrown_values),
        "sure": settled.sure,
        "doubts": list(settled.doubts),
        "dice": [die_json(die) | {"kept": kept, "sure": not doubtful} for die, kept, doubtful in dice],
    }


def die_json(die: Die) -> dict[str, Any]:
    """A die as read; its box is x, y, width and height in pixels."""
    region = die.region
    return {
        "value": die.value,
        "confidence": round(die.confidence, 4),
        "box": [round(edge, 1) for edge in (region.x, region.y, region.w, region.h)],
        "ink": _colour_json(die.ink),
        "body": _colour_json(die.body),
    }


def _colour_json(colour: Colour) -> dict[str, Any]:
    return {"name": colour.name, "confidence": round(colour.confidence, 4)}
