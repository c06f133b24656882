"""How well a reader reads labelled photos: the figures that count, per source and over all.

The definitions are those of the shared collection's `score.py`; dice are compared as multisets of values.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from vision.errors import BadImage
from vision.images import decode
from vision.pipeline import Pipeline
from vision.types import Reading

POOLED = 10  # sources of fewer photos count together as one


@dataclass(frozen=True, slots=True)
class Photo:
    """A labelled photo: the values of its readable pip dice, and how many more it holds that cannot be read."""

    path: Path
    source: str
    values: tuple[int, ...]
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """What a reading got right of one photo."""

    photo: Photo
    hit: int
    invented: int
    sure: bool

    @property
    def right(self) -> bool:
        return self.hit == len(self.photo.values) and not self.invented


@dataclass(frozen=True, slots=True)
class Metrics:
    """Over a set of photos. Shares from 0 to 1; None where there is nothing to divide by.

    exact: photos that are right; five: the same, of those that show just five dice; recall and precision: per die;
    sure: photos without unreadable dice that were marked sure; silent: wrong ones among those marked sure.
    """

    photos: int
    dice: int
    exact: float | None
    five: float | None
    recall: float | None
    precision: float | None
    sure: float | None
    silent: float | None


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


def labelled_photos(index: Path, split: str | None = None) -> list[Photo]:
    """The photos of an index (JSON lines with file, source, values, unreadable), as paths beside it.

    Raises OSError, and ValueError where a line is not such a record.
    """
    photos = []
    with index.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                if "values" in row and (split is None or row.get("split") == split):
                    path = index.parent / row["file"]
                    photos.append(Photo(path, row["source"], tuple(row["values"]), row.get("unreadable") or 0))
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"line {number} of {index} is no labelled photo: {error}") from error
    return photos


def result(photo: Photo, reading: Reading | None) -> Result:
    """How a reading (None: it failed) compares with the labels."""
    if reading is None:
        return Result(photo, 0, 1, sure=False)
    wanted, had = Counter(photo.values), Counter(reading.values)
    hit = (wanted & had).total()
    return Result(photo, hit, max(0, had.total() - hit - photo.unreadable), reading.sure())


def read_all(reader: Pipeline, photos: Iterable[Photo]) -> Iterator[tuple[Photo, Reading | None]]:
    """Each photo with its reading, or with None where the picture could not be read."""
    for photo in photos:
        try:
            yield photo, reader.read(decode(photo.path.read_bytes()))
        except BadImage:
            yield photo, None


def evaluate(reader: Pipeline, photos: Iterable[Photo]) -> Report:
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


def _share(results: list[Result], test: Callable[[Result], bool]) -> float | None:
    return sum(map(test, results)) / len(results) if results else None


def _metrics(results: list[Result]) -> Metrics:
    dice = sum(len(r.photo.values) for r in results)
    hit, invented = sum(r.hit for r in results), sum(r.invented for r in results)
    readable = [r for r in results if not r.photo.unreadable]
    return Metrics(
        photos=len(results),
        dice=dice,
        exact=_share(results, lambda r: r.right),
        five=_share([r for r in readable if len(r.photo.values) == 5], lambda r: r.right),
        recall=hit / dice if dice else None,
        precision=hit / (hit + invented) if hit + invented else None,
        sure=_share(readable, lambda r: r.sure),
        silent=_share([r for r in results if r.sure], lambda r: not r.right),
    )
