"""Advice in words, as people talk at the table. Sentences are whole templates, so that each language orders its own.

The words of a sentence that stand for things (a box, so many dice) come from tables by id as well; nothing is put
together from fragments beyond the order of whole sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorekeeper.advice.odds import Hope
from scorekeeper.advice.review import Fortune, RollReview, TurnReview, Use
from scorekeeper.advice.types import Advice, BoxValue
from scorekeeper.dice import DICE
from web.names import row_name

SENTENCES: Mapping[str, str] = {
    "keep": "Keep {dice}, throw {number}: {expected} on average.",
    "keep_or_box": "Keep {dice}, throw {number}: {expected} on average; {box} now is worth {points} and costs {cost}.",
    "keep_as_good": "Keep {dice}, throw {number}: {expected} on average; {box} now is worth {points} and as good.",
    "throw_all": "Throw all five again: {expected} on average.",
    "throw_all_or_box": "Throw all five again: {expected} on average; {box} now is worth {points} and costs {cost}.",
    "throw_all_as_good": "Throw all five again: {expected} on average; {box} now is worth {points} and as good.",
    "box": "{box_first} for {points}: {expected} on average.",
    "box_or_box": "{box_first} for {points}: {expected} on average; {other} for {other_points} costs {cost}.",
    "box_as_good": "{box_first} for {points}: {expected} on average; {other} for {other_points} is as good.",
    "zero": "A zero in {box}: {expected} on average.",
    "zero_or_box": "A zero in {box}: {expected} on average; {other} for {other_points} costs {cost}.",
    "zero_as_good": "A zero in {box}: {expected} on average; {other} for {other_points} is as good.",
    "only_box": "It is the only box that this roll may fill.",
    "rather_keep_costs": "To keep {dice} and throw {number} would cost {cost}.",
    "rather_keep_as_good": "To keep {dice} and throw {number} is as good.",
    "rather_throw_costs": "To throw all five again would cost {cost}.",
    "rather_throw_as_good": "To throw all five again is as good.",
    "pile": "The chip comes from the discard pile.",
    "pass": "Take no chip: {expected} on average.",
    "pass_or_chip": "Take no chip: {expected} on average; {other} for {other_points} costs {cost}.",
    "pass_as_good": "Take no chip: {expected} on average; {other} for {other_points} is as good.",
    "one_hope": "The chance of {one} is {one_chance}.",
    "two_hopes": "The chance of {one} is {one_chance}, that of {two} {two_chance}.",
    "others": "This counts to the end of the turn: what the others do next is left out.",
}

LOOKING_BACK: Mapping[str, str] = {
    "title": "{player}’s turn",
    "keep_else": "Roll {number}, {dice}: to keep {best} was better than {kept}, by {cost}.",
    "throw_all": "Roll {number}, {dice}: to throw all five again was better than to keep {kept}, by {cost}.",
    "stop": "Roll {number}, {dice}: to score it was better than to keep {kept}, by {cost}.",
    "go_on": "Roll {number}, {dice}: to keep {best} and throw on was better than to score it, by {cost}.",
    "start_again": "Roll {number}, {dice}: to throw all five again was better than to score it, by {cost}.",
    "box": "{best} was better than {used}, by {cost}.",
    "take": "To take {best} was better than no chip, by {cost}.",
    "leave": "To take no chip was better than {used}, by {cost}.",
    "zero": "To take the points of {used} was better than a zero there, by {cost}.",
    "pile": "To take {used} from the discard pile was better than from the rack, by {cost}.",
    "rack": "To take {used} from the rack was better than from the discard pile, by {cost}.",
    "perfect": "Just what perfect play does.",
    "perfect_so_far": "What is known of it is what perfect play does; what was kept is not known of every roll.",
    "cost": "That cost {cost} in all.",
    "cost_so_far": "That cost {cost} in all; what was kept is not known of every roll.",
    "good_luck": "The dice brought {luck} more than they do on average.",
    "bad_luck": "The dice brought {luck} less than they do on average.",
    "others": "This counts to the end of the turn: what the others did next is left out.",
}
"""The turn just ended, against perfect play."""
FORTUNES: Mapping[str, str] = {
    "good_luck": "{player}: the dice brought {luck} more than on average; choices gave {cost} away.",
    "bad_luck": "{player}: the dice brought {luck} less than on average; choices gave {cost} away.",
}
"""A whole game, against perfect play."""

NUMBERS = ("none", "one", "two", "three", "four", "five")
HOPES: Mapping[str, str] = {
    "one_pair": "a pair",
    "two_pairs": "two pairs",
    "three_of_a_kind": "three of a kind",
    "four_of_a_kind": "four of a kind",
    "full_house": "a full house",
    "small_straight": "a small straight",
    "large_straight": "a large straight",
    "flush": "a flush",
    "yams": "a yams",
    "yatzy": "a yatzy",
    "yamslam": "a yamslam",
    "ones": "at least {count} ones",
    "twos": "at least {count} twos",
    "threes": "at least {count} threes",
    "fours": "at least {count} fours",
    "fives": "at least {count} fives",
    "sixes": "at least {count} sixes",
}
"""What is hoped for."""

SAME = 0.05
"""Costs below this would be shown as 0.0."""
LEAST_CHANCE = 0.01
"""What is rarer is not hoped for."""


def why(advice: Advice, hopes: Sequence[Hope]) -> str:
    """What to do, what it is worth, what the obvious other thing costs, and the odds of what is hoped for.

    `hopes` are those of the keep advised, the one worth most first.
    """
    best = advice.keeps[0].keep if advice.keeps else ()
    if not advice.keeps or len(best) == DICE:
        said = [_use(advice), *_instead(advice)]
    else:
        said = [_keep(advice, best), *_hopes(hopes)]
    if advice.assumption is not None:
        said.append(SENTENCES[advice.assumption])
    return " ".join(said)


def looking_back(turn: TurnReview, player: str) -> tuple[str, tuple[str, ...]]:
    """A title, and what perfect play would have done in this turn, what that cost, and how the dice fell."""
    said = [_kept_otherwise(roll) for roll in turn.rolls if roll.cost >= SAME]
    said += [_used_otherwise(use) for use in turn.uses if use.cost >= SAME]
    template = "perfect" if not said else "cost"
    if any(roll.kept is None for roll in turn.rolls):
        template += "_so_far"
    if len(said) != 1 or template != "cost":  # a single fault has said its cost
        said.append(LOOKING_BACK[template].format(cost=points_words(turn.cost)))
    if turn.assumption is not None:
        said.append(LOOKING_BACK[turn.assumption])
    elif abs(turn.luck) >= SAME:
        said.append(
            LOOKING_BACK["good_luck" if turn.luck > 0 else "bad_luck"].format(luck=points_words(abs(turn.luck)))
        )
    return LOOKING_BACK["title"].format(player=player), tuple(said)


def fortune_words(own: Fortune, player: str) -> str:
    """How a player's total came about."""
    template = FORTUNES["good_luck" if own.luck > 0 else "bad_luck"]
    return template.format(player=player, luck=points_words(abs(own.luck)), cost=points_words(own.cost))


