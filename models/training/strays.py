"""What a trained locator wrongly takes for dice in its own training pictures: the reader's lessons in "none"."""

from __future__ import annotations

import logging
from collections.abc import Iterable

import torch
from torch import nn

from models.training.scenes import Scene
from vision import locate
from vision.types import Frame, Region

log = logging.getLogger(__name__)
THRESHOLD = 0.1
INCOMPLETE = ("N3VERS4YDIE/dice-recognition",)  # dice in neighbouring trays have no box: a find may well be a die
LOOKS = (208, 416, 640)
PIP = 0.45  # of a die's size: what is smaller and on a die is one of its pips


def found(locator: nn.Module, image: Frame, long_side: int) -> list[Region]:
    """What the locator finds in a picture at one size."""
    height, width = image.shape[:2]
    size = locate.input_size(width, height, long_side)
    with torch.no_grad():
        output = locator(torch.from_numpy(locate.tensor(locate.resized(image, *size))))
    return locate.distinct(locate.regions(output[0].numpy(), width, height, THRESHOLD), 0.5)


def is_stray(region: Region, scene: Scene) -> bool:
    """Whether a region lies on nothing that is labelled, or on a mere pip."""
    x, y = region.centre
    for label in scene.labels:
        x0, y0, x1, y1 = label.box
        if x0 <= x <= x1 and y0 <= y <= y1:
            return region.size < PIP * max(x1 - x0, y1 - y0)
        if locate.overlap(region, Region(x0, y0, x1 - x0, y1 - y0, 1.0)) > 0.05:
            return False
    return True


def strays(locator: nn.Module, scenes: Iterable[Scene]) -> list[tuple[Scene, list[Region]]]:
    """The stray regions, scene by scene."""
    out = []
    for scene in scenes:
        if scene.source in INCOMPLETE or not scene.has_boxes:
            continue
        image = scene.picture()
        regions = [r for look in LOOKS for r in found(locator, image, look) if is_stray(r, scene)]
        if regions:
            out.append((scene, regions))
    log.info("%d strays in %d scenes", sum(len(regions) for _, regions in out), len(out))
    return out
