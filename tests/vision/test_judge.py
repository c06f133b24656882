from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models import Config
from vision.judge import MOST_READ, judge
from vision.read import Seen
from vision.types import Reading, Region

CONFIG = Config(
    name="test",
    classes=("1", "2", "3", "4", "5", "6", "other", "unreadable", "none"),
    colours=("black", "white"),
    look=416,
    second_look=640,
    small=30,
    target=40,
    find=0.1,
    keep=0.3,
    rescue=0.9,
    overlap=0.5,
    crop=64,
    context=1.25,
    clear=0.9,
    temperature=1,
    body_temperature=1,
    body_pixels=0.5,
    ink_temperature=1,
    ink_pixels=0.5,
    sure=0.9,
    sure_given=0.95,
    floor=0.5,
    doubt=0.25,
    weak_doubt=0.5,
    insist=0.8,
    count_spread=1e3,
    miscount=0.5,
    part=0.7,
    alike=1.5,
    spread=2.0,
)


def row(name: str, share: float, rest: str = "none", counted: float | None = None) -> Seen:
    """Of one region: `share` for the named class, what is left for `rest`; a white body, black ink; as many pips."""
    if counted is None:
        counted = float(name) if name.isdigit() else 0.0
    shares = np.full(9, 1e-9)
    shares[CONFIG.classes.index(rest)] = 1 - share
    shares[CONFIG.classes.index(name)] = share
    white, black = np.array([0, 5], np.float32), np.array([5, 0], np.float32)
    return Seen(np.log(shares).astype(np.float32), white, black, white.astype(float), black.astype(float), counted)


def square(x: float, side: float = 40) -> Region:
    return Region(x, 100, side, side, 0.6)


def read(*parts: tuple[Region, Seen], config: Config = CONFIG) -> Reading:
    return judge(config, [region for region, _ in parts], [seen for _, seen in parts], 900, 300)


def test_nothing_found_is_a_reading_without_dice() -> None:
    reading = judge(CONFIG, [], [], 900, 300)
    assert reading.dice == ()
    assert reading.doubts() == ("no die was found",)


def test_dice_are_read_from_left_to_right_with_their_colours() -> None:
    reading = read((square(500), row("6", 0.99)), (square(100), row("2", 0.95)))
    assert [die.value for die in reading.dice] == [2, 6]
    assert {(die.body.name, die.ink.name) for die in reading.dice} == {("white", "black")}
    assert reading.dice[0].confidence == pytest.approx(0.95, abs=1e-6)
    assert reading.sure()


def test_other_things_are_counted_and_are_no_dice() -> None:
    reading = read((square(100), row("other", 0.99)), (square(300), row("4", 0.99)))
    assert (reading.values, reading.other, reading.sure()) == ((4,), 1, True)


def test_a_leaning_die_is_a_doubt_and_no_value() -> None:
    reading = read((square(100), row("unreadable", 0.9)), (square(300), row("4", 0.99)))
    assert reading.values == (4,)
    assert "leans" in reading.doubts()[0]


def test_what_is_hardly_a_die_is_asked_for_and_not_counted() -> None:
    reading = read((square(100), row("4", 0.45, rest="2")))
    assert reading.values == (2,)  # the likelier of the two
    reading = read((square(100), row("4", 0.40, rest="none")))
    assert reading.values == ()
    assert reading.doubts() == ("something on the left may be a die",)
    assert read((square(100), row("4", 0.2, rest="none"))).sure(expect=0)


def test_what_the_locator_hardly_saw_counts_only_where_the_reader_is_sure() -> None:
    hardly = Region(100, 100, 40, 40, 0.25)
    assert read((hardly, row("1", 0.95))).values == (1,)
    assert read((hardly, row("1", 0.6))).doubts() == ("something on the left may be a die",)
    assert read((hardly, row("1", 0.3))).doubts() == ("no die was found",)
    assert read((hardly, row("other", 0.99))).other == 0


def test_where_the_networks_disagree_the_player_is_asked() -> None:
    nothing = row("none", 0.99)
    assert read((Region(100, 100, 40, 40, 0.7), nothing)).sure(expect=0)
    assert read((Region(100, 100, 40, 40, 0.85), nothing)).doubts() == ("something on the left may be a die",)


def test_a_die_whose_pips_are_counted_otherwise_is_doubtful() -> None:
    agreed = read((square(100), row("5", 0.99, counted=5.4)), (square(300), row("3", 0.99)))
    assert agreed.sure()
    contradicted = read((square(100), row("5", 0.99, counted=5.6)), (square(300), row("3", 0.99)))
    assert contradicted.values == (3, 5)
    assert contradicted.doubts() == ("the die on the left may not be a 5",)


def test_the_pips_counted_decide_between_values_that_look_alike() -> None:
    trusting = replace(CONFIG, count_spread=0.25)
    reading = read((square(100), row("5", 0.55, rest="6", counted=6.1)), config=trusting)
    assert reading.values == (6,)
    odds = 0.45 / 0.55 * np.exp((1.1 - 0.1) / 0.25)
    assert reading.confidence == pytest.approx(odds / (1 + odds), abs=1e-3)
    # What is no die does not become one by its pips.
    assert read((square(100), row("none", 0.9, rest="6", counted=6.0)), config=trusting).values == ()


