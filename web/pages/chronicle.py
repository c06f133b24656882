"""A game told from its record: every turn with its dice, every correction, and what was taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scorekeeper.events import Edited, Event, Lost, Passed, Rolled, RollSource, Scored, Undone
from scorekeeper.session import Position, apply
from scorekeeper.store import Line
from web.pages.happened import happened
from web.words.names import in_line


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A die of a roll, and whether it was kept from the roll before."""

    value: int
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """One event: a roll with its number and dice, or a sentence; `undone`: it was taken back later.

    `by` is who corrected, where that is known.
    """

    at: str
    said: str = ""
    roll: int | None = None
    source: RollSource = "typed"
    dice: tuple[ShownDie, ...] = ()
    undone: bool = False
    by: str = ""


@dataclass(slots=True)
class Chapter:
    """What belongs together: a turn of the player with this name, or what happened between turns (no name)."""

    name: str
    moments: list[Moment] = field(default_factory=list)

    @property
    def undone(self) -> bool:
        """Whether nothing of it counts."""
        return all(moment.undone for moment in self.moments)


def chronicle(lines: Sequence[Line]) -> list[Chapter]:
    """The chapters of a session's record, in their order."""
    positions: list[Position] = []
    for line in lines:
        positions.append(apply(positions[-1] if positions else None, line.event))
    counted = _counted(positions[-1])
    chapters: list[Chapter] = []
    playing: tuple[int, int] | None = None  # the player, and the position before their turn
    for seq, (line, after) in enumerate(zip(lines, positions, strict=True), start=1):
        event = line.event
        before = positions[seq - 2] if seq > 1 else None
        moment = _moment(line, before, after, undone=seq not in counted and not isinstance(event, Undone | Lost))
        turn = before.turn if before else None
        if turn is None or not isinstance(event, Rolled | Scored | Passed):
            chapters.append(Chapter("", [moment]))
            playing = None
            continue
        if playing is None or (isinstance(event, Rolled) and turn.roll == 0):
            playing = turn.player, seq
            chapters.append(Chapter(in_line(after.players[turn.player])))
        chapters[-1].moments.append(moment)
    return chapters


def _counted(position: Position | None) -> set[int]:
    """The numbers of the events that count in the end."""
    counted = set()
    while position is not None:
        counted.add(position.at)
        position = position.before
    return counted


def _moment(line: Line, before: Position | None, after: Position, *, undone: bool) -> Moment:
    event: Event = line.event
    if isinstance(event, Rolled):
        number = after.turn.roll if after.turn else None
        return Moment(line.at, roll=number, source=event.source, dice=_dice(event.dice, event.kept), undone=undone)
    dice = _dice(event.dice, ()) if isinstance(event, Edited) and event.dice else ()
    by = in_line(event.by) if isinstance(event, Edited) and event.by else ""
    return Moment(line.at, said=happened(event, before, after), dice=dice, undone=undone, by=by)


def _dice(values: Sequence[int], kept: Sequence[int]) -> tuple[ShownDie, ...]:
    left = list(kept)
    shown = []
    for value in values:
        stayed = value in left
        if stayed:
            left.remove(value)
        shown.append(ShownDie(value, stayed))
    return tuple(shown)
