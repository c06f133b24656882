"""Games for a shared stock of chips: each turn may win one chip from the rack, until the rack is empty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from scorekeeper.dice import Roll, five_alike, short, spaced
from scorekeeper.errors import BadPlayers, IllegalMove
from scorekeeper.game import MAX_PLAYERS, PASS, Option, Source, Stock, next_player
from scorekeeper.patterns import Test
from scorekeeper.sentences import BoxId, Choice, Sentence

CHIPS_OF_A_KIND = 4
GOLDEN_SEVEN = 50
SILVER_SIX = 20
FULL_STACK = 30
LAST_CHIP = 20

Mode = Literal["table", "solo", "teams"]
"""How Yamslam is played (its rule leaflet, with the variations at its end):

table  each for themselves; a round without a chip discards one
solo   one player; every turn without a chip discards one, five alike take two chips
teams  four players, the first and third against the second and fourth, one score a team
"""


@dataclass(frozen=True, slots=True)
class Chip:
    """A kind of chip: what it is worth, and which rolls win it."""

    id: str
    points: int
    test: Test


@dataclass(frozen=True, slots=True)
class ChipState:
    """One game of chips, in numbers per kind, in the order of the game's kinds.

    rack, pile  chips on the rack and in the discard pile
    held        per side, the chips won
    player      whose turn it is; ``first`` is the seat at which the rounds of this game begin
    scored      somebody has won a chip in this round
    owed        further chips that the present roll may take
    last        the side that took the last chip from the rack; None before, or if it was discarded
    game        number of the present game, from 0; ``earlier`` per side the totals of the games before
    left        the players who have left
    """

    rack: tuple[int, ...]
    pile: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    players: int
    player: int
    first: int
    scored: bool = False
    owed: int = 0
    last: int | None = None
    game: int = 0
    earlier: tuple[int, ...] = ()
    left: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ChipGame:
    """Kinds of chips from the lowest to the highest, four of each, and how they are played for.

    Of several ``games`` the totals are added; who begins moves on by one seat from game to game.
    """

    kinds: tuple[Chip, ...]
    mode: Mode = "table"
    games: int = 1

    @property
    def boxes(self) -> tuple[str, ...]:
        return tuple(kind.id for kind in self.kinds)

    @property
    def rows(self) -> tuple[str, ...]:
        earlier = ("earlier_games",) if self.games > 1 else ()
        bonuses = ("chips", "golden_seven", "silver_six", "full_stacks", "last_chip")
        return (*self.boxes, *bonuses, *earlier, "grand_total")

    @property
    def players(self) -> tuple[int, int]:
        return {"table": (1, MAX_PLAYERS), "solo": (1, 1), "teams": (4, 4)}[self.mode]

    def points(self, roll: Roll) -> dict[str, int]:
        return {kind.id: kind.points for kind in self.kinds if five_alike(roll) or kind.test(roll)}

    def start(self, players: int, first: int = 0) -> ChipState:
        fewest, most = self.players
        if not fewest <= players <= most:
            facts = {"mode": Choice(f"mode={self.mode}"), "fewest": fewest, "most": most, "players": players}
            if most == 1:
                raise BadPlayers("Alone against the rack is for exactly 1 player, not %(players)s.", players=players)
            if fewest == most:
                raise BadPlayers("Yamslam with %(mode)s is for exactly %(most)s players, not %(players)s.", **facts)
            raise BadPlayers("Yamslam with %(mode)s is for %(fewest)s to %(most)s players, not %(players)s.", **facts)
        if not 0 <= first < players:
            raise BadPlayers(f"Player {first} cannot begin: the players are 0 to {players - 1}.")
        return self._deal(players, first)

    def position(self, rack: Mapping[str, int], pile: Mapping[str, int], chips: Mapping[str, int]) -> ChipState:
        """A game in which player 0 is to move and holds ``chips``; kinds left out are 0.

        Chips that are in none of the three places are held by others: then the next player has them all.
        Raises IllegalMove for what is no kind of chip, and numbers that cannot be.
        """
        places = {"rack": rack, "pile": pile, "chips": chips}
        for place, numbers in places.items():
            for kind, number in numbers.items():
                if kind not in self.boxes:
                    raise IllegalMove(self._no_chip(kind))
                if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= CHIPS_OF_A_KIND:
                    raise IllegalMove(
                        f"{place} holds 0 to {CHIPS_OF_A_KIND} chips of the kind {kind!r}, not {short(number)}."
                    )
        shelf, pile_, own = (tuple(numbers.get(kind, 0) for kind in self.boxes) for numbers in places.values())
        others = tuple(CHIPS_OF_A_KIND - sum(numbers) for numbers in zip(shelf, pile_, own, strict=True))
        if wrong := [kind for kind, number in zip(self.boxes, others, strict=True) if number < 0]:
            raise IllegalMove(f"These are more than the {CHIPS_OF_A_KIND} chips there are of the kind {wrong[0]!r}.")
        fewest, most = self.players
        if most == 1 and any(others):
            missing = next(kind for kind, number in zip(self.boxes, others, strict=True) if number)
            raise IllegalMove(f"Alone all chips are on the rack, in the pile or won: some {missing!r} are missing.")
        state = self._deal(max(fewest, 2 if any(others) else 1), first=0)
        return replace(state, rack=shelf, pile=pile_, held=(own, others)[: len(state.held)])

    def turn(self, state: ChipState) -> int | None:
        return state.player if any(state.rack) else None

    def options(self, state: ChipState, roll: Roll) -> tuple[Option, ...]:
        if self.turn(state) is None:
            return ()
        won = self.points(roll)
        shelves: list[tuple[Source, tuple[int, ...]]] = [("rack", state.rack)]
        if five_alike(roll):
            shelves.append(("pile", state.pile))
        return tuple(
            Option(kind.id, kind.points, source=source)
            for source, shelf in shelves
            for kind, number in zip(self.kinds, shelf, strict=True)
            if number and kind.id in won
        )

    def scratches(self, state: ChipState, roll: Roll) -> tuple[Option, ...]:
        return () if self.turn(state) is None else (PASS,)

    def choose(
        self,
        state: ChipState,
        roll: Roll,
        box: str | None,
        *,
        scratch: bool = False,
        source: Source | None = None,
    ) -> Option:
        if self.turn(state) is None:
            raise IllegalMove("The game is over: no chip is left on the rack.")
        if box is None:
            return PASS
        if scratch:
            raise IllegalMove("A chip cannot be scratched: take one, or pass.")
        source = source or "rack"
        options = self.options(state, roll)
        option = next((option for option in options if option.box == box and option.source == source), None)
        if option is None:
            raise IllegalMove(self._why_not(state, roll, box, source))
        return option

    def take(self, state: ChipState, roll: Roll, option: Option) -> ChipState:
        known = self.choose(state, roll, option.box, scratch=option.scratch, source=option.source)
        if option != known:
            raise IllegalMove(f"A chip {known.box!r} is worth {known.points}, not {option.points}.")
        yamslam = five_alike(roll)
        if known.box is None:
            # The second chip of a solo yamslam may be left; the turn has its chip already.
            return replace(state, owed=0) if state.owed else self._after(state, again=yamslam)
        state = self._hand_over(state, self.boxes.index(known.box), known.source)
        if self.mode == "solo" and yamslam and not state.owed and any(state.rack):
            return replace(state, owed=1)
        return self._after(replace(state, owed=0, scored=True), again=yamslam)

    def edit(
        self, state: ChipState, player: int, box: str, *, points: int | None = None, dice: Roll | None = None
    ) -> ChipState:
        raise IllegalMove(
            "What was taken cannot be corrected where all share the chips, as it changes what others could take: "
            "undo back to it instead."
        )

    def leave(self, state: ChipState, player: int) -> ChipState:
        if self.mode == "teams":
            raise IllegalMove("A team plays with both partners: nobody can leave, but the game can be stopped.")
        state = replace(state, left=state.left | {player})
        return self._after(state, again=False) if player == state.player else state

    def left(self, state: ChipState) -> frozenset[int]:
        return state.left

    def keeps_roll(self, state: ChipState) -> bool:
        return state.owed > 0

    def sides(self, players: int) -> tuple[int, ...]:
        return tuple(player % 2 if self.mode == "teams" else player for player in range(players))

    def filled(self, state: ChipState) -> tuple[dict[str, int], ...]:
        return ({},) * state.players

    def sums(self, state: ChipState) -> tuple[dict[str, int], ...]:
        return tuple(self._sums(state, side) for side in self.sides(state.players))

    def totals(self, state: ChipState) -> tuple[int, ...]:
        return tuple(sums["grand_total"] for sums in self.sums(state))

    def stock(self, state: ChipState) -> Stock | None:
        def by_kind(numbers: tuple[int, ...]) -> dict[str, int]:
            return dict(zip(self.boxes, numbers, strict=True))

        return Stock(
            rack=by_kind(state.rack),
            pile=by_kind(state.pile),
            chips=tuple(by_kind(state.held[side]) for side in self.sides(state.players)),
        )

    def _deal(self, players: int, first: int) -> ChipState:
        nothing = (0,) * len(self.kinds)
        sides = len(set(self.sides(players)))
        return ChipState(
            rack=(CHIPS_OF_A_KIND,) * len(self.kinds),
            pile=nothing,
            held=(nothing,) * sides,
            players=players,
            player=first,
            first=first,
            earlier=(0,) * sides,
        )

    def _sums(self, state: ChipState, side: int) -> dict[str, int]:
        held = state.held[side]
        chips = sum(number * kind.points for number, kind in zip(held, self.kinds, strict=True))
        kinds = sum(number > 0 for number in held)
        sums = {
            "chips": chips,
            "golden_seven": GOLDEN_SEVEN if kinds == len(self.kinds) else 0,
            "silver_six": SILVER_SIX if kinds == len(self.kinds) - 1 else 0,
            "full_stacks": FULL_STACK * held.count(CHIPS_OF_A_KIND),
            "last_chip": LAST_CHIP if state.last == side else 0,
        }
        if self.games > 1:
            sums["earlier_games"] = state.earlier[side]
        return {**sums, "grand_total": sum(sums.values())}

    def _hand_over(self, state: ChipState, kind: int, source: Source | None) -> ChipState:
        """The chip goes to the side of the player whose turn it is."""
        side = self.sides(state.players)[state.player]
        held = (*state.held[:side], _add(state.held[side], kind, 1), *state.held[side + 1 :])
        if source == "pile":
            return replace(state, held=held, pile=_add(state.pile, kind, -1))
        rack = _add(state.rack, kind, -1)
        return replace(state, held=held, rack=rack, last=None if any(rack) else side)

    def _after(self, state: ChipState, *, again: bool) -> ChipState:
        """The end of a turn: discard where no chip was won, then the next player, or the next game."""
        scored = state.scored
        following = state.player if again else next_player(state.player, state.players, state.left)
        # Seats as they come in a round. Whoever comes no later than the player before begins the next one.
        place, next_place = ((seat - state.first) % state.players for seat in (state.player, following))
        if self.mode == "solo" or (not again and next_place <= place):
            # Alone every turn is a round of its own, the further turn after five alike too.
            if not scored:
                highest = max(index for index, number in enumerate(state.rack) if number)
                state = replace(state, rack=_add(state.rack, highest, -1), pile=_add(state.pile, highest, 1))
            scored = False
        if any(state.rack) or state.game + 1 == self.games:
            return replace(state, player=following, scored=scored)
        sides = self.sides(state.players)
        first = (state.first + 1) % state.players
        return replace(
            self._deal(state.players, first),
            player=next_player(first - 1, state.players, state.left),
            left=state.left,
            game=state.game + 1,
            earlier=tuple(self._sums(state, side)["grand_total"] for side in sorted(set(sides))),
        )

    def _no_chip(self, kind: str) -> Sentence:
        return Sentence(
            "There is no chip %(chip)s; the chips are %(chips)s.", chip=short(kind), chips=", ".join(self.boxes)
        )

    def _why_not(self, state: ChipState, roll: Roll, box: str, source: Source) -> Sentence:
        if box not in self.boxes:
            return self._no_chip(box)
        if box not in self.points(roll):
            return Sentence("The roll %(dice)s does not win a chip %(chip)s.", dice=spaced(roll), chip=BoxId(box))
        if source == "pile" and not five_alike(roll):
            return Sentence("Only five alike may take a chip from the discard pile; take one from the rack.")
        if source == "pile":
            return Sentence("No chip %(chip)s is left in the discard pile.", chip=BoxId(box))
        return Sentence("No chip %(chip)s is left on the rack.", chip=BoxId(box))


def _add(numbers: tuple[int, ...], index: int, change: int) -> tuple[int, ...]:
    return (*numbers[:index], numbers[index] + change, *numbers[index + 1 :])
