"""How a surface looks that the renderer did not draw: the same lamps, reckoned simply. Linear light, RGB."""

from dataclasses import dataclass, replace

import numpy as np

from models.training.render.scene import Scene
from models.training.render.shapes import Floats

MEAN_SKY = 0.6
"""Radiance that the renderer gives the surroundings at strength 1."""


@dataclass(frozen=True, slots=True)
class Light:
    """Light from all around, and from lamps: directions (n, 3) and what each lights a white surface with, (n, 3).

    `tint` (3,): what the renderer's light is more than this in red, green and blue.
    """

    sky: float
    ways: Floats
    strengths: Floats
    sizes: Floats
    tint: Floats

    def on(self, normals: Floats, albedo: Floats, ways: Floats, roughness: float) -> Floats:
        """Light (n, 3) from surfaces with these normals and colours (n, 3), seen along `ways` (n, 3)."""
        up = normals[:, 2:]
        light = albedo * self.sky * np.clip(0.5 + 0.5 * up, 0.08, 1)
        # A soft mirror image of the surroundings, stronger where one looks along the surface.
        facing = np.clip(-(normals * ways).sum(1, keepdims=True), 0, 1)
        light = light + self.sky * (0.04 + 0.5 * (1 - facing) ** 5) * (1 - 0.6 * roughness) * (0.4 + 0.3 * up)
        sharp = 4.0 / max(roughness, 0.12) ** 2
        for way, strength in zip(self.ways, self.strengths, strict=True):
            facing_lamp = np.clip(normals @ way, 0, 1)[:, None]
            middle = way - ways
            middle /= np.linalg.norm(middle, axis=1, keepdims=True)
            shine = np.clip((normals * middle).sum(1, keepdims=True), 0, 1) ** sharp
            light = light + strength * (albedo * facing_lamp + 0.04 * sharp / 8 * shine * (facing_lamp > 0))
        return light * self.tint

    def shares(self) -> tuple[float, list[float]]:
        """How much of the table's light comes from all around, and from each lamp."""
        lamps = [float(s.mean() * max(w[2], 0.0)) for w, s in zip(self.ways, self.strengths, strict=True)]
        whole = self.sky + sum(lamps)
        return self.sky / whole, [lamp / whole for lamp in lamps]

    def tinted(self, more: Floats) -> "Light":
        """The same light with another tint."""
        return replace(self, tint=more)


def of_scene(scene: Scene) -> Light:
    """The light of a scene on the middle of its table."""
    ways = np.array([lamp.at / np.linalg.norm(lamp.at) for lamp in scene.lamps]).reshape(-1, 3)
    strengths = np.array([np.array(lamp.colour) * lamp.power / np.pi for lamp in scene.lamps]).reshape(-1, 3)
    sizes = np.array([lamp.size / np.linalg.norm(lamp.at) for lamp in scene.lamps])
    return Light(MEAN_SKY * scene.surroundings.strength, ways, strengths, sizes, np.ones(3))
