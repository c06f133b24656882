"""Totals over all rolls and all ways to play on, for every set of options, as golden numbers.

Like the perft numbers of chess programs: one wrong rule anywhere moves a total. What the numbers mean, and that
they are right, the other tests say; these say that nothing moved. After a change of the rules that is meant:

    python tests/scorekeeper/test_golden.py
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import factorial, prod
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.dice import Roll, make_roll
from scorekeeper.game import AnyGame
from scorekeeper.rulebooks import GAMES, make_game
from scorekeeper.sheet import SheetGame

GOLDEN = Path(__file__).parent / "golden" / "totals.json"
ROLLS = [make_roll(roll) for roll in combinations_with_replacement(range(1, 7), 5)]
SOME: tuple[Roll, ...] = (
    (1, 1, 1, 1, 1),
    (4, 4, 4, 4, 4),
    (1, 1, 2, 2, 3),
    (4, 4, 4, 5, 5),
    (2, 4, 4, 4, 4),
    (1, 2, 3, 4, 5),
)
"""Rolls that tell the boxes apart, for two turns in a row; five alike among them for the jokers."""


def weight(roll: Roll) -> int:
    """In how many of the 7,776 ways five dice fall so."""
    return factorial(5) // prod(factorial(roll.count(face)) for face in range(1, 7))


def rule_sets() -> Iterator[tuple[str, dict[str, str]]]:
    """Every game with every set of its options; of several games in a row one is enough, and Yatzy is Yams."""
    for spec in GAMES.values():
        if spec.id != "yatzy":
            values = [allowed[:1] if option == "games" else allowed for option, allowed in spec.options.items()]
            for chosen in product(*values):
                yield spec.id, dict(zip(spec.options, chosen, strict=True))


RULE_SETS = list(rule_sets())


def name(game_id: str, options: dict[str, str]) -> str:
    return " ".join([game_id, *(f"{option}={value}" for option, value in options.items())])


def play(game: AnyGame, state: Any, *moves: tuple[Roll, str | None]) -> Any:
    for roll, box in moves:
        state = game.take(state, roll, game.choose(state, roll, box))
    return state


def starts(game: AnyGame) -> dict[str, Any]:
    """Positions from which the ways to go on are counted."""
    if isinstance(game, SheetGame):
        fresh = game.start(1)
        fours = play(game, fresh, ((4, 4, 4, 4, 4), "fours"))
        fifty = play(game, fours, ((1, 1, 1, 1, 1), game.five_alike))
        zero = play(game, fours, ((1, 2, 2, 5, 6), game.five_alike))
        lower = [box.id for box in game.lower if box.id not in (game.five_alike, "chance")]
        late = play(game, fifty, *[((1, 1, 2, 3, 6), box) for box in (*lower, "chance")])
        two_left = play(game, late, *[((1, 1, 2, 3, 6), box) for box in ("ones", "twos", "fives")])
        return {"fresh": fresh, "fifty": fifty, "zero": zero, "late": late, "two_left": two_left}
    fresh = game.start(game.players[0] if game.players[0] > 1 or game.players[1] == 1 else 2)
    pile = play(game, fresh, *[((1, 2, 3, 5, 6), None)] * 8)
    most = fresh
    for kind in game.boxes:
        most = play(game, most, *[((3, 3, 3, 3, 3), kind)] * (3 if kind == game.boxes[-1] else 4))
    return {"fresh": fresh, "pile": pile, "one_left": most}


def after_one_turn(game: AnyGame, state: Any) -> list[int]:
    """Over all 7,776 rolls: how many ways there are to use them, and what they score together, primes too."""
    ways = points = 0
    for roll in ROLLS:
        options = game.options(state, roll)
        ways += weight(roll) * (len(options) + len(game.scratches(state, roll)))
        points += weight(roll) * sum(option.points + option.prime for option in options)
    return [ways, points]


def after_two_turns(game: AnyGame, state: Any) -> list[int]:
    """Over some rolls twice: how many ways there are, and the sums of all totals after them."""
    ways = totals = 0
    for first in SOME:
        for option in (*game.options(state, first), *game.scratches(state, first)):
            then = game.take(state, first, option)
            before = sum(game.totals(then))
            for second in SOME:
                options = game.options(then, second)
                number = len(options) + len(game.scratches(then, second))
                ways += number
                totals += before * number + sum(one.points + one.prime for one in options)
    return [ways, totals]


def totals(game_id: str, options: dict[str, str]) -> dict[str, Any]:
    game = make_game(game_id, options)
    sums: Counter[str] = Counter(dict.fromkeys(game.boxes, 0))
    for roll in ROLLS:
        sums.update({box: weight(roll) * points for box, points in game.points(roll).items()})
    return {
        "points": dict(sums),
        "turns": {
            start: [*after_one_turn(game, state), *after_two_turns(game, state)]
            for start, state in starts(game).items()
        },
    }


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(GOLDEN.read_text())
    return known


def test_every_set_of_options_has_its_numbers(golden: dict[str, Any]) -> None:
    assert len(RULE_SETS) == 4 * 2 * 2 + 2 * 2 + 2 * 3
    assert [*golden] == [name(*rules) for rules in RULE_SETS]


@pytest.mark.parametrize("game_id, options", RULE_SETS, ids=[name(*rules) for rules in RULE_SETS])
def test_totals(golden: dict[str, Any], game_id: str, options: dict[str, str]) -> None:
    assert totals(game_id, options) == golden[name(game_id, options)]


def test_numbers_that_can_be_worked_out_by_hand(golden: dict[str, Any]) -> None:
    plain = golden["yams joker=none prime=no five_alike_full_house=no"]
    # A fresh sheet: 13 boxes for each roll; and a zero by choice wherever points are not zero.
    nonzero = sum(
        weight(roll) * sum(points > 0 for points in make_game("yams").points(roll).values()) for roll in ROLLS
    )
    assert plain["turns"]["fresh"][:2] == [13 * 7776 + nonzero, sum(plain["points"].values())]
    # With the prime each of the six five alike earns 100 more in each of the 11 boxes that are left after the 50.
    prime = golden["yams joker=none prime=yes five_alike_full_house=no"]
    assert prime["turns"]["fifty"][1] - plain["turns"]["fifty"][1] == 6 * 100 * 11
    assert prime["turns"]["zero"] == plain["turns"]["zero"]
    assert prime["points"] == plain["points"]
    # The joker of the fours: 25 + 30 + 40 more, and no upper box, where the fours scored nothing anyway.
    seeds = golden["yams joker=seeds prime=no five_alike_full_house=no"]
    assert seeds["turns"]["fifty"][1] - plain["turns"]["fifty"][1] == 25 + 30 + 40
    # Yamslam: the chips that all rolls win (one of 5 for each of the 2,256 with two pairs, and so on), and the passes.
    chips = golden["yamslam four_alike_two_pairs=yes mode=table games=1"]
    assert chips["points"]["two_pairs"] == 5 * 2256
    assert chips["points"]["full_house"] == 30 * (300 + 6)
    assert chips["turns"]["fresh"][1] == sum(chips["points"].values())


def main() -> None:
    GOLDEN.write_text(json.dumps({name(*rules): totals(*rules) for rules in RULE_SETS}, indent=1) + "\n")


if __name__ == "__main__":
    main()
