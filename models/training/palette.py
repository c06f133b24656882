"""Fits the palette of colours (`vision/palette.json`) on rendered dice, and tables how well it names those held back.

    python -m models.training.palette

The measured colours come from the same functions as in reading. The masks are those of the labels, made as coarse and
as wrong as a network's are; every scene is seen as it is and twice as a phone under some lamp would show it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

import vision
from models.training.augment import photographed
from models.training.reader import CONTEXT, FACE, SIZE, clipped, density
from models.training.scenes import COLOURS, Label, Scene, data_folder, training_scenes
from vision import colours
from vision.evaluate import CLOSE
from vision.read import crop
from vision.types import Region

log = logging.getLogger("palette")
VIEWS = 3  # of each scene: as it is, and photographed
STRENGTH = 0.9  # of what a phone does, as in training the reader
SHIFT = 0.03  # of the die: how far off a locator puts its region
SEED = 5
STEPS, DECAY = 120, 2e-4  # of L-BFGS; how strongly the palette is held near plain distances

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Samples:
    """Dice, one a row: linear B, G, R of body, ink and light, n x 3 each; their names as indices of COLOURS."""

    body: Array
    ink: Array
    light: Array
    named_body: NDArray[np.int64]
    named_ink: NDArray[np.int64]


def samples(scenes: Iterable[Scene], seed: int = SEED) -> Samples:
    """Every readable die of rendered scenes whose colours, top face and pips are known."""
    rows: list[tuple[Any, ...]] = []
    for number, scene in enumerate(scenes):
        dice = [d for d in scene.labels if d.kind == "die" and d.body and d.ink and d.pips is not None]
        if not dice:
            continue
        plain = scene.picture()
        for view in range(VIEWS):
            rng = np.random.default_rng((seed, number, view))
            image = photographed(plain, rng, STRENGTH) if view else plain
            white = colours.light(image)
            for label in dice:
                region = clipped(label, image.shape[1], image.shape[0])
                if region is None or label.body is None or label.ink is None:
                    continue
                region = moved(region, rng)
                face, pips = masks(label, region, rng)
                body, ink = colours.measured(crop(image, region, SIZE, CONTEXT), face, pips)
                rows.append((body, ink, white, COLOURS.index(label.body), COLOURS.index(label.ink)))
    columns = list(zip(*rows, strict=True))
    return Samples(*map(np.stack, columns[:3]), *map(np.array, columns[3:]))


def moved(region: Region, rng: np.random.Generator) -> Region:
    """A region as a locator would give it: a little beside, a little too large or too small."""
    x, y = np.array(region.centre) + rng.normal(0, SHIFT, 2) * region.size
    w, h = np.array((region.w, region.h)) * np.exp(rng.normal(0, SHIFT))
    return Region(float(x - w / 2), float(y - h / 2), float(w), float(h), 1.0)


def masks(label: Label, region: Region, rng: np.random.Generator) -> tuple[colours.Floats, colours.Floats]:
    """The top face and the density of pips, FACE x FACE each, as a network would give them: shifted, soft, noisy."""
    if label.quad is None or label.pips is None:
        raise ValueError("the label has no face or no pips")
    to_cells = FACE / (CONTEXT * region.size)
    off = rng.normal(0, 0.25, 2)
    place = [(points - np.array(region.centre)) * to_cells + FACE / 2 + off for points in (label.quad, label.pips)]
    fine = np.zeros((4 * FACE, 4 * FACE), np.uint8)
    cv2.fillConvexPoly(fine, cv2.convexHull(np.round(place[0] * 4).astype(np.int32)), (1,))
    face = cv2.GaussianBlur(fine.reshape(FACE, 4, FACE, 4).mean((1, 3)), (0, 0), float(rng.uniform(0.3, 0.9)))
    spots = cv2.GaussianBlur(density(place[1].astype(np.float32)), (0, 0), float(rng.uniform(0.2, 0.8)))
    noisy_face = face + rng.normal(0, 0.05, face.shape)
    noisy_spots = spots + rng.normal(0, 0.02, spots.shape)
    return np.clip(noisy_face, 0, 1).astype(np.float32), np.clip(noisy_spots, 0, None).astype(np.float32)


def fit(features: Array, labels: NDArray[np.int64]) -> colours.Palette:
    """The palette that makes the labels likeliest: features N x n, labels N, indices of COLOURS.

    Anchors begin at the mean of each name; all is fitted at once by L-BFGS. Raises ValueError when a name has no die.
    """
    counts = np.bincount(labels, minlength=len(COLOURS))
    if not counts.all():
        raise ValueError(f"no die of {', '.join(COLOURS[i] for i in np.flatnonzero(counts == 0))}")
    usual, deviation = features.mean(0), features.std(0) + 1e-9
    held = np.clip((features - usual) / deviation, -colours.FARTHEST, colours.FARTHEST)
    x, wanted = torch.tensor(held), torch.tensor(labels)
    means = np.stack([held[labels == i].mean(0) for i in range(len(COLOURS))])
    parts = [torch.tensor(part) for part in (means, np.eye(features.shape[1]), np.zeros(len(COLOURS)))]
    parts.append(torch.tensor(np.log(counts / counts.sum())))
    anchors, metric, narrow, prior = (part.requires_grad_() for part in parts)
    optimiser = torch.optim.LBFGS(
        [anchors, metric, narrow, prior], max_iter=STEPS, history_size=20, line_search_fn="strong_wolfe"
    )

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        ours, theirs = x @ metric, anchors @ metric
        apart = (ours**2).sum(1)[:, None] - 2 * ours @ theirs.T + (theirs**2).sum(1)
        value = torch.nn.functional.cross_entropy(prior - 0.5 * apart * torch.exp(narrow), wanted)
        value = value + DECAY * ((metric**2).sum() + 0.1 * (anchors**2).sum() + (narrow**2).sum())
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    found = [part.detach().numpy() for part in (anchors, metric, narrow, prior)]
    return colours.Palette(usual, deviation, found[0], found[1], np.exp(-found[2] / 2), found[3])


def close() -> NDArray[np.bool_]:
    """11 x 11: whether a colour (row) may be called by a name (column)."""
    return np.array([[name == other or other in CLOSE[name] for other in COLOURS] for name in COLOURS])


def table(part: str, logits: Array, labels: NDArray[np.int64]) -> list[str]:
    """Lines: the share right and close over all, then for each name, with what it is most often taken for."""
    best = logits.argmax(1)
    good = close()[labels, best]
    lines = [f"{part}: {len(labels)} dice, right {np.mean(best == labels):.4f}, right or close {good.mean():.4f}"]
    for i, name in enumerate(COLOURS):
        own = best[labels == i]
        if len(own):
            taken = np.bincount(own[own != i], minlength=len(COLOURS))
            wrong = f", most often taken for {COLOURS[int(taken.argmax())]}" if taken.any() else ""
            lines.append(f"  {name:7} {len(own):5}  right {np.mean(own == i):.3f}{wrong}")
    return lines


def told_apart(logits: Array, labels: NDArray[np.int64], one: str, other: str) -> str:
    """A line: how often the right one of two names has the larger logit, over the dice that are either."""
    pair = [COLOURS.index(one), COLOURS.index(other)]
    either = np.isin(labels, pair)
    first = logits[either][:, pair[0]] > logits[either][:, pair[1]]
    right = first == (labels[either] == pair[0])
    return f"{one} against {other}: {np.mean(right):.4f} of {len(right)}"


def rounded(palette: colours.Palette) -> dict[str, Any]:
    """As plain lists of four places."""
    names = ("usual", "deviation", "anchors", "metric", "spread", "prior")
    return {name: np.round(getattr(palette, name), 4).tolist() for name in names}


def written(names: Sequence[str], body: colours.Palette, ink: colours.Palette) -> str:
    """The text of `palette.json`, a row of numbers a line."""
    text = json.dumps({"names": list(names), "body": rounded(body), "ink": rounded(ink)})
    for mark in ("]], ", "], ", '": {'):
        text = text.replace(mark, mark.rstrip() + "\n")
    return text + "\n"


def main() -> None:
    """Fit, write, and table the dice held back."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    kept, back = training_scenes([data_folder() / "renders"])
    known = samples(kept)
    of_body, of_ink = colours.features(known.body, known.ink, known.light)
    body, ink = fit(of_body, known.named_body), fit(of_ink, known.named_ink)
    path = Path(vision.__file__).parent / "palette.json"
    path.write_text(written(COLOURS, body, ink), encoding="utf-8")
    log.info("%d dice of %d scenes", len(known.named_body), len(kept))
    unseen = samples(back)
    of_body, of_ink = colours.features(unseen.body, unseen.ink, unseen.light)
    inks = ink.logits(of_ink)
    lines = table("body", body.logits(of_body), unseen.named_body) + table("ink", inks, unseen.named_ink)
    log.info("\n".join(lines))
    log.info(told_apart(inks, unseen.named_ink, "red", "black"))
    white = unseen.named_body == COLOURS.index("white")
    log.info("on white bodies, %s", told_apart(inks[white], unseen.named_ink[white], "red", "black"))


if __name__ == "__main__":
    main()
