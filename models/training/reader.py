"""Training the reader: chips cut once from all scenes, turned and photographed anew for each step, and the loss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import Dataset

from models.training.augment import FACE_SIDE, Picture, large_pip, photographed, recoloured, repainted, sign
from models.training.cutouts import Outline, bare_table, covered, looks_square, pasted, shaded
from models.training.fit import Batch, sample_rng
from models.training.networks import CLASSES
from models.training.patterns import pattern
from models.training.scenes import COLOURS, Label, Scene
from vision.read import crop
from vision.types import Region

SIZE, CONTEXT = 64, 1.25  # the crop that the reader takes: pixels, and how much wider than the die
CHIP, CHIP_CONTEXT = 144, 2.3  # the same for the stored chips: room to turn and shift
FACE = 16  # cells of the face map
UNKNOWN = -1
# How often each class is drawn; the six values share the first.
SHARES = {"die": 0.66, "other": 0.15, "unreadable": 0.06, "none": 0.13}
PATTERNED = 0.06  # chance of a drawn pattern in place of a chip: none
HARD = 5  # how many times more a stray counts that the locator was sure of: a domino, a drawn die
REPAINTED = 0.14  # chance that a die whose top face is known gets a number, or a large one, in place of its pips
HIDDEN = 0.07  # chance that something lies over a die whose top face is known
LITTLE, MUCH = 0.06, 0.3  # share of the face that may be hidden from a readable die, and from which it is unreadable
MOVED = 0.4  # chance that a thing whose outline is known is laid on another table
RENDERED = 0.65  # share of rendered chips among those of dice


@dataclass(slots=True)
class Chips:
    """What was cut from the scenes, one row a chip.

    pictures: N x CHIP x CHIP x 3; kind, body, ink: indices of CLASSES and COLOURS, UNKNOWN where not known; quad: the
    top face, N x 4 x 2 in pixels of the chip (NaN where not known); pips: their centres, N x 6 x 2 (NaN where there is
    none or it is not known); outlines: of what can be laid on another table, None of the rest; pixels: the longer
    side of the die in the scene; rendered: whether it comes from a render.
    """

    pictures: NDArray[np.uint8]
    kind: NDArray[np.int64]
    body: NDArray[np.int64]
    ink: NDArray[np.int64]
    quad: NDArray[np.float32]
    pips: NDArray[np.float32]
    outlines: list[Outline | None]
    pixels: NDArray[np.float32]
    rendered: NDArray[np.bool_]


def clipped(label: Label, width: int, height: int) -> Region | None:
    """The part of a label's box that is in the picture, as the locator would give it."""
    x0, y0, x1, y1 = label.box
    x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1)
    if x1 - x0 < 6 or y1 - y0 < 6:
        return None
    return Region(x0, y0, x1 - x0, y1 - y0, 1.0)


def square(x: float, y: float, side: float) -> Region:
    """A square region around a centre."""
    return Region(x - side / 2, y - side / 2, side, side, 1.0)


def stray_regions(labels: Sequence[Region], width: int, height: int, rng: np.random.Generator) -> list[Region]:
    """Places that a locator might mistake for a die and that are none.

    Beside dice, whole groups of dice, and anywhere. Not single pips: they look too much like the one of a large die.
    """
    size = float(np.median([r.size for r in labels])) if labels else float(rng.uniform(20, 150))
    apart = []
    for i in rng.permutation(len(labels))[:2]:
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1.3) * labels[i].size
        x, y = labels[i].centre
        apart.append(square(x + away * np.cos(angle), y + away * np.sin(angle), labels[i].size * rng.uniform(0.5, 1.4)))
    for _ in range(3):
        apart.append(square(rng.uniform(0, width), rng.uniform(0, height), size * rng.uniform(0.6, 2)))

    def is_apart(place: Region) -> bool:
        x, y = place.centre
        near = (max(abs(x - r.centre[0]), abs(y - r.centre[1])) < 0.62 * max(r.size, 0.5 * place.size) for r in labels)
        return not any(near) and 0 < x < width and 0 < y < height

    out = [place for place in apart if is_apart(place)]
    if len(labels) > 1 and rng.random() < 0.5:
        first = labels[int(rng.integers(len(labels)))]
        group = sorted(labels, key=lambda r: abs(r.centre[0] - first.centre[0]) + abs(r.centre[1] - first.centre[1]))
        group = group[: int(rng.integers(2, 6))]
        x0, y0 = min(r.x for r in group), min(r.y for r in group)
        x1, y1 = max(r.x + r.w for r in group), max(r.y + r.h for r in group)
        side = max(x1 - x0, y1 - y0)
        if side > 1.6 * max(r.size for r in group):
            out.append(square((x0 + x1) / 2, (y0 + y1) / 2, side))
    return out


