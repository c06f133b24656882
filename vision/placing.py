"""What is wrong with the light or the camera's place, and what to do about it, in plain sentences. Pure."""

from __future__ import annotations

import cv2
import numpy as np

from vision.glance import Glance
from vision.sentences import Sentence
from vision.types import Frame, Reading

DARK = 40.0  # mean grey level
BLOWN, BLOWN_DIE = 0.08, 0.3  # share of the picture, and of a die's box
FAR = 24.0  # pixels of a die
SOFT = 7.0  # see `sharpness`: samples blurred so are read right two times in three, sharp ones have 17 to 45
SHAKY = 0.6  # share of the picture that moves at once

TOO_DARK = Sentence("It is too dark: switch on a lamp, or move the dice closer to it.")
GLARE = Sentence("A light is reflected on the dice: move the lamp or the camera a little.")
TOO_FAR = Sentence("The dice are small in the picture: move the camera closer.")
NOT_SHARP = Sentence("The picture is not sharp: wipe the lens, or move the camera a little away.")
SHAKES = Sentence("The picture shakes: lean the camera against something.")
TOO_FLAT = Sentence("The camera looks from too low: raise it, so that it sees the tops of the dice.")


def hints(frame: Frame, glance: Glance, reading: Reading | None) -> tuple[str, ...]:
    """What stands in the way of a sure reading of the frame (H x W x 3, BGR); `reading`: the last one, if it holds."""
    found = []
    if glance.light < DARK:
        found.append(TOO_DARK)
    if glance.moving > SHAKY:
        found.append(SHAKES)
    if reading is None or not reading.dice:
        return tuple(found)
    sizes = [die.region.size for die in reading.dice]
    unsure = [die for die in reading.dice if reading.is_doubtful(die)]
    boxes = [_box(frame, die.region.x, die.region.y, die.region.w, die.region.h) for die in unsure]
    boxes = [box for box in boxes if box.size]
    if any((box.min(2) > 250).mean() > BLOWN_DIE for box in boxes) or (unsure and glance.glare > BLOWN):
        found.append(GLARE)
    if np.median(sizes) < FAR:
        found.append(TOO_FAR)
    elif boxes and np.median([sharpness(box) for box in boxes]) < SOFT:
        found.append(NOT_SHARP)
    leaning = sum(doubt.is_die for doubt in reading.leftovers)
    if leaning > 1 and leaning >= len(reading.dice):
        found.append(TOO_FLAT)
    return tuple(found)


def sharpness(box: Frame) -> float:
    """How sharp a die's picture (h x w x 3) is: its whole contrast would take this many-th part of its side to pass."""
    grey = cv2.cvtColor(box, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = np.percentile(grey, (2, 98))
    if high - low < 8 or min(grey.shape) < 3:
        return float("inf")
    step = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) / 8
    return float(np.percentile(step, 97) / (high - low) * max(grey.shape))


def _box(frame: Frame, x: float, y: float, w: float, h: float) -> Frame:
    return frame[max(0, int(y)) : max(0, int(y + h)), max(0, int(x)) : max(0, int(x + w))]
