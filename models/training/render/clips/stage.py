"""The table of a clip before anything happens: its things, its dice, its camera, its light, whose hand will come."""

import math
from dataclasses import dataclass, replace

import numpy as np

from models.training.render import place
from models.training.render.clips.hands import Cast
from models.training.render.clips.lens import Lens
from models.training.render.clips.light import Light, of_scene
from models.training.render.clips.plans import ClipPlan
from models.training.render.clips.timeline import Plate
from models.training.render.die import Style
from models.training.render.palette import SKIN, any_colour, jitter
from models.training.render.scene import Die, Lamp, Scene, build, generator
from models.training.render.shapes import Floats, Rgb, Rng, Thing, hull
from models.training.render.shots import FIVE

WIDTH, HEIGHT = 1280, 720
MARGIN = 56
"""Pixels that a clip is drawn wider on each side where its camera is nudged."""

TALL = frozenset({"hand", "sleeve", "cup", "cup dots"})
RARE = 6
"""In one clip of so many the pips may lie as they seldom do."""
PLAIN_FINISHES = frozenset({"plain", "marble", "pearl", "speckle", "wood"})


@dataclass(frozen=True, slots=True)
class Stage:
    """The empty table, the dice to be thrown, and how all is seen.

    `leaning`: where the last die shall lean on a block.
    """

    scene: Scene
    dice: tuple[Die, ...]
    lens: Lens
    light: Light
    cast: Cast
    margin: int
    leaning: place.Pose | None = None

    @property
    def sizes(self) -> tuple[float, ...]:
        """The dice's edges in cm."""
        return tuple(d.style.size for d in self.dice)

    @property
    def things(self) -> list[Thing]:
        """What stands on the table."""
        return [thing for thing in self.scene.clutter if thing.name != "table"]

    def outlines(self) -> list[Floats]:
        """Of these things, on the table, (k, 2) each."""
        return [hull(thing.world()) for thing in self.things]

    def laid(self, plate: Plate) -> Scene:
        """The table with dice on it, as the renderer wants it."""
        dice = [
            replace(self.dice[k], thing=replace(self.dice[k].thing, rotation=pose.rotation, at=pose.at))
            for k, pose in plate.poses.items()
        ]
        lamps = (*self.scene.lamps, other_lamp(self.scene)) if plate.lamp else self.scene.lamps
        return replace(self.scene, dice=tuple(dice), lamps=lamps, camera=self.lens.camera)


def other_lamp(scene: Scene) -> Lamp:
    """A lamp that somebody switches on."""
    around = scene.surroundings.yaw
    at = 120 * np.array([0.6 * math.cos(around), 0.6 * math.sin(around), 0.8])
    return Lamp(at, 18.0, 1.6, (1.0, 0.86, 0.66), True)


def build_stage(plan: ClipPlan, rng: Rng) -> Stage:
    """The stage of a plan."""
    picture = replace(
        FIVE,
        table=plan.table,
        elevation=float(plan.elevation),
        pixels=plan.pixels * 640 / WIDTH,
        light=plan.light,
        yamslam=plan.yamslam,
        held_out=plan.held_out,
    )
    tries = (build(seed, picture, generator(seed)) for seed in range(1000 * plan.seed, 1000 * plan.seed + 100))
    whole = next(scene for scene in tries if _fits(scene, rare=plan.seed % RARE == 1))
    things = [thing for thing in whole.clutter if thing.name not in TALL]
    leaning = None
    if any(r.how == "cocked" for r in plan.rounds):
        die = whole.dice[0].style
        leaning = place.leaning(rng, die.size / 2, die.edge * die.size / 2, rng.normal(0, 1.5, 2))
        things += leaning.props
    scene = replace(whole, clutter=tuple(things), dice=())
    margin = MARGIN if any("nudge" in r.during for r in plan.rounds) else 0
    lens = Lens(scene.camera, WIDTH, HEIGHT).widened(margin)
    cast = Cast(
        skin=jitter(rng, SKIN[int(rng.integers(len(SKIN)))], 0.05),
        cloth=_cloth(rng),
        leather=jitter(rng, ((0.25, 0.10, 0.05), (0.04, 0.04, 0.04), (0.50, 0.05, 0.06))[int(rng.integers(3))]),
        size=float(rng.uniform(0.88, 1.08)),
        sleeve=float(rng.uniform(13, 17)) if rng.random() < 0.75 else None,
    )
    return Stage(scene, whole.dice, lens, of_scene(scene), cast, margin, leaning)


def _fits(scene: Scene, *, rare: bool) -> bool:
    """Whether the dice are five of an ordinary make, and the camera stands nearly upright, as on a stand.

    `rare`: their pips may lie as on few dice: a two along an edge, a straight three.
    """
    right = scene.camera.axes[0]
    upright = (abs(right[2]) < 0.25 and scene.camera.axes[1][2] > 0) or scene.plan.elevation > 80
    return len(scene.dice) == 5 and upright and all(_ordinary(d.style, rare) for d in scene.dice)


def _ordinary(style: Style, rare: bool) -> bool:
    usual = style.two == "diagonal" and style.three == "diagonal"
    return style.finish in PLAIN_FINISHES and style.radius > 0.12 and (usual or rare)


def _cloth(rng: Rng) -> Rgb:
    """A sleeve's colour: muted, as most are."""
    colour = np.array(any_colour(rng))
    r, g, b = (0.75 * (0.6 * colour + 0.4 * colour.mean())).tolist()
    return (r, g, b)
