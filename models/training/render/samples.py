"""Renders the pictures of `samples/` and writes their labels.json: `python -m models.training.render.samples`."""

import argparse
import json
from dataclasses import dataclass, replace
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


SHOTS = (
    Shot("wood", 100308, FIVE, "five dice for Yams on a wooden table", "yams"),
    Shot(
        "black-cloth",
        100007,
        replace(FIVE, table="black", elevation=72.0, pixels=58.0),
        "round ivory dice on a black cloth",
        "yams",
    ),
    Shot(
        "felt-tray",
        100122,
        replace(FIVE, table="felt", tray=True, elevation=52.0, pixels=46.0),
        "red dice in a felt-lined tray",
        "yatzy",
    ),
    Shot("far", 100009, replace(FIVE, frame="wide", elevation=55.0, pixels=17.0), "small dice, far away, and a hand"),
    Shot(
        "touching",
        100089,
        replace(FIVE, table="stone", touching=True, elevation=88.5, pixels=62.0),
        "dice that touch, seen from straight above",
        "yatzy",
    ),
    Shot(
        "yamslam-flush",
        100009,
        replace(FIVE, yamslam=True, table="cloth", elevation=64.0, pixels=54.0),
        "all faces in one ink: a flush",
        "yamslam",
    ),
    Shot(
        "yamslam-straight",
        100068,
        replace(FIVE, yamslam=True, elevation=80.0, pixels=54.0),
        "both inks: a large straight, no flush",
        "yamslam",
    ),
    Shot(
        "numerals-beside",
        100037,
        replace(FIVE, others=3, table="felt", elevation=66.0, pixels=50.0),
        "five dice with pips and three dice without",
    ),
    Shot("dominoes", 100008, replace(FIVE, dice=0, dotted=True, pixels=40.0), "dotted things and no dice"),
    Shot(
        "tilted",
        100095,
        replace(FIVE, elevation=36.0, pixels=56.0, light="side"),
        "from a low angle, upright format, hard side light",
        "scandinavian",
        width=960,
        height=1280,
    ),
    Shot(
        "colourful",
        100171,
        replace(FIVE, same=False, table="white", elevation=58.0, pixels=56.0),
        "five makes of dice in five colours",
    ),
    Shot(
        "dim",
        100021,
        replace(FIVE, table="cloth", light="dim", elevation=62.0, pixels=56.0),
        "black dice in dim light",
        "yatzy",
    ),
    Shot(
        "close-twos",
        100138,
        replace(FIVE, table="plain", elevation=75.0, pixels=66.0),
        "twos with their pips close together, beside a three",
        "yams",
    ),
)


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
