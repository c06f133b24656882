"""Renders the pictures of `samples/` and writes their labels.json: `python -m models.training.render.samples`."""

import argparse
import json
from pathlib import Path

import cv2

from models.training.render.cycles import draw
from models.training.render.develop import develop
from models.training.render.shots import SHOTS

FOLDER = Path(__file__).parents[3] / "samples"
QUALITY = 88


def main() -> None:
    """Write labels.json, and all pictures or those named."""
    parser = argparse.ArgumentParser(prog="python -m models.training.render.samples", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these pictures (default: all)")
    parser.add_argument("--samples", type=int, default=8, help="light paths a pixel, before denoising")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    entries = ",\n".join(f"  {json.dumps(f'{shot.name}.jpg')}: {json.dumps(shot.truth())}" for shot in SHOTS)
    (FOLDER / "labels.json").write_text(f"{{\n{entries}\n}}\n", encoding="utf-8")
    for shot in SHOTS:
        if not given.names or shot.name in given.names:
            scene = shot.scene()
            light, _ = draw(scene, shot.width, shot.height, given.samples, given.threads)
            picture = develop(light, scene.exposure)
            cv2.imwrite(str(FOLDER / f"{shot.name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


if __name__ == "__main__":
    main()
