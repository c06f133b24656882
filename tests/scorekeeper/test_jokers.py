"""Five alike on every column there is: the legal boxes, their points and the prime, against the rules' own sentences.

A part of the columns is looked at every time. All of them, which takes a few minutes:

    python tests/scorekeeper/test_jokers.py
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from itertools import combinations, product

import pytest

from scorekeeper.dice import Roll
from scorekeeper.rulebooks import GAMES, make_game
from scorekeeper.sheet import SheetGame, SheetState

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
FULL = {"full_house": 25, "small_straight": 30, "large_straight": 40}
OPTIONS = [dict(zip(GAMES["yams"].options, values, strict=True)) for values in product(*GAMES["yams"].options.values())]
BOXES = GAMES["yams"].boxes


def alike(face: int) -> Roll:
    return face, face, face, face, face


def columns() -> Iterator[dict[str, int]]:
    """Every set of filled boxes, the yams box with 50 and with 0; the others hold what does not matter here."""
    for size in range(len(BOXES)):
        for filled in combinations(BOXES, size):
            for yams in (0, 50) if "yams" in filled else (0,):
                yield {box: yams if box == "yams" else 0 for box in filled}


def rule(options: Mapping[str, str], filled: Mapping[str, int], face: int) -> dict[str, int]:
    """The boxes that five of this face may fill, with their points, as the rule sheets say it."""
    own, free = UPPER[face - 1], [box for box in BOXES if box not in filled]
    free_lower = [box for box in free if box not in UPPER]
    usual = dict.fromkeys(BOXES, 0) | {own: 5 * face, "yams": 50}
    usual |= dict.fromkeys(("three_of_a_kind", "four_of_a_kind", "chance"), 5 * face)
    usual["full_house"] = 25 if options["five_alike_full_house"] == "yes" else 0
    match options["joker"]:
        case "seeds" if filled.get("yams") == 50 and own in filled:
            # Only free lower boxes; if none is free a zero in any free upper one.
            return {box: (usual | FULL)[box] for box in free_lower or free}
        case "forced" if "yams" in filled:
            if own in free:  # that box, no other
                return {own: 5 * face}
            return {box: (usual | FULL)[box] for box in free_lower or free}
        case "free" if "yams" in filled and own in filled:
            return {box: (usual | FULL)[box] for box in free}
    return {box: usual[box] for box in free}


def check(game: SheetGame, options: Mapping[str, str], filled: Mapping[str, int]) -> None:
    state = SheetState((game.column(filled),), 0)
    prime = 100 if options["prime"] == "yes" and filled.get("yams") == 50 else 0
    for face in range(1, 7):
        found = game.options(state, alike(face))
        assert {option.box: option.points for option in found} == rule(options, filled, face), (options, filled, face)
        assert {option.prime for option in found} == {prime}


def sheet(options: Mapping[str, str]) -> SheetGame:
    game = make_game("yams", options)
    assert isinstance(game, SheetGame)
    return game


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options.values()))
def test_five_alike(options: Mapping[str, str]) -> None:
    game, every = sheet(options), [*columns()]
    for filled in random.Random(str(options)).sample(every, 150):
        check(game, options, filled)


def test_the_columns_are_all() -> None:
    # 12 other boxes and yams empty, 0 or 50; but for the two full sheets.
    assert len([*columns()]) == 2**12 * 3 - 2


def main() -> None:
    for options in OPTIONS:
        game, number = sheet(options), 0
        for filled in columns():
            check(game, options, filled)
            number += 6
        sys.stdout.write(f"{options}: {number:,} rolls on {number // 6:,} columns\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
