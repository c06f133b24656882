"""A clip's pictures: rendered tables, and drawn over them what moves."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from models.training.render.clips import bodies, hands
from models.training.render.clips.flight import Pose
from models.training.render.clips.gestures import trembling
from models.training.render.clips.shadows import Shadows
from models.training.render.clips.stage import Stage
from models.training.render.clips.timeline import Flies, Gripped, Lies, Slides, Timeline
from models.training.render.develop import Bytes, gain, toned
from models.training.render.shapes import Floats, Picture

FADE = 0.13
"""Seconds in which a drawn die becomes the rendered one."""
SHUTTER = 1 / 45
MOST = 8
"""Moments in which a fast die is drawn for one picture, at most."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A die's part of a rendered table: its corner, how much of each pixel is its own, and its outline there."""

    x: int
    y: int
    share: Picture
    inside: Bytes


class Painter:
    """Draws the pictures of a timeline. `plates`: linear light (h, w, 3) by name."""

    def __init__(self, stage: Stage, line: Timeline, plates: dict[str, Picture]) -> None:
        self._stage, self._line = stage, line
        first = line.rolls[0].plate
        self._gain = gain(plates[first], stage.scene.exposure)
        self._pictures = {name: toned(light, self._gain) for name, light in plates.items()}
        self._cuts = {name: self._cut(name) for name, plate in line.plates.items() if plate.poses and not plate.lamp}
        self._light = stage.light
        self._light = stage.light.tinted(self._tint(first, plates[first]))
        # The dice's own colour is in the tint: hands get its brightness only.
        self._grey = self._light.tinted(np.full(3, np.median(self._light.tint)))
        self._step = int(np.clip(round(max(stage.sizes) * stage.lens.scale / stage.scene.camera.focus / 15), 2, 4))

    def _tint(self, name: str, light: Picture) -> Floats:
        """By how much the renderer's light on dice differs from the simple one."""
        ratios = []
        for die, pose in self._line.plates[name].poses.items():
            drawn = self._die(die, [pose])
            if drawn is not None:
                on = drawn.cover > 0.95
                there = light[drawn.y : drawn.y + on.shape[0], drawn.x : drawn.x + on.shape[1]]
                ratios.append(there[on].mean(0) / np.maximum(drawn.light[on].mean(0), 1e-4))
        tint: Floats = np.clip(np.median(ratios, axis=0), 0.05, 4.0)
        return tint

    def _die(self, die: int, poses: list[Pose]) -> bodies.Patch | None:
        moments = [(pose.rotation, pose.at) for pose in poses]
        return bodies.draw(self._stage.lens, self._stage.dice[die].style, moments, self._light)

    def _cut(self, name: str) -> dict[int, Cut]:
        """What of a table's picture differs from the empty one's, shared out to the nearest die."""
        poses, lens = self._line.plates[name].poses, self._stage.lens
        change = cv2.absdiff(self._pictures[name], self._pictures["empty"]).max(-1)
        changed = cv2.GaussianBlur(change, (0, 0), 2) > 5
        solid, away = {}, []
        for die, pose in poses.items():
            mask = np.zeros(change.shape, np.uint8)
            around = bodies.outline(lens, self._stage.sizes[die], pose.rotation, pose.at)
            cv2.fillConvexPoly(mask, np.round(around).astype(np.int32), 1)
            solid[die] = mask
            away.append(cv2.distanceTransform(1 - mask, cv2.DIST_L2, 3))
        nearest = np.argmin(away, axis=0)
        reach = 3.5 * max(self._stage.sizes) * lens.scale / self._stage.scene.camera.focus
        cuts = {}
        for number, die in enumerate(poses):
            own = (changed & (away[number] < reach)) | (away[number] < 4)
            share = cv2.GaussianBlur((own & (nearest == number)).astype(np.float32), (0, 0), 1.5)
            x, y, w, h = cv2.boundingRect((share > 0.004).astype(np.uint8))
            part = np.s_[y : y + h, x : x + w]
            cuts[die] = Cut(x, y, share[part].copy(), solid[die][part].copy())
        return cuts

    def picture(self, t: float) -> tuple[Bytes, dict[int, float]]:
        """The picture at t before the camera has its say, and how much of each lying die a hand or cup hides."""
        hand, cup = self._line.hand(t), self._line.cup(t)
        table = self._table(t)
        if hand is None and cup is None:
            return _bytes(table), {}
        carried = self._carried(t, hand) if hand is not None else []
        hand = trembling(hand, t) if hand is not None else None
        canvas = self._shaded(table.astype(np.float32), hand, cup)
        for die, pose in (c for c in carried if not self._in_palm(c[0], t)):
            self._over(canvas, self._die(die, [pose] * 3))
        drawn = hands.draw(self._stage.lens, self._stage.cast, hand, cup, self._grey, self._step, self._streak(t))
        self._over(canvas, drawn)
        for die, pose in (c for c in carried if self._in_palm(c[0], t)):
            self._over(canvas, self._die(die, [pose] * 3))
        return _bytes(canvas), self._hidden(t, drawn.cover) if drawn is not None else {}

    def _carried(self, t: float, hand: hands.Grip) -> list[tuple[int, Pose]]:
        """The dice in a hand that are seen, the farthest first."""
        states = [(die, self._line.state(die, t)[1]) for die in range(len(self._line.dice))]
        poses = [(die, state.pose(hand)) for die, state in states if isinstance(state, Gripped)]
        return sorted(poses, key=lambda p: -float(np.linalg.norm(p[1].at - self._stage.lens.camera.eye)))

    def _in_palm(self, die: int, t: float) -> bool:
        state = self._line.state(die, t)[1]
        return isinstance(state, Gripped) and state.palm

    def _shaded(self, canvas: Picture, hand: hands.Grip | None, cup: hands.Cup | None) -> Picture:
        """The table under a hand and a cup."""
        shadows = Shadows(self._stage.lens, self._stage.light)
        if hand is not None:
            shadows.arm(hands.limbs(hand.curl, self._stage.cast.size, self._stage.cast.sleeve).placed(hand))
        if cup is not None:
            shadows.cup(cup)
        return shadows.on(canvas)

    def _hidden(self, t: float, cover: Picture) -> dict[int, float]:
        found = {}
        for die in range(len(self._line.dice)):
            _, state = self._line.state(die, t)
            if isinstance(state, Lies):
                cut = self._cuts[state.plate][die]
                part = cover[cut.y : cut.y + cut.share.shape[0], cut.x : cut.x + cut.share.shape[1]]
                found[die] = float(part[cut.inside > 0].mean())
        return found

    def _streak(self, t: float) -> Floats | None:
        """By how many pixels the hand moves while the picture is taken, (2,)."""
        ends = []
        for at in (t - SHUTTER / 2, t + SHUTTER / 2):
            moving = self._line.hand(at) or self._line.cup(at)
            if moving is None or not self._stage.lens.shows(moving.at[None], -4000):
                return None
            ends.append(self._stage.lens.pixels(moving.at[None])[0])
        way: Floats = np.clip(ends[1] - ends[0], -60, 60)
        return way

    # The table with what lies or flies on it

    def _table(self, t: float) -> Bytes | Picture:
        start, end, name = next(w for w in reversed(self._line.wholes) if w[0] <= t)
        shaking = next((e for e in self._line.effects if e.kind == "shake" and e.start <= t < e.end), None)
        share = min((t - start) / FADE, 1.0) if t < end else max(0.0, 1 - (t - end) / FADE)
        if shaking is not None:
            swing = shaking.amounts[0] * math.sin(math.pi * (t - shaking.start) / (shaking.end - shaking.start))
            return self._pieces(t, swing)
        if share >= 1:
            return self._lit(t, name)
        pieces = self._pieces(t, 0.0)
        return pieces if share <= 0 else pieces + share * (self._pictures[name] - pieces)

    def _lit(self, t: float, name: str) -> Bytes | Picture:
        """A whole plate, by whichever lamps are on."""
        for effect in self._line.effects:
            if effect.kind == "lamp" and effect.start <= t < effect.end:
                on = min(1.0, (t - effect.start) / 0.12, (effect.end - t) / 0.12)
                plain, lit = (self._pictures[n].astype(np.float32) for n in (name, f"{name}-lamp"))
                return _bytes(plain + on * (lit - plain))
        return self._pictures[name]

    def _pieces(self, t: float, swing: float) -> Picture:
        """The empty table, with each die where it is."""
        canvas = self._pictures["empty"].astype(np.float32)
        fading, moving = [], []
        for die in range(len(self._line.dice)):
            since, state = self._line.state(die, t)
            if isinstance(state, Lies):
                cut = self._cuts[state.plate][die]
                before = self._before(die, since)
                share = min(1.0, (t - since) / FADE) if isinstance(before, Flies | Slides) else 1.0
                if share < 1 and isinstance(before, Flies | Slides):
                    moving.append((die, [before.pose(math.inf if isinstance(before, Flies) else before.until)] * 3))
                    fading.append((cut, state.plate, share))
                else:
                    off = [round(swing * math.sin(55 * t + 2 * die + k)) for k in (0, 1.5)]
                    self._paste(canvas, cut, state.plate, 1.0, off[0], off[1])
            elif isinstance(state, Flies | Slides):
                moving.append((die, self._moments(state, t)))
        if moving:
            shadows = Shadows(self._stage.lens, self._stage.light)
            for die, poses in moving:
                shadows.die(self._stage.sizes[die], poses[0].rotation, poses[0].at)
            canvas = shadows.on(canvas)
            eye = self._stage.lens.camera.eye
            for die, poses in sorted(moving, key=lambda m: -float(np.linalg.norm(m[1][0].at - eye))):
                self._over(canvas, self._die(die, poses))
        for cut, plate, share in fading:
            self._paste(canvas, cut, plate, share)
        return canvas

    def _before(self, die: int, since: float) -> object:
        """The state that a die had before."""
        earlier = [state for start, state in self._line.dice[die] if start < since]
        return earlier[-1] if earlier else None

    def _moments(self, state: Flies | Slides, t: float) -> list[Pose]:
        """Poses while the picture is taken: the more, the faster it moves."""
        first, last = (state.pose(t + s * SHUTTER) for s in (-0.5, 0.5))
        lens = self._stage.lens
        if not (lens.shows(first.at[None], -4000) and lens.shows(last.at[None], -4000)):
            return [first]
        way = float(np.linalg.norm(np.diff(lens.pixels(np.stack([first.at, last.at])), axis=0)))
        count = int(np.clip(way / 7, 3, MOST))
        return [state.pose(t + (s - 0.5) * SHUTTER) for s in np.linspace(0, 1, count)]

    def _paste(self, canvas: Picture, cut: Cut, plate: str, share: float, right: int = 0, down: int = 0) -> None:
        height, width = cut.share.shape
        x, y = cut.x + right, cut.y + down
        if min(x, y) < 0 or x + width > canvas.shape[1] or y + height > canvas.shape[0]:
            x, y = cut.x, cut.y
        there = canvas[y : y + height, x : x + width]
        own = self._pictures[plate][cut.y : cut.y + height, cut.x : cut.x + width]
        there += share * cut.share[..., None] * (own - there)

    def _over(self, canvas: Picture, patch: bodies.Patch | None) -> None:
        if patch is None:
            return
        on = patch.cover > 0.004
        rows, columns = np.flatnonzero(on.any(1)), np.flatnonzero(on.any(0))
        if not len(rows):
            return
        part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        cover = patch.cover[part][..., None]
        light = np.asarray(patch.light[part] / np.maximum(cover, 0.004), np.float32)
        colour = toned(light, self._gain)
        y, x = patch.y + rows[0], patch.x + columns[0]
        there = canvas[y : y + cover.shape[0], x : x + cover.shape[1]]
        there += cover * (colour - there)


def _bytes(canvas: Bytes | Picture) -> Bytes:
    whole = canvas if canvas.dtype == np.uint8 else np.clip(canvas + 0.5, 0, 255)
    return np.asarray(whole, np.uint8)
