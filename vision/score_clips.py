"""How well a follower follows films whose throws are known: found once, missed, invented, and how soon."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from vision.steady import Settled

AFTER = 0.5
"""Seconds for which a throw may still be told after its dice were disturbed, unless the next one comes to rest."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw of a film: at rest from `rest` until `until` (seconds), values and those of the dice kept sorted."""

    turn: int
    roll: int
    rest: float
    until: float
    values: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Clip:
    """A film with its throws in order. `kinds`: what happens in it; `seconds`: its length."""

    path: Path
    seconds: float
    kinds: tuple[str, ...]
    throws: tuple[Throw, ...]

    @property
    def turns_cut_short(self) -> tuple[float, ...]:
        """When a player has chosen a box although more rolls were left: as the dice of the last roll are taken up."""
        pairs = zip(self.throws, self.throws[1:], strict=False)
        return tuple(last.until for last, new in pairs if new.turn > last.turn and last.roll < 3)


@dataclass(frozen=True, slots=True)
class Told:
    """A settled throw as the follower told it; `cost`: the seconds that it took over the frame in which it did."""

    settled: Settled
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the throws of one clip: with each the one that was told in its time, None if it was not just one.

    `twice`: throws for which more than one was told; `invented`: those told in no throw's time, or once too often.
    """

    clip: Clip
    found: tuple[tuple[Throw, Told | None], ...]
    twice: int
    invented: tuple[Told, ...]

    def faults(self) -> list[str]:
        """What went wrong, a line each."""
        name, lines = self.clip.path.name, []
        for throw, told in self.found:
            what = f"{name}: turn {throw.turn}, roll {throw.roll} at {throw.rest:.2f} s"
            if told is None:
                lines.append(f"{what} was not told just once")
                continue
            settled = told.settled
            if settled.values != throw.values:
                sure = "sure" if settled.sure else "unsure"
                lines.append(f"{what}: {_row(settled.values)} ({sure}) instead of {_row(throw.values)}")
            if settled.kept_values != throw.kept:
                lines.append(f"{what}: kept {_row(settled.kept_values)} instead of {_row(throw.kept)}")
            if (settled.turn, settled.roll) != (throw.turn, throw.roll):
                lines.append(f"{what} was called turn {settled.turn}, roll {settled.roll}")
        for told in self.invented:
            s = told.settled
            lines.append(f"{name}: turn {s.turn}, roll {s.roll} was invented at {s.t:.2f} s: {_row(s.values)}")
        return lines


@dataclass(frozen=True, slots=True)
class Figures:
    """Over some clips. Counts of throws, then shares (0-1, None where there is nothing to divide by), then seconds.

    found: told just once, in their time; missed: not told at all; twice: told more than once; invented: told, and
    none; of these `invented_sure`. Of those found: sure; silent (of the sure ones: values wrong); values, kept,
    numbered: all values right, the dice kept, turn and roll. delay: from rest until it is told, the time that
    the follower takes over that frame included: the median, the 95th percentile and the longest; delay_sure: of those
    called sure.
    """

    clips: int
    throws: int
    found: int
    missed: int
    twice: int
    invented: int
    invented_sure: int
    sure: float | None
    silent: float | None
    values: float | None
    kept: float | None
    numbered: float | None
    delay: tuple[float, float, float] | None
    delay_sure: tuple[float, float, float] | None

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary, shares rounded to four places and seconds to three."""
        out: dict[str, Any] = {}
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            out[name] = round(value, 4) if isinstance(value, float) else value
        names = ("median", "p95", "max")
        for name in ("delay", "delay_sure"):
            out[name] = out[name] and {part: round(s, 3) for part, s in zip(names, out[name], strict=True)}
        return out


def labelled_clips(index: Path) -> list[Clip]:
    """The clips of an index (JSON lines with file, seconds, kinds, rolls), as paths beside it.

    Raises OSError, and ValueError where a line is not such a record.
    """
    clips = []
    with index.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                throws = tuple(_throw(roll) for roll in row["rolls"])
                path = index.parent / row["file"]
                clips.append(Clip(path, float(row["seconds"]), tuple(row.get("kinds", ())), throws))
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"line {number} of {index} is no labelled film: {error}") from error
    return clips


