"""Advice in words: each kind of sentence, and that there are no others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from scorekeeper.advice import Advice, BoxValue, KeepValue
from scorekeeper.advice.odds import YAMSLAM, Hope
from scorekeeper.advice.review import Fortune, RollReview, TurnReview, Use
from scorekeeper.game import Source
from scorekeeper.rulebooks import GAMES
from web.coach.phrases import (
    HOPES,
    LOOKING_BACK,
    SENTENCES,
    box_words,
    chance_words,
    cost_spoken,
    cost_words,
    fortune_words,
    looking_back,
    why,
)

ROLL = (2, 2, 4, 4, 4)
KEEP = KeepValue((4, 4, 4), 231.24)
HOUSE = BoxValue("full_house", 25, 228.1)
FOURS = BoxValue("fours", 12, 220.0)
ZERO = BoxValue("yams", 0, 210.0)
HOPED = (Hope("four_of_a_kind", 0.3056, 5.9), Hope("yams", 0.0278, 1.4), Hope("fours", 0.3056, 1.3, 4))


def advice(*keeps: KeepValue, boxes: tuple[BoxValue, ...] = (HOUSE, FOURS), **more: Any) -> Advice:
    expected = keeps[0].expected if keeps else max([box.expected for box in boxes], default=0.0)
    return Advice(**{"expected": expected, "keeps": keeps, "boxes": boxes, **more})


def stop(value: float = 228.1) -> KeepValue:
    return KeepValue(ROLL, value)


SAID = [
    (
        advice(KEEP, stop()),
        HOPED,
        "Keep 4-4-4, throw two: 231.2 on average; full house now is worth 25 and costs 3.1. "
        "The chance of four of a kind is 31%, that of a yams 3%.",
    ),
    (
        advice(KeepValue((4, 4, 4), 228.11), stop()),
        HOPED[1:2],
        "Keep 4-4-4, throw two: 228.1 on average; full house now is worth 25 and as good. The chance of a yams is 3%.",
    ),
    (advice(KEEP, boxes=(), pass_expected=3.0), (), "Keep 4-4-4, throw two: 231.2 on average."),
    (
        advice(KeepValue((), 231.24), stop()),
        (),
        "Throw all five again: 231.2 on average; full house now is worth 25 and costs 3.1.",
    ),
    (
        advice(KeepValue((), 228.1), stop()),
        (),
        "Throw all five again: 228.1 on average; full house now is worth 25 and as good.",
    ),
    (advice(KeepValue((), 12.5), boxes=(), pass_expected=3.0), (), "Throw all five again: 12.5 on average."),
    (
        advice(stop(), KeepValue((4, 4, 4), 227.7)),
        (),
        "Full house for 25: 228.1 on average; fours for 12 costs 8.1. To keep 4-4-4 and throw two would cost 0.4.",
    ),
    (
        advice(stop(), KeepValue((2, 4, 4, 4), 228.1), boxes=(HOUSE, BoxValue("fours", 12, 228.09))),
        (),
        "Full house for 25: 228.1 on average; fours for 12 is as good. To keep 2-4-4-4 and throw one is as good.",
    ),
    (
        advice(stop(), KeepValue((), 220.0), boxes=(HOUSE,)),
        (),
        "Full house for 25: 228.1 on average. To throw all five again would cost 8.1.",
    ),
    (
        advice(stop(), KeepValue((), 228.1), boxes=(HOUSE,)),
        (),
        "Full house for 25: 228.1 on average. To throw all five again is as good.",
    ),
    (advice(), (), "Full house for 25: 228.1 on average; fours for 12 costs 8.1."),
    (
        advice(boxes=(HOUSE,)),
        (),
        "Full house for 25: 228.1 on average. It is the only box that this roll may fill.",
    ),
    (advice(boxes=(ZERO, FOURS), expected=225.0), (), "A zero in yams: 225.0 on average; fours for 12 costs 5.0."),
    (advice(boxes=(ZERO, BoxValue("ones", 0, 209.99))), (), "A zero in yams: 210.0 on average; ones for 0 is as good."),
    (advice(boxes=(ZERO,)), (), "A zero in yams: 210.0 on average. It is the only box that this roll may fill."),
    (
        advice(boxes=(BoxValue("flush", 25, 50.0, "pile"),), pass_expected=25.0, assumption="others"),
        (),
        "Flush for 25: 50.0 on average. The chip comes from the discard pile. "
        "This counts to the end of the turn: what the others do next is left out.",
    ),
    (
        advice(
            boxes=(
                BoxValue("flush", 25, 50.0, "pile"),
                BoxValue("flush", 25, 45.0, "rack"),
                BoxValue("full_house", 30, 42.0, "rack"),
            ),
            pass_expected=25.0,
        ),
        (),
        "Flush for 25: 50.0 on average; full house for 30 costs 8.0. The chip comes from the discard pile.",
    ),
    (advice(boxes=(), expected=25.0, pass_expected=25.0), (), "Take no chip: 25.0 on average."),
    (
        advice(boxes=(BoxValue("flush", 25, 50.0, "rack"),), expected=52.0, pass_expected=52.0),
        (),
        "Take no chip: 52.0 on average; flush for 25 costs 2.0.",
    ),
    (
        advice(boxes=(BoxValue("flush", 25, 50.0, "rack"),), expected=50.01, pass_expected=50.01),
        (),
        "Take no chip: 50.0 on average; flush for 25 is as good.",
    ),
]


@pytest.mark.parametrize("given, hoped, said", SAID)
def test_what_is_advised_is_said_in_sentences(given: Advice, hoped: tuple[Hope, ...], said: str) -> None:
    assert why(given, hoped) == said


def test_of_the_hopes_the_two_that_matter_are_told() -> None:
    few = (
        Hope("sixes", 0.421, 3.0, 3),
        Hope("yams", 0.004, 2.0),
        Hope("full_house", 0.2, 1.0),
        Hope("chance", 0.5, 0.5),
    )
    assert why(advice(KEEP), few).endswith("The chance of at least three sixes is 42%, that of a full house 20%.")
    assert why(advice(KEEP), few[1:2]).endswith("costs 3.1.")


def test_a_chance_is_never_called_sure() -> None:
    assert [chance_words(chance) for chance in (0.3056, 0.0278, 0.997)] == ["31%", "3%", "more than 99%"]


def test_what_an_option_costs_beside_it() -> None:
    assert [cost_words(cost) for cost in (0.0, 0.04, 0.06, 12.34)] == ["best", "best", "−0.1", "−12.3"]
    assert [cost_spoken(cost) for cost in (0.0, 12.34)] == [", the best", ", costs 12.3"]


def test_every_box_can_be_spoken_of_and_hoped_for() -> None:
    for spec in GAMES.values():
        for box in spec.boxes:
            assert box_words(box)
            assert box == "chance" or box in HOPES  # a roll can't miss chance
    assert YAMSLAM in HOPES


# ---- Looking back


def rolled(
    number: int, best: tuple[int, ...], kept: tuple[int, ...] | None, cost: float, luck: float = 0.0
) -> RollReview:
    return RollReview(number, ROLL, kept, best, 230.0, luck, cost)


def used(box: str | None, best: str | None, cost: float, source: Source | None = None) -> Use:
    return Use(box, source, best, source, cost)


def turn(*parts: RollReview | Use, assumption: str | None = None) -> TurnReview:
    rolls = tuple(part for part in parts if isinstance(part, RollReview))
    uses = tuple(part for part in parts if isinstance(part, Use))
    return TurnReview(9, 0, 230.0, 228.0, rolls, uses, assumption)


FINE = used("full_house", "full_house", 0.0)
BACK = [
    (turn(rolled(1, ROLL, ROLL, 0.0), FINE), ["Just what perfect play does."]),
    (
        turn(rolled(1, (4, 4, 4), None, 0.0), rolled(2, ROLL, ROLL, 0.0), FINE),
        ["What is known of it is what perfect play does; what was kept is not known of every roll."],
    ),
    (
        turn(rolled(1, (4, 4, 4), (4, 4), 3.14), FINE),
        ["Roll 1, 2-2-4-4-4: to keep 4-4-4 was better than 4-4, by 3.1."],
    ),
    (
        turn(rolled(1, (4, 4, 4), ROLL, 3.14, luck=4.25), used("fours", "full_house", 2.0)),
        [
            "Roll 1, 2-2-4-4-4: to keep 4-4-4 and throw on was better than to score it, by 3.1.",
            "Full house was better than fours, by 2.0.",
            "That cost 5.1 in all.",
            "The dice brought 4.2 more than they do on average.",
        ],
    ),
    (
        turn(rolled(1, ROLL, (4, 4), 1.0), rolled(2, (4, 4, 4), None, 0.0, luck=-7.0), FINE),
        [
            "Roll 1, 2-2-4-4-4: to score it was better than to keep 4-4, by 1.0.",
            "That cost 1.0 in all; what was kept is not known of every roll.",
            "The dice brought 7.0 less than they do on average.",
        ],
    ),
    (
        turn(rolled(1, (), (4, 4), 1.0), FINE),
        ["Roll 1, 2-2-4-4-4: to throw all five again was better than to keep 4-4, by 1.0."],
    ),
    (
        turn(rolled(1, (), ROLL, 1.0), FINE),
        ["Roll 1, 2-2-4-4-4: to throw all five again was better than to score it, by 1.0."],
    ),
    (
        turn(rolled(1, ROLL, ROLL, 0.0), used(None, "flush", 25.0), assumption="others"),
        [
            "To take flush was better than no chip, by 25.0.",
            "This counts to the end of the turn: what the others did next is left out.",
        ],
    ),
    (turn(rolled(1, ROLL, ROLL, 0.0), used("flush", None, 2.0)), ["To take no chip was better than flush, by 2.0."]),
    (
        turn(rolled(1, ROLL, ROLL, 0.0), Use("full_house", None, "full_house", None, 25.0)),
        ["To take the points of full house was better than a zero there, by 25.0."],
    ),
    (
        turn(rolled(1, ROLL, ROLL, 0.0), Use("flush", "rack", "flush", "pile", 9.3)),
        ["To take flush from the discard pile was better than from the rack, by 9.3."],
    ),
    (
        turn(rolled(1, ROLL, ROLL, 0.0), Use("flush", "pile", "flush", "rack", 9.3)),
        ["To take flush from the rack was better than from the discard pile, by 9.3."],
    ),
]


@pytest.mark.parametrize("given, said", BACK)
def test_what_perfect_play_would_have_done_is_said(given: TurnReview, said: list[str]) -> None:
    title, lines = looking_back(given, "Ana")
    assert title == "Ana’s turn"
    assert list(lines) == said


@pytest.mark.parametrize("luck, words", [(12.34, "12.3 more"), (-12.34, "12.3 less")])
def test_how_a_total_came_about_is_said(luck: float, words: str) -> None:
    said = fortune_words(Fortune(245.9, luck, 20.0, 0.0, 230), "Ana")
    assert said == f"Ana: the dice brought {words} than on average; choices gave 20.0 away."


# ---- No sentence is never said


def _pattern(template: str) -> str:
    return ".*".join(map(re.escape, re.split(r"%\(\w+\)s", template)))


@pytest.mark.parametrize("name", SENTENCES)
def test_every_sentence_is_needed(name: str) -> None:
    assert any(re.search(_pattern(SENTENCES[name]), said) for _, _, said in SAID)


@pytest.mark.parametrize("name", LOOKING_BACK)
def test_every_sentence_about_a_turn_is_needed(name: str) -> None:
    def lines() -> Iterator[str]:
        for given, _ in BACK:
            title, said = looking_back(given, "Ana")
            yield title
            yield from said

    assert any(re.fullmatch(_pattern(LOOKING_BACK[name]), line) for line in lines())
