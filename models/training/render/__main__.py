"""The one command: renders the scenes of a range of seeds and writes their labels."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import cv2

from models.training.render.cycles import draw
from models.training.render.develop import contact_sheet, develop, overlay
from models.training.render.labels import of_scene
from models.training.render.scene import sample

QUALITY = 93


def arguments() -> argparse.Namespace:
    """The command line."""
    data = Path(os.environ.get("DICESCRIBE_DATA", Path.home() / "dicescribe-data"))
    parser = argparse.ArgumentParser(prog="python -m models.training.render", description=__doc__)
    parser.add_argument("--out", type=Path, help="folder for pictures and index.jsonl (default: the data folder)")
    parser.add_argument("--from-seed", type=int, default=1, metavar="N")
    parser.add_argument("--count", type=int, default=10000, metavar="N")
    parser.add_argument("--size", type=int, default=640, help="pixels of a side")
    parser.add_argument("--samples", type=int, default=2, help="light paths a pixel, before denoising")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--held-out", action="store_true", help="the styles that training never sees")
    parser.add_argument("--sheet", type=Path, help="also write a contact sheet with the labels drawn in")
    given = parser.parse_args()
    given.out = given.out or data / ("renders-held-out" if given.held_out else "renders")
    return given


def done(index: Path) -> set[int]:
    """Seeds that the index already holds."""
    if not index.exists():
        return set()
    return {json.loads(line)["seed"] for line in index.read_text(encoding="utf-8").splitlines() if line.endswith("}")}


def main() -> None:
    """Render what is missing."""
    given = arguments()
    given.out.mkdir(parents=True, exist_ok=True)
    index = given.out / "index.jsonl"
    ready = done(index)
    sheet = []
    began, made = time.monotonic(), 0
    for seed in range(given.from_seed, given.from_seed + given.count):
        if seed in ready:
            continue
        scene = sample(seed, held_out=given.held_out)
        light, visible = draw(scene, given.size, given.size, given.samples, given.threads)
        picture = develop(light, scene.exposure)
        labels = {
            "file": f"scene-{seed:05d}.jpg",
            **of_scene(scene, visible, given.size, given.size),
            "samples": given.samples,
        }
        cv2.imwrite(str(given.out / labels["file"]), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        with index.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(labels) + "\n")
        made += 1
        rate = 3600 * made / (time.monotonic() - began)
        print(f"{labels['file']}  {len(labels['dice'])} dice  {rate:.0f} scenes an hour", file=sys.stderr, flush=True)
        if given.sheet:
            sheet.append(overlay(picture, labels))
    if sheet:
        cv2.imwrite(str(given.sheet), contact_sheet(sheet))


if __name__ == "__main__":
    main()
