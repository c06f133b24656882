"""The clips: which table, dice, camera and light, and what happens."""

from dataclasses import dataclass

from models.training.render.table import HELD_OUT_TABLES

RECIPE = "1"
"""Raised when the same plan gives another clip; it stands beside every truth."""


@dataclass(frozen=True, slots=True)
class Round:
    """One roll, and what happens until the next.

    `how`: thrown by hand; from under a cup; one die leans until a finger tips it; or it lies there from the start.
    `before`: dice shaken in the closed fist or on the open palm, in view. `same`: the dice thrown show again what they
    showed; else `values`, of all five, or any. `during`: what happens while the dice rest, by name, in order.
    `keep`: how many dice stay for the next roll; `push`: these are pushed aside first, or after the others are taken.
    """

    keep: int = 0
    during: tuple[str, ...] = ()
    push: str = ""
    before: str = ""
    how: str = "throw"
    same: bool = False
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ClipPlan:
    """One clip. Elevation in degrees above the table; `pixels`: about a die's edge at 1280 × 720."""

    seed: int
    table: str
    elevation: float
    pixels: float
    rounds: tuple[Round, ...]
    light: str = "even"
    yamslam: bool = False
    fps: int = 15

    @property
    def held_out(self) -> bool:
        """Whether training has never seen such a table."""
        return self.table in HELD_OUT_TABLES

    @property
    def kinds(self) -> list[str]:
        """What occurs, by name."""
        found = {name for r in self.rounds for name in (*r.during, r.before)}
        for r, after in zip(self.rounds, (*self.rounds[1:], None), strict=True):
            found |= {r.how, "same" if r.same else ""}
            if after and after.how == "throw":
                found |= {"keep" if r.keep else "all-again", f"push-{r.push}" if r.push else ""}
        found |= {self.light} - {"even"} | ({"yamslam"} if self.yamslam else set())
        return sorted(found - {""})


R = Round
CLIPS = (
    ClipPlan(1, "parquet", 62, 56, (R(2), R(3), R())),
    ClipPlan(2, "felt", 75, 64, (R(1, ("hover",)), R(3, ("refocus",)), R())),
    ClipPlan(3, "leather", 50, 48, (R(how="cup"), R(how="cup"), R(how="cup"))),
    ClipPlan(4, "wood", 85, 60, (R(2, push="before"), R(3, push="before"), R())),
    ClipPlan(5, "terrazzo", 58, 70, (R(0), R(2, same=True), R(same=True))),
    ClipPlan(6, "cloth", 45, 52, (R(3, ("lamp",)), R(4, ("exposure",)), R(during=("nudge",)))),
    ClipPlan(7, "flowers", 68, 62, (R(3, how="cocked"), R(2), R())),
    ClipPlan(8, "white", 55, 44, (R(2, before="palm"), R(2, before="fist"), R())),
    ClipPlan(9, "black", 72, 58, (R(2, how="lying"), R(3), R(during=("hover",)))),
    ClipPlan(10, "leather", 65, 80, (R(1, push="after"), R(3, ("refocus",)), R()), light="side"),
    ClipPlan(11, "plain", 88, 66, (R(2, ("shake",)), R(3), R(during=("sleeve",))), yamslam=True),
    ClipPlan(12, "parquet", 38, 46, (R(3), R(3, ("hover", "refocus")), R())),
    ClipPlan(13, "stone", 60, 30, (R(2), R(4), R())),
    ClipPlan(14, "terrazzo", 80, 88, (R(3, ("nudge",)), R(2), R()), light="dim"),
    ClipPlan(15, "carton", 52, 54, (R(), R(before="palm"), R(before="fist"))),
    ClipPlan(16, "flowers", 70, 50, (R(2, ("beside",)), R(2, ("lamp",)), R()), fps=30),
    ClipPlan(17, "wood", 57, 60, (R(4, push="before"), R(4, push="after"), R()), light="glare"),
    ClipPlan(18, "leather", 84, 40, (R(2, ("exposure",)), R(3, same=True), R(same=True)), yamslam=True),
    ClipPlan(19, "cloth", 66, 58, (R(how="cup"), R(2, how="cup"), R(during=("refocus", "hover")))),
    ClipPlan(20, "parquet", 74, 72, (R(2, ("shake", "nudge")), R(3), R()), light="side"),
    ClipPlan(21, "tartan", 63, 60, (R(1), R(2, ("sleeve",)), R())),
    ClipPlan(22, "felt", 48, 26, (R(3), R(3, ("hover",)), R()), fps=30),
    ClipPlan(23, "terrazzo", 78, 62, (R(during=("hover", "refocus", "lamp")),)),
    ClipPlan(24, "felt", 70, 66, (R(during=("hover", "refocus", "lamp")),)),
    ClipPlan(25, "wood", 66, 66, (R(how="cup"), R(how="cup"))),
    ClipPlan(37, "wood", 66, 70, (R(how="cup"), R(how="cup"))),
)
"""In an order that mixes what happens, so that the first few are of use without the rest."""
