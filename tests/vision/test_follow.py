"""Following drawn tables: every frame is drawn, and what a reader would see in it is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.follow import Follower, words
from vision.images import Picture
from vision.placing import SHAKES, TOO_DARK, TOO_FAR
from vision.steady import Settled, Table
from vision.types import Colour, Die, Frame, Reading, Region

WIDTH, HEIGHT, SIDE = 640, 360, 36
RATE = 15
Spot = tuple[int, int]
Change = Callable[[Frame, int], Frame]

NOISE = np.random.default_rng(0).normal(0, 4, (6, HEIGHT, WIDTH, 3)).astype(np.int16)

FIRST = {(100, 60): 2, (180, 200): 4, (320, 120): 4, (420, 250): 5, (520, 90): 6}
SECOND = {(180, 200): 4, (320, 120): 4, (60, 280): 1, (260, 280): 1, (560, 200): 3}


@dataclass
class Drawn:
    """A table on which dice are drawn as squares with pips, read by a reader that knows where they are."""

    seed: int = 0
    t: float = 0.0
    told: list[Settled] = field(default_factory=list)
    reads: int = 0
    cloth: Frame = field(init=False)
    follower: Follower = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        coarse = self.rng.normal(0, 14, (HEIGHT // 4, WIDTH // 4, 1)).astype(np.float32)
        grain = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
        self.cloth = np.clip(np.array([70, 110, 60]) + grain[..., None], 0, 255).astype(np.uint8)
        self.follower = Follower(self)
        self.seen: dict[Spot, int] = {}

    def read(self, picture: Picture) -> Reading:
        self.reads += 1
        dice = tuple(
            Die(Region(x, y, SIDE, SIDE, 0.9), value, Colour("black", 1.0), Colour("white", 1.0), 0.99)
            for (x, y), value in sorted(self.seen.items())
        )
        return Reading(dice, 0, picture.width, picture.height, "drawn", 0.9)

    def draw(self, dice: dict[Spot, int]) -> Frame:
        frame = self.cloth.copy()
        for (x, y), value in dice.items():
            cv2.rectangle(frame, (x, y), (x + SIDE, y + SIDE), (225, 230, 235), cv2.FILLED)
            for pip in range(value):
                cv2.circle(frame, (x + 8 + 10 * (pip % 3), y + 10 + 14 * (pip // 3)), 3, (20, 20, 20), cv2.FILLED)
        return frame

    def show(self, frame: Frame, seen: dict[Spot, int], *, step: float = 1 / RATE) -> None:
        """One frame, with a camera's noise."""
        self.t += step
        self.seen = seen
        noisy = np.clip(frame + NOISE[int(self.rng.integers(len(NOISE)))], 0, 255).astype(np.uint8)
        self.told += self.follower.feed(noisy, self.t)

    def rest(self, dice: dict[Spot, int], seconds: float = 1.2, change: Change | None = None) -> None:
        for i in range(round(seconds * RATE)):
            frame = self.draw(dice)
            self.show(change(frame, i) if change else frame, dice)

    def tumble(self, thrown: Sequence[Spot], lying: dict[Spot, int], seconds: float = 0.6) -> None:
        """Dice fly in, blurred, towards where they will lie."""
        count = round(seconds * RATE)
        for i in range(count):
            left = 1 - i / count
            flying = {(round(x + 300 * left), round(y + 120 * left * (1 if x % 40 else -1))): 3 for x, y in thrown}
            flying = {(x, max(0, y)): value for (x, y), value in flying.items() if x < WIDTH - SIDE}
            self.show(bytes_of(cv2.blur(self.draw(lying | flying), (9, 9))), lying)

    def hand(self, dice: dict[Spot, int], seconds: float = 1.0, at: Spot = (300, 150)) -> None:
        """A hand comes in from below, stirs over the dice and goes away; it hides what is beneath."""
        count = round(seconds * RATE)
        for i in range(count):
            reach = min(1.0, 2.5 * min(i, count - i) / count)
            x, y = at[0] + 10 * (i % 3), round(HEIGHT - reach * (HEIGHT - at[1])) + 4 * (i % 2)
            frame = self.draw(dice)
            cv2.rectangle(frame, (x - 60, y), (x + 60, HEIGHT), (140, 170, 215), cv2.FILLED)
            hidden = {s: v for s, v in dice.items() if x - 60 - SIDE < s[0] < x + 60 and s[1] + SIDE > y}
            self.show(frame, {s: v for s, v in dice.items() if s not in hidden})

    def throw(self, dice: dict[Spot, int], kept: Sequence[Spot] = (), rest: float = 1.2) -> None:
        self.tumble([spot for spot in dice if spot not in kept], {s: dice[s] for s in kept})
        self.rest(dice, rest)

    @property
    def values(self) -> list[tuple[int, ...]]:
        return [roll.values for roll in self.told]