def _throw(roll: dict[str, Any]) -> Throw:
    values, kept = (tuple(sorted(map(int, roll[name]))) for name in ("values", "kept"))
    return Throw(int(roll["turn"]), int(roll["roll"]), float(roll["rest"]), float(roll["until"]), values, kept)


def result(clip: Clip, told: Sequence[Told]) -> Result:
    """How what was told compares with what happened. Of several with the same `n` the last one counts."""
    last = {one.settled.n: one for one in told}
    left = list(last.values())
    found: list[tuple[Throw, Told | None]] = []
    twice = 0
    nexts = [throw.rest for throw in clip.throws[1:]]
    for throw, following in zip(clip.throws, [*nexts, math.inf], strict=False):
        inside = [one for one in left if throw.rest <= one.settled.t < min(throw.until + AFTER, following)]
        left = [one for one in left if one not in inside]
        twice += len(inside) > 1
        found.append((throw, inside[0] if len(inside) == 1 else None))
        left += inside[1:]
    return Result(clip, tuple(found), twice, tuple(sorted(left, key=lambda one: one.settled.t)))


def figures(results: Iterable[Result]) -> Figures:
    """The figures over the results of some clips."""
    some = list(results)
    throws = [pair for one in some for pair in one.found]
    found = [(throw, told) for throw, told in throws if told is not None]
    invented = [told for one in some for told in one.invented]
    twice = sum(one.twice for one in some)
    right = [told.settled.values == throw.values for throw, told in found]
    sure = [told.settled.sure for _, told in found]
    delays = [told.settled.t - throw.rest + told.cost for throw, told in found]
    return Figures(
        clips=len(some),
        throws=len(throws),
        found=len(found),
        missed=len(throws) - len(found) - twice,
        twice=twice,
        invented=len(invented),
        invented_sure=sum(told.settled.sure for told in invented),
        sure=_share(sure),
        silent=_share([not good for good, called in zip(right, sure, strict=True) if called]),
        values=_share(right),
        kept=_share([told.settled.kept_values == throw.kept for throw, told in found]),
        numbered=_share([(told.settled.turn, told.settled.roll) == (throw.turn, throw.roll) for throw, told in found]),
        delay=_spread(delays),
        delay_sure=_spread([delay for delay, called in zip(delays, sure, strict=True) if called]),
    )


def by_kind(results: Sequence[Result]) -> dict[str, Figures]:
    """The figures of the clips of each kind, the most frequent kind first; a clip may be of several."""
    kinds = Counter(kind for one in results for kind in one.clip.kinds)
    return {kind: figures(one for one in results if kind in one.clip.kinds) for kind, _ in kinds.most_common()}


def table(rows: dict[str, Figures]) -> list[str]:
    """Lines in columns, a line for each name."""
    wide = max(map(len, rows), default=0) + 2
    counts = ("clips", "throws", "found", "missed", "twice", "invented")
    shares = ("sure", "silent", "values", "kept", "numbered")
    names = (*counts, *shares, "median s", "p95 s", "max s", "sure s", "p95 s")
    lines = ["".join((" " * wide, *(f"{name:>9}" for name in names)))]
    for name, row in rows.items():
        cells = [str(getattr(row, count)) for count in counts]
        cells += ["-" if getattr(row, share) is None else f"{getattr(row, share):.3f}" for share in shares]
        cells += [f"{seconds:.2f}" for seconds in row.delay] if row.delay else ["-"] * 3
        cells += [f"{seconds:.2f}" for seconds in row.delay_sure[:2]] if row.delay_sure else ["-"] * 2
        lines.append("".join((name.ljust(wide), *(f"{cell:>9}" for cell in cells))))
    return lines


def _spread(seconds: Sequence[float]) -> tuple[float, float, float] | None:
    """The median, the 95th percentile and the longest."""
    some = sorted(seconds)
    return (median(some), some[math.ceil(0.95 * len(some)) - 1], some[-1]) if some else None


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None


def _row(values: Sequence[int]) -> str:
    return " ".join(map(str, values)) or "none"
