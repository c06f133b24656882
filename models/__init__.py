"""The trained weights, and how they came to be (`models.training`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

DEFAULT = "dice_v3"


@dataclass(frozen=True, slots=True)
class Config:
    """What goes with a version's weights; see its `config.json`.

    classes: of the reader's first logits: "1" to "6", then "other" (no pips), "unreadable", "none".
    look: length in pixels of the longer side of the picture that the locator first sees; second_look the same for a
    closer look, taken where dice are smaller than `small` pixels in the first; `target` is their size then.
    find: the locator's score from which a region is read. keep: the one from which the reader's word is taken as it
    is; below it, only a value of at least the confidence `rescue` counts. overlap: the largest intersection over
    union of two regions.
    crop, context: the reader's input in pixels, and how much wider it is than the die; clear: the share of a class
    from which one crop is enough.
    temperature: what calibrates the classes' logits; body_temperature, ink_temperature: those of the colours, beside
    which what the pixels tell has the weight body_pixels, ink_pixels. count_spread: how far the pips that the reader
    counts lie from a die's value, as the scale of a Laplace distribution; miscount: how far they may for a sure die.
    sure: the confidence from which a die is sure; sure_given: the one where it is known that it is a die; floor: the
    one from which it counts as a die at all; doubt: the share of "some die" from which what does not count is worth a
    question (weak_doubt: of what the locator hardly saw); insist: the locator's score from which it is, even if the
    reader sees no die at all; part: the confidence in a value from which it is, even if the region lies within
    something that is no die. alike: how many times larger or smaller than the dice that are sure a thing may be that
    is asked for or that the locator hardly saw; spread: the same of an unsure die.
    """

    name: str
    classes: tuple[str, ...]
    colours: tuple[str, ...]
    look: int
    second_look: int
    small: float
    target: float
    find: float
    keep: float
    rescue: float
    overlap: float
    crop: int
    context: float
    clear: float
    temperature: float
    body_temperature: float
    body_pixels: float
    ink_temperature: float
    ink_pixels: float
    sure: float
    sure_given: float
    floor: float
    doubt: float
    weak_doubt: float
    insist: float
    count_spread: float
    miscount: float
    part: float
    alike: float
    spread: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Both networks as ONNX bytes, and their config."""

    locator: bytes
    reader: bytes
    config: Config


def load(name: str = DEFAULT) -> Weights:
    """The weights called `name`. Raises FileNotFoundError when there are none of that name."""
    folder = resources.files(__name__) / name
    if not name.isidentifier() or not folder.is_dir():
        raise FileNotFoundError(f"there are no weights called {name!r}")
    fields: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    for names in ("classes", "colours"):
        fields[names] = tuple(fields[names])
    config = Config(name=name, **fields)
    return Weights((folder / "locator.onnx").read_bytes(), (folder / "reader.onnx").read_bytes(), config)
