"""How well a reader reads labelled photos: the figures that count, per source and over all.

The definitions are those of the shared collection's `score.py`; dice are compared as multisets of values.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import hypot
from pathlib import Path
from typing import Any, TypeVar

from vision.errors import BadImage
from vision.photo import read_photo
from vision.reader import Reader
from vision.types import Die, Reading

T = TypeVar("T")
POOLED = 10  # sources of fewer photos count together as one
MISSED, INVENTED = "missed", "invented"
# What a colour that people saw may be called. Light and taste move a name to its neighbours, so these count as right.
CLOSE = {
    "black": {"black", "grey", "brown"},
    "white": {"white", "grey", "yellow"},
    "ivory": {"white", "grey", "yellow"},
    "grey": {"grey", "white", "yellow", "black"},
    "silver": {"grey"},
    "red": {"red", "brown", "pink", "orange"},
    "orange": {"orange", "yellow", "brown", "red"},
    "yellow": {"yellow", "white", "grey", "orange"},
    "gold": {"yellow"},
    "green": {"green"},
    "blue": {"blue", "purple"},
    "purple": {"purple", "pink", "blue"},
    "pink": {"pink", "red", "purple"},
    "brown": {"brown", "orange", "red", "black"},
    "wood": {"brown", "orange", "red"},
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled die whose top face is at x, y (pixels of the upright photo); its colours (of CLOSE) if known."""

    x: float
    y: float
    body: str | None = None
    ink: str | None = None