def cut(scenes: Iterable[Scene], seed: int, strays: Iterable[tuple[Scene, Sequence[Region]]] = ()) -> Chips:
    """The chips of all labels that a reader can learn from, and of places that are no dice.

    strays: regions, scene by scene, that a locator took for dice and that are none.
    """
    rng = np.random.default_rng(seed)
    rows: list[tuple[Any, ...]] = []
    unknown = np.full((4, 2), np.nan, np.float32)

    def add(image: NDArray[np.uint8], region: Region, kind: str, label: Label | None, rendered: bool) -> None:
        chip = crop(image, region, CHIP, CHIP_CONTEXT)
        scale = CHIP / (CHIP_CONTEXT * region.size)
        quad, body, ink = unknown, UNKNOWN, UNKNOWN
        pips = np.full((6, 2), np.nan, np.float32)
        outline = None

        def on_chip(points: NDArray[np.float32]) -> NDArray[np.float32]:
            return ((points - np.array(region.centre)) * scale + CHIP / 2).astype(np.float32)

        if label is not None and label.outline is not None and label.in_view:
            outline = on_chip(label.outline)
        if label is not None and kind in CLASSES[:6]:
            if label.quad is not None:
                quad = on_chip(label.quad)
            if label.pips is not None:
                pips[: len(label.pips)] = on_chip(label.pips)
            body = COLOURS.index(label.body) if label.body else UNKNOWN
            ink = COLOURS.index(label.ink) if label.ink else UNKNOWN
        rows.append((chip, kind, body, ink, quad, pips, outline, region.size, rendered))

    for scene in scenes:
        if not scene.has_boxes:
            continue
        image = scene.picture()
        height, width = image.shape[:2]
        rendered = scene.source.startswith("renders/")
        places = []
        for label in scene.labels:
            region = clipped(label, width, height)
            if region is None:
                continue
            places.append(region)
            if label.kind in ("ignore", "print"):
                continue
            if label.kind == "clutter":
                add(image, region, "none", label, rendered)
                continue
            add(image, region, str(label.value) if label.kind == "die" else label.kind, label, rendered)
        for region in stray_regions(places, width, height, rng):
            if rendered or rng.random() < 0.3:
                add(image, region, "none", None, rendered)
    for scene, regions in strays:
        image = scene.picture()
        for region in regions:
            for _ in range(HARD if region.score > 0.5 else 1):
                add(image, region, "none", None, scene.source.startswith("renders/"))
    columns = list(zip(*rows, strict=True))
    return Chips(
        np.stack(columns[0]),
        np.array([CLASSES.index(kind) for kind in columns[1]]),
        np.array(columns[2]),
        np.array(columns[3]),
        np.stack(columns[4]),
        np.stack(columns[5]),
        list(columns[6]),
        np.array(columns[7], np.float32),
        np.array(columns[8]),
    )


Sample = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32]]


