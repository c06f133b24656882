"""Colours by the names a reader may answer: what bodies and inks look like, and which inks show on which body.

The names are the twelve of the reader's contract. Values are sRGB, 0 to 1.
"""

import numpy as np

from models.training.render.shapes import Rgb, Rng

BODIES: dict[str, tuple[tuple[str, Rgb], ...]] = {
    "white": (("snow", (0.94, 0.94, 0.93)), ("ivory", (0.91, 0.87, 0.76))),
    "black": (("black", (0.04, 0.04, 0.045)),),
    "grey": (("slate", (0.40, 0.41, 0.43)), ("silver", (0.60, 0.61, 0.63))),
    "red": (("scarlet", (0.76, 0.06, 0.06)), ("wine", (0.52, 0.03, 0.06))),
    "orange": (("orange", (0.95, 0.42, 0.05)),),
    "yellow": (("lemon", (0.97, 0.84, 0.12)), ("amber", (0.93, 0.72, 0.05))),
    "green": (("grass", (0.05, 0.45, 0.16)), ("bottle", (0.02, 0.28, 0.12)), ("lime", (0.38, 0.72, 0.12))),
    "blue": (("royal", (0.05, 0.14, 0.58)), ("sky", (0.28, 0.55, 0.88)), ("azure", (0.08, 0.32, 0.78))),
    "purple": (("violet", (0.35, 0.10, 0.55)), ("lilac", (0.55, 0.34, 0.75))),
    "pink": (("rose", (0.94, 0.50, 0.66)), ("hot", (0.93, 0.26, 0.52))),
    "brown": (("oak", (0.66, 0.45, 0.25)), ("walnut", (0.33, 0.19, 0.10))),
}
BODY_WEIGHTS: dict[str, float] = {
    "white": 0.38, "black": 0.13, "red": 0.10, "blue": 0.09, "green": 0.07, "yellow": 0.05,
    "orange": 0.03, "purple": 0.04, "pink": 0.03, "grey": 0.03, "brown": 0.05,
}  # fmt: skip

INKS: dict[str, Rgb] = {
    "black": (0.025, 0.025, 0.03),
    "white": (0.95, 0.95, 0.94),
    "red": (0.76, 0.04, 0.05),
    "blue": (0.05, 0.12, 0.60),
    "yellow": (0.90, 0.70, 0.14),
    "grey": (0.62, 0.62, 0.64),
    "green": (0.04, 0.40, 0.14),
    "purple": (0.36, 0.10, 0.52),
    "orange": (0.94, 0.40, 0.05),
    "pink": (0.93, 0.32, 0.55),
    "brown": (0.34, 0.18, 0.08),
}
INK_WEIGHTS: dict[str, float] = {
    "black": 5.0, "white": 5.0, "red": 2.0, "blue": 1.4, "yellow": 1.4, "grey": 0.4,
    "green": 0.7, "purple": 0.4, "orange": 0.4, "pink": 0.3, "brown": 0.25,
}  # fmt: skip
LEAST_CONTRAST = 2.2

SKIN: tuple[Rgb, ...] = (
    (0.86, 0.64, 0.53), (0.72, 0.49, 0.37), (0.46, 0.29, 0.21), (0.93, 0.76, 0.66), (0.30, 0.19, 0.13),
)  # fmt: skip


def linear(colour: Rgb) -> Rgb:
    """SRGB to linear light."""
    c = np.asarray(colour, float)
    r, g, b = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).tolist()
    return (r, g, b)


def jitter(rng: Rng, colour: Rgb, amount: float = 0.08) -> Rgb:
    """A neighbour of a colour: a little lighter or darker, a little off in each channel."""
    shade = rng.uniform(1 - amount, 1 + amount) * rng.uniform(1 - amount / 3, 1 + amount / 3, 3)
    r, g, b = np.clip(np.array(colour) * shade, 0.01, 0.97).tolist()
    return (r, g, b)


def any_colour(rng: Rng) -> Rgb:
    """Some colour, for things whose colour nobody asks."""
    r, g, b = (rng.random(3) ** 0.8 * 0.9 + 0.04).tolist()
    return (r, g, b)


def choose(rng: Rng, weights: dict[str, float]) -> str:
    """A key, drawn with its weight."""
    share = np.array(list(weights.values()))
    return str(rng.choice(list(weights), p=share / share.sum()))


def contrast(one: Rgb, other: Rgb) -> float:
    """Ratio of luminances, 1 to 21 (the relative contrast of WCAG 2)."""
    a, b = (float(np.dot(linear(c), (0.2126, 0.7152, 0.0722))) + 0.05 for c in (one, other))
    return max(a, b) / min(a, b)


def inks_for(body: str, colour: Rgb) -> dict[str, float]:
    """The inks that can be told from a body of this name and colour, with their weights."""
    return {
        name: weight
        for name, weight in INK_WEIGHTS.items()
        if name != body and contrast(colour, INKS[name]) >= LEAST_CONTRAST
    }
