"""The clips' choreography as far as it goes without renderer and physics."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.training.render import place
from models.training.render.clips import bodies, hands
from models.training.render.clips.flight import Flight, Pose, level, regrip, value
from models.training.render.clips.gestures import Player
from models.training.render.clips.plans import CLIPS, Round
from models.training.render.clips.script import stage_clip
from models.training.render.clips.stage import HEIGHT, WIDTH, Stage, build_stage
from models.training.render.clips.throwing import heap
from models.training.render.clips.timeline import Flies, Lies, Slides, Timeline, Track
from models.training.render.clips.truth import of_clip, spans
from models.training.render.clips.webcam import Webcam
from models.training.render.shapes import Floats, Rng, apart, turn


def fall(
    rng: Rng,
    sizes: Sequence[float],
    lying: Sequence[tuple[float, Pose]],
    things: Sequence[Floats],
    start: Floats,
    speed: Floats,
) -> Flight | None:
    """Dice that slide from the start to free places about the target, instead of physics."""
    reach = float(np.linalg.norm(speed[:2])) ** 2 / (2 * 981 * 0.17)
    middle = start[:2] + speed[:2] / np.linalg.norm(speed[:2]) * reach
    ends: list[place.Pose] = []
    taken = [place.outline(size / 2, pose.rotation, pose.at) for size, pose in lying]
    for size in sizes:
        for _ in range(200):
            pose = place.flat(rng, size / 2, middle + rng.normal(0, 2.5, 2), float(rng.uniform(0, 6)))
            if all(apart(pose.outline, other, 0.05) for other in taken):
                ends.append(pose)
                taken.append(pose.outline)
                break
    if len(ends) < len(sizes):
        return None
    shares = np.linspace(0, 1, 120)[:, None]
    places = np.stack([start + shares * (end.at - start) for end in ends], 1)
    turns = np.stack([np.array([turn(3 * (1 - s[0]), 0) @ end.rotation for s in shares]) for end in ends], 1)
    return Flight.ending(1 / 240, places, turns)


@pytest.fixture(scope="module")
def stage() -> Stage:
    return build_stage(CLIPS[0], np.random.default_rng(1))


def clip(stage: Stage, *rounds: Round, seed: int = 3) -> Timeline:
    return stage_clip(replace(CLIPS[0], rounds=rounds), stage, np.random.default_rng(seed), fall)


def lying(line: Timeline, t: float) -> set[int]:
    return {die for die in range(5) if isinstance(line.state(die, t)[1], Lies)}


def test_the_plans_hold_all_that_a_live_table_must_stand() -> None:
    kinds = Counter(kind for plan in CLIPS for kind in plan.kinds)
    wanted = {
        "throw", "keep", "all-again", "same", "cup", "cocked", "lying", "palm", "fist", "push-before", "push-after",
        "hover", "sleeve", "beside", "refocus", "exposure", "lamp", "nudge", "shake", "side", "dim", "glare", "yamslam",
    }  # fmt: skip
    assert set(kinds) == wanted
    assert sum(len(plan.rounds) for plan in CLIPS) >= 60
    assert sum(plan.held_out for plan in CLIPS) >= 0.4 * len(CLIPS)
    assert len({plan.seed for plan in CLIPS}) == len(CLIPS)
    assert all(35 <= plan.elevation <= 88 and 25 <= plan.pixels <= 90 for plan in CLIPS)


def test_a_die_can_be_made_to_show_any_value_and_lie_as_it_lay() -> None:
    rng = np.random.default_rng(2)
    for mirrored in (False, True):
        rotation = turn(float(rng.uniform(0, 6))) @ place.any_face_up(rng)
        for wanted in range(1, 7):
            other = rotation @ regrip(rotation, wanted, mirrored)
            assert value(other, mirrored) == wanted
            assert np.linalg.det(other) == pytest.approx(1)
            assert np.allclose(np.sort(np.abs(rotation.T @ other), axis=None), [0] * 6 + [1] * 3, atol=1e-9)


def test_levelling_keeps_the_turn_about_the_vertical() -> None:
    flat = turn(0.7) @ turn(math.pi / 2, 0)
    nearly = turn(0.01, 0) @ turn(-0.008, 1) @ flat
    assert np.allclose(level(nearly), flat, atol=0.02)
    assert np.abs(level(nearly)[2]).max() == pytest.approx(1)


def test_a_flight_stops_when_only_a_tremble_is_left() -> None:
    places = np.zeros((100, 2, 3))
    places[:40, 0, 0] = np.linspace(5, 0, 40)
    places[:70, 1, 1] = np.linspace(5, 0, 70)
    places[80:90, 1, 1] += 0.001
    flight = Flight.ending(0.01, places, np.broadcast_to(np.eye(3), (100, 2, 3, 3)))
    assert flight.stops == pytest.approx((0.39, 0.69), abs=0.02)


def test_dice_kept_stay_where_they_were_and_show_what_they_showed(stage: Stage) -> None:
    line = clip(stage, Round(2), Round(3), Round())
    assert [roll.roll for roll in line.rolls] == [1, 2, 3]
    assert [len(roll.kept) for roll in line.rolls] == [0, 2, 3]
    for before, roll in zip(line.rolls, line.rolls[1:], strict=False):
        for die in roll.kept:
            assert roll.values[die] == before.values[die]
            one, other = (line.plates[r.plate].poses[die] for r in (before, roll))
            assert np.allclose(one.at, other.at)
            assert np.allclose(one.rotation, other.rotation)


def test_a_player_keeps_what_is_most_alike(stage: Stage) -> None:
    line = clip(stage, Round(3, values=(5, 2, 5, 6, 5)), Round())
    assert [line.rolls[1].values[die] for die in sorted(line.rolls[1].kept)] == [5, 5, 5]


@pytest.mark.parametrize("push", ["before", "after"])
def test_dice_pushed_aside_end_elsewhere_and_touch_nothing(stage: Stage, push: str) -> None:
    line = clip(stage, Round(2, push=push), Round())
    before, after = (line.plates[r.plate].poses for r in line.rolls)
    kept = line.rolls[1].kept
    assert all(np.linalg.norm(before[die].at - after[die].at) > 0.3 for die in kept)
    slid = [state for die in kept for _, state in line.dice[die] if isinstance(state, Slides)]
    assert len(slid) == len(kept)
    outlines = [place.outline(stage.sizes[die] / 2, pose.rotation, pose.at) for die, pose in after.items()]
    assert all(apart(a, b, -0.02) for k, a in enumerate(outlines) for b in outlines[:k])


def test_the_same_values_can_be_thrown_again(stage: Stage) -> None:
    line = clip(stage, Round(), Round(same=True))
    assert line.rolls[0].values == line.rolls[1].values
    first, second = (line.plates[r.plate].poses for r in line.rolls)
    assert any(np.linalg.norm(first[die].at - second[die].at) > 1 for die in range(5))


def test_between_rolls_only_the_kept_dice_lie_there(stage: Stage) -> None:
    line = clip(stage, Round(2), Round())
    (start, end, why) = line.still[0]
    assert "kept" in why
    assert lying(line, (start + end) / 2) == line.rolls[1].kept


def test_what_happens_while_dice_rest_moves_none_of_them(stage: Stage) -> None:
    events = ("hover", "sleeve", "beside", "refocus", "exposure", "lamp", "shake")
    line = clip(stage, Round(during=events))
    (roll,) = line.rolls
    assert {effect.kind for effect in line.effects} == {"refocus", "exposure", "lamp", "shake"}
    assert len(line.hands) >= 3
    assert all(lying(line, t) == set(range(5)) for t in np.arange(roll.rest + 0.01, line.seconds, 0.1))
    assert len(line.still) == len(events)
    assert all(roll.rest < start < end <= line.seconds for start, end, _ in line.still)


def test_a_cup_over_lying_dice_gives_the_next_roll(stage: Stage) -> None:
    line = clip(stage, Round(how="cup"), Round(how="cup"))
    assert len(line.cups) == 2
    for roll in line.rolls:
        cup = line.cup(roll.rest - 0.05)
        assert cup is not None
        for die, pose in line.plates[roll.plate].poses.items():
            corners = place.outline(stage.sizes[die] / 2, pose.rotation, pose.at)
            assert np.linalg.norm(corners - cup.at[:2], axis=1).max() < cup.radius


def test_there_is_room_under_the_cup_even_if_the_first_dice_lie_badly() -> None:
    for seed in range(20):
        poses = heap(np.random.default_rng(seed), (1.6,) * 5, np.zeros(2), 3.38)
        outlines = [place.outline(0.8, pose.rotation, pose.at) for pose in poses.values()]
        assert all(apart(a, b) for k, a in enumerate(outlines) for b in outlines[:k])
        assert max(np.linalg.norm(outline, axis=1).max() for outline in outlines) < 3.84


def test_a_leaning_die_counts_only_once_it_lies_flat() -> None:
    plan = replace(CLIPS[0], rounds=(Round(how="cocked"),))
    stage = build_stage(plan, np.random.default_rng(1))
    line = stage_clip(plan, stage, np.random.default_rng(1), fall)
    (roll,) = line.rolls
    (leans,) = [s for s in line.still if "leans" in s[2]]
    assert leans[1] < roll.rest
    tilt = [np.abs(line.plates[name].poses[4].rotation[2]).max() for name in ("leaning", roll.plate)]
    assert tilt[0] < 0.98
    assert tilt[1] == pytest.approx(1)


def test_a_roll_lies_open_from_when_the_hand_is_off_until_it_comes_again(stage: Stage) -> None:
    line = clip(stage, Round())
    (roll,) = line.rolls
    times = np.arange(0, line.seconds, 0.1)
    covered = [(float(t), {0: 0.5 if roll.rest < t < roll.rest + 0.25 or t > roll.rest + 1 else 0.0}) for t in times]
    ((rest, until),) = spans(line, covered)
    assert roll.rest + 0.2 <= rest <= roll.rest + 0.4
    assert roll.rest + 1 <= until <= roll.rest + 1.2


def test_the_truth_has_boxes_where_the_camera_has_the_dice(stage: Stage) -> None:
    plan = replace(CLIPS[0], rounds=(Round(1), Round()))
    line = stage_clip(plan, stage, np.random.default_rng(3), fall)
    truth = of_clip(plan, stage, line, [], lambda points, t: points + np.array([10.0, 0.0]), "clip.mp4")
    assert [roll["kept"] for roll in truth["rolls"]] == [
        [],
        sorted(line.rolls[1].values[d] for d in line.rolls[1].kept),
    ]
    there = stage.lens.pixels(np.array([p.at for p in line.plates["roll-1"].poses.values()]))
    for die in truth["rolls"][0]["dice"]:
        x, y, w, h = die["box"]
        assert min(np.linalg.norm(there + np.array([10.0, 0.0]) - (x + w / 2, y + h / 2), axis=1)) < 0.3 * w


def test_a_hand_goes_its_way_between_keys() -> None:
    one, other = hands.Grip(np.zeros(3), 3.0), hands.Grip(np.array([4.0, 0, 2]), -3.0, 1.0)
    track = Track([(1.0, one), (2.0, other)])
    half = track.at(1.5)
    assert half is not None
    assert half.at == pytest.approx([2, 0, 1])
    assert math.cos(half.heading - math.pi) > 0.999
    assert track.at(0.9) is None
    assert track.at(2.1) is None


@pytest.mark.parametrize("sleeve", [None, 14.0])
def test_an_arm_is_long_enough_to_come_from_outside(sleeve: float | None) -> None:
    arm = hands.limbs(0.5, sleeve=sleeve)
    assert max(arm.starts[:, 0].max(), arm.ends[:, 0].max()) > 30
    assert bool(arm.sleeve.any()) == (sleeve is not None)


def test_a_hand_that_is_away_is_out_of_the_picture(stage: Stage) -> None:
    player = Player.sits(stage.lens, np.random.default_rng(4))
    away = player.away(hands.Grip(np.array([0.0, 0.0, 1.0]), player.side))
    assert not stage.lens.shows(away.at[None], 0)


def test_a_drawn_die_shows_its_upper_face(stage: Stage) -> None:
    die = stage.dice[0]
    upright = place.any_face_up(np.random.default_rng(0))
    at = np.array([0.0, 0.0, stage.sizes[0] / 2])
    pips = []
    for wanted in (1, 6):
        rotation = upright @ regrip(upright, wanted, die.style.mirrored)
        patch = bodies.draw(stage.lens, die.style, [(rotation, at)] * 3, stage.light)
        assert patch is not None
        corners = place.CUBE * stage.sizes[0] / 2 @ rotation.T + at
        top = cv2.convexHull(stage.lens.pixels(corners[corners[:, 2] > at[2]]).astype(np.float32))
        face = np.zeros(patch.cover.shape, np.uint8)
        cv2.fillConvexPoly(face, np.round(top - (patch.x, patch.y)).astype(np.int32), 1)
        shown = patch.light[cv2.erode(face, np.ones((5, 5))) > 0].mean(-1)
        pips.append(float((np.abs(shown - np.median(shown)) > 0.25 * np.median(shown)).mean()))
    assert pips[1] > 2 * pips[0]


def test_the_webcam_gives_its_size_and_moves_with_a_nudge(stage: Stage) -> None:
    rng = np.random.default_rng(5)
    plan = replace(CLIPS[0], rounds=(Round(during=("nudge",)),))
    line = stage_clip(plan, stage, rng, fall)
    (nudge,) = line.effects
    webcam = Webcam(rng, WIDTH, HEIGHT, line.effects, 1.0)
    size = (WIDTH + 112, HEIGHT + 112)
    drawn = np.full((size[1], size[0], 3), 60, np.uint8)
    spot = np.array([[700.0, 400.0]])
    cv2.circle(drawn, (700, 400), 12, (255, 255, 255), -1)
    found = []
    for t in (nudge.start - 0.1, nudge.end + 0.1):
        taken = webcam.take(drawn, t)
        assert taken.shape == (HEIGHT, WIDTH, 3)
        y, x = np.nonzero(taken.max(-1) > 200)
        assert (x.mean(), y.mean()) == pytest.approx(webcam.place(spot, size, t)[0], abs=1)
        found.append(np.array([x.mean(), y.mean()]))
    assert 8 < np.linalg.norm(found[1] - found[0]) < 60


def test_all_plans_can_be_staged(stage: Stage) -> None:
    """Not every clip: building stages takes time; but every kind of round."""
    for plan in CLIPS:
        if not any(r.how == "cocked" for r in plan.rounds):
            line = stage_clip(plan, stage, np.random.default_rng(plan.seed), fall)
            assert len(line.rolls) == len(plan.rounds), plan.seed
            flying = [state for states in line.dice for _, state in states if isinstance(state, Flies)]
            assert flying or all(r.how != "throw" for r in plan.rounds)
