"""The colours of a die's body and pips, measured from pixels with the light allowed for, and named. Pure.

Colours are compared in linear light: display values of 0-255 are undone by the sRGB curve (IEC 61966-2-1). A colour's
place is its CIELAB lightness and hue once the light's cast is divided out, beside how bright the picture is; that of
ink has also its ratio to the body under it, which no light changes. The palette (`palette.json`, fitted by
`models.training.palette`) holds one anchor for each name and says how far from it a colour may lie.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import EVEN, Colour, Frame

Floats = NDArray[np.float32]
Logits = NDArray[np.float64]

LINEAR = np.where(
    np.arange(256) <= 10, np.arange(256) / (12.92 * 255), ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4
).astype(np.float32)
"""Linear light, 0-1, of each display value (sRGB)."""
BURNT = 248  # display value from which a pixel tells no colour: one of its channels is at its end
BURNT_LINEAR = float(LINEAR[BURNT])

GRID = 48  # samples of a picture along a side, for its light
NORM = 6.0  # Minkowski norm of Shades of Grey
TRUST = 0.5  # exponent of the cast that is believed: the rest may be the table's own colour
BRIGHT = 0.95  # quantile of a picture that stands for white

CELLS = 16
FACE, BARE, PIP = 0.6, 0.12, 0.3  # of a cell: belongs to the face; density, of its peak, that is no pip, or is one
FEW, MANY, USUAL = 4, 40, 24  # cells: the least of pips, the most, and the face's where it is hardly seen
INK_SHARE = 0.25  # of the pixels in pip cells, those that differ most from the body: the rest is mixed with it
DARK = 0.02  # added to both sides of a ratio, so that noise in the dark says little
FARTHEST = 4.0  # standard deviations from the usual at which a feature is held

# The pixels of each cell, 256 x 16, as indices of a 64 x 64 crop.
_SIDE = 4
_PIXELS = (
    np.arange((CELLS * _SIDE) ** 2).reshape(CELLS, _SIDE, CELLS, _SIDE).transpose(0, 2, 1, 3).reshape(-1, _SIDE**2)
)


@dataclass(frozen=True, slots=True)
class Palette:
    """Eleven anchors among n features, in standard deviations of the usual.

    usual, deviation: n, of a feature over many dice; anchors: 11 x n; metric: n x n, applied before distances are
    taken; spread: 11, how far from its anchor a colour may lie; prior: 11, the logit of a name before anything is seen.
    """

    usual: Logits
    deviation: Logits
    anchors: Logits
    metric: Logits
    spread: Logits
    prior: Logits

    def logits(self, features: NDArray[Any]) -> Logits:
        """N x 11 for N x n features: a Gaussian around each anchor, up to a constant a row."""
        held = np.clip((features - self.usual) / self.deviation, -FARTHEST, FARTHEST)
        apart = (held[:, None] - self.anchors) @ self.metric
        return np.asarray(self.prior - 0.5 * (apart**2).sum(2) / self.spread**2)


def _palettes() -> tuple[tuple[str, ...], Palette, Palette]:
    text = (resources.files(__package__) / "palette.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    body, ink = (Palette(**{key: np.array(rows) for key, rows in data[part].items()}) for part in ("body", "ink"))
    return tuple(data["names"]), body, ink


NAMES, BODY, INK = _palettes()


def light(frame: Frame) -> Floats:
    """The light of a picture as what white would show: B, G, R in linear light, level and cast in one.

    The cast is that of Shades of Grey (Finlayson and Trezzi 2004) over a coarse grid of pixels that are not burnt. Only
    its root is believed: a green table is not a green lamp.
    """
    height, width = frame.shape[:2]
    grid = frame[:: max(1, height // GRID), :: max(1, width // GRID)].reshape(-1, 3)
    clear = grid[grid.max(1) < BURNT]
    seen = LINEAR[clear if len(clear) > len(grid) // 20 else grid]
    level = np.quantile(seen.max(1), BRIGHT)
    powers = seen * seen * seen
    cast = ((powers * powers).mean(0) ** (1 / NORM) + 1e-4) ** TRUST
    return np.asarray((level + 1e-3) * cast / cast.mean(), np.float32)


def measured(crop: Frame, face: Floats, pips: Floats) -> tuple[Floats, Floats]:
    """Body and ink of a die in linear light, B, G, R each, 0-1.

    crop: 64 x 64 x 3; face: 16 x 16, how far each cell belongs to the top face; pips: 16 x 16, their density. The body
    is the median over bare cells of the face; the ink that of the pixels in pip cells which are farthest from it in
    the direction in which these cells differ, so that a glint of another colour counts little.
    """
    pixels = np.asarray(cv2.LUT(crop, LINEAR), np.float32)
    small = cv2.resize(pixels, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    cells = np.asarray(small, np.float32).reshape(-1, 3)
    on_face = face.ravel()
    density = pips.ravel() * on_face
    peak = float(density.max())
    bare = (on_face > FACE) & (density < BARE * peak)
    if bare.sum() < FEW:
        bare = on_face >= np.partition(on_face, -USUAL)[-USUAL]
    body = cells[bare]
    clear = body.max(1) < BURNT_LINEAR
    body = _median(body[clear] if clear.sum() >= FEW else body)

    count = min(MANY, max(FEW, int((density > PIP * peak).sum())))
    top = np.argpartition(density, -count)[-count:]
    where = _PIXELS[top].ravel()
    shown = crop.reshape(-1, 3)[where].astype(np.float32)
    # Display values, since differences in the dark would vanish in linear light.
    apart = shown - 255 * body ** np.float32(1 / 2.2)
    weight = np.repeat(density[top], _SIDE**2) * np.abs(apart).sum(1)
    along = apart @ (weight @ apart)
    most = max(FEW, int(INK_SHARE * len(along)))
    ink = _median(pixels.reshape(-1, 3)[where[np.argpartition(along, -most)[-most:]]])
    return body, ink


def _median(rows: Floats) -> Floats:
    """Of each column; numpy's own takes five times as long over so few."""
    half = len(rows) // 2
    return np.asarray(np.partition(rows, half, axis=0)[half], np.float32)


