"""One turn: up to three rolls, each with what was kept of the one before."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.dice import DICE, Roll, is_face, make_roll, missing, short, spaced
from scorekeeper.errors import IllegalMove
from scorekeeper.events import Rolled

ROLLS_A_TURN = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, the number of the last roll (0 before the first), and the rolls recorded."""

    player: int
    roll: int = 0
    rolls: tuple[Rolled, ...] = ()

    @property
    def dice(self) -> Roll | None:
        """The dice on the table; None before the first roll."""
        return self.rolls[-1].dice if self.rolls else None

    @property
    def kept(self) -> tuple[int, ...]:
        """The dice that were kept for the last roll."""
        return self.rolls[-1].kept if self.rolls else ()

    @property
    def rolls_left(self) -> int:
        """How many rolls the player still has."""
        return ROLLS_A_TURN - self.roll

    def then(self, event: Rolled) -> Turn:
        """The turn after one more roll. Raises BadRoll, or IllegalMove with the reason."""
        make_roll(event.dice)
        if wrong := [die for die in event.kept if not is_face(die)]:
            raise IllegalMove(f"A kept die shows a whole number from 1 to 6, not {short(wrong[0])}.")
        if event.inks is not None and (len(event.inks) != DICE or not all(map(str.isalpha, event.inks))):
            raise IllegalMove("The inks of a roll are the names of five colours, one a die.")
        if event.confidence is not None and not 0 <= event.confidence <= 1:
            raise IllegalMove(f"A confidence is between 0 and 1, not {event.confidence}.")
        if self.roll == ROLLS_A_TURN:
            raise IllegalMove("All three rolls of this turn are used: choose what to score.")
        number = self.roll + 1 if event.number is None else event.number
        if not self.roll < number <= ROLLS_A_TURN:
            raise IllegalMove(
                "The next roll of this turn is %(next)s of %(rolls)s, it cannot be %(number)s.",
                next=self.roll + 1,
                rolls=ROLLS_A_TURN,
                number=number,
            )
        _check_kept(self, event, number)
        return Turn(self.player, number, (*self.rolls, event))


def _check_kept(turn: Turn, event: Rolled, number: int) -> None:
    kept = spaced(event.kept)
    if len(event.kept) >= DICE:
        raise IllegalMove("All five dice are kept, so nothing was thrown: choose what to score.")
    if event.kept and number == 1:
        raise IllegalMove("This is the first roll of the turn: there is nothing to keep from before.")
    if changed := missing(event.kept, event.dice):
        raise IllegalMove(
            "A kept die cannot change: %(kept)s were kept, but the roll %(dice)s lacks %(changed)s. "
            "Correct the dice, or which were kept.",
            kept=kept,
            dice=spaced(event.dice),
            changed=spaced(changed),
        )
    # Where a roll in between was not recorded, nothing is known of what was kept from it.
    if number == turn.roll + 1 and turn.dice and (unknown := missing(event.kept, turn.dice)):
        raise IllegalMove(
            "Only dice of the roll before can be kept: %(dice)s has no %(unknown)s to keep %(kept)s.",
            dice=spaced(turn.dice),
            unknown=spaced(unknown),
            kept=kept,
        )
