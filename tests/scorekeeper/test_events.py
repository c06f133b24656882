from __future__ import annotations

import json
from typing import Any

import pytest

from scorekeeper.errors import BadEvent, BadRoll, RuleError
from scorekeeper.events import (
    KINDS,
    Edited,
    Left,
    Passed,
    Recorded,
    Renamed,
    Reordered,
    Rolled,
    Scored,
    Started,
    Undone,
    event_from_json,
)

# Databases hold these: they may be added to, never changed.
WRITTEN: list[tuple[Recorded, str, dict[str, Any]]] = [
    (
        Started("yams", {"joker": "none"}, ("Ana", "Bo"), 1, (((1, 2, 3, 4, 5), (2, 2, 3, 4, 5)),)),
        "started",
        {
            "game": "yams",
            "options": {"joker": "none"},
            "players": ["Ana", "Bo"],
            "first": 1,
            "throws": [[[1, 2, 3, 4, 5], [2, 2, 3, 4, 5]]],
        },
    ),
    (Rolled((5, 4, 4, 1, 1)), "rolled", {"dice": [5, 4, 4, 1, 1], "kept": [], "source": "typed"}),
    (
        Rolled((4, 4, 1, 2, 3), (4, 4), "photo", 3, ("red", "red", "black", "red", "black"), 0.75),
        "rolled",
        {
            "dice": [4, 4, 1, 2, 3],
            "kept": [4, 4],
            "source": "photo",
            "number": 3,
            "inks": ["red", "red", "black", "red", "black"],
            "confidence": 0.75,
        },
    ),
    (Scored("full_house"), "scored", {"box": "full_house"}),
    (Scored("ones", scratch=True), "scored", {"box": "ones", "scratch": True}),
    (Scored("flush", source="pile"), "scored", {"box": "flush", "from": "pile"}),
    (Passed(), "passed", {}),
    (Undone(7), "undone", {"to_seq": 7}),
    (Edited(1, "ones", points=0), "edited", {"player": 1, "box": "ones", "points": 0}),
    (
        Edited(0, "full_house", dice=(2, 4, 2, 4, 4), by="Bo"),
        "edited",
        {"player": 0, "box": "full_house", "dice": [2, 4, 2, 4, 4], "by": "Bo"},
    ),
    (Renamed(1, "Zoë"), "renamed", {"player": 1, "name": "Zoë"}),
    (Reordered((2, 0, 1)), "reordered", {"order": [2, 0, 1]}),
    (Left(0), "left", {"player": 0}),
]


@pytest.mark.parametrize("event, kind, data", WRITTEN, ids=lambda value: str(value)[:20])
def test_json_there_and_back(event: Recorded, kind: str, data: dict[str, Any]) -> None:
    assert (event.kind, event.to_json()) == (kind, data)
    assert event_from_json(kind, json.loads(json.dumps(data))) == event


def test_every_kind_has_a_case() -> None:
    assert {kind for _, kind, _ in WRITTEN} == set(KINDS)


@pytest.mark.parametrize(
    "kind, data, said",
    [
        ("lost", {}, "no kind of event 'lost'; there are started, rolled"),
        ("x" * 10**6, {}, "no kind of event 'x{38}…; there are started"),
        ("edited", {"box": "ones"}, "'player' is missing: a whole number"),
        ("edited", {"player": 0, "box": "ones", "points": 1.0}, "'points' holds 1.0 where a whole number"),
        ("edited", {"player": 0, "box": "ones", "dice": 5}, "'dice' holds 5 where a list"),
        ("edited", {"player": 0, "box": "ones", "dice": None}, "'dice' is missing"),
        ("edited", {"player": 0, "box": "ones", "by": 7}, "'by' holds 7 where a text"),
        ("renamed", {"player": 0, "name": 7}, "'name' holds 7 where a text"),
        ("reordered", {"order": [0, True]}, "'order' holds True where a whole number"),
        ("left", {"player": "Ana"}, "'player' holds 'Ana'"),
        ("scored", [], "'scored' holds \\[\\] where an object belongs"),
        ("scored", {}, "'box' is missing: a text"),
        ("scored", {"box": None}, "'box' is missing"),
        ("scored", {"box": ["ones"]}, "'box' holds \\['ones'\\] where a text belongs"),
        ("scored", {"box": "ones", "scratch": 1}, "'scratch' holds 1 where true or false belongs"),
        ("scored", {"box": "flush", "from": "floor"}, "'from' cannot be 'floor'; allowed is rack, pile"),
        ("rolled", {"dice": "12345"}, "a list belongs"),
        ("rolled", {"dice": [1, 2, 3, 4, 5], "kept": 4}, "'kept' holds 4 where a list belongs"),
        ("rolled", {"dice": [1, 2, 3, 4, 5], "kept": [True]}, "'kept' holds True where a whole number"),
        ("rolled", {"dice": [1, 2, 3, 4, 5], "source": "guess"}, "allowed is typed, photo, camera"),
        ("rolled", {"dice": [1, 2, 3, 4, 5], "inks": [1] * 5}, "'inks' holds 1 where a text belongs"),
        ("rolled", {"dice": [1, 2, 3, 4, 5], "confidence": "high"}, "where a number belongs"),
        ("rolled", {"dice": [1, 2, 3, 4, 5], "confidence": 10**400}, "far too large"),
        ("undone", {"to_seq": 1.5}, "'to_seq' holds 1.5 where a whole number belongs"),
        ("started", {"game": "yams", "options": {"joker": 1}}, "'joker' holds 1 where a text belongs"),
    ],
)
def test_what_is_no_event_is_refused_in_a_sentence(kind: str, data: object, said: str) -> None:
    with pytest.raises(BadEvent, match=said):
        event_from_json(kind, data)


def test_dice_that_are_none_are_refused_as_such() -> None:
    with pytest.raises(BadRoll):
        event_from_json("rolled", {"dice": [1, 2, 3, 4, 9]})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("junk", [None, 0, "", [], {}, {"players": 3, "dice": {}, "box": {}, "to_seq": "x"}])
def test_junk_never_gets_further_than_a_rule_error(kind: str, junk: object) -> None:
    if kind == "passed" and isinstance(junk, dict):
        return  # a pass has nothing to say
    with pytest.raises(RuleError):
        event_from_json(kind, junk)
