"""How rendered scenes of styles never trained on are read, tabled by what a scene is known to show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.training.calibrate import Read
from models.training.scenes import records, rendered_scenes
from models.training.tallies import Table, band, colours, matched, of_dice, of_pictures, results, share, summary
from vision.images import Picture
from vision.reader import Reader

FOLDER = "renders-held-out"  # in the data folder, where `models.training.render --held-out` puts them
Facts = Mapping[str, Any]
"""A line of a render's index.jsonl, see `render/README.md`."""

ELEVATIONS = (30, 45, 60, 75, 90)  # degrees
LIGHTS, DISTANCES = ("dim", "side", "glare"), ("close", "wide")
LARGE, HUGE = 1.2, 1.8  # times the other pips, from which a one is large, or huge
FINE, FAT = 0.13, 0.2  # a pip's radius in half edges


def _mode(facts: Facts, names: Sequence[str], usual: str) -> str:
    return next((name for name in names if name in facts["mode"]), usual)


OF_SCENES: dict[str, Callable[[Facts], str]] = {
    "elevation": lambda facts: band(facts["elevation"], ELEVATIONS),
    "light": lambda facts: _mode(facts, LIGHTS, "even"),
    "distance": lambda facts: _mode(facts, DISTANCES, "middle"),
    "poses": lambda facts: _mode(facts, ("tumbled", "touching"), "apart"),
    "table": lambda facts: str(facts["table"]),
}


def layout(die: Facts) -> Iterator[str]:
    """The names of what is special about the pips of a die's upper face."""
    two, three, radius, one = die["layout"]
    value = die["value"]
    if value == 1:
        yield f"one {'huge' if one >= HUGE else 'large' if one >= LARGE else 'like the rest'}"
    elif value == 2:
        yield f"two {two}"
    elif value == 3:
        yield f"three {three}"
    yield "fine pips" if radius < FINE else "fat pips" if radius >= FAT else "usual pips"


def read_folder(reader: Reader, folder: Path) -> tuple[list[Read], dict[str, Facts]]:
    """The scenes of a folder of renders as they are read, and by file name what is known of each. Raises OSError."""
    facts: dict[str, Facts] = {row["file"]: row for row in records(folder / "index.jsonl")}
    return [Read(scene, reader.read(Picture.of(scene.picture()))) for scene in rendered_scenes(folder)], facts


def tables(reads: Sequence[Read], facts: Mapping[str, Facts]) -> dict[str, Any]:
    """`tallies.summary`; exact, sure and silent by what scenes and pips are like; Yamslam's inks."""
    return {
        **summary(reads),
        **{f"by {name}": _by_scene(reads, facts, of) for name, of in OF_SCENES.items()},
        "by layout": _by_layout(reads, facts),
        "inks of Yamslam": yamslam_inks(reads, facts),
    }


def _by_scene(reads: Sequence[Read], facts: Mapping[str, Facts], of: Callable[[Facts], str]) -> Table:
    groups: dict[str, list[Read]] = defaultdict(list)
    for read in reads:
        groups[of(facts[read.scene.path.name])].append(read)
    return {name: of_pictures(results(group)) for name, group in sorted(groups.items())}


def _by_layout(reads: Sequence[Read], facts: Mapping[str, Facts]) -> Table:
    groups: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for read in reads:
        sure = read.reading.sure()
        known = {tuple(die["box"]): die for die in facts[read.scene.path.name]["dice"]}
        for label, die in matched(read):
            for name in layout(known[label.box]):
                groups[name].append((die is not None and die.value == label.value, sure))
    return {name: of_dice(pairs) for name, pairs in sorted(groups.items())}


def yamslam_inks(reads: Sequence[Read], facts: Mapping[str, Facts]) -> dict[str, Any]:
    """Of the dice of Yamslam that were read, whose odd faces are black and whose even faces red: the inks told right.

    contradictions: of the dice whose value is right, those whose ink is told as the other of the two.
    """
    own = [read for read in reads if "yam" in facts[read.scene.path.name]["mode"]]
    told = [
        (label.ink, die.ink.name)
        for read in own
        for label, die in matched(read)
        if die is not None and die.value == label.value
    ]
    other = {"black": "red", "red": "black"}
    return {
        **{name: row for name, row in colours(own).items() if name.startswith("ink")},
        "contradictions": {"dice": len(told), "share": share([name == other.get(ink or "") for ink, name in told])},
    }
