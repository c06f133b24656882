"""A cheap look at every frame, without a network: where something moves, and what is not the table.

All is measured on a small grey picture, in square tiles of it. What a lamp, the exposure or the mains do to the
whole picture is taken out: movement is sought in its fine detail, after the change of contrast that both have in
common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame, Region

WIDE = 320  # pixels of the small picture's longer side
TILE = 8  # its pixels along a tile's side
COARSE = 25  # detail is what is finer than this, in its pixels
CHANGED, ABOUT = 6, 14  # pixels of a tile that must have changed, and of it with those around it
LEAST, NOISES = 7.0, 4.0  # a change is this many grey levels, and so many times the noise
FOLLOWS = 0.03  # share of each frame in what the next are compared with, where nothing moves
QUIETEST, NOISIEST = 0.4, 5.0  # the noise that is reckoned with, in grey levels
OTHERS = 3  # of every so many pixels one is enough for a median
FEW = 40  # pixels from which the change of contrast can be measured
UNLIKE = 14.0  # grey levels from which something is not the table
LEARNED, ABSORBED = 0.5, 3.0  # seconds after which what lies still is table: at first, and where a table is known
BLACK = 8.0  # grey levels that are added before a brightness is divided by another
ELSEWHERE = 0.6  # share of the picture unlike the table, from which the camera looks at another one
BETTER = 0.6  # of the difference may be left when a picture is laid over another
ARM = 0.015  # share of the picture from which what reaches in is a hand or a sleeve
ROOM = 0.5  # about a die, in its sizes

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What one frame shows beside the last ones; pixels are the frame's.

    `changed` (rows x columns of tiles): when each tile last changed, in seconds; `foreign`: which tiles look unlike
    the table; `tile`: a tile's side in pixels; `light`: the mean grey level, 0-255; `glare`: the share of the picture
    that is blown out.
    """

    t: float
    changed: NDArray[np.float64]
    foreign: Flags
    tile: float
    light: float
    glare: float

    @property
    def quiet(self) -> float:
        """Seconds since anything moved."""
        return float(self.t - self.changed.max())

    def calm(self, seconds: float) -> float:
        """The share of the picture that has been still for so long."""
        return float((self.t - self.changed >= seconds).mean())

    @property
    def moving(self) -> float:
        """The share of the picture that moves."""
        return float((self.changed >= self.t).mean())

    @property
    def reaching(self) -> Flags:
        """The tiles of what reaches in over the picture's edge, as an arm does."""
        _, parts = cv2.connectedComponents(self.foreign.astype(np.uint8), connectivity=8)
        edge = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
        large = [part for part in np.unique(edge[edge > 0]) if (parts == part).mean() >= ARM]
        reaching: Flags = np.isin(parts, large)
        return reaching

    def hides(self, regions: Sequence[Region]) -> bool:
        """Whether what reaches in covers some of these places."""
        reaching = self.reaching
        return any(
            self._tiles(reaching, region.x, region.y, region.x + region.w, region.y + region.h).any()
            for region in regions
        )

    def quiet_about(self, regions: Sequence[Region]) -> float:
        """Seconds since anything moved at the regions, between them or close by."""
        if not regions:
            return self.quiet
        room = ROOM * max(region.size for region in regions)
        x0, y0 = min(r.x for r in regions) - room, min(r.y for r in regions) - room
        x1, y1 = max(r.x + r.w for r in regions) + room, max(r.y + r.h for r in regions) + room
        return float(self.t - self._tiles(self.changed, x0, y0, x1, y1).max())

    def _tiles(self, of: NDArray[T], x0: float, y0: float, x1: float, y1: float) -> NDArray[T]:
        rows, columns = of.shape
        top, left = (min(last, max(0, int(edge / self.tile))) for edge, last in ((y0, rows - 1), (x0, columns - 1)))
        return of[top : max(top, int(y1 / self.tile)) + 1, left : max(left, int(x1 / self.tile)) + 1]


