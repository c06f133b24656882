"""Thresholds and temperatures, from pictures that were held back: a whole source and a share of the renders."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import models
from models.training.patterns import pattern
from models.training.scenes import Label, Scene
from vision import colours, locate
from vision.judge import VALUES, judge, weighed
from vision.pipeline import Pipeline
from vision.read import Seen, softmax
from vision.types import Frame, Reading, Region

log = logging.getLogger(__name__)
KEEPS, FLOORS, RESCUES = (0.3, 0.35, 0.4, 0.45), (0.4, 0.5, 0.6), (0.9, 0.95, 1.1)
DOUBTS, WEAK_DOUBTS, INSISTS = (0.2, 0.3), (0.3, 0.45, 0.6), (0.5, 0.6, 0.7)
MISCOUNTS, PARTS = (0.5, 0.7, 1.0), (0.7, 0.9)
COST = 30  # a sure reading that is wrong is as bad as so many right ones that ask are
PATTERNS, PATTERN_SIDE = 100, 640  # drawn tables without a die: photos of plain tables tell little of cloth
TEMPERATURES = np.geomspace(0.5, 4, 43)
COLOUR_TEMPERATURES, PIXEL_WEIGHTS = np.geomspace(0.7, 4, 15), np.arange(0, 1.25, 0.1)
COUNT_SPREADS = np.geomspace(0.1, 5, 40)
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997, 0.999)


@dataclass(frozen=True, slots=True)
class Read:
    """A held-back scene and how it was read."""

    scene: Scene
    reading: Reading

    @property
    def right(self) -> bool:
        """Whether all readable dice, and none else (but unreadable ones), were read: as `evaluate.result` counts."""
        wanted = Counter(label.value for label in self.scene.labels if label.kind == "die")
        had = Counter(self.reading.values)
        hit = (wanted & had).total()
        unreadable = sum(label.kind in ("unreadable", "ignore") for label in self.scene.labels)
        return hit == wanted.total() and had.total() - hit <= unreadable


def weights(folder: Path, config: models.Config) -> models.Weights:
    """The exported networks of a folder with a config that is not written yet."""
    return models.Weights((folder / "locator.onnx").read_bytes(), (folder / "reader.onnx").read_bytes(), config)


def config(
    folder: Path, classes: Sequence[str], colours: Sequence[str], crop: int, context: float, back: Iterable[Scene]
) -> dict[str, Any]:
    """The config of the exported networks in `folder`, its last figures fitted on the scenes held back."""
    draft = models.Config(
        name=folder.name,
        classes=tuple(classes),
        colours=tuple(colours),
        look=416,
        second_look=640,
        small=30.0,
        target=40.0,
        find=0.15,
        keep=min(KEEPS),
        rescue=0.9,
        overlap=0.55,
        crop=crop,
        context=context,
        clear=0.97,
        temperature=1.0,
        body_temperature=1.0,
        body_pixels=0.5,
        ink_temperature=1.0,
        ink_pixels=0.5,
        sure=0.9,
        sure_given=0.95,
        floor=0.4,
        doubt=0.5,
        weak_doubt=0.6,
        insist=0.65,
        count_spread=1.0,
        miscount=1.0,
        part=0.7,
        alike=1.5,
        spread=2.2,
    )
    fields = asdict(fitted(draft, gathered(Pipeline(weights(folder, draft)), back)))
    del fields["name"]
    return fields


def gathered(pipeline: Pipeline, scenes: Iterable[Scene]) -> list[Look]:
    """Looks at every scene, and at patterns without a die."""
    rng = np.random.default_rng(0)
    looks = [looked(pipeline, scene, scene.picture()) for scene in scenes]
    blank = Scene(Path(), "patterns", ())
    return looks + [looked(pipeline, blank, pattern(PATTERN_SIDE, rng)) for _ in range(PATTERNS)]


def fitted(draft: models.Config, looks: Sequence[Look]) -> models.Config:
    """The config whose temperatures and thresholds suit these looks best."""
    found = labelled(looks)
    kinds = [draft.classes.index(str(label.value) if label.kind == "die" else "other") for label, _ in found]
    draft = replace(draft, temperature=best_temperature(np.array([one.kind for _, one in found]), np.array(kinds)))
    dice = [(label, one) for label, one in found if label.kind == "die"]
    draft = replace(draft, count_spread=best_count_spread(draft, dice))
    body = best_mix(*witnesses(draft, dice, "body"))
    ink = best_mix(*witnesses(draft, dice, "ink"))
    draft = replace(draft, body_temperature=body[0], body_pixels=body[1], ink_temperature=ink[0], ink_pixels=ink[1])
    trials = [
        replace(draft, keep=keep, floor=floor, rescue=rescue)
        for keep in KEEPS
        for floor in FLOORS
        for rescue in RESCUES
    ]
    draft = max(trials, key=lambda trial: mean_right([judged(trial, look) for look in looks]))
    return surest(draft, looks)


@dataclass(frozen=True, slots=True)
class Look:
    """What the networks gave for a scene: its regions, and what the reader saw in each."""

    scene: Scene
    width: int
    height: int
    regions: tuple[Region, ...]
    seen: list[Seen]


def looked(pipeline: Pipeline, scene: Scene, image: Frame) -> Look:
    """Run the networks on a scene."""
    regions = pipeline.locate(image)
    return Look(scene, image.shape[1], image.shape[0], tuple(regions), pipeline.see(image, regions))


def judged(trial: models.Config, look: Look) -> Read:
    """The reading that a config makes of a look."""
    return Read(look.scene, judge(trial, look.regions, look.seen, look.width, look.height))


def mean_right(reads: Sequence[Read]) -> float:
    """The mean over kinds of pictures (photos, renders, patterns) of the share that is read right."""
    kinds: dict[str, list[bool]] = {}
    for one in reads:
        kinds.setdefault(one.scene.source.split("/")[0], []).append(one.right)
    means = {kind: float(np.mean(right)) for kind, right in kinds.items()}
    log.info("right: %s", {kind: round(mean, 4) for kind, mean in means.items()})
    return float(np.mean(list(means.values())))


def labelled(looks: Sequence[Look]) -> list[tuple[Label, Seen]]:
    """Every die, with pips or without, that the locator found and whose label is known, and what was seen in it."""
    found = []
    for look in looks:
        for region, one in zip(look.regions, look.seen, strict=True):
            label = next((label for label in look.scene.labels if covers(region, label.box)), None)
            if label is not None and label.kind in ("die", "other"):
                found.append((label, one))
    log.info("%d dice found", len(found))
    return found


Witnesses = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]


def witnesses(draft: models.Config, dice: Sequence[tuple[Label, Seen]], part: str) -> Witnesses:
    """What network and pixels say of the body's or the ink's colour, n x 11 each, and the right names' indices.

    Of dice read as a value, since only there pixels are measured.
    """
    rows = [
        (getattr(one, part), getattr(one, f"{part}_pixels"), draft.colours.index(getattr(label, part)))
        for label, one in dice
        if getattr(label, part) and int(one.kind.argmax()) < VALUES
    ]
    network, pixels, names = zip(*rows, strict=True)
    return np.array(network, np.float64), np.array(pixels), np.array(names)


def best_mix(
    classifier: NDArray[np.float64], evidence: NDArray[np.float64], labels: NDArray[np.int64]
) -> tuple[float, float]:
    """The temperature and the pixels' weight that make the labels likeliest: n x 11 each, and the names' indices."""
    rows = np.arange(len(labels))
    trials = [(float(t), float(w)) for t, w in product(COLOUR_TEMPERATURES, PIXEL_WEIGHTS)]
    losses = [-colours.combined(classifier, evidence, t, w)[rows, labels].mean() for t, w in trials]
    temperature, weight = trials[int(np.argmin(losses))]
    return round(temperature, 3), round(weight, 2)


def covers(region: Region, box: tuple[float, float, float, float]) -> bool:
    """Whether a region is that of a labelled die (or of the die around a box of its pips)."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    inside = region.x < x < region.x + region.w and region.y < y < region.y + region.h
    whole = Region(box[0], box[1], box[2] - box[0], box[3] - box[1], 1.0)
    return inside and (locate.overlap(region, whole) > 0.4 or whole.size < 0.8 * region.size)


