"""The die with pips: what one may look like, and its mesh."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from models.training.render.glyphs import glyph
from models.training.render.palette import (
    BODIES,
    BODY_WEIGHTS,
    INKS,
    choose,
    inks_for,
    jitter,
    linear,
)
from models.training.render.shapes import Floats, Ints, Material, Mesh, Picture, Rgb, Rng

AXES = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1))
"""The six faces: axis and side."""

# Never seen in training: body and ink pairs kept for the held-out scenes.
HELD_OUT_PAIRS = frozenset(
    {("green", "yellow"), ("red", "black"), ("blue", "yellow"), ("yellow", "red"), ("purple", "white"),
     ("white", "green"), ("black", "orange"), ("pink", "black"), ("grey", "blue"), ("white", "purple")}
)  # fmt: skip

LARGE_ONES = 0.25
"""Share of the dice that are no Asian ones and yet have a one larger than their other pips."""

SYMBOLS = ("A", "K", "Q", "J", "S", "X", "?", "!", "+", "*", "@", "#", "%", "&", "$", "M", "W", "=", "T", "Z")


@dataclass(frozen=True, slots=True)
class Style:
    """One make of die. Lengths of marks are in units of half an edge.

    `inks`: the ink's name of each value, 1 to 6. `marks`: pips, numerals, symbols or blank.
    `two`, `three`: how these pips lie; `turned`: whether each value's pattern is mirrored or turned by 90°.
    `six`: half the distance between its rows, and between the pips of a row. `depth` 0 is printed flat.
    """

    size: float
    edge: float
    ball: float
    body: str
    tint: str
    finish: str
    material: Material
    inks: tuple[str, ...]
    paints: tuple[Rgb, ...]
    marks: str = "pips"
    labels: tuple[str, ...] = ()
    font: int = 0
    weight: float = 0.12
    mirrored: bool = False
    two: str = "diagonal"
    three: str = "diagonal"
    turned: tuple[bool, ...] = (False,) * 6
    spread: float = 0.52
    six: tuple[float, float] = (0.5, 0.52)
    radius: float = 0.18
    one: float = 1.0
    depth: float = 0.1


def face_values(mirrored: bool) -> tuple[int, ...]:
    """Values on the faces in the order of AXES; opposite faces sum to 7.

    Round their common corner 1, 2, 3 run anticlockwise, as on most Western dice; clockwise where mirrored.
    """
    return (3, 4, 2, 5, 1, 6) if mirrored else (4, 3, 2, 5, 1, 6)


def pips(style: Style, value: int) -> Floats:
    """Centres (value, 2) of a face's pips, in units of half an edge."""
    s = style.spread
    corners = [(-s, -s), (s, s), (-s, s), (s, -s)]
    rows, columns = style.six
    near = max(0.36 * s, 1.25 * style.radius)
    patterns = {
        1: [(0.0, 0.0)],
        2: {
            "diagonal": [(-s, -s), (s, s)],
            "close": [(-near, -near), (near, near)],
            "row": [(-s, 0.0), (s, 0.0)],
            "close-row": [(-near, 0.0), (near, 0.0)],
            "edge": [(-s, s), (s, s)],
        }[style.two],
        3: [(-s, -s), (0.0, 0.0), (s, s)] if style.three == "diagonal" else [(-s, 0.0), (0.0, 0.0), (s, 0.0)],
        4: corners,
        5: [*corners, (0.0, 0.0)],
        6: [(x, y) for x in (-rows, rows) for y in (-columns, 0.0, columns)],
    }
    centres = np.array(patterns[value], float)
    return centres[:, ::-1] * (1, -1) if style.turned[value - 1] else centres


def top_face(rotation: Floats) -> int:
    """Index in AXES of the face that looks up most."""
    return int(np.argmax([rotation[2, axis] * side for axis, side in AXES]))


