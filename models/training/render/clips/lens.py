"""The camera as geometry: from the table to pixels and back."""

import math
from dataclasses import dataclass, replace

import numpy as np

from models.training.render.labels import project
from models.training.render.scene import Camera
from models.training.render.shapes import Floats


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera and the size of its pictures in pixels."""

    camera: Camera
    width: int
    height: int

    @property
    def scale(self) -> float:
        """Pixels that one centimetre takes at one centimetre's distance."""
        return max(self.width, self.height) / 2 / math.tan(self.camera.angle / 2)

    def pixels(self, points: Floats) -> Floats:
        """Pixels (n, 2) of points (n, 3).

        Raises:
            ValueError: a point lies behind the camera.
        """
        return project(self.camera, points, self.width, self.height)

    def rays(self, across: Floats, down: Floats) -> Floats:
        """Unit directions (n, 3) into which pixels look."""
        x = (across - self.width / 2) / self.scale
        y = (self.height / 2 - down) / self.scale
        ways = np.stack([x, y, np.ones_like(x)], -1) @ self.camera.axes
        return ways / np.linalg.norm(ways, axis=-1, keepdims=True)

    def ground(self, across: float, down: float) -> Floats:
        """The point (2,) of the table that a pixel shows; far away where it looks above the table."""
        (way,) = self.rays(np.array([across]), np.array([down]))
        reach = self.camera.eye[2] / max(-way[2], 0.02)
        return (self.camera.eye + reach * way)[:2]

    def shows(self, points: Floats, margin: float) -> bool:
        """Whether all points (n, 3) are in the picture, `margin` pixels from its edge (negative: or so near it)."""
        try:
            seen = self.pixels(points)
        except ValueError:
            return False
        low, high = seen.min(0), seen.max(0)
        return bool((low >= margin).all() and high[0] <= self.width - margin and high[1] <= self.height - margin)

    def widened(self, margin: int) -> "Lens":
        """The same view with so many pixels more on each side."""
        width, height = self.width + 2 * margin, self.height + 2 * margin
        wide = 2 * math.atan(max(width, height) / 2 / self.scale)
        return Lens(replace(self.camera, angle=wide), width, height)
