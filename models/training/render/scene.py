"""From a seed to a scene: first the plan (what kind of picture), then every thing in it. Pure numpy, no renderer.

Lengths are centimetres, angles radians unless named otherwise.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from models.training.render import clutter, die, others, place, table
from models.training.render.palette import choose
from models.training.render.shapes import Floats, Material, Rgb, Rng, Thing, apart, hull, sheet, turn

RECIPE = "3"
"""Raised when the same seed gives another scene; it stands beside every label made."""

FRAMES = {"near": 0.18, "middle": 0.62, "wide": 0.20}
DIE_PIXELS = {"near": (150.0, 400.0), "middle": (28.0, 150.0), "wide": (12.0, 30.0)}
DISTANCE = {"near": (14.0, 40.0), "middle": (28.0, 75.0), "wide": (45.0, 150.0)}
LIGHTS = {"even": 0.6, "side": 0.13, "glare": 0.12, "dim": 0.15}


@dataclass(frozen=True, slots=True)
class Plan:
    """What kind of picture a scene gives; elevation in degrees above the table, die in pixels at 640."""

    dice: int
    others: int
    dotted: bool
    frame: str
    elevation: float
    pixels: float
    light: str
    touching: bool
    tumbled: bool
    yamslam: bool
    same: bool
    table: str
    tray: bool
    held_out: bool = False


@dataclass(frozen=True, slots=True)
class Die:
    """A pip die in the scene."""

    style: die.Style
    thing: Thing

    @property
    def value(self) -> int:
        """The value of the face that looks up most."""
        return die.face_values(self.style.mirrored)[die.top_face(self.thing.rotation)]

    @property
    def ink(self) -> str:
        """The ink's name on that face."""
        return self.style.inks[self.value - 1]


@dataclass(frozen=True, slots=True)
class Other:
    """A die without pips in the scene."""

    kind: str
    thing: Thing


@dataclass(frozen=True, slots=True)
class Camera:
    """Where it stands, its axes (rows of `axes`: right, up, forward), the lens's angle, focus and aperture in cm."""

    eye: Floats
    axes: Floats
    angle: float
    focus: float
    aperture: float


@dataclass(frozen=True, slots=True)
class Lamp:
    """A flat lamp that shines on the middle of the table; `power` 1 lights it as a lit room does."""

    at: Floats
    size: float
    power: float
    colour: Rgb
    round: bool


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The picture of the world around: which, how turned, how bright, how colourful."""

    index: int
    yaw: float
    strength: float
    saturation: float


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a renderer and the labels need."""

    seed: int
    plan: Plan
    dice: tuple[Die, ...]
    others: tuple[Other, ...]
    clutter: tuple[Thing, ...]
    camera: Camera
    lamps: tuple[Lamp, ...]
    surroundings: Surroundings
    exposure: float

    def things(self) -> list[Thing]:
        """All that is to be drawn."""
        return [d.thing for d in self.dice] + [o.thing for o in self.others] + list(self.clutter)


def generator(seed: int) -> Rng:
    """The random numbers of a seed."""
    return np.random.default_rng([seed, 1])  # the 1 is of no meaning, but the seeds of `shots` were chosen with it


def draw_plan(rng: Rng, *, held_out: bool = False) -> Plan:
    """A kind of picture, as often as the recipe wants it."""
    kind = choose(rng, {"dice": 0.54, "crowd": 0.28, "others": 0.08, "dotted": 0.08, "empty": 0.02})
    if kind == "crowd":
        return _crowd(rng, held_out)
    dice = 0
    if kind == "dice":
        few = choose(rng, {"few": 0.27, "five": 0.56, "many": 0.17})
        dice = 5 if few == "five" else int(rng.integers(1, 5) if few == "few" else rng.integers(6, 11))
    mixed = kind == "others" or (kind == "dice" and rng.random() < 0.33)
    frame = choose(rng, FRAMES)
    low, high = DIE_PIXELS[frame]
    if frame == "middle":
        high = min(high, 420 / (1 + math.sqrt(max(dice, 1))))
    straight = rng.random() < 0.3
    tables = table.HELD_OUT_TABLES if held_out else table.TABLES
    polka = kind == "dotted" and rng.random() < 0.25
    yamslam = kind == "dice" and rng.random() < 0.19
    return Plan(
        dice=dice,
        others=int(rng.choice([1, 2, 3, 6, 11], p=[0.3, 0.22, 0.2, 0.15, 0.13])) if mixed else 0,
        dotted=kind == "dotted",
        frame=frame,
        elevation=float(rng.uniform(84, 90) if straight else rng.uniform(30, 84)),
        pixels=math.exp(rng.uniform(math.log(low), math.log(high))),
        light=choose(rng, LIGHTS),
        touching=bool(rng.random() < 0.36),
        tumbled=bool(rng.random() < 0.3),
        yamslam=yamslam,
        same=bool(yamslam or rng.random() < 0.6),
        table="polka" if polka else choose(rng, tables),
        tray=bool(kind == "dice" and frame != "near" and rng.random() < 0.12),
        held_out=held_out,
    )


