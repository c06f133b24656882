"""Training the locator: crops of scenes at many scales, the maps it should give for them, and the loss."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import Dataset

from models.training.augment import FACE_SIDE, Picture, large_pip, photographed, recoloured, repainted
from models.training.cutouts import Composer, cutouts
from models.training.fit import Batch, sample_rng
from models.training.networks import STRIDE
from models.training.scenes import NO_DICE, Label, Scene

Box = NDArray[np.float64]  # x0 y0 x1 y1, pixels
SIDE = 256  # pixels of a training picture; the network is convolutional and takes any size
REPAINTED = 0.3  # share of scenes in which some dice get one large pip
COMPOSED = 0.3  # share of pictures laid out anew
SMALLEST = 5.0  # a die under this many pixels is nobody's fault


class LocatorSamples(Dataset[tuple[NDArray[np.uint8], NDArray[np.float32]]]):
    """`count` random pictures of SIDE x SIDE with their maps (6 x cells x cells, see `maps`)."""

    def __init__(self, scenes: Sequence[Scene], count: int, seed: int, tables: Sequence[Picture] = ()) -> None:
        """tables: to lay the scenes' things on; without, no picture is laid out anew."""
        self.scenes = list(scenes)
        self.composer = Composer(cutouts(scenes), tables) if tables else None
        self.count, self.seed = count, seed
        photos = np.array([not scene.source.startswith("renders/") for scene in self.scenes])
        share = 0.3 if photos.any() and not photos.all() else float(photos.all())
        self.chance = np.where(photos, share / max(1, photos.sum()), (1 - share) / max(1, (~photos).sum()))

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        rng = sample_rng(self.seed, index)
        die = float(np.exp(rng.uniform(np.log(9), np.log(60)))) if rng.random() < 0.75 else rng.uniform(45, 170)
        if self.composer and rng.random() < COMPOSED:
            image, labels = self.composer.scene(SIDE, die, rng)
        elif die < 18 and rng.random() < 0.6:
            image, labels = self.mosaic(rng, die)
        else:
            image, labels = self.part(rng, die, SIDE)
        if rng.random() < 0.2:
            image = recoloured(image, rng)
        image = photographed(image, rng, strength=float(np.clip(die / 30, 0.5, 1.6)))
        return np.ascontiguousarray(image.transpose(2, 0, 1)), maps(labels, SIDE)

    def mosaic(self, rng: np.random.Generator, die: float) -> tuple[NDArray[np.uint8], list[tuple[Box, str]]]:
        """Four small scenes side by side: many tables in one picture."""
        half = SIDE // 2
        image = np.zeros((SIDE, SIDE, 3), np.uint8)
        labels: list[tuple[Box, str]] = []
        for x, y in ((0, 0), (half, 0), (0, half), (half, half)):
            image[y : y + half, x : x + half], found = self.part(rng, die, half)
            labels += [(box + np.array([x, y, x, y]), kind) for box, kind in found]
        return image, labels

    def part(self, rng: np.random.Generator, die: float, side: int) -> tuple[NDArray[np.uint8], list[tuple[Box, str]]]:
        """A side x side piece of a random scene in which its dice are about `die` pixels large."""
        scene = self.scenes[int(rng.choice(len(self.scenes), p=self.chance))]
        image = scene.picture()
        shown = [label for label in scene.labels if label.kind not in NO_DICE]
        if rng.random() < REPAINTED:
            image = with_large_ones(image, shown, rng)
        boxes = np.array([label.box for label in shown], float).reshape(-1, 4)
        kinds = [label.kind for label in shown]
        if rng.random() < 0.15:
            image, boxes = turned(image, boxes, int(rng.integers(4)))
        height, width = image.shape[:2]
        sizes = (boxes[:, 2:] - boxes[:, :2]).max(1) if len(boxes) else np.array([width / 12])
        least = side / min(height, width)  # the piece must fill its frame
        scale = float(np.clip(die / np.median(sizes), least, max(least, 3.0)))
        stretch = float(np.exp(rng.normal(0, 0.08)))
        sx, sy = max(least, scale * stretch), max(least, scale / stretch)
        if len(boxes) and rng.random() < 0.8:
            centre = boxes[rng.integers(len(boxes))].reshape(2, 2).mean(0) * [sx, sy]
            corner = centre - rng.uniform(0.1, 0.9, 2) * side
        else:
            corner = rng.uniform(0, 1, 2) * [width * sx - side, height * sy - side]
        corner = np.clip(corner, 0, np.maximum([width * sx - side, height * sy - side], 0))
        flip = rng.random() < 0.5
        x0, y0 = corner / [sx, sy]
        x1, y1 = (corner + side) / [sx, sy]
        piece = image[int(y0) : max(int(y1), int(y0) + 1), int(x0) : max(int(x1), int(x0) + 1)]
        way = cv2.INTER_AREA if sx * sy < 1 else cv2.INTER_LINEAR
        out = np.asarray(cv2.resize(piece, (side, side), interpolation=way), np.uint8)
        boxes = (boxes - [int(x0), int(y0)] * 2) * (side / np.array(piece.shape[1::-1] * 2))
        if flip:
            out = np.ascontiguousarray(out[:, ::-1])
            boxes = np.stack([side - boxes[:, 2], boxes[:, 1], side - boxes[:, 0], boxes[:, 3]], 1)
        labels = []
        for box, kind in zip(boxes, kinds, strict=True):
            inside = np.clip(box, 0, side)
            w, h = inside[2:] - inside[:2]
            if w > 0 and h > 0:
                share = w * h / max(1e-6, float(np.prod(box[2:] - box[:2])))
                labels.append((inside, "ignore" if share < 0.4 or max(w, h) < SMALLEST else kind))
        return out, labels


