"""What a phone, a lamp and a lens do to a picture, at random. All take and return H x W x 3 uint8, BGR."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Random = np.random.Generator


def tinted(image: Picture, rng: Random, strength: float) -> Picture:
    """Exposure, contrast, gamma, white balance and saturation, each within what phones and lamps bring."""
    gain = np.exp(rng.normal(0, 0.13 * strength, 3)) * np.exp(rng.normal(0, 0.25 * strength))
    gamma = float(np.exp(rng.normal(0, 0.22 * strength)))
    lift = rng.uniform(-12, 18) * strength
    levels = np.arange(256) / 255.0
    table = np.clip(255 * (levels[:, None] * gain) ** gamma + lift, 0, 255)
    out = cv2.LUT(image, table.astype(np.uint8).reshape(256, 1, 3))
    if rng.random() < 0.5:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        share = float(np.clip(rng.normal(1.0, 0.3 * strength), 0.0, 1.6))
        out = cv2.addWeighted(out, share, grey, 1 - share, 0)
    return np.asarray(out, np.uint8)


def recoloured(image: Picture, rng: Random) -> Picture:
    """Colours that the labels no longer tell: hue turned, channels swapped, or inverted to a negative, or grey."""
    way = rng.integers(4)
    if way == 0:
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int32) + int(rng.integers(180))) % 180
        return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)
    if way == 1:
        return np.ascontiguousarray(image[..., rng.permutation(3)])
    if way == 2:
        return np.asarray(255 - image, np.uint8)
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def lit(image: Picture, rng: Random) -> Picture:
    """An uneven light: a soft shadow edge, a falling-off, or a bright spot of glare."""
    height, width = image.shape[:2]
    small = max(8, height // 8), max(8, width // 8)
    y, x = np.mgrid[-1 : 1 : small[0] * 1j, -1 : 1 : small[1] * 1j]
    angle, shift = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
    along = x * np.cos(angle) + y * np.sin(angle) - shift
    if rng.random() < 0.7:
        field = 1 - rng.uniform(0.1, 0.65) / (1 + np.exp(-along * rng.uniform(1.5, 40)))
        veil = 0.0
    else:
        across = (y * np.cos(angle) - x * np.sin(angle)) * rng.uniform(0.8, 2.5)
        spot = np.exp(-(along**2 + across**2) / rng.uniform(0.01, 0.3))
        field, veil = np.ones_like(spot), rng.uniform(40, 200)
        field = np.stack([field, spot], -1)
    big = cv2.resize(field.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    out = image + big[..., 1:2] * veil if veil else image * big[..., None]
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def lensed(image: Picture, rng: Random, strength: float) -> Picture:
    """Out of focus, shaken, or enlarged from fewer pixels; `strength` 1 blurs by up to about two pixels."""
    way = rng.integers(4)
    if way == 0:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.6) * strength), np.uint8)
    if way == 1:
        length = int(rng.integers(3, 4 + round(5 * strength)))
        kernel = np.zeros((length, length), np.float32)
        a, b = rng.integers(length, size=2)
        cv2.line(kernel, (0, int(a)), (length - 1, int(b)), 1.0, 1)
        if rng.random() < 0.5:
            kernel = kernel.T
        return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)
    if way == 2:
        height, width = image.shape[:2]
        shrink = rng.uniform(1.0, 1 + 1.6 * strength)
        small = cv2.resize(
            image, (max(4, int(width / shrink)), max(4, int(height / shrink))), interpolation=cv2.INTER_AREA
        )
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    soft = cv2.GaussianBlur(image, (0, 0), 1.2)
    amount = rng.uniform(0.3, 1.3)  # a phone's sharpening
    return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)


def noisy(image: Picture, rng: Random) -> Picture:
    """Sensor noise, coarse or fine, and the blocks of JPEG."""
    out = image
    if rng.random() < 0.6:
        height, width = image.shape[:2]
        grain = 1 if rng.random() < 0.6 else 2
        shape = (height // grain + 1, width // grain + 1, 3 if rng.random() < 0.5 else 1)
        noise = rng.standard_normal(shape, np.float32) * np.float32(np.exp(rng.uniform(0.3, 3.0)))
        if grain == 2:
            noise = np.atleast_3d(cv2.resize(noise, (2 * shape[1], 2 * shape[0]), interpolation=cv2.INTER_LINEAR))
        out = np.asarray(np.clip(image + noise[:height, :width], 0, 255), np.uint8)
    if rng.random() < 0.5:
        _, packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return out


def photographed(image: Picture, rng: Random, strength: float = 1.0) -> Picture:
    """The whole chain, each link with its chance."""
    if rng.random() < 0.3:
        image = lit(image, rng)
    if rng.random() < 0.85:
        image = tinted(image, rng, strength)
    if rng.random() < 0.55:
        image = lensed(image, rng, strength)
    if rng.random() < 0.5:
        image = noisy(image, rng)
    return image


FACE_SIDE = 96  # pixels of what is painted on a face
SIGNS = "0023456789ABCDEFGHKMNPRSTXYZ?#%&*+"


def sign(side: int, rng: Random) -> NDArray[np.uint8]:
    """A number, a letter or an ornament, side x side, 255 where there is ink."""
    mark = np.zeros((side, side), np.uint8)
    thick = int(rng.integers(2, 9))
    if rng.random() < 0.65:
        text = "".join(rng.choice(list(SIGNS), 1 if rng.random() < 0.7 else 2))
        font, size = int(rng.integers(0, 8)), rng.uniform(1.8, 3.0) / (0.6 + 0.4 * len(text))
        (w, h), _ = cv2.getTextSize(text, font, size, thick)
        cv2.putText(mark, text, ((side - w) // 2, (side + h) // 2), font, size, 255, thick, cv2.LINE_AA)
        if rng.random() < 0.3:
            cv2.rectangle(mark, (8, 8), (side - 8, side - 8), 255, int(rng.integers(1, 6)), cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(3, 14))):
            centre = rng.integers(14, side - 14, 2).tolist()
            axes = rng.integers(4, 30, 2).tolist()
            turn, begin, sweep = rng.uniform(0, 360), rng.uniform(0, 360), rng.uniform(60, 300)
            cv2.ellipse(mark, centre, axes, turn, begin, begin + sweep, 255, max(1, thick // 2), cv2.LINE_AA)
    return np.rot90(mark, int(rng.integers(4)))


def large_pip(side: int, rng: Random) -> NDArray[np.uint8]:
    """The single large pip that many dice have for a one, side x side, 255 where there is ink."""
    mark = np.zeros((side, side), np.uint8)
    cv2.circle(mark, (side // 2, side // 2), int(side * rng.uniform(0.11, 0.24)), 255, -1, cv2.LINE_AA)
    return mark


def repainted(image: Picture, face: NDArray[np.float32], mark: NDArray[np.uint8]) -> Picture:
    """A pip die with `mark` on its top face in place of pips, in the face's own colours.

    face: the corners of the top face, 4 x 2, in pixels of the picture; mark: a square, 255 where there is ink.
    """
    side = len(mark)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    to_face = cv2.getPerspectiveTransform(square, face.astype(np.float32))
    flat = cv2.warpPerspective(image, np.linalg.inv(to_face), (side, side))
    light = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    inner = light[side // 8 : -side // 8, side // 8 : -side // 8]
    body, contrast = np.median(inner), np.abs(inner - np.median(inner)).max()
    far = np.abs(light.astype(np.float32) - body) > 0.6 * contrast
    ink = flat[far].mean(0) if far.any() else np.full(3, 255.0 if body < 128 else 0.0)
    # Median filtering takes the pips away and leaves the face's shading.
    plain = cv2.medianBlur(cv2.resize(flat, (24, 24), interpolation=cv2.INTER_AREA), 15)
    plain = cv2.resize(plain, (side, side), interpolation=cv2.INTER_LINEAR)
    share = (mark / 255.0)[..., None]
    painted = (plain * (1 - share) + ink * share).astype(np.uint8)
    height, width = image.shape[:2]
    over = cv2.warpPerspective(painted, to_face, (width, height), flags=cv2.INTER_AREA)
    inset = np.full((side, side), 255, np.uint8)
    inset[:4], inset[-4:], inset[:, :4], inset[:, -4:] = 0, 0, 0, 0
    where = cv2.GaussianBlur(cv2.warpPerspective(inset, to_face, (width, height)), (0, 0), 0.8)[..., None] / 255.0
    return np.asarray(image * (1 - where) + over * where, np.uint8)
