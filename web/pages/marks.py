"""What the sheet marks: who leads, the options worth most, the way to the bonus, and bonuses of chips in reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from scorekeeper.chips import CHIPS_OF_A_KIND
from scorekeeper.game import Option
from scorekeeper.reach import Chance, Goal, reach
from scorekeeper.session import Position
from scorekeeper.sheet import BONUS_FROM, SheetGame
from scorekeeper.statistics import course
from web.coach.coaching import Place
from web.pages.why import why
from web.words import number
from web.words.names import row_name

LIKELY = 2
"""Chips of a kind that a player holds before all four of it are spoken of."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """How a bonus of chips stands, in words."""

    chance: Chance
    words: str


def marks(position: Position) -> dict[str, Any]:
    """What the templates of the sheet are filled in with.

    leading  the players whose total is the highest
    options  what the dice may score now, by place
    most     the places of the options that bring the most
    why      per place why it is worth what it is; of the boxes that a joker closes why it may not go there
    course   per player how it stands with the upper bonus, in words; empty where the sheet shows a number
    reach    per player the bonuses of chips; empty at the end, and on score sheets
    """
    options = _options(position)
    return {
        "leading": leading(position),
        "options": options,
        "most": _most(options),
        "why": _whys(position, options),
        "course": [_course(position, player) for player in range(len(position.players))],
        "reach": _reach(position),
    }


def leading(position: Position) -> set[int]:
    """The players ahead of others while the game goes on; nobody while all have the same."""
    totals = position.game.totals(position.state)
    stay = [player for player in range(len(totals)) if player not in position.left]
    if position.over or len({totals[player] for player in stay}) < 2:
        return set()
    best = max(totals[player] for player in stay)
    return {player for player in stay if totals[player] == best}


def _options(position: Position) -> dict[Place, Option]:
    return {(option.box, option.source or "rack"): option for option in position.options if option.box is not None}


def _most(options: Mapping[Place, Option]) -> set[Place]:
    """The ones worth most; none where nothing is to be had."""
    worth = {place: option.points + option.prime for place, option in options.items()}
    best = max(worth.values(), default=0)
    return {place for place, points in worth.items() if points == best} if best else set()


def _whys(position: Position, options: Mapping[Place, Option]) -> dict[Place, str]:
    turn = position.turn
    if turn is None or turn.dice is None:
        return {}
    told = {(box, source): why(position, box, option) for (box, source), option in options.items()}
    filled = position.game.filled(position.state)[turn.player]
    for box in position.game.boxes:
        if box not in filled and (box, "rack") not in told:
            told[(box, "rack")] = why(position, box, None)
    return told


def _course(position: Position, player: int) -> list[str]:
    """How far the upper boxes are, against three dice of each face filled so far; and how far it still is."""
    game = position.game
    if not isinstance(game, SheetGame):
        return []
    filled = game.filled(position.state)[player]
    upper = {box.id: face for face, box in enumerate(game.upper, start=1)}
    so_far = sum(points for box, points in filled.items() if box in upper)
    open_faces = [face for box, face in upper.items() if box not in filled]
    ahead = course(game, filled)
    if so_far >= BONUS_FROM or not open_faces or len(open_faces) == len(upper) or ahead is None:
        return []
    to_go = _("%(points)s to go", points=BONUS_FROM - so_far)
    if so_far + 5 * sum(open_faces) < BONUS_FROM:
        return [_("out of reach")]
    if ahead < 0:
        return [ngettext("%(num)s short", "%(num)s short", -ahead), to_go]
    if ahead == 0:
        return [_("on course for %(points)s", points=BONUS_FROM), to_go]
    return [_("%(ahead)s on course for %(points)s", ahead=number(ahead, sign=True), points=BONUS_FROM), to_go]


def _reach(position: Position) -> list[list[Bonus]]:
    stock = position.game.stock(position.state)
    if stock is None or position.over:
        return [[] for _player in position.players]
    told = []
    for one in reach(stock):
        bonuses = [_bonus(row_name("golden_seven"), one.golden)]
        if one.golden.chance != "won":
            bonuses.append(_bonus(row_name("silver_six"), one.silver))
        for kind, goal in one.stacks.items():
            if goal.missing <= CHIPS_OF_A_KIND - LIKELY and goal.chance != "gone":
                bonuses.append(_bonus(_("All four: %(chip)s", chip=row_name(kind)), goal))
        told.append(bonuses)
    return told


def _bonus(name: str, goal: Goal) -> Bonus:
    if goal.chance == "won":
        words = _("%(bonus)s – won", bonus=name)
    elif goal.chance == "gone":
        words = _("%(bonus)s – out of reach", bonus=name)
    elif goal.chance == "yamslam":
        words = ngettext(
            "%(bonus)s – %(num)s more chip, and it takes a yamslam",
            "%(bonus)s – %(num)s more chips, and it takes a yamslam",
            goal.missing,
            bonus=name,
        )
    else:
        words = ngettext("%(bonus)s – %(num)s more chip", "%(bonus)s – %(num)s more chips", goal.missing, bonus=name)
    if 0 < len(goal.kinds) <= 3 and goal.missing == len(goal.kinds):
        words = _("%(goal)s (%(kinds)s)", goal=words, kinds=", ".join(row_name(kind) for kind in goal.kinds))
    return Bonus(goal.chance, words)
