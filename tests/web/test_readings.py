"""The JSON object of a reading, to the letter of what other programs build on."""

from types import MappingProxyType

from vision.steady import Settled
from vision.types import Colour, Die, Doubt, Reading, Region
from web.api.readings import reading_json, settled_json


def _die(x: float, value: int, confidence: float = 0.998) -> Die:
    return Die(Region(x, 20.04, 30.0, 31.0, 0.9), value, Colour("red", 0.97), Colour("white", 0.99), confidence)


def _reading(*dice: Die, leftovers: tuple[Doubt, ...] = ()) -> Reading:
    ms = MappingProxyType({"decode": 61.04, "locate": 9.12, "read": 3.34})
    return Reading(dice, 0, 640, 480, "dice_v1", 0.9, leftovers, ms)


def test_the_object_has_the_fields_of_the_contract() -> None:
    assert reading_json(_reading(_die(10, 4)), file="a/b.jpg") == {
        "file": "a/b.jpg",
        "width": 640,
        "height": 480,
        "model": "dice_v1",
        "dice": [
            {
                "value": 4,
                "confidence": 0.998,
                "box": [10, 20.0, 30.0, 31.0],
                "ink": {"name": "red", "confidence": 0.97},
                "body": {"name": "white", "confidence": 0.99},
            }
        ],
        "values": [4],
        "other": 0,
        "sure": True,
        "doubts": [],
        "ms": {"decode": 61.0, "locate": 9.1, "read": 3.3},
    }


def test_values_are_sorted_and_dice_stay_as_they_lie() -> None:
    seen = reading_json(_reading(_die(10, 6), _die(50, 2), _die(90, 4)))
    assert seen["values"] == [2, 4, 6]
    assert [die["value"] for die in seen["dice"]] == [6, 2, 4]


def test_an_unsure_die_a_leftover_and_a_wrong_count_are_each_a_doubt() -> None:
    assert reading_json(_reading(_die(10, 6, confidence=0.5)))["sure"] is False
    assert reading_json(_reading(_die(10, 6), leftovers=(Doubt("a die is cut off"),)))["doubts"] == ["a die is cut off"]
    assert reading_json(_reading(_die(10, 6)), expect=1)["sure"] is True
    short = reading_json(_reading(_die(10, 6)), expect=5)
    assert short["sure"] is False
    assert len(short["doubts"]) == 1


def test_what_is_not_known_is_left_out() -> None:
    seen = reading_json(_reading())
    assert "file" not in seen
    assert seen["dice"] == []
    assert (seen["sure"], seen["doubts"]) == (False, ["no die was found"])
    assert reading_json(_reading(), expect=0)["sure"] is True


def test_a_settled_roll_has_the_fields_of_the_contract() -> None:
    dice = (_die(10, 4), _die(60, 6, 0.4), _die(110, 2))
    doubts = ("the die in the middle may not be a 6",)
    shown = settled_json(Settled(7, 3, 2, 12.4321, dice, (True, False, False), (False, True, False), doubts))
    assert {name: value for name, value in shown.items() if name != "dice"} == {
        "n": 7,
        "turn": 3,
        "roll": 2,
        "t": 12.43,
        "values": [2, 4, 6],
        "kept": [4],
        "thrown": [2, 6],
        "sure": False,
        "doubts": ["the die in the middle may not be a 6"],
    }
    read = reading_json(_reading(*dice))["dice"]
    assert shown["dice"] == [
        read[0] | {"kept": True, "sure": True},
        read[1] | {"kept": False, "sure": False},
        read[2] | {"kept": False, "sure": True},
    ]
