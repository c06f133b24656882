"""What a trained locator wrongly takes for dice in its own training pictures: the reader's lessons in "none"."""

from __future__ import annotations

import logging
from collections.abc import Iterable

import numpy as np

from models.training.scenes import Scene
from vision import locate
from vision.network import Network
from vision.types import Frame, Region

log = logging.getLogger(__name__)
THRESHOLD = 0.15
MOST = 6  # of a scene: a woven cloth alone gives hundreds
INCOMPLETE = ("N3VERS4YDIE/dice-recognition",)  # dice in neighbouring trays have no box: a find may well be a die
LOOKS = (208, 416)


def found(locator: Network, image: Frame, long_side: int) -> list[Region]:
    """What the locator finds in a picture at one size, best first."""
    height, width = image.shape[:2]
    size = locate.input_size(width, height, long_side)
    (output,) = locator(locate.tensor(locate.resized(image, *size)))
    return locate.regions(output[0], width, height, THRESHOLD)


def is_stray(region: Region, scene: Scene) -> bool:
    """Whether a region lies on nothing that is labelled."""
    x, y = region.centre
    for label in scene.labels:
        if label.kind == "clutter":
            continue
        x0, y0, x1, y1 = label.box
        if x0 <= x <= x1 and y0 <= y <= y1:
            return False
        if locate.overlap(region, Region(x0, y0, x1 - x0, y1 - y0, 1.0)) > 0.05:
            return False
    return True


def strays(locator: bytes, scenes: Iterable[Scene], seed: int) -> list[tuple[Scene, list[Region]]]:
    """The stray regions, scene by scene: the likeliest, and some others. locator: an exported network."""
    rng = np.random.default_rng(seed)
    network = Network(locator)
    out = []
    for scene in scenes:
        if scene.source in INCOMPLETE or not scene.has_boxes:
            continue
        image = scene.picture()
        regions = [r for look in LOOKS for r in found(network, image, look) if is_stray(r, scene)]
        regions.sort(key=lambda region: -region.score)
        rest = regions[MOST // 2 :]
        regions = regions[: MOST // 2] + [rest[i] for i in rng.permutation(len(rest))[: MOST // 2]]
        if regions:
            out.append((scene, regions))
    log.info("%d strays in %d scenes", sum(len(regions) for _, regions in out), len(out))
    return out