@lru_cache(maxsize=64)
def _grid(cells: int, half: float, edge: float) -> tuple[Floats, Floats, Ints]:
    """Across, up (n, n) of a face's grid, finer where the edge bends, and its triangles."""
    flat = half - edge
    bend = edge * np.tan(np.linspace(0, math.pi / 4, max(5, cells // 8) + 1)[1:])
    line = np.concatenate([-flat - bend[::-1], np.linspace(-flat, flat, cells), flat + bend])
    across, up = np.meshgrid(line, line, indexing="ij")
    index = np.arange(len(line) ** 2).reshape(len(line), len(line))
    a, b, c, d = (i.ravel() for i in (index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]))
    return across, up, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def mesh(style: Style, cells: int) -> Mesh:
    """The die about the origin, `cells` grid cells to a face; pips are sunk and painted in the mesh itself."""
    half = style.size / 2
    edge = style.edge * half
    across, up, triangles = _grid(cells, half, edge)
    points, corners, inks = [], [], []
    for face, (axis, side) in enumerate(AXES):
        value = face_values(style.mirrored)[face]
        outer = np.zeros((*across.shape, 3))
        outer[..., axis], outer[..., (axis + 1) % 3], outer[..., (axis + 2) % 3] = side * half, across, up
        core = np.clip(outer, edge - half, half - edge)
        away = outer - core
        surface = core + edge * away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9)
        if style.ball:
            reach = np.linalg.norm(surface, axis=-1, keepdims=True)
            surface = surface * np.minimum(1, style.ball * half / reach)
        painted, sunk = _marks(style, value, across / half, up / half)
        surface[..., axis] -= side * half * sunk
        paint = np.broadcast_to(linear(style.paints[value - 1]), (*painted.shape, 3))
        points.append(surface.reshape(-1, 3))
        corners.append((triangles if side > 0 else triangles[:, ::-1]) + face * across.size)
        inks.append(np.concatenate([paint, painted[..., None]], -1).reshape(-1, 4))
    return _welded(np.concatenate(points), np.concatenate(corners), np.concatenate(inks), half)


def _marks(style: Style, value: int, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """How much each grid point of a face is painted, 0 to 1, and how deep it is sunk, in half edges."""
    painted, sunk = np.zeros_like(x), np.zeros_like(x)
    if style.marks == "pips":
        scale = style.one if value == 1 else 1.0
        radius, depth = style.radius * scale, style.depth * style.radius * scale
        for cx, cy in pips(style, value):
            distance = np.hypot(x - cx, y - cy)
            painted = np.maximum(painted, np.clip((radius - distance) / 0.035 + 0.5, 0, 1))
            if depth:
                bowl = (radius**2 + depth**2) / (2 * depth)
                sunk = np.maximum(sunk, np.sqrt(np.maximum(bowl**2 - distance**2, 0)) - (bowl - depth))
    elif style.marks != "blank":
        drawn = glyph(style.labels[value - 1], style.font, style.weight)
        size = 1.25
        across, down = (((v / size + 1) * len(drawn) / 2).astype(np.float32) for v in (x, -y))
        painted = np.clip(cv2.remap(drawn, across, down, cv2.INTER_LINEAR, borderValue=0.0), 0, 1).astype(float)
        sunk = 0.5 * style.depth * style.radius * painted
    return painted, np.maximum(sunk, 0)


def _welded(points: Floats, corners: Ints, ink: Floats, half: float) -> Mesh:
    """One point where faces meet, so that light runs smoothly over the edges."""
    key = np.round(points / (half * 1e-4)).astype(np.int64) + 20_000
    _, first, same = np.unique(
        (key[:, 0] << 40) + (key[:, 1] << 20) + key[:, 2], return_index=True, return_inverse=True
    )
    corners = same.reshape(-1)[corners]
    a, b, c = corners.T
    return Mesh(points[first], corners[(a != b) & (b != c) & (a != c)], ink=ink[first], smooth=True)


def sample_style(rng: Rng, *, yamslam: bool = False, glossy: bool = False, held_out: bool = False) -> Style:
    """A make of die, of any kind that is sold."""
    body, tint, finish, material, ink = _sample_body(rng, yamslam, held_out)
    if glossy:
        material = replace(material, roughness=float(rng.choice([0.06, 0.12, 0.2])))
    shade = {name: jitter(rng, INKS[name], 0.06) for name in INKS}
    inks = [ink] * 6
    asian = not yamslam and rng.random() < 0.25
    one = 1.0
    if yamslam:
        inks = ["black", "red"] * 3
    elif asian:
        one = float(rng.uniform(1.25, 2.1))
        if ink != "red" and body in ("white", "yellow", "grey") and rng.random() < 0.9:
            inks[0] = "red"
            inks[3] = "red" if rng.random() < 0.75 else ink
    elif rng.random() < 0.03:
        usable = list(inks_for(body, material.colour))
        inks = [str(rng.choice(usable)) for _ in range(6)]
    apart = rng.spawn(1)[0]  # draws of its own, so that all else of a seed stays as it was
    if one == 1.0 and not yamslam and apart.random() < LARGE_ONES:
        one = float(apart.uniform(1.3, 2.6))
    radius = _within(rng, {(0.07, 0.13): 0.2, (0.13, 0.2): 0.5, (0.2, 0.24): 0.3})
    spread = float(rng.uniform(max(0.4, 2.3 * radius), 0.56))
    if rng.random() < 0.25:
        six = (float(max(1.2 * radius, rng.uniform(0.2, 0.34))), float(rng.uniform(max(0.42, 2.15 * radius), 0.58)))
    else:
        six = (spread, float(rng.uniform(max(0.4, 2.12 * radius), max(spread, 2.2 * radius))))
    return Style(
        size=float(rng.choice([1.6, 1.2, 1.4, 1.8, 2.0, 2.4], p=[0.55, 0.1, 0.12, 0.1, 0.08, 0.05])),
        edge=_within(rng, {(0.03, 0.1): 0.3, (0.1, 0.25): 0.45, (0.25, 0.45): 0.25}),
        ball=float(rng.uniform(1.24, 1.52)) if rng.random() < 0.35 else 0.0,
        body=body,
        tint=tint,
        finish=finish,
        material=replace(material, ink_metallic=ink in ("yellow", "grey") and bool(rng.random() < 0.6)),
        inks=tuple(inks),
        paints=tuple(shade[name] for name in inks),
        mirrored=bool(rng.random() < (0.9 if asian else 0.2)),
        two=choose(rng, {"diagonal": 0.5, "close": 0.2, "row": 0.1, "close-row": 0.1, "edge": 0.1}),
        three="straight" if rng.random() < 0.13 else "diagonal",
        turned=tuple(bool(t) for t in rng.random(6) < 0.5),
        spread=spread,
        six=six,
        radius=radius,
        one=min(one, 0.4 / radius),
        depth=float(rng.choice([0.0, rng.uniform(0.25, 0.9)], p=[0.35, 0.65])),
    )


def _within(rng: Rng, bands: dict[tuple[float, float], float]) -> float:
    """A number from one of several ranges, each drawn with its share."""
    return float(rng.choice([rng.uniform(low, high) for low, high in bands], p=list(bands.values())))


def _sample_body(rng: Rng, yamslam: bool, held_out: bool) -> tuple[str, str, str, Material, str]:
    """Body, tint, finish, material and main ink that go together, on the right side of the held-out line."""
    while True:
        body = choose(rng, {"white": 0.8, "yellow": 0.1, "grey": 0.05, "pink": 0.05} if yamslam else BODY_WEIGHTS)
        tints = BODIES[body]
        tint, anchor = tints[int(rng.integers(len(tints)))]
        finish = _finish(rng, body, yamslam)
        colour = jitter(rng, anchor)
        if yamslam and body == "grey":
            colour = jitter(rng, (0.74, 0.74, 0.76), 0.04)
        material = _material(rng, colour, finish)
        usable = inks_for(body, material.colour)
        if finish in ("clear", "frosted"):
            usable = {name: usable[name] for name in ("white", "black", "yellow") if name in usable}
        if yamslam:
            return body, tint, finish, material, "black"
        if not usable:
            continue
        ink = choose(rng, usable)
        reserved = (body, ink) in HELD_OUT_PAIRS
        if not reserved and (not held_out or rng.random() < 0.5):
            return body, tint, finish, material, ink
        if reserved and held_out:
            return body, tint, finish, material, ink


def _finish(rng: Rng, body: str, yamslam: bool) -> str:
    if yamslam:
        return "plain"
    if body == "brown":
        return "wood" if rng.random() < 0.85 else "plain"
    weights = {"plain": 0.6, "clear": 0.11, "frosted": 0.06, "marble": 0.09, "pearl": 0.07, "speckle": 0.07}
    return choose(rng, {k: w for k, w in weights.items() if k not in ("clear", "frosted") or body != "black"})


def _material(rng: Rng, colour: Rgb, finish: str) -> Material:
    """What the body is made of. The swirls stay near the body's colour, so that its name stays true."""
    light = float(np.dot(linear(colour), (0.2126, 0.7152, 0.0722)))
    rough = float(rng.choice([0.06, 0.12, 0.2, 0.35, 0.5]))
    worn = float(rng.uniform(0.1, 0.4)) if rng.random() < 0.4 else 0.0
    plain = Material(colour, rough, soft=0.25 if light > 0.5 and rng.random() < 0.6 else 0.0, worn=worn)
    if finish in ("clear", "frosted"):
        r, g, b = (np.array(colour) ** 0.55).tolist()
        # Some of the light comes back from within, as in real tinted acrylic: else a red die on blue were black.
        see = float(rng.uniform(0.55, 0.9))
        rough = float(rng.uniform(0.03, 0.12) if finish == "clear" else rng.uniform(0.35, 0.6))
        return Material((r, g, b), rough, clear=see)
    factor = rng.uniform(0.45, 0.75) if light > 0.3 or rng.random() < 0.4 else rng.uniform(1.3, 1.8)
    r, g, b = np.clip(np.array(colour) * factor + (0.02 if factor > 1 else 0), 0, 1).tolist()
    scale = {"marble": rng.uniform(0.5, 1.6), "pearl": rng.uniform(1.5, 4), "speckle": rng.uniform(6, 14)}
    if finish == "wood":
        return replace(
            plain, soft=0.0, roughness=float(rng.uniform(0.3, 0.7)), swirl="wood", second=(r, g, b), scale=2.0
        )
    if finish in scale:
        return replace(plain, swirl=finish, second=(r, g, b), scale=float(scale[finish]))
    return plain


def numbered(rng: Rng, style: Style) -> Style:
    """The same make of die with numerals, symbols or nothing on its faces instead of pips."""
    marks = choose(rng, {"numerals": 0.55, "symbols": 0.4, "blank": 0.05})
    labels = tuple("123456") if marks == "numerals" else tuple(str(s) for s in rng.choice(SYMBOLS, 6))
    if marks == "symbols" and rng.random() < 0.6:
        labels = tuple(f"~{n}" for n in rng.integers(0, 300, 6))
    elif rng.random() < 0.35:
        labels = tuple(f"[{label}" for label in labels)
    if marks == "symbols" and rng.random() < 0.4:
        labels = (labels[0],) * 6
    ink = style.inks[1]
    return replace(
        style,
        marks=marks,
        labels=labels,
        inks=(ink,) * 6,
        paints=(style.paints[1],) * 6,
        font=int(rng.integers(4)),
        weight=float(rng.uniform(0.07, 0.2)),
    )


def picture_of(style: Style, value: int, cells: int = 96) -> Picture:
    """A face as a flat picture, 0 body to 1 ink, (cells, cells): to look at layouts without a renderer."""
    line = np.linspace(-1, 1, cells)
    x, y = np.meshgrid(line, line)
    return _marks(style, value, x, y)[0].astype(np.float32)