def test_a_whole_turn_with_kept_dice() -> None:
    drawn = Drawn()
    drawn.rest({}, 1)
    assert drawn.follower.view.words == "waiting"
    drawn.throw(FIRST)
    assert drawn.follower.view.words == "roll 1 read: 2 4 4 5 6"
    kept = {(180, 200): 4, (320, 120): 4}
    drawn.hand(FIRST)
    drawn.rest(kept, 0.8)
    drawn.throw(SECOND, list(kept))
    third = kept | {(60, 60): 4, (200, 300): 6, (500, 300): 6}
    drawn.hand(SECOND)
    drawn.throw(third, list(kept))
    assert [(roll.turn, roll.roll, roll.values) for roll in drawn.told] == [
        (1, 1, (2, 4, 4, 5, 6)),
        (1, 2, (1, 1, 3, 4, 4)),
        (1, 3, (4, 4, 4, 6, 6)),
    ]
    assert [roll.kept_values for roll in drawn.told] == [(), (4, 4), (4, 4)]


def test_a_throw_is_told_soon_after_it_rests() -> None:
    drawn = Drawn()
    drawn.rest({}, 1)
    drawn.throw(FIRST, rest=0)
    rested = drawn.t
    drawn.rest(FIRST)
    assert drawn.told[0].t - rested <= 0.5


def bytes_of(picture: NDArray[Any]) -> Frame:
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def scaled(frame: Frame, by: NDArray[np.float64]) -> Frame:
    return bytes_of(frame * by)


def _exposed(frame: Frame, i: int) -> Frame:
    return scaled(frame, np.full(1, 0.75 if 10 < i < 25 else 1.0))


def _lamp(frame: Frame, i: int) -> Frame:
    slope = np.linspace(1.3, 0.6, WIDTH)[None, :, None] if i > 12 else np.ones(1)
    return scaled(frame, slope)


def _focus(frame: Frame, i: int) -> Frame:
    return bytes_of(cv2.GaussianBlur(frame, (0, 0), 0.1 + 4 * abs(np.sin(i / 5)))) if 8 < i < 30 else frame


def _mains(frame: Frame, i: int) -> Frame:
    bands = 1 + 0.06 * np.sin(np.arange(HEIGHT) / 40 + 2.1 * i)[:, None, None]
    return scaled(frame, bands)


