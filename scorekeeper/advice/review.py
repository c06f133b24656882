"""Looking back: what the dice gave in each turn, and what the choices cost against perfect play.

The final total that a player may expect changes by what falls (luck, good or bad), by what they choose (a cost, unless
it was the best), and by corrections of their sheet. Where advice is exact these add up, to rounding:

    final total = value at the start + luck - cost + corrections
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from scorekeeper.advice.types import Advice, Advisor, BoxValue
from scorekeeper.events import Edited, Event, Passed, Rolled, Scored
from scorekeeper.game import Source
from scorekeeper.session import Position, Session
from scorekeeper.turn import ROLLS_A_TURN

Step = tuple[Event, Position]


@dataclass(frozen=True, slots=True)
class RollReview:
    """One recorded roll of a turn.

    number    which roll of the turn it is, 1 to 3
    dice      as they lay
    kept      of them for the next roll; all five where none followed. None where it is not known: what was kept was
              not recorded, or the next roll was not
    best      what perfect play would have kept; all five: score at once
    expected  the final total to be expected after this roll, with perfect play
    luck      how much more that is than before the roll
    cost      what keeping these dice gave away; 0 where it is not known
    """

    number: int
    dice: tuple[int, ...]
    kept: tuple[int, ...] | None
    best: tuple[int, ...]
    expected: float
    luck: float
    cost: float


@dataclass(frozen=True, slots=True)
class Use:
    """What the roll was used for: the box filled, or the chip taken; None: no chip.

    ``cost`` is what it gave away against ``best_box`` (``best_source``); a zero by choice is its box too.
    """

    box: str | None
    source: Source | None
    best_box: str | None
    best_source: Source | None
    cost: float


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One finished turn.

    seq         the number of the change that ended it
    before      the final total to be expected before it, ``after`` after it
    uses        one; in Yamslam alone five alike take two chips
    assumption  as in Advice: None where all this is exact
    """

    seq: int
    player: int
    before: float
    after: float
    rolls: tuple[RollReview, ...]
    uses: tuple[Use, ...]
    assumption: str | None

    @property
    def luck(self) -> float:
        """What the dice gave beyond what could be expected."""
        return sum(roll.luck for roll in self.rolls)

    @property
    def cost(self) -> float:
        """What the choices gave away against perfect play."""
        return sum(roll.cost for roll in self.rolls) + sum(use.cost for use in self.uses)


@dataclass(frozen=True, slots=True)
class Fortune:
    """How a player's total came about: ``start`` + ``luck`` - ``cost`` + ``corrections``, to rounding."""

    start: float
    luck: float
    cost: float
    corrections: float
    total: int


@dataclass(frozen=True, slots=True)
class FortuneFigures:
    """Mean luck and cost of a game, over so many of a player's games."""

    games: int
    luck: float
    cost: float


def turn_reviews(session: Session, advisor: Advisor) -> tuple[TurnReview, ...]:
    """All turns that were finished and not undone, in their order."""
    return tuple(_review(turn, advisor) for turn in _turns(session))


def last_review(session: Session, advisor: Advisor) -> TurnReview | None:
    """The turn that was finished last; None before."""
    last = deque(_turns(session), maxlen=1)
    return _review(last[0], advisor) if last else None


def fortunes(session: Session, advisor: Advisor) -> tuple[Fortune | None, ...] | None:
    """Per player of a finished game how their total came about; None for who left.

    None altogether while the game runs, and where advice is not exact: then nothing adds up from turn to turn.
    """
    end = session.position
    reviews = turn_reviews(session, advisor) if end.over else ()
    if not reviews or any(review.assumption for review in reviews):
        return None
    corrections = [0.0] * len(end.players)
    for event, after in session.steps:
        if isinstance(event, Edited) and after.before is not None:
            corrections[event.player] += _correction(event.player, after.before, after, advisor)
    start, totals = session.steps[0][1], end.game.totals(end.state)
    return tuple(
        None
        if player in end.left
        else Fortune(
            start=advisor.before(start.state, player),
            luck=sum(review.luck for review in reviews if review.player == player),
            cost=sum(review.cost for review in reviews if review.player == player),
            corrections=correction,
            total=totals[player],
        )
        for player, correction in enumerate(corrections)
    )


