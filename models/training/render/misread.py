"""The pictures of `samples/misread/`: one of each kind of picture that earlier weights read wrong."""

from dataclasses import replace

from models.training.render.scene import Plan
from models.training.render.shots import FIVE, Shot


def _shot(name: str, seed: int, plan: Plan, note: str) -> Shot:
    return Shot(name, seed, plan, note, width=640, height=480)


_ALONE = replace(FIVE, dice=1, others=10, same=False, pixels=54.0)

MISREAD = (
    _shot(
        "among-polyhedra",
        200002,
        replace(_ALONE, table="wood", elevation=88.0),
        "one die with pips among nine polyhedra, from straight above",
    ),
    _shot(
        "among-numerals",
        200053,
        replace(_ALONE, table="felt", elevation=87.0),
        "one die with pips among ten with numerals and symbols, from straight above",
    ),
    _shot(
        "large-ones", 200916, replace(FIVE, table="plain", elevation=70.0, pixels=56.0), "ones with a large black pip"
    ),
    _shot(
        "gold-on-blue",
        201571,
        replace(FIVE, elevation=62.0, pixels=52.0, held_out=True),
        "gold pips on blue: a two that was read as a one",
    ),
    _shot("weave", 200145, replace(FIVE, table="basket", elevation=68.0, pixels=48.0), "white dice on a coarse weave"),
    _shot("tartan", 200002, replace(FIVE, table="tartan", elevation=68.0, pixels=48.0), "white dice on a tartan"),
    _shot("page", 200200, replace(FIVE, table="page", elevation=68.0, pixels=48.0), "white dice on a printed page"),
    _shot("dominoes-close", 200018, replace(FIVE, dice=0, dotted=True, pixels=44.0), "dominoes and no dice"),
    _shot(
        "keyboard",
        200010,
        replace(FIVE, dice=0, table="keys", elevation=70.0, pixels=44.0),
        "a keyboard's keys and no dice",
    ),
    _shot(
        "printed-dice",
        200014,
        replace(FIVE, dice=0, dotted=True, table="felt", elevation=75.0, pixels=44.0),
        "dice printed on tiles, and no dice",
    ),
    _shot(
        "two-close",
        200103,
        replace(FIVE, table="cloth", elevation=66.0, pixels=52.0),
        "twos with their pips close together",
    ),
    _shot(
        "tiny",
        200005,
        replace(FIVE, frame="wide", table="plain", elevation=70.0, pixels=14.0),
        "dice that are 14 pixels wide",
    ),
    _shot(
        "filling",
        200073,
        replace(FIVE, dice=1, frame="near", table="white", elevation=72.0, pixels=215.0),
        "a black die that fills a quarter of the picture",
    ),
    _shot(
        "leaning",
        200011,
        replace(FIVE, tumbled=True, elevation=62.0, pixels=54.0),
        "a die that leans, beside four that lie flat",
    ),
    _shot(
        "stacked",
        200052,
        replace(FIVE, tumbled=True, table="felt", elevation=66.0, pixels=54.0),
        "a die on top of another",
    ),
)
