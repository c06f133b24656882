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
from web.words import mark, number, percent, said, within
from web.words.names import row_name

SENTENCES: Mapping[str, str] = {
    "keep": mark("Keep %(dice)s, throw %(number)s: %(expected)s on average."),
    "keep_or_box": mark(
        "Keep %(dice)s, throw %(number)s: %(expected)s on average; %(box)s now is worth %(points)s and costs %(cost)s."
    ),
    "keep_as_good": mark(
        "Keep %(dice)s, throw %(number)s: %(expected)s on average; %(box)s now is worth %(points)s and as good."
    ),
    "throw_all": mark("Throw all five again: %(expected)s on average."),
    "throw_all_or_box": mark(
        "Throw all five again: %(expected)s on average; %(box)s now is worth %(points)s and costs %(cost)s."
    ),
    "throw_all_as_good": mark(
        "Throw all five again: %(expected)s on average; %(box)s now is worth %(points)s and as good."
    ),
    "box": mark("%(box_first)s for %(points)s: %(expected)s on average."),
    "box_or_box": mark(
        "%(box_first)s for %(points)s: %(expected)s on average; %(other)s for %(other_points)s costs %(cost)s."
    ),
    "box_as_good": mark(
        "%(box_first)s for %(points)s: %(expected)s on average; %(other)s for %(other_points)s is as good."
    ),
    "zero": mark("A zero in %(box)s: %(expected)s on average."),
    "zero_or_box": mark("A zero in %(box)s: %(expected)s on average; %(other)s for %(other_points)s costs %(cost)s."),
    "zero_as_good": mark("A zero in %(box)s: %(expected)s on average; %(other)s for %(other_points)s is as good."),
    "only_box": mark("It is the only box that this roll may fill."),
    "rather_keep_costs": mark("To keep %(dice)s and throw %(number)s would cost %(cost)s."),
    "rather_keep_as_good": mark("To keep %(dice)s and throw %(number)s is as good."),
    "rather_throw_costs": mark("To throw all five again would cost %(cost)s."),
    "rather_throw_as_good": mark("To throw all five again is as good."),
    "pile": mark("The chip comes from the discard pile."),
    "pass": mark("Take no chip: %(expected)s on average."),
    "pass_or_chip": mark("Take no chip: %(expected)s on average; %(other)s for %(other_points)s costs %(cost)s."),
    "pass_as_good": mark("Take no chip: %(expected)s on average; %(other)s for %(other_points)s is as good."),
    "one_hope": mark("The chance of %(one)s is %(one_chance)s."),
    "two_hopes": mark("The chance of %(one)s is %(one_chance)s, that of %(two)s %(two_chance)s."),
    "others": mark("This counts to the end of the turn: what the others do next is left out."),
}

LOOKING_BACK: Mapping[str, str] = {
    "title": mark("%(player)s’s turn"),
    "keep_else": mark("Roll %(number)s, %(dice)s: to keep %(best)s was better than %(kept)s, by %(cost)s."),
    "throw_all": mark(
        "Roll %(number)s, %(dice)s: to throw all five again was better than to keep %(kept)s, by %(cost)s."
    ),
    "stop": mark("Roll %(number)s, %(dice)s: to score it was better than to keep %(kept)s, by %(cost)s."),
    "go_on": mark("Roll %(number)s, %(dice)s: to keep %(best)s and throw on was better than to score it, by %(cost)s."),
    "start_again": mark("Roll %(number)s, %(dice)s: to throw all five again was better than to score it, by %(cost)s."),
    "box": mark("%(best)s was better than %(used)s, by %(cost)s."),
    "take": mark("To take %(best)s was better than no chip, by %(cost)s."),
    "leave": mark("To take no chip was better than %(used)s, by %(cost)s."),
    "zero": mark("To take the points of %(used)s was better than a zero there, by %(cost)s."),
    "pile": mark("To take %(used)s from the discard pile was better than from the rack, by %(cost)s."),
    "rack": mark("To take %(used)s from the rack was better than from the discard pile, by %(cost)s."),
    "perfect": mark("Just what perfect play does."),
    "perfect_so_far": mark("What is known of it is what perfect play does; what was kept is not known of every roll."),
    "cost": mark("That cost %(cost)s in all."),
    "cost_so_far": mark("That cost %(cost)s in all; what was kept is not known of every roll."),
    "good_luck": mark("The dice brought %(luck)s more than they do on average."),
    "bad_luck": mark("The dice brought %(luck)s less than they do on average."),
    "others": mark("This counts to the end of the turn: what the others did next is left out."),
}
"""The turn just ended, against perfect play."""
FORTUNES: Mapping[str, str] = {
    "good_luck": mark("%(player)s: the dice brought %(luck)s more than on average; choices gave %(cost)s away."),
    "bad_luck": mark("%(player)s: the dice brought %(luck)s less than on average; choices gave %(cost)s away."),
}
"""A whole game, against perfect play."""