def test_an_unsure_die_of_another_size_is_none_of_the_throw() -> None:
    speck = (square(700, side=12), row("1", 0.7))
    assert read((square(100), row("4", 0.99)), speck).values == (4,)
    assert read(speck).values == (1,)  # alone, there is nothing to compare it with
    sure_and_small = (square(700, side=12), row("1", 0.99))
    assert read((square(100), row("4", 0.99)), sure_and_small).values == (1, 4)


def test_pips_within_a_die_are_no_dice() -> None:
    die = (Region(0, 0, 200, 200, 0.9), row("2", 0.95))
    pips = [(Region(20 + 90 * i, 20, 50, 50, 0.5), row("1", 0.7)) for i in range(2)]
    assert read(die, *pips).values == (2,)


def test_a_tray_that_holds_several_dice_is_none() -> None:
    tray = (Region(0, 0, 200, 200, 0.9), row("2", 0.7))
    dice = [(Region(20 + 90 * i, 20, 50, 50, 0.5), row("5", 0.99)) for i in range(2)]
    assert read(tray, *dice).values == (5, 5)
    nothing = (Region(0, 0, 200, 200, 0.9), row("none", 0.99))
    assert read(nothing, *dice).values == (5, 5)


def test_a_crowd_of_doubts_is_cut_short() -> None:
    crowd = [(square(80 * i), row("4", 0.45, rest="none")) for i in range(10)]
    assert len(read(*crowd).doubts()) == 5


def test_a_die_is_not_lost_to_a_larger_thing_that_both_networks_hardly_see() -> None:
    die, around = Region(300, 100, 40, 40, 0.65), Region(270, 60, 100, 120, 0.23)
    assert read((die, row("5", 0.97)), (around, row("other", 0.84))).values == (5,)


def test_a_pip_that_looks_like_a_die_is_none_where_the_die_is_seen_better() -> None:
    pip, die = Region(315, 115, 12, 12, 0.3), Region(300, 100, 40, 40, 0.65)
    assert read((die, row("1", 0.9)), (pip, row("2", 0.95))).values == (1,)


def test_where_there_is_more_to_read_than_is_read_nothing_is_sure() -> None:
    die = (square(100), row("4", 0.99))
    busy = [(Region(5.0 * i, 200, 12, 12, 0.2), row("none", 0.99)) for i in range(MOST_READ - 1)]
    assert read(die, *busy[1:]).sure()
    assert read(die, *busy).values == (4,)
    assert read(die, *busy).doubts() == ("the table's pattern may hide a die",)


def test_how_sure_the_value_is_where_it_is_known_to_be_a_die() -> None:
    (die,) = read((square(10), row("4", 0.7, "other"))).dice
    assert die.confidence == pytest.approx(0.7, abs=1e-3)
    assert die.given == pytest.approx(1.0, abs=1e-3)
    (die,) = read((square(10), row("4", 0.7, "5", 4.2))).dice
    assert die.given == pytest.approx(0.7, abs=1e-3)
    (die,) = read((square(10), row("4", 0.7, "other", counted=5.0))).dice
    assert die.given == 0.5


def test_what_is_not_of_the_throws_size_is_not_asked_for() -> None:
    die, doubtful = (square(100), row("4", 0.99)), row("6", 0.45, rest="none")
    assert read(die, (square(300, side=55), doubtful)).doubts() == ("something in the middle may be a die",)
    assert read(die, (square(300, side=65), doubtful)).sure()
    assert read(die, (square(300, side=25), doubtful)).sure()
    assert not read((square(300, side=25), doubtful)).sure()  # alone, there is nothing to compare it with
    two = (square(100), row("4", 0.99)), (square(500, side=60), row("2", 0.99))  # one of them nearer
    assert not read(*two, (square(300, side=65), doubtful)).sure()


def test_what_the_locator_hardly_saw_is_read_only_where_it_is_of_the_throws_size() -> None:
    die, six = (square(100), row("4", 0.99)), row("6", 0.99)
    assert read(die, (Region(300, 100, 30, 30, 0.2), six)).values == (4, 6)
    small = read(die, (Region(300, 100, 20, 20, 0.2), six))
    assert small.values == (4,)
    assert small.doubts() == ("something in the middle may be a die",)


def test_a_die_within_something_that_is_none_is_asked_for() -> None:
    die, around, covered = square(100), Region(300, 80, 90, 90, 0.6), Region(310, 90, 42, 42, 0.4)
    nothing = (around, row("other", 0.95))
    assert read((die, row("4", 0.99)), nothing, (covered, row("6", 0.8))).doubts() == (
        "something in the middle may be a die",
    )
    assert read((die, row("4", 0.99)), nothing, (covered, row("6", 0.6))).sure()
    assert read((around, row("1", 0.99)), (covered, row("6", 0.9))).sure()  # a pip of it
