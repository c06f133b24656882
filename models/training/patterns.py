"""Drawn patterns that repeat, as cloth and print have them: weaves, hatchings, bars, ornaments, letters; no dice."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.augment import SIGNS, Picture, Random


def pattern(side: int, rng: Random) -> Picture:
    """A side x side piece of a pattern that goes on beyond it."""
    paper, ink, second = (rng.uniform(0, 255, 3) for _ in range(3))
    big = int(side * 1.5)  # to turn it without bare corners
    image = np.full((big, big, 3), paper, np.uint8)
    step = int(rng.integers(8, 40))
    thick = max(1, int(step * rng.uniform(0.15, 0.6)))
    long = int(step * rng.uniform(0.5, 3.0))
    way = rng.integers(6)
    rows = range(0, big + step, step)
    for i, y in enumerate(rows):
        for j, x in enumerate(range(0, big + long, long + step // 2)):
            colour = (ink if (i + j) % 2 or rng.random() < 0.5 else second).tolist()
            if way == 0:  # rows of short bars
                cv2.line(image, (x, y), (x + long, y), colour, thick, cv2.LINE_AA)
            elif way == 1:  # stitches, slanting one way and the other
                cv2.line(image, (x, y), (x + long, y + (step if i % 2 else -step)), colour, thick, cv2.LINE_AA)
            elif way == 2:  # print
                cv2.putText(image, str(rng.choice(list(SIGNS))), (x, y), 0, step / 24, colour, max(1, thick // 4))
            elif way == 3:  # an ornament, again and again
                cv2.ellipse(image, (x, y), (step // 2, step // 3), 40.0 * j, 0, 250, colour, max(1, thick // 2))
    if way == 4:  # a weave
        y, x = np.mgrid[0:big, 0:big] * (np.pi / step)
        share = (0.5 + 0.5 * np.sin(x * rng.uniform(0.5, 2)) * np.sin(y * rng.uniform(0.5, 2)))[..., None]
        image = (paper * share + ink * (1 - share)).astype(np.uint8)
    elif way == 5:  # checks filled with hatching
        y, x = np.mgrid[0:big, 0:big]
        cell = step * 3
        inside = ((x // cell + y // cell) % 2 == 0) & ((x + y) % max(3, step // 3) < max(2, step // 5))
        image[inside] = ink.astype(np.uint8)
    centre = (big / 2, big / 2)
    turn = cv2.getRotationMatrix2D(centre, float(rng.uniform(0, 360)), float(rng.uniform(0.8, 1.6)))
    image = np.asarray(cv2.warpAffine(image, turn, (big, big), borderMode=cv2.BORDER_REFLECT), np.uint8)
    edge = (big - side) // 2
    image = image[edge : edge + side, edge : edge + side]
    rough = rng.standard_normal((side // 3, side // 3), np.float32) * rng.uniform(0, 30)
    grain = cv2.resize(rough, (side, side), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.asarray(cv2.GaussianBlur(np.clip(image + grain, 0, 255).astype(np.uint8), (0, 0), rng.uniform(0.5, 2)))