class ReaderSamples(Dataset[Sample]):
    """`count` random crops (3 x SIZE x SIZE), their class, body and ink, and the maps of the top face and of its pips.

    The maps are 2 x FACE x FACE, NaN where not known.
    """

    def __init__(self, chips: Chips, count: int, seed: int, tables: Sequence[Picture] = ()) -> None:
        """tables: to lay the chips' things on; without, all stay where they were."""
        self.chips, self.count, self.seed = chips, count, seed
        self.tables = list(tables)
        names = np.array(["die" if k < 6 else CLASSES[k] for k in chips.kind])
        chance = np.zeros(len(names))
        for name, share in SHARES.items():
            kinds = [k for k in range(len(CLASSES)) if (k < 6 if name == "die" else CLASSES[k] == name)]
            for kind in kinds:
                own = chips.kind == kind
                for drawn, part in ((own & chips.rendered, RENDERED), (own & ~chips.rendered, 1 - RENDERED)):
                    both = (own & chips.rendered).any() and (own & ~chips.rendered).any()
                    if drawn.any():
                        chance[drawn] = share / len(kinds) * (part if both else 1) / drawn.sum()
        self.chance = np.cumsum(chance / chance.sum())

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Sample:
        rng = sample_rng(self.seed, index)
        i = min(int(np.searchsorted(self.chance, rng.random())), len(self.chance) - 1)
        chips = self.chips
        quad, pips = chips.quad[i], chips.pips[i]
        labels = np.array([chips.kind[i], chips.body[i], chips.ink[i]])
        from_above = bool(np.isfinite(quad).all()) and looks_square(quad)
        turn = rng.uniform(0, 360) if from_above or labels[0] >= 6 else rng.normal(0, 14)
        side = CHIP * CONTEXT / CHIP_CONTEXT * float(np.exp(rng.normal(0.02, 0.1)))
        shift = rng.normal(0, 0.045, 2) * side
        flip = -1.0 if rng.random() < 0.5 else 1.0
        zoom = SIZE / side * np.exp(rng.normal(0, 0.06, 2))
        angle = np.deg2rad(turn)
        rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        linear = np.diag(zoom) @ rotation @ np.diag([flip, 1.0])
        matrix = np.concatenate([linear, (SIZE / 2 - linear @ (CHIP / 2 + shift))[:, None]], 1)
        chip = chips.pictures[i]
        if self.tables and (outline := chips.outlines[i]) is not None and rng.random() < MOVED:
            chip = self.moved(chip, outline, rng)
        if rng.random() < PATTERNED:
            chip = self.bare(rng)
            quad, pips = np.full((4, 2), np.nan, np.float32), np.full((6, 2), np.nan, np.float32)
            labels[:] = CLASSES.index("none"), UNKNOWN, UNKNOWN
        if np.isfinite(quad).all() and rng.random() < REPAINTED:
            if rng.random() < 0.6:
                chip = repainted(chip, quad, sign(FACE_SIDE, rng))
                labels[:] = CLASSES.index("other"), UNKNOWN, UNKNOWN
            else:
                chip = repainted(chip, quad, large_pip(FACE_SIDE, rng))
                labels[0] = CLASSES.index("1")
            pips = np.full((6, 2), np.nan, np.float32)
        warped = cv2.warpAffine(chip, matrix, (SIZE, SIZE), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        image: Picture = np.asarray(warped, np.uint8)
        if labels[0] < 6 and np.isfinite(quad).all() and rng.random() < HIDDEN:
            image, share = under(image, quad @ linear.T + matrix[:, 2], rng)
            if share > MUCH:
                labels[:] = CLASSES.index("unreadable"), UNKNOWN, UNKNOWN
            elif share > LITTLE:  # it depends on which pips are hidden
                labels[:] = UNKNOWN
            pips = np.full((6, 2), np.nan, np.float32)
        pixels = SIZE / CONTEXT  # of the die in the crop; far dice have fewer to tell
        if rng.random() < 0.3 and chips.pixels[i] > 14:
            least = max(13.0, 0.2 * pixels)
            fewer = float(np.exp(rng.uniform(np.log(least), np.log(pixels)))) / pixels
            few = max(8, round(SIZE * fewer))
            small = cv2.resize(image, (few, few), interpolation=cv2.INTER_AREA)
            image = np.asarray(cv2.resize(small, (SIZE, SIZE)), np.uint8)
        if rng.random() < 0.2:
            image = recoloured(image, rng)
            labels[1:] = UNKNOWN
        image = photographed(image, rng, strength=0.9)
        maps = np.full((2, FACE, FACE), np.nan, np.float32)
        to_map = FACE / SIZE
        if np.isfinite(pips).any():
            maps[1] = density((pips[np.isfinite(pips[:, 0])] @ linear.T + matrix[:, 2]) * to_map)
        if np.isfinite(quad).all():
            corners = (quad @ linear.T + matrix[:, 2]) * to_map
            fine = np.zeros((4 * FACE, 4 * FACE), np.uint8)
            cv2.fillConvexPoly(fine, cv2.convexHull(np.round(corners * 4).astype(np.int32)), (1,))
            maps[0] = fine.reshape(FACE, 4, FACE, 4).mean((1, 3)).astype(np.float32)
        return np.ascontiguousarray(image.transpose(2, 0, 1)), labels, maps

    def bare(self, rng: np.random.Generator) -> Picture:
        """A piece of a table with nothing on it."""
        if not self.tables or rng.random() < 0.5:
            return pattern(CHIP, rng)
        return bare_table(self.tables, CHIP, CHIP / CHIP_CONTEXT, rng)

    def moved(self, chip: Picture, outline: Outline, rng: np.random.Generator) -> Picture:
        """The thing of a chip on another table."""
        size = CHIP / CHIP_CONTEXT
        table = bare_table(self.tables, CHIP, size, rng)
        mask = covered(outline, CHIP)
        shadow = np.round(rng.uniform(-0.4, 0.4, 2) * size).astype(np.int64)
        shaded(table, mask, shadow, rng.uniform(0.1, 0.65), size * rng.uniform(0.02, 0.2))
        pasted(table, chip, mask, np.zeros(2, np.int64))
        return table


def under(image: Picture, face: NDArray[np.float32], rng: np.random.Generator) -> tuple[Picture, float]:
    """The picture with a finger, or something like it, reaching in over a face (4 x 2, pixels); the share it hides.

    Drawn otherwise than `disturb.fingered`, so that this is not measured with what was learnt.
    """
    side = len(image)
    wide = side / CONTEXT * rng.uniform(0.25, 0.8)
    tip = face.mean(0) + rng.normal(0, 0.3, 2) * side / CONTEXT
    angle = rng.uniform(0, 2 * np.pi)
    far = tip + 2 * side * np.array([np.cos(angle), np.sin(angle)])
    over = np.zeros((side, side), np.uint8)
    ends = [tuple(map(int, np.round(end))) for end in (tip, far)]
    cv2.line(over, ends[0], ends[1], 255, max(2, round(wide)), cv2.LINE_AA)
    on_face = np.zeros_like(over)
    cv2.fillConvexPoly(on_face, cv2.convexHull(np.round(face).astype(np.int32)), (1,))
    skin = np.array([rng.uniform(60, 190), rng.uniform(80, 200), rng.uniform(120, 245)])
    colour = skin if rng.random() < 0.6 else rng.uniform(0, 255, 3)
    across = np.abs((np.mgrid[:side, :side][::-1].transpose(1, 2, 0) - tip) @ [-np.sin(angle), np.cos(angle)])
    shade = 1 - 0.5 * np.clip(2 * across / wide, 0, 1) ** 2  # darker towards its edges
    share = cv2.GaussianBlur(over, (0, 0), rng.uniform(0.5, 1.5))[..., None] / 255.0
    out = image * (1 - share) + np.clip(colour * shade[..., None], 0, 255) * share
    return out.astype(np.uint8), float((over > 127)[on_face > 0].mean()) if on_face.any() else 0.0


def density(centres: NDArray[np.float32]) -> NDArray[np.float32]:
    """FACE x FACE: a bump for each pip (n x 2, in cells), each with the sum 1."""
    y, x = np.mgrid[0.5:FACE:1, 0.5:FACE:1]
    total = np.zeros((FACE, FACE))
    for cx, cy in centres:
        bump = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * 0.7**2))
        total += bump / max(1e-6, float(bump.sum()))
    return total.astype(np.float32)