def best_temperature(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The one that makes the labels likeliest (Guo et al. 2017, On calibration of modern neural networks)."""
    rows = np.arange(len(labels))
    losses = [-np.log(softmax(logits, t)[rows, labels] + 1e-9).mean() for t in TEMPERATURES]
    best = float(TEMPERATURES[int(np.argmin(losses))])
    log.info("temperature %.2f: loss %.4f, at 1 %.4f", best, min(losses), losses[len(losses) // 3])
    return round(best, 3)


def best_count_spread(draft: models.Config, dice: Sequence[tuple[Label, Seen]]) -> float:
    """The one that makes the values of these dice likeliest, see `judge.weighed`."""
    known = [(softmax(one.kind, draft.temperature), one.counted, label.value - 1) for label, one in dice]

    def loss(spread: float) -> float:
        trial = replace(draft, count_spread=spread)
        heard = [weighed(trial, shares, counted)[label] for shares, counted, label in known]
        return float(-np.log(np.array(heard) + 1e-9).mean())

    losses = [loss(float(spread)) for spread in COUNT_SPREADS]
    best = round(float(COUNT_SPREADS[int(np.argmin(losses))]), 3)
    log.info("count spread %.2f: loss %.4f, at the widest %.4f", best, min(losses), losses[-1])
    return best


def surest(draft: models.Config, looks: Sequence[Look]) -> models.Config:
    """The thresholds of doubt at which the most readings are sure and right, less COST for each that is sure and wrong.

    Of equals the first, which asks most readily.
    """
    best, most = replace(draft, sure=THRESHOLDS[-1]), -np.inf
    for doubt, weak_doubt, insist, miscount, part in product(DOUBTS, WEAK_DOUBTS, INSISTS, MISCOUNTS, PARTS):
        trial = replace(draft, doubt=doubt, weak_doubt=weak_doubt, insist=insist, miscount=miscount, part=part)
        reads = [judged(trial, look) for look in looks]
        for threshold in reversed(THRESHOLDS):
            right, wrong = called_sure(reads, threshold)
            if right - COST * wrong > most:
                best, most = replace(trial, sure=threshold), right - COST * wrong
                log.info("%d of %d sure and right, %d wrong: %s", right, len(looks), wrong, best)
    return best


def called_sure(reads: Sequence[Read], threshold: float) -> tuple[int, int]:
    """How many readings are sure at this threshold: the right ones, and the wrong ones."""
    right = [one.right for one in reads if replace(one.reading, threshold=threshold).sure()]
    return sum(right), len(right) - sum(right)
