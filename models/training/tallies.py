"""What readings of labelled scenes got right, counted in ways: by picture, by die, by colour, by confidence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from models.training.calibrate import Read, covers
from models.training.scenes import Label, Scene
from vision import locate
from vision.evaluate import Photo, Result, report, result
from vision.types import Die, Reading, Region

SIZES = (0, 16, 24, 40, 80, 160, 10_000)  # pixels of a die
CONFIDENCES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
CERTAIN = 0.9  # of a colour: the confidence from which it is told apart in the tables
MAY_BE_READ = ("unreadable", "ignore")  # labels of dice that a reading may hold or not
MISSED = "missed"
Table = dict[str, dict[str, float | None]]


def photo(scene: Scene) -> Photo:
    """The scene as `vision.evaluate` wants it: the values of its readable dice, and how many may be read beside."""
    values = tuple(label.value for label in scene.labels if label.kind == "die")
    return Photo(scene.path, scene.source, values, sum(label.kind in MAY_BE_READ for label in scene.labels))


def results(reads: Iterable[Read]) -> list[Result]:
    """What `vision.evaluate` finds right of each."""
    return [result(photo(read.scene), read.reading) for read in reads]


def of_pictures(found: list[Result]) -> dict[str, float | None]:
    """How many, and exact, sure and silent as `vision.evaluate` defines them, to four places."""
    figures = report(found).all
    return {
        "pictures": len(found),
        "exact": rounded(figures.exact),
        "sure": rounded(figures.sure),
        "silent": rounded(figures.silent),
    }


def of_dice(pairs: Sequence[tuple[bool, bool]]) -> dict[str, float | None]:
    """The same of dice, each given as whether it was read right and whether its picture was called sure."""
    sure = [right for right, called_sure in pairs if called_sure]
    return {
        "dice": len(pairs),
        "exact": share([right for right, _ in pairs]),
        "sure": share([called_sure for _, called_sure in pairs]),
        "silent": share([not right for right in sure]),
    }


def share(of: Sequence[bool]) -> float | None:
    """How many of them, 0-1 to four places; None of none."""
    return rounded(sum(of) / len(of)) if of else None


def rounded(value: float | None) -> float | None:
    """To four places."""
    return None if value is None else round(value, 4)


def matched(read: Read) -> Iterator[tuple[Label, Die | None]]:
    """The scene's readable dice, each with what was read there."""
    for label in read.scene.labels:
        if label.kind == "die":
            yield label, die_at(read.reading, label)


def die_at(reading: Reading, label: Label) -> Die | None:
    """The die that was read where a label is: the one whose box fits best."""
    there = [die for die in reading.dice if covers(die.region, label.box)]
    return max(there, key=lambda die: _fit(die.region, label), default=None)


def label_at(scene: Scene, die: Die) -> Label | None:
    """The label of the die of any kind where one was read: the one whose box fits best."""
    kinds = ("die", "other", *MAY_BE_READ)
    there = [label for label in scene.labels if label.kind in kinds and covers(die.region, label.box)]
    return max(there, key=lambda label: _fit(die.region, label), default=None)


def _fit(region: Region, label: Label) -> float:
    x0, y0, x1, y1 = label.box
    return locate.overlap(region, Region(x0, y0, x1 - x0, y1 - y0, 1.0))


def confusions(reads: Iterable[Read]) -> Counter[str]:
    """How often each value was read as what, as "5>6", and not at all, as "5>missed"; right ones too, as "5>5"."""
    return Counter(
        f"{label.value}>{MISSED if die is None else die.value}" for read in reads for label, die in matched(read)
    )


def mixed_up(found: Counter[str], one: int, other: int) -> dict[str, float | None]:
    """How many dice of two values there are, and how many of them were read as the other."""
    dice = sum(count for pair, count in found.items() if pair[0] in f"{one}{other}")
    wrong = found[f"{one}>{other}"] + found[f"{other}>{one}"]
    return {"dice": dice, "mixed up": wrong, "per thousand": round(1000 * wrong / dice, 2) if dice else None}


