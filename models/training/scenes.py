"""Labelled pictures for training: the real photos and the rendered scenes, brought to one form."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

VALUES = (1, 2, 3, 4, 5, 6)
COLOURS = ("black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown")
# What sources call a colour -> what we call it; a tinted clear body goes by its tint, a colourless one is white.
SYNONYMS = {
    "ivory": "white",
    "gold": "yellow",
    "silver": "grey",
    "wood": "brown",
    "clear": "white",
    "smoke": "grey",
    "amber": "orange",
}
UPRIGHT, READABLE, SEEN = 0.97, 0.62, 0.3  # cosine of the tilt; shares of a die that is in view
SAMPLES = Path(__file__).parents[2] / "samples"
CORRECTIONS = Path(__file__).with_name("corrections.json")  # labels of photos that were found wrong
SEE_THROUGH = {"clear", "frosted"}
COMPACT = {"domino", "button", "ladybird", "brick", "coin"}  # kinds of clutter that their outline fits
NO_DICE = {"clutter", "print"}  # kinds of labels that are no dice of any kind
PIPS_ONLY = "pips of the top face only"

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Label:
    """One thing in a picture. `box` is x0 y0 x1 y1 in pixels and may reach outside.

    kind: "die" (a pip die whose top face can be read), "unreadable" (one whose face cannot: leaning, hidden),
    "other" (no pips), "clutter" (a thing that is no die), "print" (a printed die, of which a crop shows what one of a
    die would) or "ignore" (too little of it in view to learn from).
    `quad` is the top face, 4 x 2; `pips` their centres on it, n x 2; `outline` that of the whole, n x 2; all in pixels
    of the picture. `in_view`: nothing hides it, and it does not show what is behind it.
    """

    box: Box
    kind: str
    value: int = 0
    body: str | None = None
    ink: str | None = None
    quad: NDArray[np.float32] | None = None
    pips: NDArray[np.float32] | None = None
    outline: NDArray[np.float32] | None = None
    in_view: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture with what it shows."""

    path: Path
    source: str
    labels: tuple[Label, ...]
    has_boxes: bool = True  # false: the boxes are not those of whole dice

    def picture(self) -> NDArray[np.uint8]:
        """H x W x 3, BGR. Raises FileNotFoundError."""
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(self.path)
        return np.asarray(image, np.uint8)


def shared_folder() -> Path:
    """The folder of shared photos and renders: $DICESCRIBE_SHARED, or `../shared` beside the repository."""
    return Path(os.environ.get("DICESCRIBE_SHARED", Path(__file__).parents[3] / "shared"))


def data_folder() -> Path:
    """Where rendered scenes and checkpoints are kept: $DICESCRIBE_DATA, or `~/dicescribe-data`."""
    return Path(os.environ.get("DICESCRIBE_DATA", Path.home() / "dicescribe-data"))


def colour(name: str | None) -> str | None:
    """The contract's name of a colour that a source calls `name`; None where it has none."""
    if name is None:
        return None
    name = name.removeprefix("clear-")
    name = SYNONYMS.get(name, name)
    return name if name in COLOURS else None


def records(index: Path) -> Iterator[dict[str, Any]]:
    """The lines of an index. Raises OSError."""
    with index.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _rendered(die: dict[str, Any], width: int, height: int) -> Label:
    quad = np.asarray(die["quad"], np.float32)
    box: Box = tuple(die["box"])
    inside = _share_inside(quad, width, height)
    if die["visible"] < SEEN:
        kind = "ignore"
    elif die["upright"] >= UPRIGHT and die["visible"] >= READABLE and inside > 0.97:
        kind = "die"
    elif die["upright"] < UPRIGHT or die["visible"] < 0.5 or inside < 0.85:
        kind = "unreadable"
    else:
        kind = "ignore"
    in_view = die["visible"] > 0.98 and die.get("material") not in SEE_THROUGH
    body, ink = colour(die["body"]), colour(die["ink"])
    return Label(box, kind, int(die["value"]), body, ink, quad, _points(die, "pips"), _points(die, "outline"), in_view)


def _points(thing: dict[str, Any], name: str) -> NDArray[np.float32] | None:
    """N x 2 of that name; None where the scene's renderer didn't tell."""
    points = thing.get(name)
    return np.asarray(points, np.float32) if points else None


def _thing(other: dict[str, Any]) -> Label:
    """A die without pips."""
    kind = "other" if other["visible"] >= 0.5 else "ignore"
    return Label(tuple(other["box"]), kind, outline=_points(other, "outline"), in_view=other["visible"] > 0.98)


def _clutter(thing: dict[str, Any]) -> Label | None:
    outline = _points(thing, "outline")
    if outline is None:
        return None
    (x0, y0), (x1, y1) = outline.min(0).tolist(), outline.max(0).tolist()
    kind = "print" if thing["kind"] == "tile" else "clutter"
    return Label((x0, y0, x1, y1), kind, outline=outline, in_view=thing["kind"] in COMPACT)


def _share_inside(quad: NDArray[np.float32], width: int, height: int) -> float:
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area, _ = cv2.intersectConvexConvex(cv2.convexHull(quad), frame)
    return float(area) / max(float(cv2.contourArea(quad)), 1e-6)


def rendered_scenes(folder: Path) -> list[Scene]:
    """The scenes of a folder of renders (its `index.jsonl`), those whose picture is there."""
    scenes = []
    for row in records(folder / "index.jsonl"):
        labels = [_rendered(die, row["w"], row["h"]) for die in row["dice"]]
        labels += [_thing(other) for other in row.get("other", [])]
        labels += [label for thing in row.get("clutter", []) if (label := _clutter(thing))]
        path = folder / row["file"]
        if path.exists():
            scenes.append(Scene(path, f"renders/{folder.name}", tuple(labels)))
    return scenes


def photo_scenes(split: str = "train") -> list[Scene]:
    """The real photos of a split of the shared collection, their labels as far as they were found right."""
    folder = shared_folder() / "photos"
    corrections = json.loads(CORRECTIONS.read_text(encoding="utf-8"))
    dropped = {row["file"] for row in corrections["photos"]}
    seen = {(row["file"], row["die"]): row["is"] for row in corrections["dice"]}
    scenes = []
    for row in records(folder / "index.jsonl"):
        name = Path(row["file"]).name
        if row["split"] == split and name not in dropped:
            labels = []
            for i, die in enumerate(row.get("dice", [])):
                value = seen.get((name, i), int(die["value"]))
                labels.append(Label(tuple(die["box"]), "die" if value else "ignore", value or 0))
            scenes.append(Scene(folder / row["file"], row["source"], tuple(labels), row.get("box_kind") != PIPS_ONLY))
    return scenes


def training_scenes(renders: Iterable[Path], held_back: float = 0.06) -> tuple[list[Scene], list[Scene]]:
    """(for training, held back): every 1/held_back-th render and the source without whole boxes are kept back.

    The held-back part serves for calibration: a source the networks never saw, and scenes they never saw.
    """
    kept: list[Scene] = []
    back: list[Scene] = []
    for scene in photo_scenes():
        (kept if scene.has_boxes else back).append(scene)
    step = round(1 / held_back)
    for folder in renders:
        for i, scene in enumerate(rendered_scenes(folder)):
            (back if i % step == step - 1 else kept).append(scene)
    return kept, back