def fortune_figures(sessions: Iterable[Session], advisor: Advisor) -> dict[str, FortuneFigures]:
    """Per player's name the means over the finished ones of these sessions, which are all played by the same rules.

    Empty where advice is not exact. A game of two takes about a tenth of a second, for every turn is gone through.
    """
    found: dict[str, list[Fortune]] = {}
    for session in sessions:
        for name, fortune in zip(session.position.players, fortunes(session, advisor) or (), strict=False):
            if fortune is not None:
                found.setdefault(name, []).append(fortune)
    return {
        name: FortuneFigures(len(own), fmean(one.luck for one in own), fmean(one.cost for one in own))
        for name, own in found.items()
    }


def _turns(session: Session) -> Iterator[list[Step]]:
    """The steps of each finished turn from its first roll to its last use, what others did in between included."""
    turn: list[Step] = []
    for event, after in session.steps:
        if after.before is None or after.before.turn is None:
            continue
        turn.append((event, after))
        if after.turn is None or after.turn.roll == 0:
            if isinstance(event, Scored | Passed):
                yield turn
            turn = []


def _review(turn: Sequence[Step], advisor: Advisor) -> TurnReview:
    first, last = turn[0][1], turn[-1][1]
    if first.before is None or first.turn is None:
        raise ValueError("a turn begins with a roll")
    player = first.turn.player
    value = before = advisor.before(first.before.state, player)
    rolls: list[RollReview] = []
    uses: list[Use] = []
    advice: Advice | None = None
    for event, after in turn:
        now = after.turn
        if isinstance(event, Rolled) and now is not None:
            number = now.roll
            if advice is not None:
                known = event.kept and number == rolls[-1].number + 1
                rolls[-1] = _kept(rolls[-1], advice, event.kept if known else None)
                value = advice.expected - rolls[-1].cost
            advice = advisor.advise(after.state, event.dice, ROLLS_A_TURN - number)
            dice = tuple(sorted(event.dice))
            best = advice.keeps[0].keep if advice.keeps else dice
            rolls.append(RollReview(number, dice, dice, best, advice.expected, advice.expected - value, 0.0))
        elif isinstance(event, Edited) and event.player == player and now is not None and now.dice is not None:
            advice = advisor.advise(after.state, now.dice, now.rolls_left)
        elif isinstance(event, Scored | Passed) and advice is not None:
            if not uses:
                rolls[-1] = _kept(rolls[-1], advice, rolls[-1].dice)
            uses.append(_use(event, advice, after, player, advisor))
            value = _best_use(advice)[1] - uses[-1].cost
            if now is not None and now.dice is not None:  # five alike, alone: the same dice take a second chip
                advice = advisor.advise(after.state, now.dice, 0)
    assumption = None if advice is None else advice.assumption
    return TurnReview(last.at, player, before, value, tuple(rolls), tuple(uses), assumption)


def _kept(roll: RollReview, advice: Advice, kept: Sequence[int] | None) -> RollReview:
    """The roll with what was kept of it, None where that is not known."""
    if kept is None:
        return replace(roll, kept=None)
    keep = tuple(sorted(kept))
    # Without a roll left nothing is kept: the dice are used as they are.
    worth = next((value.expected for value in advice.keeps if value.keep == keep), advice.expected)
    return replace(roll, kept=keep, cost=advice.expected - worth)


def _best_use(advice: Advice) -> tuple[BoxValue | None, float]:
    """The best box or chip for the dice as they lie, None for no chip, and what that is worth."""
    best = advice.boxes[0] if advice.boxes else None
    passed = advice.pass_expected
    if best is not None and (passed is None or best.expected >= passed):
        return best, best.expected
    return None, advice.expected if passed is None else passed


def _use(event: Scored | Passed, advice: Advice, after: Position, player: int, advisor: Advisor) -> Use:
    best, worth = _best_use(advice)
    if isinstance(event, Passed):
        box, source, used = None, None, advice.pass_expected
    else:
        box = event.box
        option = next(
            (v for v in advice.boxes if v.box == box and (v.source or "rack") == (event.source or "rack")), None
        )
        source = None if option is None else option.source
        used = None if option is None or (event.scratch and option.points) else option.expected
    if used is None:  # a zero by choice, which is never advised
        used = advisor.before(after.state, player)
    best_box, best_source = (None, None) if best is None else (best.box, best.source)
    return Use(box, source, best_box, best_source, worth - used)


def _correction(player: int, before: Position, after: Position, advisor: Advisor) -> float:
    """By how much an edit changed what the player may expect."""
    return _expected(player, after, advisor) - _expected(player, before, advisor)


def _expected(player: int, position: Position, advisor: Advisor) -> float:
    turn = position.turn
    if turn is not None and turn.player == player and turn.dice is not None:
        return advisor.advise(position.state, turn.dice, turn.rolls_left).expected
    return advisor.before(position.state, player)
