"""From a picture to a Reading: look, look closer, cut, read. Holds the two networks and nothing else."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from types import MappingProxyType

import numpy as np

import models
from vision import colours, locate, read
from vision.images import Picture
from vision.judge import MOST_READ, VALUES, judge
from vision.network import Network
from vision.read import Seen
from vision.types import Frame, Reading, Region

# Further crops of what one leaves in doubt: how much wider, and whether mirrored.
AGAIN = ((1.0, True), (0.88, False), (0.88, True), (1.14, False), (1.14, True))


class Pipeline:
    """Reads pictures with one version of the weights. Safe to use from several threads."""

    def __init__(self, weights: models.Weights, threads: int | None = None) -> None:
        self.config = weights.config
        self._locator = Network(weights.locator, threads)
        self._reader = Network(weights.reader, threads)

    def read(self, picture: Picture) -> Reading:
        """All dice of a picture, in pixels of the full-size photo; `ms` says how long locating and reading took."""
        frame = picture.pixels
        began = perf_counter()
        found = self.locate(frame)
        located = perf_counter()
        seen = self.see(frame, found)
        reading = judge(self.config, found, seen, frame.shape[1], frame.shape[0])
        ended = perf_counter()
        ms = {"locate": 1000 * (located - began), "read": 1000 * (ended - located)}
        return _enlarged(replace(reading, ms=MappingProxyType(ms)), 1 / picture.scale, picture.width, picture.height)

    def locate(self, frame: Frame) -> list[Region]:
        """Regions that may hold a die, best first.

        From a look at the whole, a coarser one in which close dice are no larger than the locator knows them, and,
        where dice are small, a closer one at the part of the picture that holds them.
        """
        config = self.config
        height, width = frame.shape[:2]
        scale = config.look / max(width, height)
        whole = locate.resized(frame, *locate.input_size(width, height, config.look))
        fine = self._look(whole, width, height)
        half = locate.resized(whole, *locate.input_size(width, height, config.look // 2))
        coarse = self._look(half, width, height)
        large = [region for region in coarse if region.size * scale > config.small]
        found = locate.distinct(fine + large, config.overlap)
        sure = [region.size for region in found if region.score >= config.keep] or [region.size for region in found]
        if not sure:
            return []
        wanted = config.target / float(np.median(sure))  # from the frame's pixels to the closer look's
        if np.median(sure) * scale < config.small and wanted > 1.15 * scale:
            x0, y0, x1, y1 = _around(found, width, height)
            long_side = min(config.second_look, round(max(x1 - x0, y1 - y0) * min(wanted, 2.0)))
            size = locate.input_size(x1 - x0, y1 - y0, max(long_side, locate.MULTIPLE * 4))
            closer = self._look(locate.resized(frame[y0:y1, x0:x1], *size), x1 - x0, y1 - y0)
            closer = [replace(region, x=region.x + x0, y=region.y + y0) for region in closer]
            found = closer + [region for region in found if region.size * scale >= config.small]
        return locate.distinct(found, config.overlap)[:MOST_READ]

    def _look(self, frame: Frame, width: int, height: int) -> list[Region]:
        """The regions in a frame of the locator's size, in pixels of the width x height that it was made from."""
        (output,) = self._locator(locate.tensor(frame))
        return locate.regions(output[0], width, height, self.config.find)

    def see(self, frame: Frame, regions: list[Region]) -> list[Seen]:
        """What the reader sees in each region: in one crop, or, where that leaves a doubt, on the mean over several.

        The others are the crop's mirror image (pips know no left), and both of them closer and wider.
        """
        if not regions:
            return []
        config = self.config
        classes, names = len(config.classes), len(config.colours)
        crops = self._crops(frame, regions)
        rows, maps = self._reader(read.tensor(crops))
        shares = read.softmax(rows[:, :classes], config.temperature)
        maybe = shares[:, :VALUES].sum(1) > 1 - config.clear
        unclear = np.flatnonzero(maybe & (shares.max(1) < config.clear))
        if len(unclear):
            again = [regions[i] for i in unclear]
            cut = {wider: self._crops(frame, again, wider) for wider in {wider for wider, _ in AGAIN} - {1.0}}
            cut[1.0] = [crops[i] for i in unclear]
            looks = [self._reader(read.tensor(_turned(cut[wider], mirrored)))[0] for wider, mirrored in AGAIN]
            rows[unclear] = np.mean([rows[unclear], *looks], axis=0)
        dice = np.flatnonzero(rows[:, :classes].argmax(1) < VALUES)
        pixels = np.zeros((2, len(regions), names))
        measured = [crops[i] for i in dice]
        pixels[:, dice] = colours.evidence(measured, maps[dice, 0], maps[dice, 1], colours.light(frame))
        kind, body, ink, counted = np.split(rows, np.cumsum([classes, names, names]), axis=1)
        return [
            Seen(kind[i], body[i], ink[i], pixels[0, i], pixels[1, i], float(counted[i, 0]))
            for i in range(len(regions))
        ]

    def _crops(self, frame: Frame, regions: list[Region], wider: float = 1.0) -> list[Frame]:
        size, context = self.config.crop, self.config.context * wider
        return [read.crop(frame, region, size, context) for region in regions]


def _turned(crops: list[Frame], mirrored: bool) -> list[Frame]:
    return [np.ascontiguousarray(crop[:, ::-1]) for crop in crops] if mirrored else crops


def _around(found: list[Region], width: int, height: int) -> tuple[int, int, int, int]:
    """The box that holds all regions with room to spare, within the picture: x0, y0, x1, y1."""
    room = 1.5 * float(np.median([region.size for region in found]))
    x0 = max(0, int(min(region.x for region in found) - room))
    y0 = max(0, int(min(region.y for region in found) - room))
    x1 = min(width, int(max(region.x + region.w for region in found) + room) + 1)
    y1 = min(height, int(max(region.y + region.h for region in found) + room) + 1)
    return x0, y0, x1, y1


def _enlarged(reading: Reading, factor: float, width: int, height: int) -> Reading:
    """A reading of a reduced picture, in the full one's pixels."""
    if factor == 1:
        return reading

    def region(r: Region) -> Region:
        return Region(r.x * factor, r.y * factor, r.w * factor, r.h * factor, r.score)

    dice = tuple(replace(die, region=region(die.region)) for die in reading.dice)
    left = tuple(replace(d, region=region(d.region) if d.region else None) for d in reading.leftovers)
    return replace(reading, dice=dice, leftovers=left, width=width, height=height)


def open_reader(name: str = models.DEFAULT, threads: int | None = None) -> Pipeline:
    """A pipeline on the shipped weights: what the command line, the page and the benchmark all use."""
    return Pipeline(models.load(name), threads)
