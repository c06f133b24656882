"""Makes the clips of `samples/clips/` from the rendered ones: half as wide, with the truth that fits.

python -m models.training.render.clips.samples
"""

import argparse
import json
import os
from pathlib import Path
from typing import Any

import cv2

FOLDER = Path(__file__).parents[4] / "samples/clips"
SAMPLES = {"turn": 2, "quiet": 24, "cup": 37}
"""Name and seed: a turn of three rolls; a roll that hand, focus and lamp do not disturb; throws from a cup."""
SHARE = 2


def halved(truth: dict[str, Any], file: str) -> dict[str, Any]:
    """The truth of a clip whose sides are divided by SHARE."""
    rolls = [
        {**roll, "dice": [{**die, "box": [round(v / SHARE, 1) for v in die["box"]]} for die in roll["dice"]]}
        for roll in truth["rolls"]
    ]
    return {**truth, "file": file, "rolls": rolls}


def copy(source: Path, target: Path) -> None:
    """Copy a film, its sides divided by SHARE."""
    film = cv2.VideoCapture(str(source))
    size = [round(film.get(side)) // SHARE for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)]
    rate = film.get(cv2.CAP_PROP_FPS)
    video = cv2.VideoWriter(str(target), cv2.VideoWriter.fourcc(*"mp4v"), rate, (size[0], size[1]))
    there, picture = film.read()
    while there:
        video.write(cv2.resize(picture, (size[0], size[1]), interpolation=cv2.INTER_AREA))
        there, picture = film.read()
    video.release()


def main() -> None:
    """Write the clips and their index."""
    data = Path(os.environ.get("DICESCRIBE_DATA", Path.home() / "dicescribe-data"))
    parser = argparse.ArgumentParser(
        prog="python -m models.training.render.clips.samples",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--clips", type=Path, default=data / "clips", help="the folder of the rendered clips")
    given = parser.parse_args()
    lines = (given.clips / "index.jsonl").read_text(encoding="utf-8").splitlines()
    truths = {truth["seed"]: truth for truth in map(json.loads, lines)}
    FOLDER.mkdir(exist_ok=True)
    index = []
    for name, seed in SAMPLES.items():
        copy(given.clips / truths[seed]["file"], FOLDER / f"{name}.mp4")
        index.append(json.dumps(halved(truths[seed], f"{name}.mp4")))
    (FOLDER / "index.jsonl").write_text("\n".join(index) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
