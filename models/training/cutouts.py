"""Dice cut out of rendered scenes and laid on other tables: many tables for each die that was ever rendered.

Copy and paste as in Ghiasi et al. 2021 ("Simple Copy-Paste is a Strong Data Augmentation Method"), with the outlines
that the renderer knows. See-through dice are left out: the old table would show in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.augment import Picture, Random
from models.training.patterns import pattern
from models.training.render import table
from models.training.scenes import Label, Scene

Outline = NDArray[np.float32]
Box = NDArray[np.float64]
ROOM = 1.3  # how much wider than the thing its picture is
LARGEST = 150  # pixels of a stored cutout's longer side
TEXTURE = 640  # pixels of a table's side
# Patterned tables are what the locator needs most.
KINDS = {**table.TABLES, "basket": 0.25, "tartan": 0.14, "page": 0.14, "keys": 0.06, "spots": 0.08, "polka": 0.04}
SHARES = {"die": 0.6, "other": 0.26, "clutter": 0.14}


@dataclass(frozen=True, slots=True)
class Cutout:
    """A thing's picture with room about it, its outline there, and whether any turn of it is a picture, too."""

    kind: str
    picture: Picture
    outline: Outline
    from_above: bool

    @property
    def size(self) -> float:
        """The longer side of its box, in its own pixels."""
        return float(np.ptp(self.outline, axis=0).max())


def looks_square(quad: NDArray[np.float32] | None) -> bool:
    """Whether a top face is seen from nearly straight above."""
    if quad is None or not np.isfinite(quad).all():
        return False
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    across = np.linalg.norm(quad[2:] - quad[:2], axis=1)
    return bool(sides.min() > 0.9 * sides.max() and across.min() > 0.9 * across.max())


def cutouts(scenes: Iterable[Scene]) -> list[Cutout]:
    """All things of the scenes that are wholly in view and whose outline is known."""
    found = []
    for scene in scenes:
        labels = [label for label in scene.labels if _whole(label)]
        if not labels:
            continue
        image = scene.picture()
        above = any(looks_square(label.quad) for label in labels)
        found += [cutout for label in labels if (cutout := _cut(image, label, above)) is not None]
    return found


def _whole(label: Label) -> bool:
    return label.outline is not None and label.in_view and label.kind in SHARES


