"""What a webcam makes of a scene: exposure, focus, nudges, noise and compression, new in every picture."""

import math

import cv2
import numpy as np

from models.training.render.clips.timeline import Effect, smooth
from models.training.render.develop import Bytes
from models.training.render.shapes import Floats, Rng

SETTLING = 0.5
"""Seconds in which the automatic exposure follows the light."""


class Webcam:
    """One camera through one clip; pictures must be given in order. `noise` in grey values of 255."""

    def __init__(self, rng: Rng, width: int, height: int, effects: list[Effect], noise: float) -> None:
        self._rng, self._size, self._effects = rng, (width, height), effects
        self._level: float | None = None
        self._brightness, self._last = 1.0, 0.0
        self._quality = int(rng.integers(86, 94))
        grain = rng.standard_normal((height + 64, width + 64, 1)) + 0.6 * rng.standard_normal(
            (height + 64, width + 64, 3)
        )
        self._grain = (noise * cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.5).clip(-60, 60).astype(np.int16)

    def take(self, picture: Bytes, t: float) -> Bytes:
        """The picture as it comes out of the camera, width x height."""
        seen = self._seen(picture, t)
        seen = self._focused(seen, t)
        seen = self._exposed(seen, t)
        x, y = self._rng.integers(0, 64, 2)
        flips = self._rng.choice((-1, 1), 2)
        grain = self._grain[y : y + self._size[1], x : x + self._size[0]][:: flips[0], :: flips[1]]
        noisy = np.clip(seen.astype(np.int16) + grain, 0, 255).astype(np.uint8)
        packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1]
        return _bytes(cv2.imdecode(packed, cv2.IMREAD_COLOR))

    def place(self, points: Floats, size: tuple[int, int], t: float) -> Floats:
        """Where points (n, 2) of a drawn picture of this size are in the one taken at t."""
        moved: Floats = np.column_stack([points, np.ones(len(points))]) @ self._way(size, t).T
        return moved

    def _way(self, size: tuple[int, int], t: float) -> Floats:
        """From the drawn picture, which may be wider on all sides, to the one taken: (2, 3)."""
        across, down, angle = 0.0, 0.0, 0.0
        for effect in self._effects:
            if effect.kind == "nudge" and t >= effect.start:
                share = (t - effect.start) / (effect.end - effect.start)
                done = smooth(2.2 * share)
                swing = 0.35 * math.sin(28 * share) * (1 - share) if share < 1 else 0.0
                across, down = across + (done + swing) * effect.amounts[0], down + (done - swing) * effect.amounts[1]
                angle += (done + swing) * effect.amounts[2]
            elif effect.kind == "shake" and effect.start <= t < effect.end:
                left = (effect.end - t) / (effect.end - effect.start)
                across += left * math.sin(70 * t)
                down += 1.5 * left * math.sin(83 * t)
        c, s = math.cos(angle), math.sin(angle)
        middle, wanted = np.array(size) / 2, np.array(self._size) / 2 + (across, down)
        turned = np.array([[c, -s], [s, c]])
        return np.column_stack([turned, wanted - turned @ middle])

    def _seen(self, picture: Bytes, t: float) -> Bytes:
        height, width = picture.shape[:2]
        way = self._way((width, height), t)
        if np.allclose(way, [[1, 0, round(way[0, 2])], [0, 1, round(way[1, 2])]], atol=1e-6):
            x, y = round(-way[0, 2]), round(-way[1, 2])
            if 0 <= x <= width - self._size[0] and 0 <= y <= height - self._size[1]:
                return picture[y : y + self._size[1], x : x + self._size[0]]
        return _bytes(cv2.warpAffine(picture, way, self._size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))

    def _focused(self, picture: Bytes, t: float) -> Bytes:
        for effect in self._effects:
            if effect.kind == "refocus" and effect.start <= t < effect.end:
                share = (t - effect.start) / (effect.end - effect.start)
                width = abs(effect.amounts[0]) * abs(math.sin(2 * math.pi * share)) * (1.0 if share < 0.5 else 0.5)
                if width > 0.3:
                    return _bytes(cv2.GaussianBlur(picture, (0, 0), width))
        return picture

    def _exposed(self, picture: Bytes, t: float) -> Bytes:
        """A step where one is due, what automatic exposure answers to hands and lamps, and a little flicker."""
        level = float(picture[::8, ::8].mean())
        self._level = self._level or level
        wanted = (self._level / max(level, 1.0)) ** 0.35
        self._brightness += (wanted - self._brightness) * min(1.0, (t - self._last) / SETTLING)
        self._last = t
        stops = sum(
            e.amounts[0] * smooth((t - e.start) / (e.end - e.start)) for e in self._effects if e.kind == "exposure"
        )
        factor = self._brightness * 2 ** (stops / 2.2) * (1 + 0.006 * float(self._rng.standard_normal()))
        table = np.clip(np.arange(256) * factor + 0.5, 0, 255).astype(np.uint8)
        return _bytes(cv2.LUT(picture, table))


def _bytes(picture: object) -> Bytes:
    return np.asarray(picture, np.uint8)
