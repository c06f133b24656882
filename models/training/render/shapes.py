"""Meshes, materials and the few geometric tools that all things on a table share. Unit: 1 cm, z up."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Picture = NDArray[np.float32]
Rgb = tuple[float, float, float]
Rng = np.random.Generator

UPRIGHT: Floats = np.eye(3)


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles: points (n, 3) and corners (m, 3); a picture's place per corner, uv (m, 3, 2).

    `ink` (n, 4): linear red, green, blue of the paint on each point and how much it covers, 0 to 1.
    `bevel`: width of rounding that the renderer gives to sharp edges. `fuse`: melt the parts into one skin.
    """

    points: Floats
    corners: Ints
    uv: Floats | None = None
    ink: Floats | None = None
    smooth: bool = False
    bevel: float = 0.0
    fuse: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface looks; colours are sRGB, 0 to 1.

    `picture` replaces `colour`; `mask` (white: painted) puts `ink` over it. `swirl` mixes in `second`:
    marble, pearl, speckle or wood, at `scale` features a centimetre. `bump`: relief of the picture, in cm.
    """

    colour: Rgb
    roughness: float = 0.5
    metallic: float = 0.0
    clear: float = 0.0
    soft: float = 0.0
    swirl: str = ""
    second: Rgb = (0.0, 0.0, 0.0)
    scale: float = 1.0
    picture: Picture | None = None
    mask: Picture | None = None
    ink: Rgb = (0.0, 0.0, 0.0)
    ink_metallic: bool = False
    bump: float = 0.0
    worn: float = 0.0


@dataclass(frozen=True, slots=True)
class Thing:
    """One object in the scene: a mesh, turned by `rotation` (3, 3) and moved to `at` (3,)."""

    name: str
    mesh: Mesh
    material: Material
    rotation: Floats
    at: Floats

    def world(self) -> Floats:
        """The mesh's points where they lie in the scene, (n, 3)."""
        return self.mesh.points @ self.rotation.T + self.at

    def footprint(self) -> Floats:
        """Outline on the table, seen straight from above, (k, 2)."""
        return hull(self.world())

    def moved(self, by: Floats) -> "Thing":
        """The same thing, shifted by (3,)."""
        return replace(self, at=self.at + by)


def turn(angle: float, axis: int = 2) -> Floats:
    """Rotation by `angle` radians about an axis (0 x, 1 y, 2 z)."""
    c, s = math.cos(angle), math.sin(angle)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[a, a], matrix[a, b], matrix[b, a], matrix[b, b] = c, -s, s, c
    return matrix


def flat_place(rng: Rng, spot: Floats, z: float = 0.0) -> tuple[Floats, Floats]:
    """A random turn about the vertical, and the place (x, y) at height z."""
    return turn(rng.uniform(0, 2 * math.pi)), np.array([spot[0], spot[1], z])


def hull(points: Floats) -> Floats:
    """Convex outline (k, 2) of points seen from above."""
    return cv2.convexHull(np.ascontiguousarray(points[:, :2], np.float32))[:, 0].astype(float)


def apart(one: Floats, other: Floats, gap: float = 0.0) -> bool:
    """Whether two convex outlines lie at least `gap` apart (the separating axis theorem)."""
    for outline in (one, other):
        edges = np.roll(outline, -1, 0) - outline
        normals = np.stack([edges[:, 1], -edges[:, 0]], 1)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        a, b = one @ normals.T, other @ normals.T
        if (np.maximum(b.min(0) - a.max(0), a.min(0) - b.max(0)) > gap).any():
            return True
    return False


def box(width: float, depth: float, height: float, bevel: float = 0.0) -> Mesh:
    """A box standing on z = 0, centred on the origin."""
    x, y = width / 2, depth / 2
    points = np.array([(i * x, j * y, k * height) for i in (-1, 1) for j in (-1, 1) for k in (0, 1)], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    corners = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    return Mesh(points, corners, bevel=bevel)


def sheet(width: float, depth: float, repeats: float = 1.0) -> Mesh:
    """A flat rectangle at z = 0 with a picture laid on it `repeats` times across."""
    x, y = width / 2, depth / 2
    points = np.array([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], float)
    corners = np.array([(0, 1, 2), (0, 2, 3)])
    across = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    return Mesh(points, corners, uv=(across * repeats)[corners])


def lathe(profile: list[tuple[float, float]], sides: int = 48, smooth: bool = True) -> Mesh:
    """A profile of (radius, height) points turned about the z axis; a map from above as its picture."""
    outline = np.array(profile, float)
    steps = len(outline)
    angles = np.linspace(0, 2 * math.pi, sides, endpoint=False)
    x, y = np.outer(np.cos(angles), outline[:, 0]), np.outer(np.sin(angles), outline[:, 0])
    points = np.stack([x, y, np.tile(outline[:, 1], (sides, 1))], -1).reshape(-1, 3)
    i, k = np.meshgrid(np.arange(sides), np.arange(steps - 1), indexing="ij")
    a, b = (i * steps + k).ravel(), ((i + 1) % sides * steps + k).ravel()
    corners = np.concatenate([np.stack([a, b, b + 1], 1), np.stack([a, b + 1, a + 1], 1)])
    wide = max(float(np.abs(outline[:, 0]).max()), 1e-6)
    return Mesh(points, corners, uv=(points[:, :2] / (2 * wide) + 0.5)[corners], smooth=smooth)


def capsule(start: Floats, end: Floats, radius: float, end_radius: float) -> Mesh:
    """A rounded stick from start to end, (3,) each."""
    along = end - start
    length = float(np.linalg.norm(along))
    down = [(radius * math.cos(t), radius * math.sin(t)) for t in np.linspace(-math.pi / 2, 0, 7)]
    up = [(end_radius * math.cos(t), length + end_radius * math.sin(t)) for t in np.linspace(0, math.pi / 2, 7)]
    stick = lathe(down + up, 20)
    z = along / max(length, 1e-9)
    x = np.cross(z, [0.3, 1.0, 0.2] if abs(z[1]) < 0.9 else [1.0, 0.2, 0.3])
    x /= np.linalg.norm(x)
    frame = np.stack([x, np.cross(z, x), z], 1)
    return replace(stick, points=stick.points @ frame.T + start, uv=None)


def joined(meshes: list[Mesh], *, fuse: bool = False) -> Mesh:
    """Several meshes as one; pictures and paint are dropped."""
    offsets = np.cumsum([0] + [len(m.points) for m in meshes[:-1]])
    corners = np.concatenate([m.corners + o for m, o in zip(meshes, offsets, strict=True)])
    return Mesh(np.concatenate([m.points for m in meshes]), corners, smooth=meshes[0].smooth, fuse=fuse)


def shifted(mesh: Mesh, x: float, y: float, z: float) -> Mesh:
    """The mesh moved within its own frame."""
    return replace(mesh, points=mesh.points + np.array([x, y, z]))
