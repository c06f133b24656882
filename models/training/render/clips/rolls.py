"""The ways a roll comes about. Each enters it into the course and leaves the dice lying."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from models.training.render.clips.course import ALL, Course
from models.training.render.clips.flight import UP, Pose, regrip
from models.training.render.clips.gestures import reach
from models.training.render.clips.hands import Cup, Grip
from models.training.render.clips.plans import Round
from models.training.render.clips.throwing import heap, joined, lay, room, scattered, tipped, tumble
from models.training.render.clips.timeline import Away, Flies, Lies, Plate, Slides, Track
from models.training.render.shapes import Floats

IN_VIEW = 0.6
"""Share of the throws at which the hand is seen."""


def thrown(course: Course, plan: Round) -> None:
    """By hand, from the picture's edge or from outside."""
    kept = set(course.lying)
    dice = sorted(set(ALL) - kept)
    heading = course.heading()
    in_view = course.rng.random() < IN_VIEW
    flight, start = scattered(
        course.stage,
        course.rng,
        course.throw,
        course.player,
        dice,
        course.lie(course.lying),
        heading,
        2.5 if in_view else -3.0,
    )
    flight = flight.showing(course.wanted(plan, dice, list(flight.turns[-1])), course.mirrored)
    course.disturbed(course.now)
    begin = course.now
    if in_view:
        begin += 0.75 * course.player.pace
        course.line.hands.append(_throwing(course, begin, start, heading))
    course.moving(begin)
    plate = f"roll-{course.number}"
    for which, die in enumerate(dice):
        course.lying[die] = flight.pose(which, math.inf)
        course.put(die, begin, Flies(flight, which, begin))
        course.put(die, begin + flight.stops[which], Lies(plate))
    rest = begin + max(flight.stops)
    course.whole(rest + 0.15, plate)
    for die in kept:
        course.put(die, rest + 0.4, Lies(plate))
    course.rolled(rest, kept, plate)


def _throwing(course: Course, begin: float, start: Floats, heading: float) -> Track[Grip]:
    """The hand that throws at `begin`."""
    toward = np.array([*-course.player.way(heading), 0.0])
    fist = Grip(start - 1.5 * toward, heading, 0.9, palm_up=0.2, pitch=0.15)
    opened = replace(fist, at=start + 2.5 * toward, curl=0.25, palm_up=0.05)
    back = course.player.away(fist)
    return Track([(course.now, back), (begin - 0.2, fist), (begin + 0.1, opened), (begin + 0.55, back)])


def lying(course: Course, plan: Round) -> None:
    """They lie there when the clip begins."""
    course.lying = lay(course.stage, course.rng, course.throw, course.player)
    course.line.wholes = [(-1.0, math.inf, "roll-1")]
    course.line.dice = [[(0.0, Lies("roll-1"))] for _ in ALL]
    course.rolled(0.0, set(), "roll-1")


def cocked(course: Course, plan: Round) -> None:
    """Four lie flat, the last leans on the block until a finger tips it."""
    stage, leaning = course.stage, course.stage.leaning
    assert leaning is not None
    end = Pose(leaning.rotation, leaning.at)
    flat = tipped(leaning)
    flight, start = scattered(
        stage,
        course.rng,
        course.throw,
        course.player,
        [0, 1, 2, 3],
        [(stage.sizes[4], end), (stage.sizes[4], flat)],
        course.heading(),
        -3.0,
    )
    flight = flight.showing([int(v) for v in course.rng.integers(1, 7, 4)], course.mirrored)
    flight = joined(flight, *tumble(end, start, max(flight.stops) + 0.25, flight.step, course.rng))
    begin = course.now
    course.moving(begin)
    for die in ALL:
        course.lying[die] = flight.pose(die, math.inf)
        course.put(die, begin, Flies(flight, die, begin))
        course.put(die, begin + flight.stops[die], Lies("leaning"))
    rest = begin + max(flight.stops)
    course.line.plates["leaning"] = Plate(dict(course.lying))
    course.whole(rest + 0.15, "leaning")
    course.stands(rest, "one die leans")
    course.now = rest + 2.2
    course.disturbed(course.now)
    _tip(course, end, flat)