def _nudge(frame: Frame, i: int) -> Frame:
    by = 0 if i < 10 else 7 * ((i % 3) - 1) if i < 16 else 17
    return np.roll(frame, (by // 2, by), (0, 1))


def _shaken(frame: Frame, i: int) -> Frame:
    return np.roll(frame, 3 * (i % 2), 1) if 8 < i < 16 else frame


@pytest.mark.parametrize("change", [_exposed, _lamp, _focus, _mains, _nudge, _shaken])
def test_what_happens_to_the_picture_is_no_new_roll(change: Change) -> None:
    drawn = Drawn()
    drawn.throw(FIRST)
    drawn.rest(FIRST, 4, change)
    assert drawn.values == [(2, 4, 4, 5, 6)]


def test_a_hand_over_the_dice_is_told_and_is_no_roll() -> None:
    drawn = Drawn()
    drawn.throw(FIRST, rest=4)
    states = []
    show = drawn.show

    def noted(*args: Any, **more: Any) -> None:
        show(*args, **more)
        states.append(drawn.follower.view.state)

    drawn.show = noted  # type: ignore[method-assign]
    drawn.hand(FIRST, 1.5)
    drawn.rest(FIRST)
    assert states.count("hand") > 10
    assert states[-1] == "settled"
    assert drawn.follower.view.state == "settled"
    assert len(drawn.told) == 1


def test_dice_that_do_not_come_to_rest_are_no_roll() -> None:
    drawn = Drawn()
    for i in range(40):
        drawn.rest({(100 + 5 * (i % 2) + 90 * n, 100 + 20 * n): 3 for n in range(5)}, 1 / RATE)
    assert drawn.told == []
    assert drawn.follower.view.state == "rolling"


def test_a_throw_counts_although_something_moves_far_from_the_dice() -> None:
    drawn = Drawn()
    near = {(60, 60): 1, (120, 60): 2, (60, 130): 3, (120, 130): 4, (180, 80): 6}

    def clock(frame: Frame, i: int) -> Frame:
        cv2.circle(frame, (600 + 4 * (i % 3), 330), 20, (0, 0, 250), cv2.FILLED)
        return frame

    drawn.tumble(list(near), {})
    drawn.rest(near, 4, clock)
    assert drawn.values == [(1, 2, 3, 4, 6)]


def test_the_networks_rest_while_nothing_moves_and_while_all_moves() -> None:
    drawn = Drawn()
    drawn.throw(FIRST, rest=2)
    before = drawn.reads
    drawn.rest(FIRST, 10)
    assert drawn.reads == before
    for i in range(30):
        drawn.show(np.roll(drawn.draw(FIRST), 40 * i, 1), {})
    assert drawn.reads == before


def test_fewer_frames_are_wanted_while_nothing_happens() -> None:
    drawn = Drawn()
    drawn.throw(FIRST, rest=3)
    assert not drawn.follower.wants(drawn.t)
    assert not drawn.follower.wants(drawn.t + 0.05)
    assert drawn.follower.wants(drawn.t + 0.15)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 0.4))
