"""Where a thrown die is at each moment, and how it lies in the end."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from models.training.render import die
from models.training.render.shapes import Floats, turn

STILL = 0.03
"""Centimetres, and twice as many radians, within which a die counts as at rest."""


UP: Floats = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True)
class Pose:
    """A die's turn (3, 3) and the place (3,) of its middle."""

    rotation: Floats
    at: Floats

    def moved(self, by: Floats, about: float = 0.0) -> "Pose":
        """Slid on the table by (2,) and turned about the vertical."""
        return Pose(turn(about) @ self.rotation, self.at + np.append(by, 0.0))


@dataclass(frozen=True, slots=True)
class Flight:
    """Places (steps, dice, 3) and turns (steps, dice, 3, 3), a step every `step` seconds; the last is the rest."""

    step: float
    places: Floats
    turns: Floats
    stops: tuple[float, ...]

    @staticmethod
    def ending(step: float, places: Floats, turns: Floats) -> "Flight":
        """A flight whose dice stop when nothing but a tremble is left."""
        stops = []
        for k in range(places.shape[1]):
            off = np.linalg.norm(places[:, k] - places[-1, k], axis=1)
            cosine = (np.einsum("nij,ij->n", turns[:, k], turns[-1, k]) - 1) / 2
            moving = (off > STILL) | (np.arccos(np.clip(cosine, -1, 1)) > 2 * STILL)
            stops.append(step * (int(np.flatnonzero(moving).max(initial=0)) + 1))
        return Flight(step, places, turns, tuple(stops))

    def pose(self, which: int, t: float) -> Pose:
        """A die's pose so many seconds after the start."""
        k = round(min(max(t / self.step, 0), len(self.places) - 1))
        return Pose(self.turns[k, which], self.places[k, which])

    def flat(self, sizes: tuple[float, ...]) -> bool:
        """Whether all dice lie flat on the table in the end."""
        upright = np.abs(self.turns[-1, :, 2]).max(1) > 0.999
        low = np.abs(self.places[-1, :, 2] - np.array(sizes) / 2) < 0.06
        return bool(upright.all() and low.all())

    def levelled(self, sizes: tuple[float, ...]) -> "Flight":
        """The same flight; the last pose exactly flat, on the table."""
        places, turns = self.places.copy(), self.turns.copy()
        for k, size in enumerate(sizes):
            turns[-1, k] = level(turns[-1, k])
            places[-1, k, 2] = size / 2
        return replace(self, places=places, turns=turns)

    def showing(self, values: list[int], mirrored: bool) -> "Flight":
        """The same flight with dice turned in themselves, so that these values lie on top in the end."""
        turns = self.turns.copy()
        for k, value in enumerate(values):
            turns[:, k] = turns[:, k] @ regrip(turns[-1, k], value, mirrored)
        return replace(self, turns=turns)


def level(rotation: Floats) -> Floats:
    """The nearest turn that lies exactly flat."""
    axis = int(np.abs(rotation[2]).argmax())
    side = 1.0 if rotation[2, axis] > 0 else -1.0
    other = (axis + 1) % 3
    across = rotation[:, other] * (1, 1, 0)
    across /= np.linalg.norm(across)
    flat = np.zeros((3, 3))
    flat[:, axis] = (0, 0, side)
    flat[:, other] = across
    flat[:, (axis + 2) % 3] = np.cross(flat[:, axis], across)
    return flat


@lru_cache(maxsize=1)
def _cube_turns() -> tuple[Floats, ...]:
    """The 24 turns that carry a cube into itself."""
    quarter = math.pi / 2
    tips = [turn(k * quarter, 0) for k in range(4)] + [turn(quarter, 1), turn(-quarter, 1)]
    return tuple(np.round(turn(k * quarter, 2) @ tip) for tip in tips for k in range(4))


def value(rotation: Floats, mirrored: bool) -> int:
    """The value on top."""
    return die.face_values(mirrored)[die.top_face(rotation)]


def regrip(rotation: Floats, wanted: int, mirrored: bool) -> Floats:
    """A turn of the cube into itself after which a die at `rotation` shows the wanted value."""
    return next(t for t in _cube_turns() if value(rotation @ t, mirrored) == wanted)
