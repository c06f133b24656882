"""Renders the pictures of `samples/` and `samples/misread/`, and writes the labels.json of both.

python -m models.training.render.samples           # all
python -m models.training.render.samples far dim   # these pictures, and all labels
"""

import argparse
import json
from pathlib import Path

import cv2

from models.training.render.cycles import draw
from models.training.render.develop import develop
from models.training.render.misread import MISREAD
from models.training.render.shots import SHOTS

FOLDER = Path(__file__).parents[3] / "samples"
FOLDERS = {FOLDER: SHOTS, FOLDER / "misread": MISREAD}
QUALITY = 88


def main() -> None:
    """Write the labels, and all pictures or those named."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.render.samples",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", help="only these pictures (default: all)")
    parser.add_argument("--samples", type=int, default=8, help="light paths a pixel, before denoising")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    for folder, shots in FOLDERS.items():
        folder.mkdir(exist_ok=True)
        entries = ",\n".join(f"  {json.dumps(f'{shot.name}.jpg')}: {json.dumps(shot.truth())}" for shot in shots)
        (folder / "labels.json").write_text(f"{{\n{entries}\n}}\n", encoding="utf-8")
        for shot in shots:
            if not given.names or shot.name in given.names:
                scene = shot.scene()
                light, _ = draw(scene, shot.width, shot.height, given.samples, given.threads)
                picture = develop(light, scene.exposure)
                cv2.imwrite(str(folder / f"{shot.name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


if __name__ == "__main__":
    main()
