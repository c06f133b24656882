"""The pictures of `samples/`: their seeds, their plans, and what is true of them."""

import math
from dataclasses import dataclass, replace
from typing import Any

from models.training.render.labels import of_scene
from models.training.render.scene import Die, Plan, Scene, build, generator

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

    def scene(self) -> Scene:
        """The scene that the picture shows."""
        return build(self.seed, self.plan, generator(self.seed))

    def truth(self) -> dict[str, Any]:
        """Its entry of labels.json; boxes as x, y, width, height in pixels, dice from left to right.

        `unreadable`, where there are any: the boxes of the dice that lean, or that bear another.
        """
        scene = self.scene()
        in_view = [1.0] * (len(scene.dice) + len(scene.others))
        labels = of_scene(scene, in_view, self.width, self.height)
        bearing = {id(label) for label, die in zip(labels["dice"], scene.dice, strict=True) if bears(die, scene)}
        dice, unreadable = [], []
        for die in sorted(labels["dice"], key=lambda d: d["box"][0]):
            x0, y0, x1, y1 = die["box"]
            box = [x0, y0, round(x1 - x0, 1), round(y1 - y0, 1)]
            if die["cocked"] or id(die) in bearing:
                unreadable.append(box)
            else:
                dice.append({"value": die["value"], "box": box, "body": die["body"], "ink": die["ink"]})
        entry = {"values": sorted(d["value"] for d in dice), "dice": dice, "other": len(labels["other"])}
        if unreadable:
            entry["unreadable"] = unreadable
        if self.game:
            entry["game"] = self.game
        return {**entry, "note": self.note}


def bears(die: Die, scene: Scene) -> bool:
    """Whether another die stands on this one and so hides its upper face."""
    x, y, z = die.thing.at
    half = die.style.size / 2
    for other in scene.dice:
        across = math.hypot(other.thing.at[0] - x, other.thing.at[1] - y)
        if other.thing.at[2] > z + half and across < half:
            return True
    return False


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