def _crowd(rng: Rng, held_out: bool) -> Plan:
    """Many dice of as many makes: pip dice among others without pips, or a few of them among many others."""
    wide = rng.random() < 0.25
    few = rng.random() < 0.4
    low, high = (14.0, 30.0) if wide else (30.0, 85.0)
    return Plan(
        dice=int(rng.integers(1, 7) if few else rng.integers(8, 21)),
        others=int(rng.integers(6, 15) if few else rng.integers(2, 13)),
        dotted=False,
        frame="wide" if wide else "middle",
        elevation=float(rng.uniform(84, 90) if rng.random() < 0.3 else rng.uniform(30, 84)),
        pixels=math.exp(rng.uniform(math.log(low), math.log(high))),
        light=choose(rng, LIGHTS),
        touching=bool(rng.random() < 0.3),
        tumbled=bool(rng.random() < 0.2),
        yamslam=False,
        same=False,
        table=choose(rng, table.HELD_OUT_TABLES if held_out else table.TABLES),
        tray=False,
        held_out=held_out,
    )


def sample(seed: int, *, held_out: bool = False) -> Scene:
    """The scene of a seed; the same seed gives the same scene."""
    rng = generator(seed)
    return build(seed, draw_plan(rng, held_out=held_out), rng)


def build(seed: int, plan: Plan, rng: Rng) -> Scene:
    """A scene after a plan."""
    styles = _styles(rng, plan)
    size = max((s.size for s in styles), default=1.6)
    field = 640 / plan.pixels * size
    loose = rng.uniform(2.0, 16.0 if plan.frame == "wide" else 7.0)
    reach = min(0.24 * field, loose * max(1.0, len(styles) / 6) ** 0.5)
    halves = [(s.size / 2, s.edge * s.size / 2) for s in styles]
    poses = place.throw(rng, halves, reach, touch=plan.touching, tumble=plan.tumbled)
    cells = int(np.clip(plan.pixels * 0.5, 36, 150))
    meshes = {id(s): die.mesh(s, cells) for s in styles}
    dice: list[Die] = []
    props: list[Thing] = []
    lying: list[Floats] = []
    for style, pose in zip(styles, poses, strict=True):
        if pose is not None:
            thing = Thing("die", meshes[id(style)], style.material, pose.rotation, pose.at)
            dice.append(Die(style, thing))
            props += pose.props
            lying.append(pose.outline)
    extra = _others(rng, plan, styles, reach, cells, lying)
    middle = _middle([d.thing for d in dice] or [o.thing for o in extra])
    dice = [replace(d, thing=d.thing.moved(-middle)) for d in dice]
    extra = [replace(o, thing=o.thing.moved(-middle)) for o in extra]
    props = [p.moved(-middle) for p in props]
    lying = [outline - middle[:2] for outline in lying]
    camera = _camera(rng, plan, size, field, [d.thing.at for d in dice] or [o.thing.at for o in extra])
    around = _clutter(rng, plan, field, lying, camera)
    lamps, surroundings, exposure = _light(rng, plan, camera)
    ground = _ground(rng, plan, field)
    return Scene(
        seed, plan, tuple(dice), tuple(extra), (ground, *props, *around), camera, lamps, surroundings, exposure
    )


def _styles(rng: Rng, plan: Plan) -> list[die.Style]:
    def one() -> die.Style:
        return die.sample_style(rng, yamslam=plan.yamslam, glossy=plan.light == "glare", held_out=plan.held_out)

    first = one()
    return [first if plan.same or k == 0 else one() for k in range(plan.dice)]


