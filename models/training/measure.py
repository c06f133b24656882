"""How good the shipped weights are: writes `models/<name>/metrics.json`.

    python -m models.training.measure                     # all parts that there are pictures for
    python -m models.training.measure --parts "held out"  # one, beside what the file holds already

`dev`: the photos of that split, per source. `held back`: a whole source and a share of the renders, which training did
not see. `held out`: renders of styles, tables and light that it never saw either, tabled by what they show. `export`:
how far the export is from the trained networks.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import models
from models.training.calibrate import Read
from models.training.held_out import FOLDER, read_folder, tables
from models.training.scenes import Scene, data_folder, shared_folder
from models.training.tallies import reliability, reliability_table, summary
from models.training.train import scenes
from vision.evaluate import evaluate, labelled_photos
from vision.images import Picture
from vision.pipeline import open_reader
from vision.reader import Reader

PARTS = ("dev", "held back", "held out", "export")


def dev(reader: Reader) -> dict[str, Any]:
    """The figures over the photos of the split `dev`."""
    return evaluate(reader, labelled_photos(shared_folder() / "photos" / "index.jsonl", "dev")).to_json()


def held_back(reader: Reader, back: Iterable[Scene]) -> dict[str, Any]:
    """The figures over held-back scenes."""
    reads = [Read(scene, reader.read(Picture.of(scene.picture()))) for scene in back]
    print("held back:", *reliability_table(reliability(reads)), sep="\n")
    return summary(reads)


def held_out(reader: Reader, folder: Path) -> dict[str, Any]:
    """The figures over a folder of held-out renders."""
    reads, facts = read_folder(reader, folder)
    print("held out:", *reliability_table(reliability(reads)), sep="\n")
    return tables(reads, facts)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS))
    given = parser.parse_args()
    reader = open_reader()
    folder = Path(models.__file__).parent / models.DEFAULT
    file, out = folder / "metrics.json", data_folder() / FOLDER
    metrics: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if "dev" in given.parts:
        metrics["dev"] = dev(reader)
    if "held back" in given.parts:
        metrics["held back"] = held_back(reader, scenes()[1])
    if "held out" in given.parts and (out / "index.jsonl").exists():
        metrics["held out"] = held_out(reader, out)
    if "export" in given.parts:
        metrics["export"] = json.loads((folder / "export.json").read_text(encoding="utf-8"))
    kept = {part: metrics[part] for part in PARTS if part in metrics}
    file.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
