"""How well dice are read when something is wrong with the photo: writes `models/<name>/robustness.json`.

    python -m models.training.robustness                 # the samples, and a hundred held-out renders
    python -m models.training.robustness --renders 20

Every picture is read as it is and under each kind of `disturb.KINDS` at three strengths, from fixed seeds. The tables,
one for each set of pictures, are printed as Markdown.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

import models
from models.training.disturb import KINDS
from models.training.held_out import FOLDER
from models.training.scenes import SAMPLES, Box, Label, Scene, data_folder, rendered_scenes
from models.training.tallies import of_pictures, photo, share
from vision.evaluate import Result, result
from vision.images import Picture
from vision.pipeline import open_reader
from vision.reader import Reader
from vision.types import Frame, Reading

AS_IT_IS = "as it is"
COLUMNS = ("pictures", "exact", "sure", "silent", "silent when told", "same")


def sample_scenes(folder: Path) -> list[Scene]:
    """The pictures of a folder of samples, as its labels.json tells. Raises OSError."""
    entries: dict[str, dict[str, Any]] = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    scenes = []
    for name, entry in entries.items():
        labels = [Label(_corners(d["box"]), "die", d["value"], d["body"], d["ink"]) for d in entry["dice"]]
        labels += [Label(_corners(box), "unreadable") for box in entry.get("unreadable", [])]
        scenes.append(Scene(folder / name, folder.name, tuple(labels)))
    return scenes


def _corners(box: Sequence[float]) -> Box:
    x, y, width, height = box
    return x, y, x + width, y + height


def disturbed(scene: Scene, frame: Frame, kind: str, strength: int) -> Frame | None:
    """The scene's picture under a kind of disturbance, strength 0 to 2; None where this can't be done to it."""
    boxes = [label.box for label in scene.labels if label.kind == "die"]
    seed = crc32(f"{kind} {strength} {scene.path.name}".encode())
    return KINDS[kind].make(frame, boxes, KINDS[kind].amounts[strength], np.random.default_rng(seed))


def readings(
    reader: Reader, scene: Scene, trials: Iterable[tuple[str, int]]
) -> Iterator[tuple[tuple[str, int], Reading]]:
    """The scene read under each (kind, strength) that can be done to it."""
    frame = scene.picture()
    for kind, strength in trials:
        other = disturbed(scene, frame, kind, strength)
        if other is not None:
            yield (kind, strength), reader.read(Picture.of(other))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a disturbed picture was read; same: with the values of the picture as it is.

    told_sure: whether the reading is sure also when the number of readable dice is told beforehand.
    """

    result: Result
    told_sure: bool
    same: bool


def outcome(scene: Scene, reading: Reading, plain: Reading) -> Outcome:
    """`plain`: the reading of the picture as it is."""
    wanted = photo(scene)
    return Outcome(result(wanted, reading), reading.sure(len(wanted.values)), reading.values == plain.values)


def robustness(reader: Reader, scenes: Sequence[Scene]) -> dict[str, list[dict[str, float | None]]]:
    """For "as it is" and each kind its rows, mild to hard: the amount, and what `COLUMNS` names.

    exact, sure and silent are those of `vision.evaluate`; silent when told: of the readings that are sure when told how
    many dice there are, the wrong ones. A die under a finger is counted, so that to pass over it is a fault.
    """
    trials = [(kind, strength) for kind in KINDS for strength in range(3)]
    found: dict[tuple[str, int], list[Outcome]] = {trial: [] for trial in [(AS_IT_IS, 0), *trials]}
    for scene in scenes:
        plain = reader.read(Picture.of(scene.picture()))
        found[AS_IT_IS, 0].append(outcome(scene, plain, plain))
        for trial, reading in readings(reader, scene, trials):
            found[trial].append(outcome(scene, reading, plain))
    rows: dict[str, list[dict[str, float | None]]] = {kind: [] for kind in (AS_IT_IS, *KINDS)}
    for (kind, strength), outcomes in found.items():
        amount = KINDS[kind].amounts[strength] if kind in KINDS else None
        rows[kind].append({"amount": amount, **_row(outcomes)})
    return rows


def _row(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    return {
        **of_pictures([one.result for one in outcomes]),
        "silent when told": share([not one.result.right for one in outcomes if one.told_sure]),
        "same": share([one.same for one in outcomes]),
    }


def markdown(rows: dict[str, list[dict[str, float | None]]]) -> list[str]:
    """The rows as a table for people."""
    lines = [f"| kind | amount | {' | '.join(COLUMNS)} |", "|---" * (2 + len(COLUMNS)) + "|"]
    for kind, strengths in rows.items():
        for row in strengths:
            amount = "" if row["amount"] is None else f"{row['amount']:g} {KINDS[kind].unit}"
            shown = ("–" if row[name] is None else f"{row[name]:g}" for name in COLUMNS)
            lines.append(f"| {kind} | {amount} | {' | '.join(shown)} |")
    return lines


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renders", type=int, default=100, metavar="N", help="how many held-out renders (100)")
    given = parser.parse_args()
    sets = {"samples": sample_scenes(SAMPLES)}
    if (data_folder() / FOLDER / "index.jsonl").exists():
        sets["held-out renders"] = rendered_scenes(data_folder() / FOLDER)[: given.renders]
    reader = open_reader()
    tables = {name: robustness(reader, scenes) for name, scenes in sets.items()}
    for name, rows in tables.items():
        print("", f"{name}:", "", *markdown(rows), sep="\n")
    to = Path(models.__file__).parent / models.DEFAULT / "robustness.json"
    to.write_text(json.dumps(tables, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
