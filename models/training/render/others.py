"""Dice that carry no pips on a cube: the polyhedra of role-playing games, with numerals."""

import itertools
import math
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from models.training.render.die import Style
from models.training.render.glyphs import CELL, glyph
from models.training.render.palette import INK_WEIGHTS, INKS, any_colour, choose, contrast, jitter
from models.training.render.shapes import Floats, Material, Mesh, Picture, Rng, turn

KINDS = ("d4", "d6", "d8", "d10", "d12", "d20")
GOLDEN = (1 + 5**0.5) / 2
# Height of a numeral, as a share of the circle drawn into its face, and the edge's rounding.
NUMERAL = {"d4": 0.5, "d6": 1.15, "d8": 0.9, "d10": 0.85, "d12": 1.0, "d20": 0.85}


def _normals(kind: str) -> Floats:
    cyclic = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    cube = list(itertools.product((1.0, -1.0), repeat=3))
    rows: list[tuple[float, ...]]
    if kind == "d4":
        rows = [c for c in cube if math.prod(c) > 0]
    elif kind == "d6":
        rows = [tuple(s * float(i == a) for i in range(3)) for a in range(3) for s in (1, -1)]
    elif kind == "d8":
        rows = cube
    elif kind == "d10":
        rows = [(math.cos(k * math.pi / 5), math.sin(k * math.pi / 5), 0.84 * (-1) ** k) for k in range(10)]
    else:
        base = (0.0, 1.0, GOLDEN) if kind == "d12" else (0.0, 1 / GOLDEN, GOLDEN)
        flips = [(0.0, s * base[1], t * base[2]) for s in (1, -1) for t in (1, -1)]
        rows = [tuple(f[i] for i in order) for f in flips for order in cyclic]
        rows += cube if kind == "d20" else []
    normals = np.array(rows, float)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


@lru_cache(maxsize=8)
def solid(kind: str) -> tuple[Floats, Floats, tuple[tuple[int, ...], ...]]:
    """Face normals (f, 3), vertices (v, 3) and each face's vertices, left about; every face 1 from the centre.

    The vertices are where three faces' planes meet without leaving the inside of all the others.
    """
    normals = _normals(kind)
    triples = np.array(list(itertools.combinations(range(len(normals)), 3)))
    planes = normals[triples]
    planes = planes[np.abs(np.linalg.det(planes)) > 1e-6]
    meets = np.linalg.solve(planes, np.ones((len(planes), 3, 1)))[..., 0]
    meets = meets[(meets @ normals.T <= 1 + 1e-6).all(1)]
    vertices: Floats = np.unique(np.round(meets, 6), axis=0).astype(float)
    faces = []
    for normal in normals:
        on = np.flatnonzero(vertices @ normal > 1 - 1e-4)
        middle = vertices[on].mean(0)
        x = vertices[on[0]] - middle
        y = np.cross(normal, x)
        around = np.arctan2((vertices[on] - middle) @ y, (vertices[on] - middle) @ x)
        faces.append(tuple(int(i) for i in on[np.argsort(around)]))
    return normals, vertices, tuple(faces)


def numerals(rng: Rng, kind: str) -> list[str]:
    """What stands on each face; where 6 and 9 could be confused, they are marked."""
    count = len(solid(kind)[0])
    numbers = [int(n) for n in rng.permutation(count) + (0 if kind == "d10" else 1)]
    if kind == "d10" and rng.random() < 0.35:
        return [f"{n}0" for n in numbers]
    mark = "_" if rng.random() < 0.5 else "."
    return [f"{n}{mark}" if n in (6, 9) and count > 8 else str(n) for n in numbers]


