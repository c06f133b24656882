"""Soft shadows on the table of what is drawn over it, on a quarter of the picture's pixels."""

import math

import cv2
import numpy as np

from models.training.render.clips.flight import UP
from models.training.render.clips.hands import Cup, Limbs
from models.training.render.clips.lens import Lens
from models.training.render.clips.light import Light
from models.training.render.place import CUBE
from models.training.render.shapes import Floats, Picture

COARSE = 4
LOWEST = 0.25
"""Sine of the height under which a lamp's shadows are no longer made longer."""

_CIRCLE = np.array([[math.cos(a), math.sin(a), 0.0] for a in np.arange(10) * math.pi / 5])


class Shadows:
    """Collects what shades the table in one picture."""

    def __init__(self, lens: Lens, light: Light) -> None:
        self._lens = lens
        sky, lamps = light.shares()
        self._ways: list[tuple[Floats, float, float]] = [(np.array([0.0, 0.0, 1.0]), 0.7 * sky, 0.7)]
        for way, share, size in zip(light.ways, lamps, light.sizes, strict=True):
            steep = np.array([way[0], way[1], max(way[2], LOWEST)])
            self._ways.append((steep, 0.9 * share, float(size)))
        self._left = np.ones((lens.height // COARSE, lens.width // COARSE), np.float32)
        self._cm = lens.scale / lens.camera.focus / COARSE

    def die(self, size: float, rotation: Floats, at: Floats) -> None:
        """Shade by a die at a pose."""
        self._solids([CUBE * 0.47 * size @ rotation.T + at], float(at[2]))

    def arm(self, limbs: Limbs) -> None:
        """Shade by a hand and its arm."""
        parts = []
        for start, end, radius, end_radius in zip(limbs.starts, limbs.ends, limbs.radii, limbs.end_radii, strict=True):
            parts.append(np.concatenate([start + radius * _CIRCLE, end + end_radius * _CIRCLE]))
        self._solids(parts, float(limbs.starts[:, 2].mean()))

    def cup(self, cup: Cup) -> None:
        """Shade by a cup."""
        mouth = cup.at + cup.radius * _CIRCLE
        self._solids([np.concatenate([mouth, mouth + cup.height * UP])], float(cup.at[2] + 1))

    def _solids(self, parts: list[Floats], height: float) -> None:
        for way, share, size in self._ways:
            if share < 0.02:
                continue
            mask = np.zeros_like(self._left)
            for points in parts:
                fallen = points - points[:, 2:] / way[2] * way
                try:
                    seen = self._lens.pixels(fallen) / COARSE
                except ValueError:
                    continue
                around = cv2.convexHull(seen.astype(np.float32)).clip(-4000, 4000)
                cv2.fillConvexPoly(mask, np.round(around * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
            soft = (0.25 + 0.5 * size * max(height, 0.3)) * self._cm
            fade = math.exp(-max(height - 1, 0) / 6) if way[2] == 1.0 else 1.0
            self._left *= 1 - share * fade * cv2.GaussianBlur(mask, (0, 0), max(soft, 0.6))

    def on(self, picture: Picture) -> Picture:
        """The picture (h, w, 3) of the table, shaded."""
        left = cv2.resize(self._left ** (1 / 2.2), (self._lens.width, self._lens.height))
        return picture * left[..., None]