def turned(image: Picture, boxes: Box, turns: int) -> tuple[Picture, Box]:
    """The picture turned left by so many right angles, and with it boxes on it (n x 4)."""
    for _ in range(turns):
        width = image.shape[1]
        image = np.rot90(image)
        boxes = boxes[:, [1, 2, 3, 0]] * [1, -1, 1, -1] + np.array([0, 1, 0, 1]) * width
    return np.ascontiguousarray(image), boxes


def with_large_ones(image: Picture, labels: Sequence[Label], rng: np.random.Generator) -> Picture:
    """The scene with one large pip, as many dice have for a one, on up to two of its upper faces."""
    faces = [label.quad for label in labels if label.kind == "die" and label.quad is not None]
    for i in rng.permutation(len(faces))[:2]:
        image = repainted(image, faces[i], large_pip(FACE_SIDE, rng))
    return image


def maps(labels: Sequence[tuple[Box, str]], side: int) -> NDArray[np.float32]:
    """What the network should give for a picture with these labels, and how much of it is known.

    6 x cells x cells: how near a centre is (1 at it), the four box numbers of `networks.Locator`, and the weight of
    the centre map (0 where it is not known what is there).
    """
    cells = side // STRIDE
    out = np.zeros((6, cells, cells), np.float32)
    out[5] = 1
    y, x = np.mgrid[0.5:cells:1, 0.5:cells:1].astype(np.float32)
    for box, kind in labels:
        bx, by = (box[0] + box[2]) / 2 / STRIDE, (box[1] + box[3]) / 2 / STRIDE
        w, h = (box[2] - box[0]) / STRIDE, (box[3] - box[1]) / STRIDE
        spread_x, spread_y = max(0.55, 0.11 * w), max(0.55, 0.11 * h)
        near = np.exp(-(((x - bx) / spread_x) ** 2 + ((y - by) / spread_y) ** 2) / 2)
        if kind == "ignore":
            out[5] = np.minimum(out[5], (np.abs(x - bx) > w / 2 + 0.5) | (np.abs(y - by) > h / 2 + 0.5))
            continue
        near[min(cells - 1, int(by)), min(cells - 1, int(bx))] = 1
        wins = near > out[0]
        out[0][wins] = near[wins]
        own = wins & (near > 0.3)
        for channel, value in enumerate((bx - x, by - y, np.log(w), np.log(h)), 1):
            out[channel][own] = np.broadcast_to(value, own.shape)[own]
    out[5][out[0] == 1] = 1
    return out


def locator_loss(network: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Penalty-reduced focal loss on the centres (Law & Deng 2018, CornerNet, eq. 1), smooth L1 on boxes near them."""
    image, wanted = batch
    image = image.float().contiguous(memory_format=torch.channels_last)
    out = network(image)
    near, known = wanted[:, 0], wanted[:, 5]
    logit = out[:, 0]
    chance = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    centre = (near == 1).float()
    hit = -torch.log(chance) * (1 - chance) ** 2 * centre
    miss = -torch.log(1 - chance) * chance**2 * (1 - near) ** 4 * (1 - centre) * known
    count = centre.sum().clamp(min=8)
    found = (hit.sum() + miss.sum()) / count
    weight = (near * (near > 0.3))[:, None]
    error = nn.functional.smooth_l1_loss(out[:, 1:], wanted[:, 1:5], beta=0.2, reduction="none")
    box = (error * weight).sum() / weight.sum().clamp(min=8)
    return found + box, {"centre": found.item(), "box": box.item()}
