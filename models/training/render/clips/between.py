"""What happens between rolls: dice are taken and pushed aside, hands pass by, lamps are switched, cameras nudged."""

import math
from collections.abc import Callable

import numpy as np

from models.training.render import place
from models.training.render.clips import gestures
from models.training.render.clips.course import ALL, Course
from models.training.render.clips.flight import Pose
from models.training.render.clips.gestures import Keys, reach
from models.training.render.clips.hands import Grip
from models.training.render.clips.plans import Round
from models.training.render.clips.throwing import fits
from models.training.render.clips.timeline import Away, Effect, Gripped, Lies, Plate, Slides, Track
from models.training.render.shapes import Floats, turn

PUSHED = 2
"""How many dice a hand pushes aside at a time."""


def clear(course: Course, plan: Round) -> None:
    """A hand takes the dice that are thrown again, perhaps pushing those that stay."""
    staying = course.keeping(plan.keep)
    heading = course.heading()
    way = course.player.way(heading)
    order = sorted(set(course.lying) - staying, key=lambda k: float(course.lying[k].at[:2] @ way))
    course.disturbed(course.now)
    start, keys, first = course.now, Keys(), course.now
    if plan.push == "before":
        pushed, first = _push(course, start, staying, heading)
        keys += pushed
        start = keys[-1][0] - 0.35 * course.player.pace
    more, had = gestures.taking(course.player, start, [course.lying[k] for k in order], heading)
    keys += more
    course.moving(first if plan.push == "before" else had[0])
    for die, t in zip(order, had, strict=True):
        course.put(die, t, Gripped(Pose(course.lying[die].rotation, np.array([0.0, 0.0, -0.25]))))
        course.put(die, t + 0.2 * course.player.pace, Away())
        del course.lying[die]
    if plan.push == "after":
        keys += _push(course, keys[-1][0] - 0.3, staying, heading)[0]
    track = reach(course.player, course.now, keys)
    course.line.hands.append(track)
    plate = _kept(course) if staying else "empty"
    course.line.plates[plate] = Plate(dict(course.lying))
    course.whole(keys[-1][0] + 0.05, plate)
    for die in staying:
        course.put(die, keys[-1][0] + 0.3, Lies(plate))
    course.now = track.keys[-1][0]
    if staying:
        course.stands(course.now, "only the dice that were kept lie there")
    course.now += float(course.rng.uniform(0.4, 1.1))


def _kept(course: Course) -> str:
    return f"kept-{course.number - 1}"


def _push(course: Course, t: float, staying: set[int], heading: float) -> tuple[Keys, float]:
    """Push two of the staying dice aside, one after the other; the keys of the hand, and when it begins."""
    keys = Keys()
    first = math.inf
    for die in sorted(staying)[:PUSHED]:
        by = _free_way(course, die)
        more, begin, finish = gestures.pushing(course.player, t, course.lying[die].at[:2], by, heading)
        end = course.lying[die].moved(by)
        course.put(die, begin, Slides(course.lying[die], end, begin, finish))
        course.put(die, finish + 0.02, Lies(_kept(course)))
        course.lying[die] = end
        keys += more
        first = min(first, begin)
        t = keys[-1][0] - 0.3 * course.player.pace
    return keys, first


def _free_way(course: Course, die: int) -> Floats:
    """How far (2,) a die can be pushed without leaving the picture or hitting anything."""
    size, pose = course.stage.sizes[die], course.lying[die]
    others = course.lie(set(course.lying) - {die})
    for length in (3.2, 2.4, 1.8, 1.3, 1.0, 0.7, 0.4):
        for angle in course.rng.permutation(16) * math.pi / 8:
            by = length * size * np.array([math.cos(angle), math.sin(angle)])
            if all(fits(course.stage, size, pose.moved(share * by), others) for share in (0.35, 0.7, 1.0)):
                return by
    return np.zeros(2)