def test_dropped_late_repeated_and_torn_frames(seed: int, often: float) -> None:
    rng = np.random.default_rng(seed)
    drawn = Drawn(seed)
    feed, last = drawn.follower.feed, np.zeros((HEIGHT, WIDTH, 3), np.uint8)

    def bad(frame: Frame, t: float) -> tuple[Settled, ...]:
        nonlocal last
        before, last = last, frame
        what = rng.choice(["drop", "late", "repeat", "torn"]) if rng.random() < often else ""
        if what == "drop":
            return ()
        if what == "late":
            return feed(frame, t - 0.5)
        if what == "repeat":
            return feed(frame, t) + feed(frame, t)
        torn = np.vstack([frame[: HEIGHT // 2], before[HEIGHT // 2 :]]) if what == "torn" else frame
        return feed(torn, t)

    drawn.follower.feed = bad  # type: ignore[method-assign]
    drawn.rest({}, 0.6)
    drawn.throw(FIRST, rest=2.5)
    drawn.hand(FIRST)
    kept = {(180, 200): 4, (320, 120): 4}
    drawn.rest(kept, 1.5)
    drawn.throw(SECOND, list(kept), rest=2.5)
    assert drawn.values == [(2, 4, 4, 5, 6), (1, 1, 3, 4, 4)]
    assert drawn.told[1].kept_values == (4, 4)


def test_what_the_page_and_the_player_say_reaches_the_table() -> None:
    drawn = Drawn()
    drawn.throw(FIRST)
    drawn.follower.new_turn()
    assert drawn.follower.view.latest is None
    assert drawn.follower.view.words == "waiting"
    drawn.rest({}, 1)
    drawn.follower.expect_roll(3, 2)
    drawn.throw(SECOND)
    assert [(roll.turn, roll.roll) for roll in drawn.told] == [(1, 1), (3, 2)]
    drawn.follower.not_a_roll()
    drawn.rest({}, 1)
    drawn.throw(FIRST)
    assert (drawn.told[-1].turn, drawn.told[-1].roll) == (3, 2)
    drawn.follower.fixed((1, 1, 1, 1, 1))
    assert drawn.follower.view.words == "roll 2 read: 1 1 1 1 1"


def test_reading_again_tells_the_same_throw_once_more() -> None:
    drawn = Drawn()
    drawn.throw(FIRST)
    drawn.follower.read_again()
    drawn.rest(FIRST, 0.5)
    assert [(roll.n, roll.roll) for roll in drawn.told] == [(1, 1), (1, 1)]


def test_frames_of_another_size_begin_anew() -> None:
    drawn = Drawn()
    drawn.throw(FIRST)
    for _ in range(5):
        drawn.t += 0.1
        drawn.follower.feed(np.zeros((480, 480, 3), np.uint8), drawn.t)
    drawn.rest(FIRST)
    assert len(drawn.told) == 1
    with pytest.raises(ValueError, match="a frame is"):
        drawn.follower.feed(np.zeros((4, 4), np.uint8), drawn.t + 1)


def test_dice_under_a_cup_that_was_taken_for_the_table_are_told_before_long() -> None:
    """Where the film begins with the cup at rest nothing else is known of the table beneath it."""
    drawn = Drawn()

    under = {(90, 70): 2, (170, 70): 4, (250, 80): 4, (100, 180): 5, (200, 220): 6}

    def cup(frame: Frame, i: int) -> Frame:
        cv2.rectangle(frame, (50, 30), (330, 320), (40, 40, 160), cv2.FILLED)
        return frame

    drawn.rest({}, 1, cup)
    drawn.rest({}, 0.3, lambda frame, i: np.roll(cup(frame, i), -60 * i, 0))
    rested = drawn.t
    drawn.rest(under, 2.5)
    assert drawn.values == [(2, 4, 4, 5, 6)]
    assert drawn.told[0].t - rested < 2


def test_in_frames_of_another_size_the_dice_are_known_and_a_throw_is_one() -> None:
    drawn = Drawn()
    drawn.throw(FIRST)
    feed = drawn.follower.feed
    drawn.follower.feed = lambda frame, t: feed(np.repeat(np.repeat(frame, 2, 0), 2, 1), t)  # type: ignore[method-assign]
    plain = drawn.read
    drawn.read = lambda picture: enlarged(plain(picture))  # type: ignore[method-assign]
    drawn.rest(FIRST)
    assert len(drawn.told) == 1
    assert [die.region.x for die in drawn.follower.view.dice] == [2.0 * x for x, _ in sorted(FIRST)]
    drawn.rest({}, 0.8)
    drawn.throw(SECOND)
    assert drawn.values[1:] == [(1, 1, 3, 4, 4)]


def enlarged(reading: Reading) -> Reading:
    def large(one: Region) -> Region:
        return Region(2 * one.x, 2 * one.y, 2 * one.w, 2 * one.h, one.score)

    return replace(reading, dice=tuple(replace(die, region=large(die.region)) for die in reading.dice))


def test_help_with_the_light_and_the_cameras_place() -> None:
    drawn = Drawn()
    drawn.throw(FIRST)
    assert drawn.follower.view.help == ()
    drawn.rest(FIRST, 1, lambda frame, i: scaled(frame, np.full(1, 0.2)))
    assert TOO_DARK in drawn.follower.view.help
    drawn.rest(FIRST, 1, lambda frame, i: np.roll(frame, 25 * i, 1))
    assert SHAKES in drawn.follower.view.help
    far = Drawn()
    far.read = lambda picture: Reading(  # type: ignore[method-assign]
        tuple(
            Die(Region(x, y, 12, 12, 0.9), v, Colour("black", 1.0), Colour("white", 1.0), 0.99)
            for (x, y), v in FIRST.items()
        ),
        0,
        WIDTH,
        HEIGHT,
        "drawn",
        0.9,
    )
    far.throw(FIRST)
    assert TOO_FAR in far.follower.view.help


def test_every_state_has_words() -> None:
    assert words("hand", Table(5)) == "hand in view"
    assert words("starting", Table(5)) == "starting"
    assert words("missing", Table(5)) == "missing"
