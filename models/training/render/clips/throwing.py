"""Throws that end as a clip needs them: in the picture, flat, clear of other things."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from models.training.render import place
from models.training.render.clips.flight import Flight, Pose, level
from models.training.render.clips.gestures import Player
from models.training.render.clips.lens import Lens
from models.training.render.clips.stage import Stage
from models.training.render.shapes import Floats, Rng, apart, turn

TRIES = 1500
CARRY = 0.17
"""How far a throw goes, on average: this times its speed squared, over twice the earth's pull."""


class Throw(Protocol):
    """Lets dice of these edges fall among others; None where they do not come to rest in time."""

    def __call__(
        self, rng: Rng, sizes: Sequence[float], lying: Sequence[tuple[float, Pose]], things: Sequence[Floats],
        start: Floats, speed: Floats,
    ) -> Flight | None: ...  # fmt: skip


class NoThrow(Exception):
    """No throw ended as was needed: another seed must be taken."""


def margin(lens: Lens, stage: Stage) -> float:
    """How far from the picture's edge dice are to lie, in pixels."""
    return stage.margin + 0.35 * max(stage.sizes) * lens.scale / stage.scene.camera.focus


def fits(stage: Stage, size: float, pose: Pose, others: Sequence[tuple[float, Pose]], gap: float = 0.02) -> bool:
    """Whether a die lies well inside the picture and clear of dice and things."""
    half = size / 2
    if not stage.lens.shows(place.CUBE * half @ pose.rotation.T + pose.at, margin(stage.lens, stage)):
        return False
    around = place.outline(half, pose.rotation, pose.at)
    if not all(apart(around, outline, 0.05) for outline in stage.outlines()):
        return False
    return all(apart(around, place.outline(s / 2, p.rotation, p.at), gap) for s, p in others)


def scattered(
    stage: Stage,
    rng: Rng,
    throw: Throw,
    player: Player,
    dice: list[int],
    lying: Sequence[tuple[float, Pose]],
    heading: float,
    inside: float,
) -> tuple[Flight, Floats]:
    """A throw of these dice, and from where (3,): `inside` cm within the picture's edge.

    Raises:
        NoThrow: none came to lie as it should.
    """
    lens, sizes = stage.lens, [stage.sizes[k] for k in dice]
    things = [thing.world() for thing in stage.things]
    for _ in range(TRIES):
        target = lens.ground(lens.width * rng.uniform(0.3, 0.7), lens.height * rng.uniform(0.35, 0.7))
        begin = player.edge(target, heading, -inside)
        start = np.array([*begin, rng.uniform(3.0, 5.0)])
        away = float(np.linalg.norm(target - begin))
        pace = math.sqrt(away * 2 * 981 * CARRY * rng.uniform(0.6, 1.5))
        speed = np.array([*((target - begin) / max(away, 0.1) * pace), rng.uniform(-30, 15)])
        flight = throw(rng, sizes, lying, things, start, speed)
        if flight is None or not flight.flat(tuple(sizes)):
            continue
        flight = flight.levelled(tuple(sizes))
        ends = [flight.pose(k, math.inf) for k in range(len(dice))]
        if all(fits(stage, size, pose, lying, -0.01) for size, pose in zip(sizes, ends, strict=True)):
            return flight, start
    raise NoThrow


def lay(stage: Stage, rng: Rng, throw: Throw, player: Player) -> dict[int, Pose]:
    """Five dice as if thrown before the clip began."""
    flight, _ = scattered(stage, rng, throw, player, list(range(5)), (), player.side, 0.0)
    return {k: flight.pose(k, math.inf) for k in range(5)}


def room(stage: Stage, rng: Rng, radius: float) -> Floats:
    """The middle (2,) of a free circle in the picture.

    Raises:
        NoThrow: there is none.
    """
    lens = stage.lens
    circle = np.array([[math.cos(a), math.sin(a)] for a in np.arange(12) * math.pi / 6])
    for _ in range(TRIES):
        middle = lens.ground(lens.width * rng.uniform(0.3, 0.7), lens.height * rng.uniform(0.4, 0.7))
        around = middle + radius * circle
        inside = lens.shows(np.column_stack([around, np.zeros(12)]), margin(lens, stage))
        if inside and all(apart(around, outline) for outline in stage.outlines()):
            return middle
    raise NoThrow


def heap(rng: Rng, sizes: Sequence[float], middle: Floats, radius: float) -> dict[int, Pose]:
    """Dice lying flat within a circle, as under a cup."""
    found: dict[int, Pose] = {}
    outlines: list[Floats] = []
    tries = 0
    while len(found) < len(sizes):
        tries += 1
        if tries % TRIES == 0:  # the first may lie so that there is no room for the last
            found, outlines = {}, []
        size = sizes[len(found)]
        away, angle = radius * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
        spot = middle + away * np.array([math.cos(angle), math.sin(angle)])
        pose = place.flat(rng, size / 2, spot, float(rng.uniform(0, 2 * math.pi)))
        if away < radius - 0.6 * size and all(apart(pose.outline, outline, 0.04) for outline in outlines):
            found[len(found)] = Pose(pose.rotation, pose.at)
            outlines.append(pose.outline)
    return found


def tipped(leaning: place.Pose) -> Pose:
    """The leaning die flat on the table, on the face that was lowest, drawn off its block."""
    back = turn(leaning.yaw) @ np.array([-leaning.half, 0.0, 0.0])
    return Pose(level(leaning.rotation), np.array([*(leaning.at + back)[:2], leaning.half]))


def tumble(pose: Pose, start: Floats, seconds: float, step: float, rng: Rng) -> tuple[Floats, Floats]:
    """Places (n, 3) and turns (n, 3, 3) of a die that comes from `start` (3,) and ends in a pose, bouncing lower."""
    shares = np.linspace(0, 1, max(2, round(seconds / step)))
    left = 1 - shares
    places = pose.at + (left**1.5)[:, None] * (start - pose.at)
    places[:, 2] = pose.at[2] + np.abs(np.cos(2.5 * math.pi * shares)) * left**2 * (start[2] - pose.at[2])
    axis, angle = int(rng.integers(2)), float(rng.uniform(5, 8))
    turns = np.array([turn(angle * rest, axis) @ turn(3 * rest) @ pose.rotation for rest in left**2])
    return places, turns


def joined(flight: Flight, places: Floats, turns: Floats) -> Flight:
    """A flight with one die more; the shorter rests at its end."""
    count = max(len(flight.places), len(places))

    def stretched(values: Floats) -> Floats:
        return np.concatenate([values, np.repeat(values[-1:], count - len(values), 0)])

    return Flight.ending(
        flight.step,
        np.concatenate([stretched(flight.places), stretched(places)[:, None]], 1),
        np.concatenate([stretched(flight.turns), stretched(turns)[:, None]], 1),
    )
