"""Renders the pictures of `samples/` and writes their labels.json: `python -m models.training.render.samples`."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from models.training.render.cycles import draw
from models.training.render.develop import develop
from models.training.render.labels import of_scene
from models.training.render.scene import Plan, build, generator

FOLDER = Path(__file__).parents[3] / "samples"
QUALITY = 88
FIVE = Plan(
    dice=5,
    others=0,
    dotted=False,
    frame="middle",
    elevation=60.0,
    pixels=50.0,
    light="even",
    touching=False,
    tumbled=False,
    yamslam=False,
    same=True,
    table="wood",
    tray=False,
)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the samples: its seed, its plan, its size in pixels."""

    name: str
    seed: int
    plan: Plan
    note: str
    game: str | None = None
    width: int = 1280
    height: int = 960


SHOTS = ()


def render(shot: Shot, samples: int, threads: int) -> dict[str, Any]:
    """Write the shot's picture; its entry of labels.json, boxes as x, y, width, height in pixels."""
    scene = build(shot.seed, shot.plan, generator(shot.seed))
    light, visible = draw(scene, shot.width, shot.height, samples, threads)
    picture = develop(light, scene.exposure)
    cv2.imwrite(str(FOLDER / f"{shot.name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    truth = of_scene(scene, visible, shot.width, shot.height)
    dice = []
    for die in sorted(truth["dice"], key=lambda d: d["box"][0]):
        x0, y0, x1, y1 = die["box"]
        box = [x0, y0, round(x1 - x0, 1), round(y1 - y0, 1)]
        dice.append({"value": die["value"], "box": box, "body": die["body"], "ink": die["ink"]})
    entry: dict[str, Any] = {"values": sorted(d["value"] for d in dice), "dice": dice, "other": len(truth["other"])}
    if shot.game:
        entry["game"] = shot.game
    return {**entry, "note": shot.note}


def main() -> None:
    """Render all samples, or those named."""
    parser = argparse.ArgumentParser(prog="python -m models.training.render.samples", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these (default: all)")
    parser.add_argument("--samples", type=int, default=24, help="light paths a pixel, before denoising")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / "labels.json"
    entries: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for shot in SHOTS:
        if not given.names or shot.name in given.names:
            entries[f"{shot.name}.jpg"] = render(shot, given.samples, given.threads)
    known = [f"{shot.name}.jpg" for shot in SHOTS]
    kept = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entries[name])}" for name in known if name in entries)
    path.write_text(f"{{\n{kept}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
