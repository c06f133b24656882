"""What is true of a clip, as a line of its index."""

from collections.abc import Callable, Sequence
from typing import Any

from models.training.render.clips.plans import RECIPE, ClipPlan
from models.training.render.clips.stage import Stage
from models.training.render.clips.timeline import Lies, Roll, Timeline
from models.training.render.shapes import Floats

HIDDEN = 0.03
"""Share of a die from which on something is over it."""

Hidden = Sequence[tuple[float, dict[int, float]]]
Place = Callable[[Floats, float], Floats]


def _lying(line: Timeline, roll: Roll, t: float, hidden: dict[int, float]) -> bool:
    """Whether all dice of a roll lie there and nothing is over them."""
    states = [line.state(die, t)[1] for die in roll.values]
    return all(isinstance(state, Lies) for state in states) and all(part < HIDDEN for part in hidden.values())


def spans(line: Timeline, hidden: Hidden) -> list[tuple[float, float]]:
    """From when to when each roll lies in the open; `hidden`: per picture its time and the share of each die hidden."""
    found = []
    for roll in line.rolls:
        after = [(t, _lying(line, roll, t, parts)) for t, parts in hidden if t >= roll.rest]
        rest = roll.rest if not after or after[0][1] else next((t for t, lies in after if lies), roll.rest)
        until = next((t for t, lies in after if t > rest and not lies), line.seconds)
        found.append((rest, until))
    return found


def of_clip(plan: ClipPlan, stage: Stage, line: Timeline, hidden: Hidden, place: Place, name: str) -> dict[str, Any]:
    """The clip's line of the index. `place`: where pixels of the drawn pictures are in the one taken at a time."""
    rolls = []
    for roll, (rest, until) in zip(line.rolls, spans(line, hidden), strict=True):
        dice: list[dict[str, Any]] = []
        for die, pose in line.plates[roll.plate].poses.items():
            body = stage.dice[die].thing.mesh.points @ pose.rotation.T + pose.at
            seen = place(stage.lens.pixels(body), rest)
            low, high = seen.min(0), seen.max(0)
            box = [round(float(v), 1) for v in (*low, *(high - low))]
            dice.append({"value": roll.values[die], "box": box, "kept": die in roll.kept})
        rolls.append(
            {
                "turn": roll.turn,
                "roll": roll.roll,
                "rest": round(rest, 2),
                "until": round(until, 2),
                "values": sorted(roll.values.values()),
                "kept": sorted(roll.values[die] for die in roll.kept),
                "dice": sorted(dice, key=lambda d: d["box"][0]),
            }
        )
    still = [[round(start, 2), round(end, 2), why] for start, end, why in line.still]
    return {
        "file": name,
        "fps": plan.fps,
        "seconds": round(line.seconds, 2),
        "kinds": plan.kinds,
        "table": plan.table,
        "elevation": round(float(plan.elevation), 1),
        "seed": plan.seed,
        "recipe": RECIPE,
        "rolls": rolls,
        "still_but_no_roll": still,
    }