def shake_in_view(course: Course, how: str) -> None:
    """A hand shakes the dice that are to be thrown near the picture's edge, and holds them still for a moment."""
    open_hand = how == "palm"
    lens, rng = course.stage.lens, course.rng
    heading = course.heading()
    edge = course.player.edge(lens.ground(lens.width / 2, lens.height / 2), heading, -2.0)
    # In an open hand the dice are up the palm: it must come further in.
    spot = np.array([*(edge - (8.5 if open_hand else 0.0) * course.player.way(heading)), 4.5])
    keys = gestures.shaking(course.player, rng, course.now, spot, heading, rng.uniform(0.9, 1.3), open_hand=open_hand)
    track = reach(course.player, course.now, keys)
    course.line.hands.append(track)
    if open_hand:
        rotations = [turn(float(rng.uniform(0, 2 * math.pi))) @ place.any_face_up(rng) for _ in ALL]
        carried = gestures.in_palm(rng, course.stage.sizes, rotations, course.stage.cast.size)
        for die in set(ALL) - set(course.lying):
            course.put(die, course.now, Gripped(carried[die], palm=True))
            course.put(die, track.keys[-1][0], Away())
    where = "on the open hand" if open_hand else "in the closed hand"
    course.line.still.append((keys[-2][0], keys[-1][0], f"the dice are {where}"))
    course.now = track.keys[-1][0] + 0.3


def _hover(course: Course) -> None:
    """A hand stays over the dice for a moment, and goes away."""
    heading = course.heading()
    over = Grip(np.array([*course.middle(), 4.5]), heading, 0.3, pitch=0.2)
    start = course.now + 0.5
    aside = course.rng.normal(0, 1.0, 3) * (1, 1, 0)
    _passing(course, [(start, over), (start + 0.8, Grip(over.at + aside, heading, 0.4, pitch=0.2))])
    course.stands(course.now, "a hand went over them")
    course.now += 1.3


def _sleeve(course: Course) -> None:
    """An arm reaches across the dice for something beyond, and comes back."""
    heading = course.heading()
    beyond = course.middle() - 11.0 * course.player.way(heading)
    arm = Grip(np.array([*beyond, 6.0]), heading, 0.3, pitch=0.05)
    _passing(course, [(course.now + 0.6, arm), (course.now + 1.1, arm)])
    course.stands(course.now, "an arm went over them")
    course.now += 1.3


def _beside(course: Course) -> None:
    """A hand rests on the table at the picture's edge."""
    heading = course.heading() + 0.3
    spot = course.player.edge(course.middle(), heading, -4.0)
    rest = Grip(np.array([*spot, 0.8]), heading, 0.25, pitch=0.08)
    _passing(course, [(course.now + 0.5, rest), (course.now + 2.0, rest)])
    course.stands(course.now, "a hand lay beside them")
    course.now += 1.2


def _passing(course: Course, keys: Keys) -> None:
    track: Track[Grip] = reach(course.player, course.now, keys)
    course.line.hands.append(track)
    course.disturbed(course.now)
    course.now = track.keys[-1][0]


def _effect(kind: str, seconds: float, after: float, *amounts: float) -> Callable[[Course], None]:
    """Something that happens to the picture for so long, with time after it."""

    def happens(course: Course) -> None:
        course.stands(course.now, kind)
        signs = course.rng.choice((-1.0, 1.0), len(amounts))
        spread = course.rng.uniform(0.7, 1.2, len(amounts))
        amount = tuple((np.array(amounts) * signs * spread).tolist())
        course.line.effects.append(Effect(kind, course.now, course.now + seconds, amount))
        course.now += seconds + after

    return happens


def _lamp(course: Course) -> None:
    """Another lamp goes on, and off again."""
    lit = f"{course.line.wholes[-1][2]}-lamp"
    course.line.plates[lit] = Plate(dict(course.lying), lamp=True)
    course.stands(course.now, "lamp")
    course.line.effects.append(Effect("lamp", course.now, course.now + 1.4))
    course.now += 2.6


EVENTS: dict[str, Callable[[Course], None]] = {
    "hover": _hover, "sleeve": _sleeve, "beside": _beside, "lamp": _lamp,
    "refocus": _effect("refocus", 0.7, 1.2, 5.0),
    "exposure": _effect("exposure", 0.3, 1.6, 0.6),
    "nudge": _effect("nudge", 0.5, 1.6, 22.0, 14.0, 0.012),
    "shake": _effect("shake", 0.6, 1.3, 3.0),
}  # fmt: skip
"""What may happen while dice rest, by name: none of it makes a new roll."""
