"""How good the shipped weights are: writes `models/<name>/metrics.json`.

    python -m models.training.measure

The photos of the split `dev`, per source; the held-back pictures (a whole source and a share of the renders), with
the confusions of values and the colours; and how far the export is from the trained networks.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import models
from models.training.calibrate import covers
from models.training.scenes import Scene, shared_folder
from models.training.train import scenes
from vision.evaluate import Photo, Result, evaluate, labelled_photos, report, result
from vision.images import Picture
from vision.pipeline import Pipeline, open_reader

SIZES = (0, 16, 24, 40, 80, 160, 10_000)  # pixels of a die, for the table by size


def held_back(reader: Pipeline, back: Sequence[Scene]) -> dict[str, Any]:
    """The figures over held-back scenes; confusions as "true>read"; colours as shares right of those named."""
    results: list[Result] = []
    confusions: Counter[str] = Counter()
    sizes: dict[str, list[bool]] = defaultdict(list)
    colours: dict[str, list[bool]] = defaultdict(list)
    for scene in back:
        reading = reader.read(Picture.of(scene.picture()))
        readable = [label for label in scene.labels if label.kind == "die"]
        unsure = sum(label.kind in ("unreadable", "ignore") for label in scene.labels)
        values = tuple(label.value for label in readable)
        results.append(result(Photo(scene.path, scene.source, values, unsure), reading))
        for label in readable:
            die = next((die for die in reading.dice if covers(die.region, label.box)), None)
            side = max(label.box[2] - label.box[0], label.box[3] - label.box[1])
            upper = next(i for i, size in enumerate(SIZES) if side < size)
            sizes[f"{SIZES[upper - 1]}-{SIZES[upper]}"].append(die is not None and die.value == label.value)
            if die is None:
                confusions[f"{label.value}>missed"] += 1
                continue
            confusions[f"{label.value}>{die.value}"] += 1
            for part, wanted, read in (("body", label.body, die.body), ("ink", label.ink, die.ink)):
                if wanted is not None:
                    colours[part].append(wanted == read.name)
                    if read.confidence > 0.9:
                        colours[f"{part} where sure"].append(wanted == read.name)
    return {
        "figures": report(results).to_json(),
        "wrong": {pair: n for pair, n in sorted(confusions.items()) if pair[0] != pair[-1]},
        "dice": confusions.total(),
        "right by size in pixels": {name: [sum(r), len(r)] for name, r in sorted(sizes.items())},
        "colours right": {name: round(sum(r) / len(r), 4) for name, r in colours.items()},
    }


def main() -> None:
    """Measure and write."""
    reader = open_reader()
    folder = Path(models.__file__).parent / models.DEFAULT
    _, back = scenes()
    metrics = {
        "dev": evaluate(reader, labelled_photos(shared_folder() / "photos" / "index.jsonl", "dev")).to_json(),
        "held back": held_back(reader, back),
        "export": json.loads((folder / "export.json").read_text(encoding="utf-8")),
    }
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(metrics["dev"], indent=1))


if __name__ == "__main__":
    main()
