from __future__ import annotations

from dataclasses import replace

from vision.types import Colour, Die, Doubt, Reading, Region, place


def die(value: int, confidence: float, x: float = 10) -> Die:
    return Die(Region(x, 10, 20, 20, 0.9), value, Colour("black", 1.0), Colour("white", 1.0), confidence)


def reading(*dice: Die, leftovers: tuple[Doubt, ...] = ()) -> Reading:
    return Reading(dice, 0, 300, 300, "test", 0.9, leftovers)


def test_no_dice_is_a_normal_reading_but_sure_only_where_none_is_expected() -> None:
    empty = reading()
    assert empty.values == ()
    assert empty.doubts() == ("no die was found",)
    assert empty.sure(expect=0)
    assert not empty.sure(expect=5)
    assert empty.doubts(expect=5) == ("no die was read where 5 are expected",)


def test_sure_needs_every_die_above_the_threshold() -> None:
    assert reading(die(6, 0.95), die(2, 0.99)).sure()
    doubtful = reading(die(6, 0.95), die(2, 0.5))
    assert not doubtful.sure()
    assert doubtful.confidence == 0.5
    assert doubtful.doubts() == ("the die at the top left may not be a 2",)


def test_sure_needs_nothing_left_over_and_the_number_expected() -> None:
    assert not reading(die(6, 0.99), leftovers=(Doubt("a die leans"),)).sure()
    assert reading(die(6, 0.99)).doubts(expect=2) == ("1 die was read where 2 are expected",)
    assert reading(die(6, 0.99), die(1, 0.99)).doubts(expect=1) == ("2 dice were read where 1 is expected",)


def test_values_are_sorted() -> None:
    assert reading(die(6, 1), die(2, 1), die(4, 1)).values == (2, 4, 6)


def test_places_are_named_as_people_name_them() -> None:
    names = [
        place(Region(x - 5, y - 5, 10, 10, 1), 300, 300) for x, y in ((150, 150), (50, 50), (250, 150), (150, 250))
    ]
    assert names == ["in the middle", "at the top left", "on the right", "at the bottom"]
    assert place(Region(-3, 100, 20, 20, 1), 300, 300) == "at the left edge"
    assert place(Region(100, 290, 20, 20, 1), 300, 300) == "at the bottom edge"


def test_where_as_many_dice_are_read_as_were_thrown_only_their_values_are_in_doubt() -> None:
    button = Doubt("something on the left may be a die", Region(10, 10, 20, 20, 0.5))
    dice = [Die(d.region, d.value, d.ink, d.body, d.confidence, given) for d, given in ((die(6, 0.7), 0.97),)] * 3
    seen = Reading(tuple(dice), 0, 300, 300, "test", 0.9, (button,), threshold_given=0.95)
    assert not seen.sure()
    assert not seen.sure(expect=4)
    assert seen.sure(expect=3)
    assert [d.confidence for d in seen.expecting(3).dice] == [0.97] * 3
    assert seen.expecting(None) is seen
    assert seen.expecting(4) is seen
    assert not replace(seen, threshold_given=0.98).sure(expect=3)
    assert not replace(seen, other=1).sure(expect=3)  # which may be one of the three


def test_a_single_die_expected_may_be_the_other_thing() -> None:
    button = Doubt("something on the left may be a die", Region(10, 10, 20, 20, 0.5))
    assert not reading(die(1, 0.99), leftovers=(button,)).sure(expect=1)


def test_a_die_that_can_not_be_read_is_one_too_many() -> None:
    leaning = Doubt("a die on the left leans", Region(10, 10, 20, 20, 0.5), is_die=True)
    three = (die(1, 0.99), die(2, 0.99, 50), die(3, 0.99, 90))
    assert not reading(*three, leftovers=(leaning,)).sure(expect=3)


def test_to_know_how_many_dice_there_are_makes_none_less_sure() -> None:
    one = Die(die(6, 0.92).region, 6, Colour("black", 1.0), Colour("white", 1.0), 0.92, 0.93)
    assert Reading((one,), 0, 300, 300, "test", 0.9, threshold_given=0.95).sure(expect=1)