def by_size(reads: Iterable[Read]) -> Table:
    """Of the dice of each size in pixels, `of_dice`."""
    found: dict[str, list[tuple[bool, bool]]] = {band: [] for band in bands(SIZES)}
    for read in reads:
        sure = read.reading.sure()
        for label, die in matched(read):
            side = max(label.box[2] - label.box[0], label.box[3] - label.box[1])
            found[band(side, SIZES)].append((_right(label, die), sure))
    return {name: of_dice(pairs) for name, pairs in found.items() if pairs}


def _right(label: Label, die: Die | None) -> bool:
    return die is not None and die.value == label.value


def bands(edges: Sequence[float]) -> list[str]:
    """The names of the bands between edges."""
    return [f"{low:g}-{high:g}" for low, high in pairwise(edges)]


def band(value: float, edges: Sequence[float]) -> str:
    """The band that holds a value, its lower edge included; beyond the ends the first or the last."""
    names = bands(edges)
    return names[min(sum(value >= edge for edge in edges[1:-1]), len(names) - 1)]


def colours(reads: Iterable[Read]) -> Table:
    """Of the dice read whose colours are labelled: right by part and colour, all together and where certain."""
    found: dict[str, list[bool]] = defaultdict(list)
    for read in reads:
        for label, die in matched(read):
            if die is None:
                continue
            for part, wanted, told in (("body", label.body, die.body), ("ink", label.ink, die.ink)):
                if wanted is not None:
                    right = wanted == told.name
                    found[part].append(right)
                    found[f"{part} {wanted}"].append(right)
                    if told.confidence > CERTAIN:
                        found[f"{part} where certain"].append(right)
    return {name: {"dice": len(of), "right": share(of)} for name, of in sorted(found.items())}


@dataclass(frozen=True, slots=True)
class Bin:
    """The dice read with a confidence from `low` up to `high`: how many, how confident on average, the share right."""

    low: float
    high: float
    dice: int
    confidence: float
    right: float


def reliability(reads: Iterable[Read]) -> list[Bin]:
    """Confidence against the share that is right, of all dice read.

    A die where none is labelled is wrong; one whose face can't be read says nothing and is left out.
    """
    found: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for read in reads:
        for die in read.reading.dice:
            label = label_at(read.scene, die)
            if label is None or label.kind not in MAY_BE_READ:
                right = label is not None and label.kind == "die" and label.value == die.value
                found[band(die.confidence, CONFIDENCES)].append((die.confidence, right))
    bins = []
    for name, (low, high) in zip(bands(CONFIDENCES), pairwise(CONFIDENCES), strict=True):
        if dice := found[name]:
            confidence, right = (sum(column) / len(dice) for column in zip(*dice, strict=True))
            bins.append(Bin(low, high, len(dice), round(confidence, 4), round(right, 4)))
    return bins


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """The expected calibration error: how far confidence and share right are apart, averaged over all dice.

    Naeini et al. 2015, Obtaining well calibrated probabilities using Bayesian binning; here with bins of unlike width,
    since most confidences lie near 1. None without dice.
    """
    dice = sum(one.dice for one in bins)
    return round(sum(one.dice * abs(one.confidence - one.right) for one in bins) / dice, 4) if dice else None


def reliability_table(bins: Sequence[Bin]) -> list[str]:
    """The bins as a Markdown table for the model card, with a bar for the share right."""
    lines = ["| confidence | dice | on average | right | |", "|---|---|---|---|---|"]
    for one in bins:
        bar = "█" * round(20 * one.right)
        lines.append(f"| {one.low:g}–{one.high:g} | {one.dice} | {one.confidence:.3f} | {one.right:.3f} | {bar} |")
    return [*lines, "", f"Expected calibration error: {calibration_error(bins)}"]


def summary(reads: Sequence[Read]) -> dict[str, Any]:
    """All of the above that needs no more than the labels."""
    found, bins = confusions(reads), reliability(reads)
    return {
        "figures": report(results(reads)).to_json(),
        "wrong": {pair: count for pair, count in sorted(found.items()) if pair[0] != pair[-1]},
        "dice": found.total(),
        "five and six": mixed_up(found, 5, 6),
        "two and three": mixed_up(found, 2, 3),
        "by size in pixels": by_size(reads),
        "colours": colours(reads),
        "reliability": {
            "bins": [[one.low, one.high, one.dice, one.confidence, one.right] for one in bins],
            "expected calibration error": calibration_error(bins),
        },
    }
