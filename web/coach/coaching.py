"""Coaching on the page: the card with the advice, the dice to keep and what each option costs, per device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from scorekeeper.advice import Advice
from scorekeeper.advice.review import fortunes, last_review
from scorekeeper.dice import DICE, Roll
from scorekeeper.game import Source
from scorekeeper.session import Session
from web.coach.advice import hoped_for, present
from web.coach.advisors import AdviceFailed, Advisors
from web.coach.phrases import SAME, cost_spoken, cost_words, fortune_words, looking_back, why
from web.words.names import in_line
from web.words.sentences import say

COOKIE = "dicescribe_coach"
Mode = Literal["off", "on", "after"]
"""Coaching: none, with each roll, or after the turn what perfect play would have done."""

Place = tuple[str, Source]
"""A box, or a chip and where it comes from (a box counts as from the rack)."""


LookedBack = tuple[str, tuple[str, ...]]
"""A title and sentences."""


@dataclass(frozen=True, slots=True)
class Coach:
    """What the page shows of advice.

    building  percent of the game worked out so far; None when it is at hand or not asked for
    problem   why there is no advice
    keep      the places of the dice to keep among those on the table; none where it is best to stop
    best      what to score, where it is best to stop
    costs     per option what it costs against the best; ``spoken`` the same for who can't see it
    """

    building: int | None = None
    problem: str = ""
    why: str = ""
    keep: frozenset[int] = frozenset()
    best: Place | None = None
    costs: Mapping[Place, str] = field(default_factory=dict)
    spoken: Mapping[Place, str] = field(default_factory=dict)


def mode_of(cookie: str | None) -> Mode:
    """The mode that a device has chosen; off where there is no telling."""
    return cast(Mode, cookie) if cookie in get_args(Mode) else "off"


def coach(advisors: Advisors, session: Session, mode: Mode) -> Coach:
    """The advice for the dice on the table of this session."""
    turn = session.position.turn
    if mode == "off" or turn is None:
        return Coach()
    # Asked for before the first roll too: by the time the dice lie the table may be there.
    try:
        found = advisors.get(session.position.game)
    except AdviceFailed as problem:
        return Coach(problem=say(problem.sentence))
    if isinstance(found, float):
        return Coach(building=int(100 * found))
    if mode != "on" or turn.dice is None:
        return Coach()
    where = present(session)
    advice = found.advise(where.state, turn.dice, where.rolls_left)
    costs = {(box.box, box.source or "rack"): advice.expected - box.expected for box in advice.boxes}
    keep = advice.keeps[0].keep if advice.keeps else ()
    return Coach(
        why=why(advice, hoped_for(where, advice)),
        keep=_places(turn.dice, keep) if len(keep) < DICE else frozenset(),
        best=_best(advice),
        costs={place: cost_words(cost) for place, cost in costs.items()},
        spoken={place: cost_spoken(cost) for place, cost in costs.items()},
    )


def look_back(advisors: Advisors, session: Session, mode: Mode) -> LookedBack | None:
    """What is said about the turn that ended last, and at the end about the whole game.

    None where it is not asked for or not to be had yet.
    """
    if mode != "after":
        return None
    try:
        found = advisors.get(session.position.game)
    except AdviceFailed:
        return None
    review = None if isinstance(found, float) else last_review(session, found)
    if isinstance(found, float) or review is None:
        return None
    names = [in_line(name) for name in session.position.players]
    title, lines = looking_back(review, names[review.player])
    own = zip(names, fortunes(session, found) or (), strict=False)
    return title, (*lines, *(fortune_words(fortune, name) for name, fortune in own if fortune is not None))


def _best(advice: Advice) -> Place | None:
    if not advice.boxes or advice.expected - advice.boxes[0].expected >= SAME:
        return None
    best = advice.boxes[0]
    return best.box, best.source or "rack"


def _places(dice: Roll, keep: tuple[int, ...]) -> frozenset[int]:
    """Where the dice to keep lie."""
    left = list(keep)
    places = set()
    for place, die in enumerate(dice):
        if die in left:
            left.remove(die)
            places.add(place)
    return frozenset(places)
