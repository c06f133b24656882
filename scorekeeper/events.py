"""What can happen in a session: frozen events, each with a short kind and a JSON form of its own.

``to_json`` gives plain data without the kind, ``from_json`` takes it back; it raises BadEvent for anything
that does not have the right shape. Whether an event is legal where it stands is decided by session.apply.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

from scorekeeper.dice import Roll, make_roll, short
from scorekeeper.errors import BadEvent
from scorekeeper.game import Source
from scorekeeper.starting import Throws

Json = dict[str, Any]

RollSource = Literal["typed", "photo", "camera"]
"""How a roll came in: by hand, from a photo, from the watching camera."""


@dataclass(frozen=True, slots=True)
class Started:
    """A game begins: which, with which options, who plays in seat order, and who goes first.

    ``throws`` are the throws that decided who goes first, where they were recorded.
    ``session.new_game`` makes a checked one with all options spelt out.
    """

    kind: ClassVar[str] = "started"
    game: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    first: int = 0
    throws: Throws = ()

    def to_json(self) -> Json:
        """The event as plain data."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "players": list(self.players),
            "first": self.first,
            "throws": [[list(throw) for throw in round_] for round_ in self.throws],
        }

    @classmethod
    def from_json(cls, data: Json) -> Started:
        """The event that to_json gave. Raises BadEvent."""
        options = _get(data, "options", dict)
        return cls(
            game=_get(data, "game", str),
            options={name: _be(name, value, str) for name, value in options.items()},
            players=_all(data, "players", str),
            first=_get(data, "first", int),
            throws=tuple(
                tuple(tuple(_be("throws", die, int) for die in _be("throws", throw, list)) for throw in throws)
                for throws in _all(data, "throws", list)
            ),
        )


