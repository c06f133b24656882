"""What the readings of single regions make together: dice, other things, doubts. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models import Config
from vision import colours, locate
from vision.read import Seen, softmax
from vision.sentences import Sentence
from vision.types import EVEN, Die, Doubt, Reading, Region, place

VALUES = 6  # of the reader's classes, the first six are values
MOST_READ = 40  # regions that are read; where a picture has more, the likeliest
MOST_DOUBTS = 5  # more are no help to anybody


def judge(config: Config, regions: Sequence[Region], seen: Sequence[Seen], width: int, height: int) -> Reading:
    """The Reading of a picture of width x height pixels, from what the reader saw in each region."""
    dice: list[Die] = []
    doubts: list[tuple[float, Doubt]] = []
    other = 0
    heard = [weighed(config, softmax(one.kind, config.temperature), one.counted) for one in seen]
    whole = wholes(config, regions, seen)
    least, most = sizes_of_the_throw(config, regions, heard, whole)

    def alike(region: Region) -> bool:
        return least < region.size < most

    def maybe(region: Region, share: float) -> None:
        if share > config.doubt:
            text = Sentence("something %(place)s may be a die", place=place(region, width, height))
            doubts.append((share, Doubt(text, region)))

    for i in whole:
        region, one, shares = regions[i], seen[i], heard[i]
        name = config.classes[int(shares.argmax())]
        is_value = int(shares.argmax()) < VALUES
        rescued = is_value and shares.max() >= config.rescue
        if region.score < config.keep and not (rescued and alike(region)):
            # The locator hardly saw it: only a reader that is sure of a value makes it a die, and only its size.
            if rescued or (alike(region) and shares[:VALUES].sum() > config.weak_doubt):
                maybe(region, 1.0)
        elif name == "unreadable":
            text = Sentence("a die %(place)s leans, is cut off or is hidden", place=place(region, width, height))
            doubts.append((1.0, Doubt(text, region, is_die=True)))
        elif not is_value or shares.max() < config.floor:
            other += name == "other"
            if alike(region):
                networks_disagree = name == "none" and region.score >= config.insist
                maybe(region, 1.0 if networks_disagree else float(shares[:VALUES].sum()))
        else:
            body = colours.named(config.colours, one.body, one.body_pixels, config.body_temperature, config.body_pixels)
            ink = colours.named(config.colours, one.ink, one.ink_pixels, config.ink_temperature, config.ink_pixels)
            agreed = abs(one.counted - int(name)) <= config.miscount
            highest = 1.0 if agreed else EVEN
            share = float(shares.max())
            given = share / float(shares[:VALUES].sum())
            dice.append(Die(region, int(name), ink, body, min(share, highest), min(given, highest)))

    for i, region in enumerate(regions):
        share = float(heard[i][:VALUES].max())
        if i not in whole and alike(region) and share > config.part and is_covered(i, regions, heard, whole):
            maybe(region, share)
    odd = odd_ones(config, dice)
    for die in odd:
        maybe(die.region, die.confidence)
    dice = sorted((die for die in dice if die not in odd), key=lambda die: die.region.centre)
    if len(regions) >= MOST_READ:
        doubts.append((1.0, Doubt(Sentence("the table's pattern may hide a die"))))
    doubts.sort(key=lambda doubt: -doubt[0])
    left = tuple(doubt for _, doubt in doubts[:MOST_DOUBTS])
    return Reading(tuple(dice), other, width, height, config.name, config.sure, left, threshold_given=config.sure_given)


def sizes_of_the_throw(
    config: Config, regions: Sequence[Region], shares: Sequence[NDArray[np.float64]], whole: Sequence[int]
) -> tuple[float, float]:
    """Between which sizes a thing may be a die of this throw, in pixels: dice thrown together are of like size.

    As those are that both networks are sure of, whose range is widened, since more of the throw may be nearer or
    farther; any size where there are none.
    """
    sizes = [
        regions[i].size
        for i in whole
        if regions[i].score >= config.keep and shares[i].argmax() < VALUES and shares[i].max() >= config.sure
    ]
    return (min(sizes) / config.alike, max(sizes) * config.alike) if sizes else (0.0, np.inf)


def is_covered(
    part: int, regions: Sequence[Region], shares: Sequence[NDArray[np.float64]], whole: Sequence[int]
) -> bool:
    """Whether a region lies within larger ones of which none was read as a die."""
    around = [i for i in whole if locate.is_part(regions[part], regions[i])]
    return bool(around) and all(shares[i].argmax() >= VALUES for i in around)


def weighed(config: Config, shares: NDArray[np.float64], counted: float) -> NDArray[np.float64]:
    """The shares of the classes after the second witness, the pips counted, is heard on which value it is.

    Bayes' rule among the six values, with a Laplace distribution of what is counted about the true value; how likely
    it is that there is a value at all stays as it was.
    """
    likely = np.exp(-np.abs(counted - np.arange(1, VALUES + 1)) / config.count_spread)
    heard = shares[:VALUES] * likely
    out = shares.copy()
    out[:VALUES] = heard / max(heard.sum(), 1e-300) * shares[:VALUES].sum()
    return out


def wholes(config: Config, regions: Sequence[Region], seen: Sequence[Seen]) -> list[int]:
    """Which regions are neither pips within their die nor trays that hold several dice.

    Of a larger region and those within it the larger stays, unless the reader is surer of two of its parts, or both
    networks are of one.
    """
    none = config.classes.index("none")
    share = [float(softmax(one.kind)[:none].max()) for one in seen]
    thing = [int(one.kind.argmax()) != none for one in seen]
    gone: set[int] = set()
    for whole in sorted(range(len(regions)), key=lambda i: -regions[i].size):
        if not thing[whole] or whole in gone:
            continue
        parts = [i for i, region in enumerate(regions) if locate.is_part(region, regions[whole])]
        surer = [i for i in parts if thing[i] and share[i] > share[whole]]
        better = any(regions[i].score > regions[whole].score for i in surer)
        gone.update([whole] if len(surer) > 1 or better else parts)
    return [i for i in range(len(regions)) if i not in gone]


def odd_ones(config: Config, dice: Sequence[Die]) -> list[Die]:
    """The unsure dice that are much larger or smaller than the sure ones: dice thrown together are of like size."""
    sizes = [die.region.size for die in dice if die.confidence >= config.sure]
    if not sizes:
        return []
    usual, spread = float(np.median(sizes)), config.spread
    unsure = [die for die in dice if die.confidence < config.sure]
    return [die for die in unsure if not usual / spread < die.region.size < usual * spread]