def _tip(course: Course, leaning: Pose, flat: Pose) -> None:
    """A finger makes the last die lie flat."""
    above = np.array([0.0, 0.0, 0.6 * course.stage.sizes[4]])
    finger = Grip(leaning.at + above, course.heading(), 0.3, pitch=0.35)
    touch = course.now + 0.6
    drawn = replace(finger, at=flat.at + above)
    keys = [(touch, finger), (touch + 0.4, drawn), (touch + 0.55, replace(drawn, at=drawn.at + 2.0 * UP))]
    track = reach(course.player, course.now, keys)
    course.line.hands.append(track)
    course.moving(touch)
    course.put(4, touch, Slides(leaning, flat, touch, touch + 0.4))
    course.lying[4] = flat
    course.put(4, touch + 0.42, Lies("roll-1"))
    course.whole(touch + 0.45, "roll-1")
    for die in range(4):
        course.put(die, touch + 0.7, Lies("roll-1"))
    course.rolled(touch + 0.4, set(), "roll-1")
    course.now = track.keys[-1][0]


def from_cup(course: Course, plan: Round) -> None:
    """A cup with the dice is put down, or over those that lie; it is shaken and lifted."""
    radius = 2.4 * max(course.stage.sizes)
    over_dice = bool(course.lying)
    middle = course.middle() if over_dice else room(course.stage, course.rng, radius + 2.0)
    heap_of = heap(course.rng, course.stage.sizes, middle, 0.88 * radius)
    wanted = course.wanted(plan, list(ALL), [heap_of[k].rotation for k in ALL])
    course.disturbed(course.now)
    course.lying = {
        k: replace(pose, rotation=pose.rotation @ regrip(pose.rotation, wanted[k], course.mirrored))
        for k, pose in heap_of.items()
    }
    heading = course.heading()
    keys, down, put, lift = _cup_ways(course, middle, radius, heading)
    course.line.cups.append(Track(keys))
    course.line.hands.append(Track([(t, _holding(cup, heading)) for t, cup in keys]))
    plate = f"roll-{course.number}"
    course.moving(down)
    for die in ALL:
        course.put(die, down, Away())
        course.put(die, put, Lies(plate))
    course.whole(put, plate)
    course.line.still.append((put, lift, "the dice are under the cup"))
    course.rolled(lift, set(), plate)
    course.now = keys[-1][0]


def _cup_ways(
    course: Course, middle: Floats, radius: float, heading: float
) -> tuple[list[tuple[float, Cup]], float, float, float]:
    """Keys of the cup; when it is down, when it is shaken no more, when it is lifted."""
    pace, height = course.player.pace, 2.2 * radius
    standing = Cup(np.array([*middle, 0.0]), radius, height)
    over = replace(standing, at=standing.at + 0.8 * height * UP)
    gone = course.player.edge(middle, heading, radius + 4)
    off = replace(standing, at=np.array([*gone, 0.8 * height]))
    down = course.now + 0.9 * pace
    keys: list[tuple[float, Cup]] = [(course.now, off), (course.now + 0.6 * pace, over), (down, standing)]
    across = np.array([*course.player.way(heading + math.pi / 2), 0.0])
    now = down + 0.1
    for k in range(11):
        now += 0.1
        away = 0.35 * radius * float(course.rng.uniform(0.6, 1)) * (-1) ** k
        keys.append((now, replace(standing, at=standing.at + away * across)))
    put = now + 0.12
    lift = put + 0.6
    keys += [(put, standing), (lift, standing), (lift + 0.35, over), (lift + 0.35 + 0.6 * pace, off)]
    return keys, down, put, lift


def _holding(cup: Cup, heading: float) -> Grip:
    """The hand on top of a cup."""
    way = np.array([math.cos(heading), math.sin(heading), 0.0])
    at = cup.at + np.array([0.0, 0.0, 0.75 * cup.height]) - way * 0.9 * cup.radius
    return Grip(at, heading, 0.42, pitch=0.2)


WAYS: dict[str, Callable[[Course, Round], None]] = {
    "throw": thrown, "cup": from_cup, "cocked": cocked, "lying": lying,
}  # fmt: skip
