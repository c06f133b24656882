"""How a game went: the points of each side from round to round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorekeeper.chips import ChipGame, ChipState
from scorekeeper.dice import five_alike
from scorekeeper.events import Passed, Scored
from scorekeeper.session import Position, Session
from scorekeeper.sheet import SheetGame


@dataclass(frozen=True, slots=True)
class Runner:
    """One side of the race.

    players  who they are, by number: one, or two partners
    points   the total after each round, the 0 of the start first; who leaves stops after their last round
    left     all of them play no more
    """

    players: tuple[int, ...]
    points: tuple[int, ...]
    left: bool


@dataclass(frozen=True, slots=True)
class Race:
    """The sides in seat order, and after which rounds a further game of several in a row began."""

    runners: tuple[Runner, ...]
    further_games: tuple[int, ...] = ()

    @property
    def rounds(self) -> int:
        """How many rounds there were."""
        return max(len(runner.points) for runner in self.runners) - 1


def race(session: Session) -> Race:
    """How the session went so far: what was undone is not told, and a corrected box counts as it stands now.

    In Yamslam the further turn after five alike belongs to the same round; alone each turn is a round of its own.
    """
    position = session.position
    if isinstance(position.game, SheetGame):
        game, state = position.game, position.state
        return Race(
            tuple(
                Runner((player,), (0, *game.totals_by_turn(state, player)), player in position.left)
                for player in range(len(position.players))
            )
        )
    sides = position.game.sides(len(position.players))
    last: dict[int, int] = {}
    totals: dict[int, dict[int, int]] = {side: {0: 0} for side in sides}
    further: list[int] = []
    for player, number, again, after in _turns_of_chips(session):
        side = sides[player]
        totals[side][number] = after.game.totals(after.state)[player]
        last[side] = number
        if again:
            further.append(number)
    rounds = max(last.values(), default=0)
    runners = []
    for side in dict.fromkeys(sides):
        players = tuple(player for player, own in enumerate(sides) if own == side)
        left = all(player in position.left for player in players)
        until = last.get(side, 0) if left else rounds
        points: list[int] = []
        for number in range(until + 1):
            points.append(totals[side].get(number, points[-1] if points else 0))
        runners.append(Runner(players, tuple(points), left))
    return Race(tuple(runners), tuple(further))


def _turns_of_chips(session: Session) -> Iterator[tuple[int, int, bool, Position]]:
    """Per finished turn the player, its round from 1, whether a further game follows, and the position after it."""
    number = 0
    earlier: tuple[int, int] | None = None  # the game, and the place in the round
    same_round = False  # the turn before was five alike, and its player goes again
    for event, after in session.steps:
        before = after.before
        if before is None or before.turn is None or not isinstance(event, Scored | Passed):
            continue
        game, state = before.game, before.state
        if not isinstance(game, ChipGame) or not isinstance(state, ChipState) or game.keeps_roll(after.state):
            continue
        player = before.turn.player
        now = state.game, (player - state.first) % state.players
        if earlier is None or now[0] != earlier[0] or now[1] < earlier[1] or (now[1] == earlier[1] and not same_round):
            number += 1
        earlier = now
        same_round = game.mode != "solo" and before.turn.dice is not None and five_alike(before.turn.dice)
        yield player, number, after.state.game != state.game, after