NUMBERS = (mark("none"), mark("one"), mark("two"), mark("three"), mark("four"), mark("five"))
"""How many dice."""
HOPES: Mapping[str, str] = {
    "one_pair": mark("a pair"),
    "two_pairs": mark("two pairs"),
    "three_of_a_kind": mark("three of a kind"),
    "four_of_a_kind": mark("four of a kind"),
    "full_house": mark("a full house"),
    "small_straight": mark("a small straight"),
    "large_straight": mark("a large straight"),
    "flush": mark("a flush"),
    "yams": mark("a yams"),
    "yatzy": mark("a yatzy"),
    "yamslam": mark("a yamslam"),
    "ones": mark("at least %(count)s ones"),
    "twos": mark("at least %(count)s twos"),
    "threes": mark("at least %(count)s threes"),
    "fours": mark("at least %(count)s fours"),
    "fives": mark("at least %(count)s fives"),
    "sixes": mark("at least %(count)s sixes"),
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
        told = [_use(advice), *_instead(advice)]
    else:
        told = [_keep(advice, best), *_hopes(hopes)]
    if advice.assumption is not None:
        told.append(said(SENTENCES[advice.assumption]))
    return " ".join(told)


def looking_back(turn: TurnReview, player: str) -> tuple[str, tuple[str, ...]]:
    """A title, and what perfect play would have done in this turn, what that cost, and how the dice fell."""
    told = [_kept_otherwise(roll) for roll in turn.rolls if roll.cost >= SAME]
    told += [_used_otherwise(use) for use in turn.uses if use.cost >= SAME]
    template = "perfect" if not told else "cost"
    if any(roll.kept is None for roll in turn.rolls):
        template += "_so_far"
    if len(told) != 1 or template != "cost":  # a single fault has said its cost
        told.append(said(LOOKING_BACK[template], cost=points_words(turn.cost)))
    if turn.assumption is not None:
        told.append(said(LOOKING_BACK[turn.assumption]))
    elif abs(turn.luck) >= SAME:
        template = "good_luck" if turn.luck > 0 else "bad_luck"
        told.append(said(LOOKING_BACK[template], luck=points_words(abs(turn.luck))))
    return said(LOOKING_BACK["title"], player=player), tuple(told)


def fortune_words(own: Fortune, player: str) -> str:
    """How a player's total came about."""
    template = FORTUNES["good_luck" if own.luck > 0 else "bad_luck"]
    return said(template, player=player, luck=points_words(abs(own.luck)), cost=points_words(own.cost))


def _kept_otherwise(roll: RollReview) -> str:
    kept, best = roll.kept or (), roll.best
    if len(best) == DICE:
        template = "stop"
    elif len(kept) == DICE:
        template = "go_on" if best else "start_again"
    else:
        template = "keep_else" if best else "throw_all"
    facts = {"dice": dice_words(roll.dice), "best": dice_words(best), "kept": dice_words(kept)}
    return said(LOOKING_BACK[template], number=roll.number, cost=points_words(roll.cost), **facts)


def _used_otherwise(use: Use) -> str:
    template = "leave" if use.best_box is None else "take" if use.box is None else "box"
    best, used = (box_words(box) if box else "" for box in (use.best_box, use.box))
    if use.box and use.best_box == use.box:
        template = use.best_source or "zero"
    elif template == "box" and use.best_box:
        best = row_name(use.best_box)
    return said(LOOKING_BACK[template], best=best, used=used, cost=points_words(use.cost))


def dice_words(dice: Sequence[int]) -> str:
    """Dice as they are spoken of: 4-4-4."""
    return "-".join(map(str, dice))


def number_words(dice: int) -> str:
    """How many dice, as a word."""
    return said(NUMBERS[dice])


def points_words(points: float) -> str:
    """Points to be expected, with one decimal."""
    return number(points, 1)


def cost_words(cost: float) -> str:
    """What an option costs, as it stands beside it."""
    return said("best") if cost < SAME else f"−{number(cost, 1)}"


def cost_spoken(cost: float) -> str:
    """The same, to go on a sentence about the option that is read out."""
    words = said("the best") if cost < SAME else said("costs %(points)s", points=number(cost, 1))
    return f", {words}"


def chance_words(chance: float) -> str:
    """A chance in percent: 31%."""
    return said("more than %(share)s", share=percent(0.99)) if chance > 0.99 else percent(chance)


def box_words(box: str) -> str:
    """What a box is called within a sentence."""
    return within(row_name(box))


def _keep(advice: Advice, keep: tuple[int, ...]) -> str:
    template = "keep" if keep else "throw_all"
    facts = {
        "dice": dice_words(keep),
        "number": number_words(DICE - len(keep)),
        "expected": points_words(advice.expected),
    }
    if advice.boxes:
        now = advice.boxes[0]
        cost = advice.expected - now.expected
        template += "_as_good" if cost < SAME else "_or_box"
        facts |= {"box": box_words(now.box), "points": str(now.points), "cost": points_words(cost)}
    return said(SENTENCES[template], **facts)


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
    return said(SENTENCES[template], **facts)


def _passes(advice: Advice) -> bool:
    """Whether taking no chip is best."""
    return advice.pass_expected is not None and (not advice.boxes or advice.boxes[0].expected < advice.pass_expected)


def _instead(advice: Advice) -> list[str]:
    """What else there is to say of the best use of a roll."""
    told = []
    if not _passes(advice) and advice.boxes[0].source == "pile":
        told.append(said(SENTENCES["pile"]))
    if len(advice.keeps) > 1:
        rather = advice.keeps[1]
        cost = advice.expected - rather.expected
        template = f"rather_{'keep' if rather.keep else 'throw'}_{'as_good' if cost < SAME else 'costs'}"
        facts = {"dice": dice_words(rather.keep), "number": number_words(DICE - len(rather.keep))}
        told.append(said(SENTENCES[template], cost=points_words(cost), **facts))
    elif len(advice.boxes) == 1 and advice.pass_expected is None:
        told.append(said(SENTENCES["only_box"]))
    return told


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
        facts[place] = said(HOPES[hope.box], count=number_words(hope.count or 0))
        facts[f"{place}_chance"] = chance_words(hope.chance)
    return [said(SENTENCES["two_hopes" if len(told) > 1 else "one_hope"], **facts)]
