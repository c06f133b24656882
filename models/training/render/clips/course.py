"""How far a clip has come: the timeline so far, what lies on the table, and the time."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from models.training.render.clips.flight import Pose, value
from models.training.render.clips.gestures import Player
from models.training.render.clips.plans import ClipPlan, Round
from models.training.render.clips.stage import Stage
from models.training.render.clips.throwing import Throw
from models.training.render.clips.timeline import Away, Plate, Roll, State, Timeline
from models.training.render.shapes import Floats, Rng

ALL = range(5)


@dataclass
class Course:
    """The work in hand. `lying`: the poses of the dice on the table by number; `now`: seconds from the clip's start."""

    plan: ClipPlan
    stage: Stage
    rng: Rng
    throw: Throw
    player: Player
    line: Timeline = field(default_factory=Timeline)
    lying: dict[int, Pose] = field(default_factory=dict)
    now: float = 0.0
    standing: tuple[float, str] | None = None

    def __post_init__(self) -> None:
        self.line.dice = [[(0.0, Away())] for _ in ALL]
        self.line.plates["empty"] = Plate({})
        self.line.wholes.append((-1.0, math.inf, "empty"))

    @property
    def number(self) -> int:
        """Which roll comes next, 1 to 3."""
        return len(self.line.rolls) + 1

    @property
    def mirrored(self) -> bool:
        return self.stage.dice[0].style.mirrored

    def heading(self) -> float:
        """From where the player's arm comes this time."""
        return self.player.side + float(self.rng.normal(0, 0.2))

    def put(self, die: int, since: float, state: State) -> None:
        """From then on a die is so."""
        self.line.dice[die].append((since, state))

    def whole(self, t: float, plate: str) -> None:
        """From t on the table is as on this plate, until something moves."""
        self.line.wholes.append((t, math.inf, plate))

    def moving(self, t: float) -> None:
        """From t on the dice are drawn one by one."""
        start, _, plate = self.line.wholes[-1]
        self.line.wholes[-1] = (start, t, plate)

    def stands(self, t: float, why: str) -> None:
        """From t on things lie still that are no new roll."""
        self.disturbed(t)
        self.standing = (t, why)

    def disturbed(self, t: float) -> None:
        """Whatever lay still until t does so no longer."""
        if self.standing is not None and t > self.standing[0] + 0.3:
            self.line.still.append((self.standing[0], t, self.standing[1]))
        self.standing = None

    def wanted(self, plan: Round, thrown: list[int], ends: list[Floats]) -> list[int]:
        """The values that the dice thrown shall show; left to themselves they end so turned."""
        if plan.same:
            return [self.line.rolls[-1].values[k] for k in thrown]
        if plan.values:
            return [plan.values[k] for k in thrown]
        return [value(rotation, self.mirrored) for rotation in ends]

    def rolled(self, rest: float, kept: set[int], plate: str) -> None:
        """Enter the roll that lies there now."""
        values = {k: value(pose.rotation, self.mirrored) for k, pose in self.lying.items()}
        self.line.plates[plate] = Plate(dict(self.lying))
        self.line.rolls.append(Roll(1, self.number, rest, plate, values, kept))
        self.now = max(self.now, rest)

    def keeping(self, keep: int) -> set[int]:
        """So many dice as a player would keep them: those most alike."""
        values = self.line.rolls[-1].values
        alike = list(values.values())
        order = sorted(values, key=lambda k: (-alike.count(values[k]), -values[k], k))
        return set(order[:keep])

    def lie(self, dice: Iterable[int]) -> list[tuple[float, Pose]]:
        """Edges and poses of some of the dice on the table."""
        return [(self.stage.sizes[die], self.lying[die]) for die in dice]

    def middle(self) -> Floats:
        """Where the dice on the table are, on average, (2,)."""
        return np.mean([pose.at[:2] for pose in self.lying.values()], axis=0)