def _kept_otherwise(roll: RollReview) -> str:
    kept, best = roll.kept or (), roll.best
    if len(best) == DICE:
        template = "stop"
    elif len(kept) == DICE:
        template = "go_on" if best else "start_again"
    else:
        template = "keep_else" if best else "throw_all"
    facts = {"dice": dice_words(roll.dice), "best": dice_words(best), "kept": dice_words(kept)}
    return LOOKING_BACK[template].format(number=roll.number, cost=points_words(roll.cost), **facts)


def _used_otherwise(use: Use) -> str:
    template = "leave" if use.best_box is None else "take" if use.box is None else "box"
    best, used = (box_words(box) if box else "" for box in (use.best_box, use.box))
    if use.box and use.best_box == use.box:
        template = use.best_source or "zero"
    elif template == "box" and use.best_box:
        best = row_name(use.best_box)
    return LOOKING_BACK[template].format(best=best, used=used, cost=points_words(use.cost))


def dice_words(dice: Sequence[int]) -> str:
    """Dice as they are spoken of: 4-4-4."""
    return "-".join(map(str, dice))


def points_words(points: float) -> str:
    """Points to be expected, with one decimal."""
    return f"{points:.1f}"


def cost_words(cost: float) -> str:
    """What an option costs, as it stands beside it."""
    return "best" if cost < SAME else f"−{cost:.1f}"