@dataclass(frozen=True, slots=True)
class Photo:
    """A labelled photo: the values of its readable pip dice, and how many more it holds that cannot be read."""

    path: Path
    source: str
    values: tuple[int, ...]
    unreadable: int = 0
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What a reading got right of one photo.

    told: whether it is sure for whom it is known how many dice there are (all of them readable).
    mistakes: as "5>6" (a five that was read as a six), "5>missed" and "invented>6". body, ink: of each die whose
    colour is labelled and that was read, whether the colour is right.
    """

    photo: Photo
    hit: int
    invented: int
    sure: bool
    mistakes: tuple[str, ...] = ()
    body: tuple[bool, ...] = ()
    ink: tuple[bool, ...] = ()
    told: bool = False

    @property
    def right(self) -> bool:
        return self.hit == len(self.photo.values) and not self.invented


@dataclass(frozen=True, slots=True)
class Metrics:
    """Over a set of photos. Shares from 0 to 1; None where there is nothing to divide by.

    exact: photos that are right; five: the same, of those that show just five dice; recall and precision: per die;
    sure: photos without unreadable dice that were marked sure; silent: wrong ones among those marked sure;
    sure_told, silent_told: the same of photos of which it was told how many dice they show.
    body, ink: dice whose colour is right; no_dice: photos without pip dice in which none was read; five_six, two_three:
    fives and sixes (twos and threes) that were read as the other; mistakes: how often each was made.
    """

    photos: int
    dice: int
    exact: float | None
    five: float | None
    recall: float | None
    precision: float | None
    sure: float | None
    silent: float | None
    sure_told: float | None
    silent_told: float | None
    body: float | None
    ink: float | None
    no_dice: float | None
    five_six: float | None
    two_three: float | None
    mistakes: dict[str, int]


COLUMNS = ("photos", "dice", "exact", "five", "recall", "precision", "sure", "silent")


@dataclass(frozen=True, slots=True)
class Report:
    """macro: the mean of `exact` over sources, small ones pooled; what counts most."""

    macro: float | None
    all: Metrics
    sources: dict[str, Metrics]

    def to_json(self) -> dict[str, Any]:
        """Plain dictionaries, figures rounded to four places."""

        def rounded(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: rounded(item) for key, item in value.items()}
            return round(value, 4) if isinstance(value, float) else value

        out: dict[str, Any] = rounded(asdict(self))
        return out

    def table(self) -> list[str]:
        """Lines in columns: each source, all together, and below that what is told over all only."""
        rows = [*self.sources.items(), ("all", self.all)]
        wide = max(len(source) for source, _ in rows) + 2
        lines = ["".join((" " * wide, *(f"{name:>11}" for name in COLUMNS)))]
        for source, row in rows:
            lines.append("".join((source.ljust(wide), *(f"{_shown(getattr(row, name)):>11}" for name in COLUMNS))))
        every, mistakes = self.all, Counter(self.all.mistakes).most_common()
        return [
            *lines,
            f"macro {_shown(self.macro)}: the mean of exact over the sources",
            f"where the number of dice is told: sure {_shown(every.sure_told)}, silent {_shown(every.silent_told)}",
            f"colours right: body {_shown(every.body)}, ink {_shown(every.ink)}",
            f"photos without pip dice in which none was read: {_shown(every.no_dice)}",
            f"read as the other: five and six {_shown(every.five_six)}, two and three {_shown(every.two_three)}",
            f"mistakes: {', '.join(f'{name} {count}' for name, count in mistakes) or 'none'}",
        ]


def labelled_photos(index: Path, split: str | None = None) -> list[Photo]:
    """The photos of an index (JSON lines with file, source, values, unreadable, points), as paths beside it.

    Raises OSError, and ValueError where a line is not such a record.
    """
    photos = []
    with index.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                if "values" in row and (split is None or row.get("split") == split):
                    path = index.parent / row["file"]
                    marks = tuple(_mark(point) for point in row.get("points", ()))
                    photos.append(Photo(path, row["source"], tuple(row["values"]), row.get("unreadable") or 0, marks))
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"line {number} of {index} is no labelled photo: {error}") from error
    return photos


def _mark(point: dict[str, Any]) -> Mark:
    """A point of an index; a clear body goes by its tint. Raises ValueError for a colour unknown here."""
    x, y = point["xy"]
    body, ink = (name.removeprefix("clear-") if (name := point.get(part)) else None for part in ("body", "ink"))
    for name in (body, ink):
        if name is not None and name not in CLOSE:
            raise ValueError(f"{name!r} is no colour")
    return Mark(x, y, body, ink)


def result(photo: Photo, reading: Reading | None) -> Result:
    """How a reading (None: it failed) compares with the labels."""
    if reading is None:
        return Result(photo, 0, 1, False, tuple(f"{value}>{MISSED}" for value in photo.values))
    wanted, had = Counter(photo.values), Counter(reading.values)
    hit = (wanted & had).total()
    body: list[bool] = []
    ink: list[bool] = []
    for mark in photo.marks:
        die = die_at(reading, mark.x, mark.y)
        if die is not None:
            body += [die.body.name in CLOSE[mark.body]] if mark.body else []
            ink += [die.ink.name in CLOSE[mark.ink]] if mark.ink else []
    invented = max(0, had.total() - hit - photo.unreadable)
    told = not photo.unreadable and reading.sure(len(photo.values))
    made = mistakes(photo, reading.values)
    return Result(photo, hit, invented, reading.sure(), made, tuple(body), tuple(ink), told)


def die_at(reading: Reading, x: float, y: float) -> Die | None:
    """The die whose box holds the point; of several the one whose centre is nearest."""
    near = [
        (hypot(x - centre[0], y - centre[1]), die)
        for die in reading.dice
        if abs(x - (centre := die.region.centre)[0]) <= die.region.w / 2 and abs(y - centre[1]) <= die.region.h / 2
    ]
    return min(near, key=lambda one: one[0])[1] if near else None


def mistakes(photo: Photo, values: Iterable[int]) -> tuple[str, ...]:
    """What was read wrong, from the values alone, as `Result` names it.

    A value that lacks and another that is too many are taken for one die read wrong, if there is one such kind of
    each; else the dice count as missed and invented. Where dice are unreadable nobody knows what is too many.
    """
    wanted, had = Counter(photo.values), Counter(values)
    lack, more = wanted - had, had - wanted
    if photo.unreadable:
        more.clear()
    swapped: list[str] = []
    if len(lack) == len(more) == 1:
        (value,), (read,) = lack, more
        count = min(lack[value], more[read])
        swapped = [f"{value}>{read}"] * count
        lack[value] -= count
        more[read] -= count
    missed = [f"{value}>{MISSED}" for value in lack.elements()]
    return (*swapped, *missed, *(f"{INVENTED}>{value}" for value in more.elements()))


def read_all(reader: Reader, photos: Iterable[Photo]) -> Iterator[tuple[Photo, Reading | None]]:
    """Each photo with its reading, or with None where the picture could not be read."""
    for photo in photos:
        try:
            yield photo, read_photo(reader, photo.path.read_bytes())
        except BadImage:
            yield photo, None


def evaluate(reader: Reader, photos: Iterable[Photo]) -> Report:
    """Read every photo and sum up."""
    return report([result(photo, reading) for photo, reading in read_all(reader, photos)])


def report(results: list[Result]) -> Report:
    """The figures of many results, by source and over all."""
    sources: dict[str, list[Result]] = defaultdict(list)
    for one in results:
        sources[one.photo.source].append(one)
    large = [group for group in sources.values() if len(group) >= POOLED]
    small = [one for group in sources.values() if len(group) < POOLED for one in group]
    means = [_share(group, lambda r: r.right) for group in [*large, *([small] if small else [])]]
    macro = sum(mean or 0.0 for mean in means) / len(means) if means else None
    return Report(macro, _metrics(results), {name: _metrics(group) for name, group in sorted(sources.items())})


def _share(items: Sequence[T], test: Callable[[T], bool] = bool) -> float | None:
    return sum(map(test, items)) / len(items) if items else None


def _shown(value: float | None) -> str:
    return "-" if value is None else str(round(value, 4))


def _metrics(results: list[Result]) -> Metrics:
    dice = sum(len(r.photo.values) for r in results)
    hit, invented = sum(r.hit for r in results), sum(r.invented for r in results)
    readable = [r for r in results if not r.photo.unreadable]
    made = Counter(mistake for r in results for mistake in r.mistakes)
    shown = Counter(value for r in results for value in r.photo.values)

    def mixed(one: int, other: int) -> float | None:
        among = shown[one] + shown[other]
        return (made[f"{one}>{other}"] + made[f"{other}>{one}"]) / among if among else None

    return Metrics(
        photos=len(results),
        dice=dice,
        exact=_share(results, lambda r: r.right),
        five=_share([r for r in readable if len(r.photo.values) == 5], lambda r: r.right),
        recall=hit / dice if dice else None,
        precision=hit / (hit + invented) if hit + invented else None,
        sure=_share(readable, lambda r: r.sure),
        silent=_share([r for r in results if r.sure], lambda r: not r.right),
        sure_told=_share(readable, lambda r: r.told),
        silent_told=_share([r for r in results if r.told], lambda r: not r.right),
        body=_share([right for r in results for right in r.body]),
        ink=_share([right for r in results for right in r.ink]),
        no_dice=_share([r for r in readable if not r.photo.values], lambda r: r.right),
        five_six=mixed(5, 6),
        two_three=mixed(2, 3),
        mistakes=dict(sorted(made.items())),
    )