@dataclass(frozen=True, slots=True)
class Rolled:
    """Five dice lie on the table.

    kept        the dice of the roll before that were not thrown again
    source      how the dice came in
    number      which roll of the turn this is, 1 to 3, where earlier ones were not recorded; None: the next
    inks        the seen ink of each die, in the order of ``dice``
    confidence  of the reading, 0 to 1, of its least sure die
    """

    kind: ClassVar[str] = "rolled"
    dice: Roll
    kept: tuple[int, ...] = ()
    source: RollSource = "typed"
    number: int | None = None
    inks: tuple[str, ...] | None = None
    confidence: float | None = None

    def to_json(self) -> Json:
        """The event as plain data."""
        data: Json = {"dice": list(self.dice), "kept": list(self.kept), "source": self.source}
        if self.number is not None:
            data["number"] = self.number
        if self.inks is not None:
            data["inks"] = list(self.inks)
        if self.confidence is not None:
            data["confidence"] = self.confidence
        return data

    @classmethod
    def from_json(cls, data: Json) -> Rolled:
        """The event that to_json gave. Raises BadEvent, BadRoll for dice that are none."""
        confidence = _get(data, "confidence", float, optional=True)
        return cls(
            dice=make_roll(_get(data, "dice", list)),
            kept=_all(data, "kept", int) if "kept" in data else (),
            source=_one_of("source", data.get("source", "typed"), RollSource),
            number=_get(data, "number", int, optional=True),
            inks=_all(data, "inks", str) if "inks" in data else None,
            confidence=None if confidence is None else _fraction(confidence),
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """The roll goes into a box, or wins a chip ``source`` from the rack (if None too) or the pile."""

    kind: ClassVar[str] = "scored"
    box: str
    scratch: bool = False
    source: Source | None = None

    def to_json(self) -> Json:
        """The event as plain data."""
        data: Json = {"box": self.box}
        if self.scratch:
            data["scratch"] = True
        if self.source is not None:
            data["from"] = self.source
        return data

    @classmethod
    def from_json(cls, data: Json) -> Scored:
        """The event that to_json gave. Raises BadEvent."""
        source = data.get("from")
        return cls(
            box=_get(data, "box", str),
            scratch=_get(data, "scratch", bool, optional=True) or False,
            source=None if source is None else _one_of("from", source, Source),
        )


@dataclass(frozen=True, slots=True)
class Passed:
    """The roll takes no chip."""

    kind: ClassVar[str] = "passed"

    def to_json(self) -> Json:
        """The event as plain data."""
        return {}

    @classmethod
    def from_json(cls, data: Json) -> Passed:
        """The event that to_json gave."""
        return cls()


@dataclass(frozen=True, slots=True)
class Edited:
    """A filled box is corrected: it holds these points, or what these dice score there.

    by  who corrected it, where that is known
    """

    kind: ClassVar[str] = "edited"
    player: int
    box: str
    points: int | None = None
    dice: Roll | None = None
    by: str | None = None

    def to_json(self) -> Json:
        """The event as plain data."""
        data: Json = {"player": self.player, "box": self.box}
        if self.points is not None:
            data["points"] = self.points
        if self.dice is not None:
            data["dice"] = list(self.dice)
        if self.by is not None:
            data["by"] = self.by
        return data

    @classmethod
    def from_json(cls, data: Json) -> Edited:
        """The event that to_json gave. Raises BadEvent, BadRoll for dice that are none."""
        return cls(
            player=_get(data, "player", int),
            box=_get(data, "box", str),
            points=_get(data, "points", int, optional=True),
            dice=make_roll(_get(data, "dice", list)) if "dice" in data else None,
            by=_get(data, "by", str, optional=True),
        )


@dataclass(frozen=True, slots=True)
class Renamed:
    """A player is called otherwise from now on."""

    kind: ClassVar[str] = "renamed"
    player: int
    name: str

    def to_json(self) -> Json:
        """The event as plain data."""
        return {"player": self.player, "name": self.name}

    @classmethod
    def from_json(cls, data: Json) -> Renamed:
        """The event that to_json gave. Raises BadEvent."""
        return cls(player=_get(data, "player", int), name=_get(data, "name", str))


@dataclass(frozen=True, slots=True)
class Reordered:
    """The players sit otherwise: ``order`` has per seat the number that its player had before.

    Who was to begin still begins.
    """

    kind: ClassVar[str] = "reordered"
    order: tuple[int, ...]

    def to_json(self) -> Json:
        """The event as plain data."""
        return {"order": list(self.order)}

    @classmethod
    def from_json(cls, data: Json) -> Reordered:
        """The event that to_json gave. Raises BadEvent."""
        return cls(order=_all(data, "order", int))


@dataclass(frozen=True, slots=True)
class Left:
    """A player plays no more; what they have won stays on the sheet."""

    kind: ClassVar[str] = "left"
    player: int

    def to_json(self) -> Json:
        """The event as plain data."""
        return {"player": self.player}

    @classmethod
    def from_json(cls, data: Json) -> Left:
        """The event that to_json gave. Raises BadEvent."""
        return cls(player=_get(data, "player", int))


@dataclass(frozen=True, slots=True)
class Undone:
    """The session is again as it was after ``to_seq`` events; what was taken back stays in the log."""

    kind: ClassVar[str] = "undone"
    to_seq: int

    def to_json(self) -> Json:
        """The event as plain data."""
        return {"to_seq": self.to_seq}

    @classmethod
    def from_json(cls, data: Json) -> Undone:
        """The event that to_json gave. Raises BadEvent."""
        return cls(to_seq=_get(data, "to_seq", int))


@dataclass(frozen=True, slots=True)
class Lost:
    """An entry of a damaged log that cannot be used. It keeps its seq, so that no seq ever means two things.

    Never recorded: the store puts it where it could not read on.
    """

    kind: ClassVar[str] = "lost"
    why: str = field(compare=False)

    def to_json(self) -> Json:
        """The event as plain data."""
        return {"why": self.why}


Recorded = Started | Rolled | Scored | Passed | Edited | Renamed | Reordered | Left | Undone
"""The events that are written down."""
Event = Recorded | Lost

KINDS: Mapping[str, type[Recorded]] = {event.kind: event for event in get_args(Recorded)}


def event_from_json(kind: str, data: object) -> Recorded:
    """The event of that kind. Raises BadEvent (or BadRoll) when the data is not one."""
    if kind not in KINDS:
        raise BadEvent(f"There is no kind of event {short(kind)}; there are {', '.join(KINDS)}.")
    return KINDS[kind].from_json(_be(kind, data, dict))


_NAMES = {
    bool: "true or false",
    dict: "an object",
    float: "a number",
    int: "a whole number",
    list: "a list",
    str: "a text",
}


def _be(name: str, value: Any, kind: type) -> Any:
    # JSON's true is an int to Python, and 1 is a fine float to JSON.
    fits = isinstance(value, (int, float) if kind is float else kind)
    if not fits or (isinstance(value, bool) and kind is not bool):
        raise BadEvent(f"{name!r} holds {short(value)} where {_NAMES[kind]} belongs.")
    return value


def _get(data: Json, name: str, kind: type, *, optional: bool = False) -> Any:
    value = data.get(name)
    if value is None and not optional:
        raise BadEvent(f"{name!r} is missing: {_NAMES[kind]}.")
    return None if value is None else _be(name, value, kind)


def _fraction(value: float) -> float:
    try:
        return float(value)
    except OverflowError as error:  # JSON's whole numbers have no end
        raise BadEvent("'confidence' holds a number that is far too large.") from error


def _all(data: Json, name: str, kind: type) -> tuple[Any, ...]:
    return tuple(_be(name, value, kind) for value in _get(data, name, list))


def _one_of(name: str, value: Any, literal: Any) -> Any:
    allowed = get_args(literal)
    if value not in allowed:
        raise BadEvent(f"{name!r} cannot be {short(value)}; allowed is {', '.join(allowed)}.")
    return value
