"""A film of a turn, made from a picture of the samples: its dice are lifted off the table and put down elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.types import Frame

SAMPLES = Path(__file__).parents[2] / "samples"
RATE = 30  # pictures a second: what Chromium plays such a file at
NOISE = 2.0


@dataclass(frozen=True)
class Lying:
    """A die of the picture, by its number from the left, and where on the table it lies now (x, y of its corner)."""

    die: int
    x: int
    y: int


class Film:
    """Pictures of a table, one after another, into a file that Chromium takes for a camera."""

    def __init__(self, sample: str = "felt-tray.jpg", width: int = 640) -> None:
        picture = cv2.imread(str(SAMPLES / sample))
        assert picture is not None
        scale = width / picture.shape[1]
        self._picture = np.asarray(
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        truth = json.loads((SAMPLES / "labels.json").read_text("utf-8"))[sample]["dice"]
        self._boxes = [[round(edge * scale) for edge in die["box"]] for die in sorted(truth, key=lambda d: d["box"][0])]
        self.values = [die["value"] for die in sorted(truth, key=lambda d: d["box"][0])]
        mask = np.zeros(self._picture.shape[:2], np.uint8)
        for x, y, w, h in self._boxes:
            grow = round(0.25 * w)
            cv2.rectangle(mask, (x - grow, y - grow), (x + w + grow, y + h + grow), 255, -1)
        self._empty = np.asarray(cv2.inpaint(self._picture, mask, 5, cv2.INPAINT_TELEA), np.uint8)
        self._noise = np.random.default_rng(1)
        self.pictures: list[Frame] = []

    @property
    def places(self) -> list[Lying]:
        """The dice as they lie in the picture."""
        return [Lying(n, x, y) for n, (x, y, _, _) in enumerate(self._boxes)]

    def rest(self, dice: Sequence[Lying], seconds: float) -> None:
        """Nothing moves."""
        table = self._table(dice)
        for _ in range(round(seconds * RATE)):
            self._take(table)

    def hand(self, before: Sequence[Lying], after: Sequence[Lying], seconds: float = 1.0) -> None:
        """A hand comes in from below, and when it goes the dice lie otherwise."""
        for share in self._shares(seconds):
            table = self._table(before if share < 0.5 else after)
            height, width = table.shape[:2]
            reach = round(height * (1.15 - 0.9 * np.sin(np.pi * share)))
            cv2.ellipse(table, (width // 2, reach + 90), (round(0.2 * width), 130), 0, 0, 360, (120, 150, 205), -1)
            self._take(table)

    def throw(self, lying: Sequence[Lying], thrown: Sequence[Lying], seconds: float = 0.8) -> None:
        """Dice come in from the left and come to rest where they lie then."""
        for share in self._shares(seconds):
            left = (1 - share) ** 2
            moving = [Lying(one.die, round(one.x - 400 * left), round(one.y + 60 * left)) for one in thrown]
            self._take(cv2.blur(self._table([*lying, *moving]), (1 + round(14 * left), 1)))  # type: ignore[arg-type]

    def turn(self) -> list[tuple[list[int], list[int]]]:
        """A turn of three rolls; of each the dice and those of them that were kept, sorted."""
        first = self.places
        self.rest([], 1.0)
        self.throw([], first)
        self.rest(first, 2.0)
        kept = [first[0], first[2]]
        self.hand(first, kept)
        self.rest(kept, 0.8)
        thrown = [Lying(1, 300, 250), Lying(0, 430, 210), Lying(1, 170, 170)]
        self.throw(kept, thrown)
        second = [*kept, *thrown]
        self.rest(second, 2.0)
        stayed = [*kept, thrown[1]]
        self.hand(second, stayed)
        self.rest(stayed, 0.8)
        last = [Lying(1, 240, 215), Lying(0, 350, 280)]
        self.throw(stayed, last)
        self.rest([*stayed, *last], 4.0)
        rolls: list[tuple[list[Lying], list[Lying]]] = [(first, []), (second, kept), ([*stayed, *last], stayed)]
        return [(self._values(dice), self._values(held)) for dice, held in rolls]

    def _values(self, dice: Sequence[Lying]) -> list[int]:
        return sorted(self.values[one.die] for one in dice)

    def save(self, path: Path) -> Path:
        """As a file of JPEGs, one behind the other."""
        with path.open("wb") as file:
            for picture in self.pictures:
                file.write(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())
        return path

    def _shares(self, seconds: float) -> Iterator[float]:
        yield from np.linspace(0, 1, round(seconds * RATE))

    def _table(self, dice: Sequence[Lying]) -> Frame:
        table = self._empty.copy()
        for one in dice:
            x, y, w, h = self._boxes[one.die]
            edge = round(0.25 * w)  # its shadow
            patch = self._picture[y - edge : y + h + edge, x - edge : x + w + edge]
            hard = np.zeros(patch.shape[:2], np.float32)
            cv2.rectangle(hard, (edge // 2, edge // 2), (w + edge + edge // 2, h + edge + edge // 2), 1.0, -1)
            soft = np.asarray(cv2.GaussianBlur(hard, (0, 0), edge / 3))[..., None]
            left, top = one.x - edge, one.y - edge
            cut = table[max(0, top) : top + patch.shape[0], max(0, left) : max(0, left + patch.shape[1])]
            if cut.size == 0:
                continue
            dx, dy = max(0, -left), max(0, -top)
            part = slice(dy, dy + cut.shape[0]), slice(dx, dx + cut.shape[1])
            cut[...] = (patch[part] * soft[part] + cut * (1 - soft[part])).astype(np.uint8)
        return table

    def _take(self, table: Frame) -> None:
        noisy = table + self._noise.normal(0, NOISE, table.shape)
        self.pictures.append(np.clip(noisy, 0, 255).astype(np.uint8))
