"""From a plan to a timeline: who does what when."""

import numpy as np

from models.training.render.clips.between import EVENTS, clear, shake_in_view
from models.training.render.clips.course import Course
from models.training.render.clips.gestures import Player
from models.training.render.clips.plans import ClipPlan
from models.training.render.clips.rolls import WAYS
from models.training.render.clips.stage import Stage
from models.training.render.clips.throwing import Throw
from models.training.render.clips.timeline import Timeline
from models.training.render.shapes import Rng


def stage_clip(plan: ClipPlan, stage: Stage, rng: Rng, throw: Throw) -> Timeline:
    """All that happens in a clip.

    Raises:
        NoThrow: the dice would not lie as the plan wants them; another random number may do.
    """
    course = Course(plan, stage, rng, throw, Player.sits(stage.lens, rng))
    course.now = float(rng.uniform(0.5, 0.9))
    for number, part in enumerate(plan.rounds, 1):
        if part.before:
            shake_in_view(course, part.before)
        WAYS[part.how](course, part)
        course.now += float(rng.uniform(1.5, 2.1))
        for event in part.during:
            EVENTS[event](course)
        following = plan.rounds[number] if number < len(plan.rounds) else None
        # A cup may be put over dice that lie; they need not be taken first.
        if following is not None and not (following.how == part.how == "cup"):
            clear(course, part)
    course.disturbed(course.now)
    course.line.seconds = float(np.ceil(course.now * plan.fps) / plan.fps)
    return course.line