def reader_loss(network: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Cross-entropy of class and colours (where known), and of the top face's map; squared error of the pips' density.

    The number of pips is known wherever the class is: the value of a die, none of what is no pip die.
    """
    image, labels, maps = batch
    face, pips = maps[:, 0], maps[:, 1]
    image = image.float().contiguous(memory_format=torch.channels_last)
    out, face_logits, density_map = network.maps(image)  # type: ignore[operator]
    kinds, bodies, inks, counted = out.split([len(CLASSES), len(COLOURS), len(COLOURS), 1], 1)
    entropy = nn.functional.cross_entropy
    kind = entropy(kinds, labels[:, 0], label_smoothing=0.01, ignore_index=UNKNOWN)
    parts = [
        entropy(logits, labels[:, i], ignore_index=UNKNOWN, reduction="sum") / (labels[:, i] >= 0).sum().clamp(min=1)
        for i, logits in ((1, bodies), (2, inks))
    ]
    known = torch.isfinite(face)
    wanted = torch.where(known, face, torch.zeros_like(face))
    seen = nn.functional.binary_cross_entropy_with_logits(face_logits[:, 0], wanted, reduction="none")
    mask = (seen * known).sum() / known.sum().clamp(min=1)
    marked = torch.isfinite(pips)
    off = (density_map[:, 0] - torch.where(marked, pips, torch.zeros_like(pips))) ** 2
    spots = (off * marked).sum() / marked[:, 0, 0].sum().clamp(min=1)
    number = torch.where(labels[:, 0] < 6, labels[:, 0] + 1, torch.zeros_like(labels[:, 0])).float()
    clear = (labels[:, 0] != CLASSES.index("unreadable")) & (labels[:, 0] != UNKNOWN)
    miscounted = nn.functional.smooth_l1_loss(counted[:, 0], number, beta=0.3, reduction="none")
    count = (miscounted * clear).sum() / clear.sum().clamp(min=1)
    right = float((kinds.argmax(1) == labels[:, 0]).float().mean())
    loss = kind + 0.25 * (parts[0] + parts[1]) + 0.4 * mask + 0.3 * spots + 0.3 * count
    return loss, {
        "kind": kind.item(),
        "right": right,
        "body": parts[0].item(),
        "ink": parts[1].item(),
        "face": mask.item(),
        "pips": spots.item(),
        "count": count.item(),
    }
