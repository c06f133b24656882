"""The classic way of reading dice, to set beside the networks: round blobs, grouped by distance, counted.

    python -m models.training.baseline

prints its figures on the photos of the split `dev`, and below them those of the shipped weights. It is here and not
in `vision`, which is shipped and has one way of reading.

Every blob that is round enough is taken for a pip; near pips of like size belong to one die (single linkage); a die
shows as many as it has. It knows no doubt: wherever it finds dice it is sure.

The settings are the best that a search found on 150 pictures: 25 of each source of the split `train`, 50 renders.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

import models
from models.training.scenes import shared_folder
from vision.evaluate import evaluate, labelled_photos
from vision.images import Picture
from vision.pipeline import open_reader
from vision.types import Colour, Die, Frame, Reading, Region

UNKNOWN = Colour("unknown", 0.0)  # it tells no colours


@dataclass(frozen=True, slots=True)
class Settings:
    """side: the picture's longer side while looked at, in pixels; pip: the smallest and largest diameter of one there.

    roundness: how much of a circle a pip is at least (4 pi area / perimeter^2); stretch: its shorter axis by its
    longer; reach: how far the next pip of a die is at most, in diameters; alike: how much larger one pip of a die may
    be than another.
    """

    side: int = 800
    pip: tuple[float, float] = (5.0, 60.0)
    roundness: float = 0.8
    stretch: float = 0.6
    reach: float = 4.2
    alike: float = 1.55


@dataclass(frozen=True, slots=True)
class Pip:
    """A round blob: centre and diameter in pixels."""

    x: float
    y: float
    size: float


class Baseline:
    """Reads dice without any network."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._detectors = [detector(self.settings, colour) for colour in (0, 255)]

    def read(self, picture: Picture, /) -> Reading:
        """Groups of one to six pips as dice: dark ones on light dice or light ones on dark, whichever are more."""
        frame = picture.pixels
        scale = min(1.0, self.settings.side / max(frame.shape[:2]))
        small = np.asarray(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        found = [groups(pips, self.settings) for pips in self._pips(small)]
        best = max(found, key=lambda some: sum(map(len, some)))
        factor = 1 / (scale * picture.scale)
        dice = [Die(around(group, factor), len(group), UNKNOWN, UNKNOWN, 1.0) for group in best if len(group) <= 6]
        dice.sort(key=lambda die: die.region.centre)
        return Reading(tuple(dice), 0, picture.width, picture.height, "baseline", 0.0)

    def _pips(self, frame: Frame) -> Iterator[list[Pip]]:
        """Dark pips, then light ones."""
        grey = cv2.GaussianBlur(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), (3, 3), 0)
        for detect in self._detectors:
            yield [Pip(point.pt[0], point.pt[1], point.size) for point in detect.detect(grey)]


def detector(settings: Settings, colour: int) -> cv2.SimpleBlobDetector:
    """OpenCV's blob detector for pips of one brightness (0: dark, 255: light)."""
    told = cv2.SimpleBlobDetector.Params()
    told.filterByColor, told.blobColor = True, colour
    told.filterByArea = True
    told.minArea, told.maxArea = (np.pi / 4 * side**2 for side in settings.pip)
    told.filterByCircularity, told.minCircularity = True, settings.roundness
    told.filterByInertia, told.minInertiaRatio = True, settings.stretch
    told.filterByConvexity, told.minConvexity = True, 0.8
    told.minDistBetweenBlobs = settings.pip[0]
    return cv2.SimpleBlobDetector.create(told)


def groups(pips: list[Pip], settings: Settings) -> list[list[Pip]]:
    """Single linkage: two pips are of one die if they are close and of like size, or if a chain of such joins them."""
    left, found = list(pips), []
    while left:
        group = [left.pop()]
        for pip in group:  # it grows while it is walked
            near = [other for other in left if linked(pip, other, settings)]
            left = [other for other in left if other not in near]
            group += near
        found.append(group)
    return found


def linked(one: Pip, other: Pip, settings: Settings) -> bool:
    """Whether two pips may be neighbours on a die."""
    small, large = sorted((one.size, other.size))
    close = np.hypot(one.x - other.x, one.y - other.y) <= settings.reach * (small + large) / 2
    return bool(close and large <= settings.alike * small)


def around(group: list[Pip], factor: float) -> Region:
    """The box of the pips and one pip's width more, times `factor`."""
    room = max(pip.size for pip in group)
    x0, y0 = min(pip.x for pip in group) - room, min(pip.y for pip in group) - room
    x1, y1 = max(pip.x for pip in group) + room, max(pip.y for pip in group) + room
    return Region(x0 * factor, y0 * factor, (x1 - x0) * factor, (y1 - y0) * factor, 1.0)


def main() -> None:
    """Print both tables."""
    photos = labelled_photos(shared_folder() / "photos" / "index.jsonl", "dev")
    for name, reader in (("blobs and distances", Baseline()), (models.DEFAULT, open_reader())):
        print("\n".join([name, *evaluate(reader, photos).table(), ""]))


if __name__ == "__main__":
    main()
