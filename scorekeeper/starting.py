"""Who begins: everyone throws once, the highest sum begins, those tied throw again."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.dice import is_face
from scorekeeper.errors import BadRoll

Throws = tuple[tuple[tuple[int, ...], ...], ...]
"""Round by round the throws of those who were still in, in seat order; the first round has everyone's."""


def who_starts(throws: Sequence[Sequence[Sequence[int]]], players: int, dice: int) -> tuple[int, ...]:
    """The players still in, in seat order: the one who begins, or those who throw again.

    ``throws`` is as Throws; ``dice`` is how many each throws (five; one in Yamslam). Before any throw
    everyone is in. Raises BadRoll for a wrong number of throws or dice, or a round after it was settled.
    """
    still_in = tuple(range(players))
    for number, throws_of_round in enumerate(throws, start=1):
        if number > 1 and len(still_in) == 1:
            raise BadRoll(f"Player {still_in[0]} begins already after round {number - 1} of the throws.")
        if len(throws_of_round) != len(still_in):
            raise BadRoll(
                f"Round {number} of the throws to begin has one throw for each of {len(still_in)} players, "
                f"not {len(throws_of_round)}."
            )
        for throw in throws_of_round:
            if len(throw) != dice or not all(map(is_face, throw)):
                raise BadRoll(f"A throw to begin is {dice} dice, each 1 to 6, not {list(throw)}.")
        best = max(map(sum, throws_of_round))
        still_in = tuple(player for player, throw in zip(still_in, throws_of_round, strict=True) if sum(throw) == best)
    return still_in
