"""Labels of the training photos that the shipped reader contradicts: to be looked at, not believed.

    python -m models.training.disagreements            # a line each, the surest first

What turns out wrong goes into `corrections.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from models.training.reader import clipped
from models.training.scenes import Scene, photo_scenes
from vision.pipeline import Pipeline, open_reader
from vision.read import softmax

UNLIKELY = 0.08  # share of the labelled value under which a label is contradicted


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A labelled die (`die` is its place among the photo's labels), what the reader sees in it and how surely."""

    file: str
    die: int
    labelled: int
    seen: str
    share: float


def disagreements(reader: Pipeline, scenes: Iterable[Scene]) -> Iterator[Disagreement]:
    """Those of each scene in turn."""
    classes = reader.config.classes
    for scene in scenes:
        if not scene.has_boxes:
            continue
        image = scene.picture()
        height, width = image.shape[:2]
        dice = [
            (i, label, region)
            for i, label in enumerate(scene.labels)
            if label.kind == "die" and (region := clipped(label, width, height)) is not None
        ]
        seen = reader.see(image, [region for *_, region in dice])
        for (i, label, _), one in zip(dice, seen, strict=True):
            shares = softmax(one.kind, reader.config.temperature)
            if shares[classes.index(str(label.value))] < UNLIKELY:
                best = int(shares.argmax())
                yield Disagreement(scene.path.name, i, label.value, classes[best], float(shares[best]))


def main() -> None:
    """Print them all."""
    for found in sorted(disagreements(open_reader(), photo_scenes()), key=lambda found: -found.share):
        print(f"{found.file}  die {found.die}  labelled {found.labelled}  seen {found.seen}  {found.share:.2f}")


if __name__ == "__main__":
    main()