def _cut(image: Picture, label: Label, above: bool) -> Cutout | None:
    assert label.outline is not None
    (x0, y0), (x1, y1) = label.outline.min(0), label.outline.max(0)
    height, width = image.shape[:2]
    size = max(x1 - x0, y1 - y0)
    if x0 < 0 or y0 < 0 or x1 > width or y1 > height or not 18 <= size <= 0.6 * width:
        return None
    scale = min(1.0, LARGEST / size)
    side = round(ROOM * size * scale)
    corner = np.array([(x0 + x1) / 2, (y0 + y1) / 2]) - ROOM * size / 2
    matrix = np.concatenate([np.eye(2) * scale, (-corner * scale)[:, None]], 1)
    picture = cv2.warpAffine(image, matrix, (side, side), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    around = ((label.outline - corner) * scale).astype(np.float32)
    return Cutout(label.kind, np.asarray(picture, np.uint8), around, above)


def textures(count: int, seed: int) -> list[Picture]:
    """Tables to lay things on, TEXTURE x TEXTURE x 3."""
    rng = np.random.default_rng(seed)
    names, weights = list(KINDS), np.array(list(KINDS.values()))
    made = []
    for _ in range(count):
        if rng.random() < 0.15:
            made.append(pattern(TEXTURE, rng))
            continue
        painted = table.paint(rng, str(rng.choice(names, p=weights / weights.sum())))
        small = cv2.resize(painted, (TEXTURE, TEXTURE), interpolation=cv2.INTER_AREA)
        made.append(np.asarray(small[..., ::-1] * 255, np.uint8))
    return made


def laid(texture: Picture, side: int, die: float, rng: Random) -> Picture:
    """Side x side pixels of a table, turned and tilted, on which a die would be about `die` pixels large."""
    across = float(np.exp(rng.uniform(np.log(7), np.log(50)))) * die  # pixels of the whole texture
    scale, angle = across / len(texture), rng.uniform(0, 2 * np.pi)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = np.eye(3)
    matrix[:2, :2], matrix[:2, 2] = turn, rng.uniform(0, side, 2)
    if rng.random() < 0.6:  # seen from the side: farther is smaller
        matrix = np.array([[1, 0, 0], [0, rng.uniform(0.5, 1), 0], [0, rng.uniform(-0.4, 0.4) / side, 1]]) @ matrix
    small = texture
    while scale < 0.6:
        small, scale = np.asarray(cv2.pyrDown(small), np.uint8), scale * 2
        matrix = matrix @ np.diag([2.0, 2.0, 1.0])
    out = cv2.warpPerspective(small, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return np.asarray(np.clip(out * rng.uniform(0.45, 1.1), 0, 255), np.uint8)


def bare_table(tables: Sequence[Picture], side: int, die: float, rng: Random) -> Picture:
    """A piece of one of the tables, see `laid`."""
    return laid(tables[int(rng.integers(len(tables)))], side, die, rng)


def placed(
    cutout: Cutout, die: float, rng: Random, turned: float | None = None
) -> tuple[Picture, NDArray[np.float32], Outline]:
    """The cutout at this size, turned: its picture, its mask (0 to 1), and its outline in them."""
    scale = die / cutout.size
    image = cutout.picture
    factor = 1.0
    while scale * factor < 0.6:
        image, factor = np.asarray(cv2.pyrDown(image), np.uint8), factor * 2
    if turned is None:
        turned = rng.uniform(0, 360) if cutout.from_above else rng.normal(0, 14)
    angle = np.deg2rad(turned)
    side = round(ROOM * die * (abs(np.cos(angle)) + abs(np.sin(angle)))) + 2
    flip = np.diag([-1.0 if rng.random() < 0.5 else 1.0, 1.0])
    linear = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ flip
    middle = (cutout.outline.min(0) + cutout.outline.max(0)) / 2
    shift = side / 2 - linear @ middle
    matrix = np.concatenate([linear * factor, shift[:, None]], 1)
    picture = cv2.warpAffine(image, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    outline = (cutout.outline @ linear.T + shift).astype(np.float32)
    return np.asarray(picture, np.uint8), covered(outline, side), outline


def covered(outline: Outline, side: int, shrink: float = 0.5) -> NDArray[np.float32]:
    """How much of each pixel of a side x side picture lies within the outline, its border drawn in by `shrink`."""
    mask = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(mask, np.round(cv2.convexHull(outline) * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.7).astype(np.float32) / 255
    return np.asarray(np.clip((soft - shrink) * 2 + 0.5, 0, 1), np.float32)


class Composer:
    """Makes pictures of things on tables they never lay on."""

    def __init__(self, things: Sequence[Cutout], tables: Sequence[Picture]) -> None:
        self.tables = list(tables)
        self.things = {kind: [t for t in things if t.kind == kind] for kind in SHARES}
        self.kinds = [kind for kind in SHARES if self.things[kind]]
        shares = np.array([SHARES[kind] for kind in self.kinds])
        self.chance = shares / max(1e-9, shares.sum())

    def scene(self, side: int, die: float, rng: Random) -> tuple[Picture, list[tuple[Box, str]]]:
        """A side x side picture of things of about `die` pixels, and their boxes with their kinds."""
        image = bare_table(self.tables, side, die, rng)
        labels: list[tuple[Box, str]] = []
        room = (side / die) ** 2
        count = int(rng.integers(0, max(2, min(14, 1 + round(0.3 * room)))))
        light, dark = rng.uniform(-0.5, 0.5, 2) * die, rng.uniform(0.1, 0.65)
        soft = max(0.6, die * rng.uniform(0.02, 0.2))
        for _ in range(count if self.kinds else 0):
            kind = str(rng.choice(self.kinds, p=self.chance))
            things = self.things[kind]
            size = die * float(np.exp(rng.normal(0, 0.12))) * (rng.uniform(0.8, 2.2) if kind == "clutter" else 1.0)
            picture, mask, outline = placed(things[int(rng.integers(len(things)))], size, rng)
            for _ in range(12):
                corner = np.round(rng.uniform(-0.3 * size, side - 0.7 * size, 2)).astype(int)
                x0, y0 = outline.min(0) + corner
                x1, y1 = outline.max(0) + corner
                box = np.array([x0, y0, x1, y1], float)
                if all(_apart(box, other) for other, _ in labels):
                    shaded(image, mask, corner + light.astype(int), dark, soft)
                    pasted(image, picture, mask, corner)
                    labels.append((box, kind))
                    break
        return image, [_clipped(box, kind, side) for box, kind in labels if kind != "clutter"]


def _apart(one: Box, other: Box) -> bool:
    """Whether two boxes hardly overlap: things that touch may share a little."""
    w = min(one[2], other[2]) - max(one[0], other[0])
    h = min(one[3], other[3]) - max(one[1], other[1])
    return w <= 0 or h <= 0 or w * h < 0.06 * min(_area(one), _area(other))


def _area(box: Box) -> float:
    return float((box[2] - box[0]) * (box[3] - box[1]))


def _clipped(box: Box, kind: str, side: int) -> tuple[Box, str]:
    inside = np.clip(box, 0, side)
    return inside, "ignore" if _area(inside) < 0.4 * _area(box) else kind


def _windows(image: Picture, side: int, corner: NDArray[np.int64]) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Where a side x side patch at this corner lies in the image, and which part of the patch that is."""
    height, width = image.shape[:2]
    x, y = int(corner[0]), int(corner[1])
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + side, width), min(y + side, height)
    x1, y1 = max(x0, x1), max(y0, y1)
    return (slice(y0, y1), slice(x0, x1)), (slice(y0 - y, y1 - y), slice(x0 - x, x1 - x))


def pasted(image: Picture, picture: Picture, mask: NDArray[np.float32], corner: NDArray[np.int64]) -> None:
    """Lay a picture on the image where its mask says, in place."""
    there, part = _windows(image, len(picture), corner)
    share = mask[part][..., None]
    image[there] = (image[there] * (1 - share) + picture[part] * share).astype(np.uint8)


def shaded(image: Picture, mask: NDArray[np.float32], corner: NDArray[np.int64], dark: float, soft: float) -> None:
    """A shadow of this form, in place."""
    there, part = _windows(image, len(mask), corner)
    if 0 in image[there].shape:
        return
    shadow = cv2.GaussianBlur(mask, (0, 0), soft)[part][..., None]
    image[there] = (image[there] * (1 - dark * shadow)).astype(np.uint8)
