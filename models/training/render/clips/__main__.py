"""The one command: renders the clips, and writes their truth beside them.

python -m models.training.render.clips            # all that are missing
python -m models.training.render.clips --only 3 7 # these seeds
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from models.training.render.__main__ import done
from models.training.render.clips.painter import Painter
from models.training.render.clips.physics import Thrower
from models.training.render.clips.plans import CLIPS, ClipPlan
from models.training.render.clips.script import stage_clip
from models.training.render.clips.stage import HEIGHT, WIDTH, Stage, build_stage
from models.training.render.clips.throwing import NoThrow
from models.training.render.clips.timeline import Timeline
from models.training.render.clips.truth import of_clip
from models.training.render.clips.webcam import Webcam
from models.training.render.cycles import draw
from models.training.render.shapes import Rng

ATTEMPTS = 20


def arguments() -> argparse.Namespace:
    """The command line."""
    data = Path(os.environ.get("DICESCRIBE_DATA", Path.home() / "dicescribe-data"))
    parser = argparse.ArgumentParser(
        prog="python -m models.training.render.clips",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, default=data / "clips", help="folder for clips and index.jsonl")
    parser.add_argument("--only", type=int, nargs="*", metavar="SEED")
    parser.add_argument("--samples", type=int, default=2, help="light paths a pixel, before denoising")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def staged(plan: ClipPlan, thrower: Thrower) -> tuple[Stage, Timeline, Rng]:
    """A clip's stage and timeline, and the random numbers for what is left."""
    for attempt in range(ATTEMPTS):
        rng = np.random.default_rng([plan.seed, 2, attempt])
        stage = build_stage(plan, rng)
        try:
            return stage, stage_clip(plan, stage, rng, thrower.throw), rng
        except NoThrow:
            continue
    raise SystemExit(f"clip {plan.seed}: no throw ends as planned; give the plan another seed")


def render(plan: ClipPlan, thrower: Thrower, out: Path, samples: int, threads: int) -> dict[str, object]:
    """Render one clip into a folder; its line of the index."""
    stage, line, rng = staged(plan, thrower)
    size = stage.lens.width, stage.lens.height
    plates = {name: draw(stage.laid(plate), *size, samples, threads)[0] for name, plate in line.plates.items()}
    painter = Painter(stage, line, plates)
    noise = float(rng.uniform(3.5, 5.0) if plan.light == "dim" else rng.uniform(1.2, 2.8))
    webcam = Webcam(rng, WIDTH, HEIGHT, line.effects, noise)
    file = f"clip-{plan.seed:02d}.mp4"
    video = cv2.VideoWriter(str(out / file), cv2.VideoWriter.fourcc(*"mp4v"), plan.fps, (WIDTH, HEIGHT))
    hidden = []
    for number in range(round(line.seconds * plan.fps)):
        t = number / plan.fps
        picture, covered = painter.picture(t)
        hidden.append((t, covered))
        video.write(webcam.take(picture, t))
    video.release()
    return of_clip(plan, stage, line, hidden, lambda points, t: webcam.place(points, size, t), file)


def main() -> None:
    """Render what is missing."""
    given = arguments()
    given.out.mkdir(parents=True, exist_ok=True)
    index = given.out / "index.jsonl"
    ready = done(index)
    thrower = Thrower()
    for plan in CLIPS:
        if plan.seed in ready or (given.only and plan.seed not in given.only):
            continue
        began = time.monotonic()
        truth = render(plan, thrower, given.out, given.samples, given.threads)
        with index.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(truth) + "\n")
        spent = time.monotonic() - began
        print(
            f"{truth['file']}  {truth['seconds']} s  {' '.join(plan.kinds)}  in {spent:.0f} s",
            file=sys.stderr,
            flush=True,
        )


if __name__ == "__main__":
    main()