def _middle(things: list[Thing]) -> Floats:
    if not things:
        return np.zeros(3)
    x, y, _ = np.mean([t.at for t in things], axis=0)
    return np.array([x, y, 0.0])


def _others(
    rng: Rng, plan: Plan, styles: list[die.Style], reach: float, cells: int, lying: list[Floats]
) -> list[Other]:
    """Dice without pips, often made like the pip dice beside them; their outlines join `lying`."""
    found: list[Other] = []
    model = styles[0] if styles else die.sample_style(rng, held_out=plan.held_out)
    alike = rng.random() < 0.5
    for _ in range(plan.others):
        like = model if alike else None
        kind = choose(rng, {"cube": 0.4, **{k: 0.12 for k in others.KINDS if k != "d6"}, "d6": 0.05})
        if kind == "cube":
            style = die.numbered(rng, like or die.sample_style(rng, held_out=plan.held_out))
            mesh, paint, high = die.mesh(style, max(cells, 60)), style.material, style.size / 2
            kind = {"numerals": "d6", "symbols": "symbol", "blank": "blank"}[style.marks]
            laid = place.any_face_up(rng)
        else:
            size = float(rng.uniform(1.2, 2.3)) * {"d4": 1.25, "d8": 1.05}.get(kind, 1.0)
            mesh, mask, high = others.polyhedron(rng, kind, min(size, 1.9) if kind == "d6" else size)
            paint = others.material(rng, like, mask)
            laid = others.resting(rng, kind)
        for attempt in range(80):
            at = np.array([*rng.normal(0, (reach + 1) * (0.6 + attempt / 60), 2), high + 0.001])
            thing = Thing("other", mesh, paint, turn(rng.uniform(0, 2 * math.pi)) @ laid, at)
            if all(apart(thing.footprint(), outline, 0.03) for outline in lying):
                found.append(Other(kind, thing))
                lying.append(thing.footprint())
                break
    return found


def _camera(rng: Rng, plan: Plan, size: float, field: float, places: list[Floats]) -> Camera:
    """A camera from which a die is as large as planned, aimed at the throw or, near, at one of its dice."""
    height, around = math.radians(plan.elevation), rng.uniform(0, 2 * math.pi)
    low, high = DISTANCE[plan.frame]
    away = rng.uniform(low, high)
    away = max(away, field / 2 / math.tan(math.radians(37)))
    back = np.array([math.cos(height) * math.cos(around), math.cos(height) * math.sin(around), math.sin(height)])
    target = np.array([0.0, 0.0, size / 2])
    if plan.frame == "near" and places:
        target = np.array(places[int(rng.integers(len(places)))])
        slack = max(0.0, field / 2 - 0.75 * size)
    else:
        slack = 0.12 * field
    target[:2] += rng.uniform(-slack, slack, 2) * (1.6 if rng.random() < 0.15 else 1.0)
    eye = target + away * back
    upward = np.array([0.0, 0.0, 1.0]) if plan.elevation < 88 else np.array([math.cos(around), math.sin(around), 0.0])
    right = np.cross(-back, upward)
    right /= np.linalg.norm(right)
    roll = rng.normal(0, 0.15) + (rng.integers(4) * math.pi / 2 if rng.random() < 0.3 else 0)
    up = np.cross(right, -back)
    right, up = right * math.cos(roll) + up * math.sin(roll), up * math.cos(roll) - right * math.sin(roll)
    angle = 2 * math.atan(field / 2 / away)
    aperture = rng.uniform(0.03, 0.2) * min(1.0, away / 45)
    return Camera(eye, np.stack([right, up, -back]), angle, away, aperture * (0.5 if plan.frame == "near" else 1.0))