class Eye:
    """Glances at frames one after the other, and remembers what the table looks like. Not thread-safe."""

    def __init__(self) -> None:
        self._noise = 1.5
        self._size = (0, 0)  # width and height of the frames
        self._scale = 1.0  # of the small picture to them

    def glance(self, frame: Frame, t: float) -> Glance:
        """The glance at a frame (H x W x 3, BGR) of the time `t`, in seconds; later than the last one."""
        colour = small(frame)
        grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY).astype(np.float32)
        detail = grey - cv2.blur(grey, (COARSE, COARSE))
        if self._size != (frame.shape[1], frame.shape[0]):
            self._begin(frame, colour, detail, t)
        self._anchor *= self._gain(detail)
        difference = cv2.blur(np.abs(detail - self._anchor), (3, 3))
        share = _in_tiles(difference > max(LEAST, NOISES * self._noise))
        moved = (share >= CHANGED / TILE**2) & (9 * cv2.blur(share, (3, 3)) >= ABOUT / TILE**2)
        self._hear(float(np.median(difference[::OTHERS, ::OTHERS])), float(moved.mean()))
        self._changed[moved] = t
        self._anchor += FOLLOWS * (detail - self._anchor)
        _put(self._anchor, detail, moved)
        self._grey, self._colour = grey, colour.astype(np.float32)
        foreign = _in_tiles(self._unlike()) > 0.5
        if foreign.mean() > ELSEWHERE and t - self._changed.max() >= LEARNED:
            self._table[:] = self._colour
        self._absorb(t)
        tile = TILE / self._scale
        return Glance(t, self._changed.copy(), foreign, tile, float(grey.mean()), float((grey > 250).mean()))

    def on_table(self, regions: Sequence[Region]) -> bool:
        """Whether most of the regions have table around them in the frame last glanced at, not a hand."""
        if not regions:
            return True
        scale = self._scale
        free = np.full(self._grey.shape, True)
        for region in regions:
            _fill(free, region, 0.12, scale, False)
        unlike = self._unlike()
        held = 0
        for region in regions:
            ring = np.full(self._grey.shape, False)
            _fill(ring, region, ROOM, scale, True)
            ring &= free
            held += bool(ring.any() and unlike[ring].mean() > 0.5)
        return held <= len(regions) / 2

    def shift(self, since: Floats, but: Sequence[Region]) -> tuple[float, float]:
        """How far the table has moved since another picture (`picture`), in the frame's pixels.

        (0, 0) where laying one so over the other does not make them much more alike outside the regions `but`.
        """
        now = self._grey
        if since.shape != now.shape:
            return 0.0, 0.0
        window = cv2.createHanningWindow((since.shape[1], since.shape[0]), cv2.CV_32F)
        # Copies: OpenCV 5 lays the window over the very arrays that it is given, where their sides suit its transform.
        (x, y), _ = cv2.phaseCorrelate(since.copy(), now.copy(), window)
        if max(abs(x), abs(y)) < 0.5 or max(abs(x), abs(y)) > 0.25 * min(now.shape):
            return 0.0, 0.0
        scale = self._scale
        table = np.full(now.shape, True)
        for region in but:
            _fill(table, region, 0.1, scale, False)
        matrix = np.array([[1, 0, x], [0, 1, y]], np.float64)
        laid = cv2.warpAffine(since, matrix, (now.shape[1], now.shape[0]), borderValue=-1)
        table &= laid >= 0
        if not table.any():
            return 0.0, 0.0
        apart, apart_laid = (float(np.abs(other - now)[table].mean()) for other in (since, laid))
        return (float(x / scale), float(y / scale)) if apart_laid < BETTER * apart else (0.0, 0.0)

    @property
    def picture(self) -> Floats:
        """The small grey picture last glanced at, for `shift`."""
        return self._grey

    def _begin(self, frame: Frame, colour: Frame, detail: Floats, t: float) -> None:
        self._size = (frame.shape[1], frame.shape[0])
        self._scale = min(1.0, 1 / max(1, round(max(self._size) / WIDE)))
        self._anchor, self._table = detail.copy(), np.full(colour.shape, np.nan, np.float32)  # nan: not known yet
        self._changed = np.full((colour.shape[0] // TILE, colour.shape[1] // TILE), np.nextafter(t, -np.inf))

    def _gain(self, detail: Floats) -> float:
        """How much stronger the detail has become in most places, as when the exposure steps; 1 where it hardly has."""
        strong = np.abs(self._anchor) > max(2 * LEAST, NOISES * self._noise)
        if int(strong.sum()) < FEW:
            return 1.0
        gain = float(np.median(detail[strong] / self._anchor[strong]))
        return 1.0 if abs(gain - 1) < 0.04 else min(3.0, max(0.3, gain))

    def _hear(self, level: float, moving: float) -> None:
        """Follow the camera's noise, the median difference; upward slowly, and where much moves hardly at all."""
        speed = 0.2 if level < self._noise else 0.02 if moving < 0.3 else 0.001
        self._noise = min(NOISIEST, max(QUIETEST, self._noise + speed * (level - self._noise)))

    def _unlike(self) -> Flags:
        """Which pixels look unlike the table, where that is known; (small picture's) rows x columns."""
        some, of = (picture[::OTHERS, ::OTHERS].reshape(-1, 3) + BLACK for picture in (self._colour, self._table))
        ratio = some / of
        known = ratio[np.isfinite(ratio[:, 0])]
        gain = np.median(known, 0) if len(known) else np.ones(3, np.float32)
        with np.errstate(invalid="ignore"):
            apart = np.abs(self._colour + BLACK - gain * (self._table + BLACK)) > UNLIKE
        unlike: Flags = apart[..., 0] | apart[..., 1] | apart[..., 2]
        return unlike

    def _absorb(self, t: float) -> None:
        known = np.isfinite(self._table[::TILE, ::TILE, 0])
        _put(self._table, self._colour, t - self._changed >= np.where(known, ABSORBED, LEARNED))


def small(frame: Frame) -> Frame:
    """The frame with a longer side of about `WIDE` pixels, its sides whole tiles (what is over is left out)."""
    height, width = frame.shape[:2]
    times = max(1, round(max(height, width) / WIDE))
    size = (max(TILE, width // times), max(TILE, height // times))
    less = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    return less[: less.shape[0] // TILE * TILE, : less.shape[1] // TILE * TILE]


def _in_tiles(flags: Flags) -> Floats:
    """The share of each tile's pixels that is set."""
    size = (flags.shape[1] // TILE, flags.shape[0] // TILE)
    return np.asarray(cv2.resize(flags.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def _put(into: Floats, new: Floats, tiles: Flags) -> None:
    """Replace the tiles that are set."""
    if tiles.any():
        mask = tiles.repeat(TILE, 0).repeat(TILE, 1)
        np.copyto(into, new, where=mask if into.ndim == 2 else mask[..., None])


def _fill(flags: Flags, region: Region, room: float, scale: float, value: bool) -> None:
    more = room * region.size
    top, left = max(0, int((region.y - more) * scale)), max(0, int((region.x - more) * scale))
    bottom, right = int((region.y + region.h + more) * scale) + 1, int((region.x + region.w + more) * scale) + 1
    flags[top : max(0, bottom), left : max(0, right)] = value
