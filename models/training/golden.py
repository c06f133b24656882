"""How the shipped weights read the samples: writes `models/<name>/readings.json`.

    python -m models.training.golden

A test holds the weights to these readings, so that what changes them without being meant to is noticed. Write them
anew with each version of the weights, and look at what has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import models
from models.training.scenes import SAMPLES
from vision.images import decode
from vision.pipeline import open_reader
from vision.reader import Reader
from vision.types import Colour, Reading

# Another processor or another decoder of JPEG may give a little less or more.
PIXELS, SHARE = 2.0, 0.03


def recorded() -> Path:
    """The file of the readings, beside the weights."""
    return Path(models.__file__).parent / models.DEFAULT / "readings.json"


def readings(reader: Reader, folder: Path) -> dict[str, dict[str, Any]]:
    """All samples by their path within the folder, each with its reading as plain data."""
    files = sorted(file for file in folder.rglob("*") if file.suffix in (".jpg", ".png"))
    return {file.relative_to(folder).as_posix(): plain(reader.read(decode(file.read_bytes()))) for file in files}


def plain(reading: Reading) -> dict[str, Any]:
    """A reading without its times; boxes are x, y, width, height in pixels."""

    def colour(colour: Colour) -> dict[str, Any]:
        return {"name": colour.name, "confidence": round(colour.confidence, 4)}

    return {
        "values": list(reading.values),
        "sure": reading.sure(),
        "other": reading.other,
        "doubts": list(reading.doubts()),
        "dice": [
            {
                "value": die.value,
                "confidence": round(die.confidence, 4),
                "box": [round(edge, 1) for edge in (die.region.x, die.region.y, die.region.w, die.region.h)],
                "body": colour(die.body),
                "ink": colour(die.ink),
            }
            for die in reading.dice
        ],
    }


def differences(golden: Any, now: Any, where: str = "samples") -> Iterator[str]:
    """In words, where two readings (or parts of them) differ by more than PIXELS in a box or SHARE in a confidence."""
    if isinstance(golden, dict) and isinstance(now, dict):
        for key in golden | now:
            if key not in now:
                yield f"{where}: {key} is gone"
            elif key not in golden:
                yield f"{where}: {key} is new"
            else:
                yield from differences(golden[key], now[key], f"{where}: {key}")
    elif isinstance(golden, list) and isinstance(now, list):
        if len(golden) != len(now):
            yield f"{where} were {len(golden)} and are {len(now)}"
        for number, (one, other) in enumerate(zip(golden, now, strict=False), 1):
            yield from differences(one, other, f"{where} {number}")
    elif isinstance(golden, float) and isinstance(now, float):
        if abs(golden - now) > (SHARE if where.endswith("confidence") else PIXELS):
            yield f"{where} was {golden} and is {now}"
    elif golden != now:
        yield f"{where} was {golden} and is {now}"


def main() -> None:
    """Read and write; say what has changed."""
    file, now = recorded(), readings(open_reader(), SAMPLES)
    if file.exists():
        for difference in differences(json.loads(file.read_text(encoding="utf-8")), now):
            print(difference)
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(reading)}" for name, reading in now.items())
    file.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