def _clutter(rng: Rng, plan: Plan, field: float, lying: list[Floats], camera: Camera) -> list[Thing]:
    """Things around the dice that do not overlap them and do not stand in front of the camera's eye."""
    lying = list(lying)
    found: list[Thing] = []

    def add(things: list[Thing]) -> None:
        if things and all(_in_background(t, camera, bool(plan.dice or plan.others)) for t in things):
            found.extend(things)
            lying.append(hull(np.concatenate([t.world() for t in things])))

    if plan.tray:
        outer = max([float(np.linalg.norm(o, axis=1).max()) for o in lying] or [4.0]) + rng.uniform(0.5, 4)
        found.extend(clutter.tray(rng, outer))
    half = field / 2
    if plan.dotted and plan.table != "polka":
        for kind in rng.choice(list(clutter.DOTTED), int(rng.integers(1, 3)), replace=False):
            for _ in range(int(rng.integers(1, 6))):
                add(place.find_spot(rng, lying, clutter.DOTTED[str(kind)], 0, 0.9 * half))
    if not plan.tray:
        for make, often in clutter.EVERYDAY.values():
            if rng.random() < often:
                for _ in range(int(rng.integers(1, 4)) if make is clutter.coin else 1):
                    add(place.find_spot(rng, lying, make, 0.3 * half, 1.1 * half + 2))
    return found


def _in_background(thing: Thing, camera: Camera, in_use: bool) -> bool:
    """Whether a thing neither surrounds the camera nor hides the middle of the picture."""
    seen = (thing.world() - camera.eye) @ camera.axes.T
    if float(seen[:, 2].min()) < 5:
        return False
    if not in_use:
        return True
    near = seen[:, 2] < camera.focus - 2.5
    off = np.linalg.norm(seen[:, :2] / seen[:, 2:], axis=1)
    return not bool((near & (off < 0.45 * math.tan(camera.angle / 2))).any())


def _light(rng: Rng, plan: Plan, camera: Camera) -> tuple[tuple[Lamp, ...], Surroundings, float]:
    def warm() -> Rgb:
        k = float(rng.uniform(0, 1))
        return (1.0, 0.80 + 0.2 * k, 0.58 + 0.47 * k)

    def lamp(height: float, distance: float, size: float, power: float) -> Lamp:
        a = rng.uniform(0, 2 * math.pi)
        at = distance * np.array([math.cos(height) * math.cos(a), math.cos(height) * math.sin(a), math.sin(height)])
        return Lamp(at, size, power, warm(), bool(rng.random() < 0.5))

    def spread(low: float, high: float) -> float:
        return math.exp(rng.uniform(math.log(low), math.log(high)))

    lamps = [
        lamp(math.radians(rng.uniform(25, 88)), rng.uniform(60, 200), spread(3, 80), spread(0.3, 2.5))
        for _ in range(int(rng.integers(0, 4)))
    ]
    strength = float(rng.uniform(0.3, 1.0)) if lamps else 1.0
    if plan.light == "side":
        lamps = [lamp(math.radians(rng.uniform(12, 32)), rng.uniform(50, 150), rng.uniform(2, 10), rng.uniform(2, 5))]
        strength = float(rng.uniform(0.08, 0.25))
    elif plan.light == "glare":
        mirror = np.array([1.0, 1.0, -1.0]) * camera.axes[2] + rng.normal(0, 0.08, 3)
        distance = rng.uniform(70, 140)
        at = mirror * (-1 if mirror[2] < 0 else 1) / np.linalg.norm(mirror) * distance
        lamps.append(Lamp(at, float(rng.uniform(0.12, 0.5)) * distance, float(rng.uniform(0.8, 2.5)), warm(), True))
    exposure = float(rng.uniform(-2.2, -1.0) if plan.light == "dim" else rng.normal(0, 0.3))
    index = int(rng.integers(2)) if plan.held_out else 2 + int(rng.integers(6))
    around = Surroundings(index, float(rng.uniform(0, 2 * math.pi)), strength, float(rng.uniform(0.2, 0.9)))
    return tuple(lamps), around, exposure


def _ground(rng: Rng, plan: Plan, field: float) -> Thing:
    """The table top, far larger than the picture; its pattern in scale with what the camera sees."""
    pattern = float(np.clip(field * rng.uniform(0.8, 2.2), 8, 130))
    wide = 700.0
    low, high = table.ROUGHNESS.get(plan.table, (0.7, 0.95))
    material = Material(
        (0.5, 0.5, 0.5),
        float(rng.uniform(low, high)),
        picture=table.paint(rng, plan.table),
        bump=table.RELIEF.get(plan.table, 0.0) * min(1.0, pattern / 40),
    )
    return Thing("table", sheet(wide, wide, wide / pattern), material, turn(rng.uniform(0, 2 * math.pi)), np.zeros(3))