def features(body: NDArray[Any], ink: NDArray[Any], light: NDArray[Any]) -> tuple[Logits, Logits]:
    """N x 4 of the body, N x 10 of the ink, for N x 3 each of body, ink and light in linear light.

    Body: CIELAB with the cast divided out, in fiftieths, and the logarithm of the light's level. Ink: the same CIELAB
    of the ink, the halved logarithm of its ratio to the body, then the body's four.
    """
    level = light.mean(1, keepdims=True)
    cast = light / level
    both = np.clip(np.stack([body / cast, ink / cast]), 0, 1).astype(np.float32)
    lab = cv2.cvtColor(both, cv2.COLOR_LBGR2Lab).astype(np.float64) / 50
    ratio = np.log((ink + DARK) / (body + DARK)) / 2
    of_body = np.concatenate([lab[0], np.log(level)], 1)
    return of_body, np.concatenate([lab[1], ratio, of_body], 1)


def evidence(crops: Sequence[Frame], faces: Floats, pips: Floats, light: Floats) -> tuple[Logits, Logits]:
    """What the pixels alone say of body and ink: logarithms of the shares of the eleven names, N x 11 each.

    The order is that of `NAMES`. crops: N; faces, pips: N x 16 x 16, as in `measured`; light: the picture's.
    """
    if not crops:
        return np.zeros((0, len(NAMES))), np.zeros((0, len(NAMES)))
    both = [measured(*each) for each in zip(crops, faces, pips, strict=True)]
    body, ink = (np.stack(part) for part in zip(*both, strict=True))
    of_body, of_ink = features(body, ink, np.broadcast_to(light, body.shape))
    return shares(BODY.logits(of_body)), shares(INK.logits(of_ink))


def shares(logits: NDArray[Any]) -> Logits:
    """Logarithms of the softmax along the last axis."""
    above = logits - logits.max(-1, keepdims=True)
    return np.asarray(above - np.log(np.exp(above).sum(-1, keepdims=True)))


def combined(classifier: NDArray[Any], evidence: Logits, temperature: float, weight: float) -> Logits:
    """Both witnesses in one: the classifier's logits at its temperature, and the pixels' evidence by its weight."""
    return shares(classifier.astype(np.float64) / temperature + weight * evidence)


def named(
    names: Sequence[str], classifier: NDArray[Any], evidence: Logits, temperature: float, weight: float
) -> Colour:
    """The likeliest colour when both witnesses are heard; at even odds at most where they name different ones."""
    share = np.exp(combined(classifier, evidence, temperature, weight))
    best = int(share.argmax())
    agreed = classifier.argmax() == evidence.argmax()
    return Colour(names[best], float(share[best] if agreed else min(share[best], EVEN)))
