"""The counting of what was read right, on readings made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from models.training import held_out, tallies
from models.training.calibrate import Read
from models.training.scenes import Box, Label, Scene
from vision.types import Colour, Die, Reading, Region


def box(place: int, side: float = 30) -> Box:
    return 100.0 * place, 10, 100 * place + side, 10 + side


def die(place: int, value: int, confidence: float = 0.99, ink: str = "black") -> Die:
    x0, y0, x1, y1 = box(place)
    return Die(Region(x0, y0, x1 - x0, y1 - y0, 1.0), value, Colour(ink, 0.8), Colour("white", 0.95), confidence)


def read(labels: tuple[Label, ...], *dice: Die, name: str = "x.jpg") -> Read:
    return Read(Scene(Path(name), "made", labels), Reading(dice, 0, 900, 100, "test", 0.9))


def label(place: int, value: int, kind: str = "die", ink: str = "black") -> Label:
    return Label(box(place), kind, value, "white", ink)


def test_confusions_are_of_the_die_that_lies_there_and_of_no_other() -> None:
    one = read((label(0, 5), label(1, 6), label(2, 3), label(3, 2)), die(0, 6), die(1, 6), die(2, 2))
    found = tallies.confusions([one])
    assert found == {"5>6": 1, "6>6": 1, "3>2": 1, "2>missed": 1}
    assert tallies.mixed_up(found, 5, 6) == {"dice": 2, "mixed up": 1, "per thousand": 500}
    assert tallies.mixed_up(found, 2, 3) == {"dice": 2, "mixed up": 1, "per thousand": 500}
    assert tallies.mixed_up(found, 1, 4) == {"dice": 0, "mixed up": 0, "per thousand": None}


def test_of_two_dice_read_at_a_place_the_one_that_fits_counts() -> None:
    loose = Die(Region(-14, -4, 58, 58, 1.0), 1, Colour("red", 1.0), Colour("red", 1.0), 0.99)
    one = read((label(0, 5),), loose, die(0, 5))
    assert tallies.confusions([one]) == {"5>5": 1}


def test_dice_are_counted_by_size_with_how_sure_their_pictures_are() -> None:
    small, large = Label(box(0, 12), "die", 1), Label(box(1, 30), "die", 4)
    doubtful = read((small, large), die(1, 4, confidence=0.5))
    sure = read((large,), die(1, 3))
    assert tallies.by_size([doubtful, sure]) == {
        "0-16": {"dice": 1, "exact": 0, "sure": 0, "silent": None},
        "24-40": {"dice": 2, "exact": 0.5, "sure": 0.5, "silent": 1},
    }


@pytest.mark.parametrize(("value", "name"), [(0, "0-16"), (15.9, "0-16"), (16, "16-24"), (1e6, "160-10000")])
def test_a_band_holds_its_lower_edge(value: float, name: str) -> None:
    assert tallies.band(value, tallies.SIZES) == name


def test_colours_are_told_by_part_and_name_and_where_certain() -> None:
    one = read((label(0, 5), label(1, 6, ink="red")), die(0, 5), die(1, 2, ink="black"))
    assert tallies.colours([one]) == {
        "body": {"dice": 2, "right": 1},
        "body where certain": {"dice": 2, "right": 1},
        "body white": {"dice": 2, "right": 1},
        "ink": {"dice": 2, "right": 0.5},
        "ink black": {"dice": 1, "right": 1},
        "ink red": {"dice": 1, "right": 0},
    }


def test_reliability_sets_confidence_beside_what_is_right() -> None:
    labels = (label(0, 5), label(1, 6), label(2, 1, kind="unreadable"), label(3, 1, kind="other"))
    dice = (die(0, 5, 0.85), die(1, 5, 0.81), die(2, 3, 0.83), die(3, 1, 0.55), die(5, 1, 0.57))
    bins = tallies.reliability([read(labels, *dice)])
    assert bins == [tallies.Bin(0.5, 0.6, 2, 0.56, 0.0), tallies.Bin(0.8, 0.9, 2, 0.83, 0.5)]
    assert tallies.calibration_error(bins) == pytest.approx((2 * 0.56 + 2 * 0.33) / 4)
    lines = tallies.reliability_table(bins)
    assert lines[3] == f"| 0.8–0.9 | 2 | 0.830 | 0.500 | {10 * '█'} |"
    assert lines[-1] == "Expected calibration error: 0.445"
    assert tallies.calibration_error([]) is None


def facts(mode: list[str], elevation: float, *dice: dict[str, Any]) -> dict[str, Any]:
    return {"mode": mode, "elevation": elevation, "table": "leather", "dice": list(dice)}


def rendered(place: int, value: int, one: float = 1.0) -> dict[str, Any]:
    return {"value": value, "box": list(box(place)), "layout": ["edge", "straight", 0.1, one]}


def test_held_out_scenes_are_tabled_by_what_they_show() -> None:
    high = read((label(0, 1), label(1, 2)), die(0, 1), die(1, 2), name="a.jpg")
    low = read((label(0, 3),), die(0, 5), name="b.jpg")
    known = {
        "a.jpg": facts(["close", "glare", "yam", "held_out"], 75.0, rendered(0, 1, 2.0), rendered(1, 2)),
        "b.jpg": facts(["touching"], 31.0, rendered(0, 3)),
    }
    found = held_out.tables([high, low], known)
    right = {"pictures": 1, "exact": 1, "sure": 1, "silent": 0}
    wrong = {"pictures": 1, "exact": 0, "sure": 1, "silent": 1}
    assert found["by elevation"] == {"30-45": wrong, "75-90": right}
    assert found["by light"] == {"glare": right, "even": wrong}
    assert found["by distance"] == {"close": right, "middle": wrong}
    assert found["by poses"] == {"apart": right, "touching": wrong}
    assert found["by table"]["leather"]["pictures"] == 2
    assert found["by layout"]["one huge"] == {"dice": 1, "exact": 1, "sure": 1, "silent": 0}
    assert found["by layout"]["two edge"]["exact"] == 1
    assert found["by layout"]["three straight"] == {"dice": 1, "exact": 0, "sure": 1, "silent": 1}
    assert found["by layout"]["fine pips"]["dice"] == 3
    assert found["wrong"] == {"3>5": 1}


def test_yamslams_inks_are_told_apart_in_its_own_scenes_alone() -> None:
    labels = (label(0, 1), label(1, 2, ink="red"), label(2, 4, ink="red"))
    yam = read(labels, die(0, 1), die(1, 2, ink="black"), die(2, 4, ink="pink"), name="a.jpg")
    other = read(labels, die(0, 1, ink="red"), name="b.jpg")
    known = {"a.jpg": facts(["yam"], 60.0), "b.jpg": facts([], 60.0)}
    found = held_out.yamslam_inks([yam, other], known)
    assert found["ink"] == {"dice": 3, "right": 0.3333}
    assert found["ink red"] == {"dice": 2, "right": 0}
    assert found["contradictions"] == {"dice": 3, "share": 0.3333}