def polyhedron(rng: Rng, kind: str, size: float) -> tuple[Mesh, Picture, float]:
    """A die of `size` cm between opposite faces (d4: of that edge), its mask of numerals, and its inner radius."""
    normals, vertices, faces = solid(kind)
    inner = size / (2 * 6**0.5) if kind == "d4" else size / 2
    columns = math.ceil(math.sqrt(len(faces)))
    rows = math.ceil(len(faces) / columns)
    mask = np.zeros((rows * CELL, columns * CELL), np.float32)
    labels, font, weight = numerals(rng, kind), int(rng.integers(4)), float(rng.uniform(0.07, 0.2))
    corners, uv = [], []
    for face, (normal, loop) in enumerate(zip(normals, faces, strict=True)):
        points = vertices[list(loop)]
        middle = points.mean(0)
        top = int(np.argmax(np.abs(points[:, 2]))) if kind == "d10" else 0
        up = points[top] - middle if kind != "d6" else (points[0] + points[1]) / 2 - middle
        up = up - normal * (up @ normal)
        up /= np.linalg.norm(up)
        right = np.cross(up, normal)
        reach = float(np.linalg.norm(points - middle, axis=1).max()) * 1.05
        within = min(
            float(np.linalg.norm(np.cross(a - middle, (b - a) / np.linalg.norm(b - a))))
            for a, b in zip(points, np.roll(points, -1, 0), strict=True)
        )
        row, column = divmod(face, columns)
        mask[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] = (
            _corner_numerals(points - middle, right, up, loop, reach, font, weight)
            if kind == "d4"
            else glyph(labels[face], font, weight, NUMERAL[kind] * within / (2 * reach))
        )
        x = (column + 0.5 + (points - middle) @ right / (2 * reach)) / columns
        y = 1 - (row + 0.5 - (points - middle) @ up / (2 * reach)) / rows
        for i in range(1, len(loop) - 1):
            corners.append([loop[0], loop[i], loop[i + 1]])
            uv.append([(x[k], y[k]) for k in (0, i, i + 1)])
    bevel = float(rng.uniform(0.015, 0.05)) * size
    return Mesh(vertices * inner, np.array(corners), uv=np.array(uv), bevel=bevel), mask, inner


def _corner_numerals(
    points: Floats, right: Floats, up: Floats, loop: tuple[int, ...], reach: float, font: int, weight: float
) -> Picture:
    """A face of a d4: near each corner the corner's own number, upright as seen from the middle."""
    cell = np.zeros((CELL, CELL), np.float32)
    for point, number in zip(points, loop, strict=True):
        x, y = float(point @ right), float(point @ up)
        place = cv2.getRotationMatrix2D((CELL / 2, CELL / 2), -math.degrees(math.atan2(x, y)), 1.0)
        place = place + np.array([[0, 0, x], [0, 0, -y]]) * 0.5 * CELL / (2 * reach)
        cell = np.maximum(cell, cv2.warpAffine(glyph(str(number + 1), font, weight, 0.17), place, (CELL, CELL)))
    return cell


def resting(rng: Rng, kind: str) -> Floats:
    """A rotation that lays one of the die's faces on the table."""
    normals = solid(kind)[0]
    down = normals[rng.integers(len(normals))]
    across = np.cross(down, rng.normal(size=3))
    across /= np.linalg.norm(across)
    flat = np.stack([across, np.cross(-down, across), -down])
    return turn(rng.uniform(0, 2 * math.pi)) @ flat


def material(rng: Rng, like: Style | None, mask: Picture) -> Material:
    """The die's looks: those of a pip die beside it, or its own."""
    if like is not None:
        return replace(like.material, mask=mask, ink=like.paints[1])
    colour = any_colour(rng)
    rough = float(rng.choice([0.06, 0.12, 0.25, 0.4]))
    kind = choose(rng, {"plain": 0.45, "clear": 0.2, "marble": 0.35})
    if kind == "clear":
        r, g, b = (np.array(colour) ** 0.5).tolist()
        colour = (r, g, b)
        own = Material(colour, rough, clear=1.0)
    elif kind == "marble":
        own = Material(colour, rough, swirl="marble", second=any_colour(rng), scale=float(rng.uniform(0.5, 2)))
    else:
        own = Material(colour, rough)
    seen = [c for c in INK_WEIGHTS if contrast(colour, INKS[c]) > 2.8]
    return replace(own, mask=mask, ink=jitter(rng, INKS[str(rng.choice(seen))]))