def cost_spoken(cost: float) -> str:
    """The same, to go on a sentence about the option that is read out."""
    return ", the best" if cost < SAME else f", costs {cost:.1f}"


def chance_words(chance: float) -> str:
    """A chance in percent: 31%."""
    return "more than 99%" if chance > 0.99 else f"{chance:.0%}"


def box_words(box: str) -> str:
    """What a box is called within a sentence."""
    return row_name(box).lower()


def _keep(advice: Advice, keep: tuple[int, ...]) -> str:
    template = "keep" if keep else "throw_all"
    facts = {
        "dice": dice_words(keep),
        "number": NUMBERS[DICE - len(keep)],
        "expected": points_words(advice.expected),
    }
    if advice.boxes:
        now = advice.boxes[0]
        cost = advice.expected - now.expected
        template += "_as_good" if cost < SAME else "_or_box"
        facts |= {"box": box_words(now.box), "points": str(now.points), "cost": points_words(cost)}
    return SENTENCES[template].format_map(facts)


def _use(advice: Advice) -> str:
    """The box or the chip for the roll, and the next best."""
    passes = _passes(advice)
    facts = {"expected": points_words(advice.expected)}
    rest: Sequence[BoxValue]
    if passes:
        template, rest = "pass", advice.boxes
    else:
        best, *others = advice.boxes
        rest = [other for other in others if other.box != best.box]  # the same chip may lie on the other shelf too
        template = "box" if best.points else "zero"
        facts |= {"box": box_words(best.box), "box_first": row_name(best.box), "points": str(best.points)}
    if rest:
        cost = advice.expected - rest[0].expected
        template += f"_or_{'chip' if passes else 'box'}" if cost >= SAME else "_as_good"
        facts |= {"other": box_words(rest[0].box), "other_points": str(rest[0].points), "cost": points_words(cost)}
    return SENTENCES[template].format_map(facts)


def _passes(advice: Advice) -> bool:
    """Whether taking no chip is best."""
    return advice.pass_expected is not None and (not advice.boxes or advice.boxes[0].expected < advice.pass_expected)


def _instead(advice: Advice) -> list[str]:
    """What else there is to say of the best use of a roll."""
    said = []
    if not _passes(advice) and advice.boxes[0].source == "pile":
        said.append(SENTENCES["pile"])
    if len(advice.keeps) > 1:
        rather = advice.keeps[1]
        cost = advice.expected - rather.expected
        template = f"rather_{'keep' if rather.keep else 'throw'}_{'as_good' if cost < SAME else 'costs'}"
        number = NUMBERS[DICE - len(rather.keep)]
        said.append(SENTENCES[template].format(dice=dice_words(rather.keep), number=number, cost=points_words(cost)))
    elif len(advice.boxes) == 1 and advice.pass_expected is None:
        said.append(SENTENCES["only_box"])
    return said


def _hopes(hopes: Sequence[Hope]) -> list[str]:
    """The two that matter most; the face of four of a kind is not told of twice."""
    told: list[Hope] = []
    for hope in hopes:
        again = any(abs(hope.chance - other.chance) < 1e-9 for other in told)
        if hope.chance >= LEAST_CHANCE and not (hope.count and again):
            told.append(hope)
    if not told:
        return []
    facts = {}
    for place, hope in zip(("one", "two"), told, strict=False):
        facts[place] = HOPES[hope.box].format(count=NUMBERS[hope.count or 0])
        facts[f"{place}_chance"] = chance_words(hope.chance)
    return [SENTENCES["two_hopes" if len(told) > 1 else "one_hope"].format_map(facts)]
