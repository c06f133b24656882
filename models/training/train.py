"""The one command from labelled pictures to shipped weights.

    python -m models.training.train            # locator, reader, export, calibration
    python -m models.training.train --steps reader export calibrate

Each network's run is kept in the data folder and resumed where it stopped; delete its file to begin anew.
"""

from __future__ import annotations

import argparse
import json
import logging
from dataclasses import dataclass
from pathlib import Path

import torch

import models
from models.training import calibrate
from models.training.cutouts import textures
from models.training.export import export_checked, exported
from models.training.fit import fit, trained
from models.training.locator import LocatorSamples, locator_loss
from models.training.networks import CLASSES, Locator, Reader
from models.training.reader import CONTEXT, SIZE, ReaderSamples, cut, reader_loss
from models.training.scenes import COLOURS, Scene, data_folder, shared_folder, training_scenes
from models.training.strays import strays

log = logging.getLogger("train")
STEPS = ("locator", "reader", "export", "calibrate")
LOCATOR_EXAMPLES = ((1, 3, 416, 416), (1, 3, 256, 416), (1, 3, 608, 320))
READER_EXAMPLES = ((2, 3, SIZE, SIZE), (10, 3, SIZE, SIZE))
LOCATOR_FREE, READER_FREE = {2: "height", 3: "width"}, {0: "dice"}


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides the weights besides the pictures: batches, their sizes, peak learning rates, the seed."""

    locator_batches: int = 5100
    locator_batch: int = 16
    locator_rate: float = 3e-3
    reader_batches: int = 7450
    reader_batch: int = 128
    reader_rate: float = 3e-3
    tables: int = 240  # painted ones, to lay things on
    seed: int = 1


def scenes() -> tuple[list[Scene], list[Scene]]:
    """(for training, held back): the shared photos, the starter renders and our own, where they are there."""
    pools = [shared_folder() / "renders", data_folder() / "renders"]
    return training_scenes([pool for pool in pools if (pool / "index.jsonl").exists()])


def example(shape: tuple[int, ...]) -> torch.Tensor:
    """A noise picture to export and to compare on; the same each time."""
    return 255 * torch.rand(shape, generator=torch.Generator().manual_seed(0))


def main() -> None:
    """Run the steps asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS)
    parser.add_argument("--locator-from", type=Path, help="a checkpoint to begin the locator with")
    parser.add_argument("--reader-from", type=Path, help="a checkpoint to begin the reader with")
    parser.add_argument("--scale", type=float, default=1.0, help="train for this share of the recipe's batches")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    recipe = Recipe()
    torch.manual_seed(recipe.seed)
    runs = data_folder() / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    to = Path(models.__file__).parent / models.DEFAULT
    to.mkdir(exist_ok=True)
    kept, back = scenes()
    log.info("%d scenes to train on, %d held back", len(kept), len(back))

    tables = textures(recipe.tables, recipe.seed) if {"locator", "reader"} & set(args.steps) else []
    if "locator" in args.steps:
        count = int(recipe.locator_batches * args.scale) * recipe.locator_batch
        fit(
            Locator(),
            LocatorSamples(kept, count, recipe.seed, tables),
            locator_loss,
            runs / "locator.pt",
            batch=recipe.locator_batch,
            peak_rate=recipe.locator_rate,
            start_from=args.locator_from,
        )
    if "reader" in args.steps:
        locator = exported(trained(Locator(), runs / "locator.pt"), example(LOCATOR_EXAMPLES[0]), LOCATOR_FREE)
        chips = cut(kept, recipe.seed, strays(locator, kept, recipe.seed))
        count = int(recipe.reader_batches * args.scale) * recipe.reader_batch
        fit(
            Reader(),
            ReaderSamples(chips, count, recipe.seed, tables),
            reader_loss,
            runs / "reader.pt",
            batch=recipe.reader_batch,
            peak_rate=recipe.reader_rate,
            start_from=args.reader_from,
        )
    if "export" in args.steps:
        found, read = trained(Locator(), runs / "locator.pt"), trained(Reader(), runs / "reader.pt")
        off = {
            "locator": export_checked(found, list(map(example, LOCATOR_EXAMPLES)), LOCATOR_FREE, to / "locator.onnx"),
            "reader": export_checked(read, list(map(example, READER_EXAMPLES)), READER_FREE, to / "reader.onnx"),
        }
        log.info("largest difference of a logit between network and export: %s", off)
        (to / "export.json").write_text(json.dumps(off, indent=1) + "\n", encoding="utf-8")
    if "calibrate" in args.steps:
        config = calibrate.config(to, CLASSES, COLOURS, SIZE, CONTEXT, back)
        (to / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
