"""`dicescribe bench`: how fast this machine reads, and with labelled photos how well."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from scorekeeper.advice import advisor
from scorekeeper.advice.bench import advice_seconds
from scorekeeper.rulebooks import PRESETS, make_game
from scorekeeper.session import new_game
from scorekeeper.sheet import SheetGame
from scorekeeper.store import Store
from vision.evaluate import evaluate, labelled_photos
from vision.images import decode
from vision.pipeline import Pipeline, open_reader
from vision.types import Frame
from web.errors import BadUse

SAMPLES = Path(__file__).parents[1] / "samples"
SIZES = {"640x480": (640, 480), "1280x720": (1280, 720), "12 MP": (4000, 3000)}
OFFICIAL = next(preset for preset in PRESETS if preset.id == "official")  # its table is the largest
ROUNDS = 3  # over all samples, after one that does not count
PAGE_SECONDS = 2.0
# Runs in a process of its own. The peak is asked for there: to the parent it would be mixed with its own.
COLD = """
import sys
from pathlib import Path
from web.cli import main
code = main(["read", "--json", sys.argv[1]])
try:
    status = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
except OSError:
    peak = 0
print(peak, file=sys.stderr)
sys.exit(code)
"""


def bench(index: Path | None, split: str | None, *, as_json: bool) -> None:
    """Measure and print. Raises BadUse without the samples, or for an index that can't be read."""
    photos = None
    if index is not None:
        try:
            photos = labelled_photos(index, split)
        except (OSError, ValueError, RecursionError) as problem:
            raise BadUse(f"{index} can't be used: {getattr(problem, 'strerror', None) or problem}.") from problem
        missing = next((photo.path for photo in photos if not photo.path.is_file()), None)
        if missing is not None:
            raise BadUse(f"{index} names the photo {missing}, which is not there.")
        if not photos:
            raise BadUse(f"{index} holds no labelled photos{f' of the split {split}' if split else ''}.")
    samples = [decode(path.read_bytes()).pixels for path in sorted(SAMPLES.glob("*.[jp]*g"))]
    if not samples:
        raise BadUse("The samples are not here: run this in the folder of the source, installed with pip -e.")
    reader = open_reader()
    figures: dict[str, Any] = {"ms": {name: speed(reader, samples, size) for name, size in SIZES.items()}}
    figures["cold_start_s"], figures["peak_mb"] = cold_start(samples[0])
    figures["pages_a_second"] = pages_a_second()
    figures["advice_ms"] = advice_speed()
    if photos is not None:
        figures["photos"] = evaluate(reader, photos).to_json()
    print(json.dumps(figures) if as_json else "\n".join(table(figures)))


def composed(sample: Frame, width: int, height: int) -> Frame:
    """The sample in a picture of another size: made smaller where it must be, on a ground of its mean colour.

    On a large picture its dice so are as small as they are on a phone's photo of a whole table.
    """
    share = min(1.0, width / sample.shape[1], height / sample.shape[0])
    part = cv2.resize(sample, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    out = np.full((height, width, 3), sample.mean(axis=(0, 1)), np.uint8)
    y, x = (height - part.shape[0]) // 2, (width - part.shape[1]) // 2
    out[y : y + part.shape[0], x : x + part.shape[1]] = part
    return out


def speed(reader: Pipeline, samples: list[Frame], size: tuple[int, int]) -> dict[str, float]:
    """Median milliseconds of decoding a JPEG of this size, of locating its dice and of reading them."""
    took: dict[str, list[float]] = {"decode": [], "locate": [], "read": []}
    for number in range(1 + ROUNDS):
        for sample in samples:
            data = _jpeg(composed(sample, *size))
            began = perf_counter()
            picture = decode(data)
            decoded = 1000 * (perf_counter() - began)
            ms = reader.read(picture).ms
            if number:
                for stage, value in {"decode": decoded, **ms}.items():
                    took[stage].append(value)
    return {stage: round(median(values), 1) for stage, values in took.items()}


def cold_start(sample: Frame) -> tuple[float, float | None]:
    """Seconds that `dicescribe read` of a 12-megapixel photo takes from the shell, and its peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder, "photo.jpg")
        photo.write_bytes(_jpeg(composed(sample, *SIZES["12 MP"])))
        command = [sys.executable, "-c", COLD, str(photo)]
        runs = []
        for _ in range(3):
            began = perf_counter()
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            runs.append((perf_counter() - began, float(done.stderr)))
    seconds, peak = sorted(runs)[1]
    return round(seconds, 2), round(peak) or None


def pages_a_second() -> float:
    """How many times a second the sheet of a game is answered, to one phone after another."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "bench.db")
        session = Store(file).create(new_game("yams", ["Ana", "Bo", "Cleo", "Dan"]))
        serve = [sys.executable, "-u", "-m", "web.cli", "serve", "--host", "127.0.0.1", "--port", "0"]
        with subprocess.Popen([*serve, "--db", str(file)], stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = re.search(r"http://\S+", server.stdout.readline())
                if address is None:
                    raise RuntimeError("the server did not start")
                return round(_rate(f"{address[0]}sessions/{session}"), 1)
            finally:
                server.terminate()


def advice_speed() -> dict[str, float]:
    """Milliseconds to load a table that comes with the package, and of a piece of advice from it (the median)."""
    game = make_game(OFFICIAL.game, OFFICIAL.options)
    assert isinstance(game, SheetGame)
    began = perf_counter()
    found = advisor(game)
    load = perf_counter() - began
    return {"load": round(1000 * load, 1), "advice": round(1000 * advice_seconds(game, found), 2)}


def _rate(page: str) -> float:
    """Answers a second; the first one, which has to warm up, does not count."""
    count, began = -1, 0.0
    while count < 0 or perf_counter() - began < PAGE_SECONDS:
        with urllib.request.urlopen(page, timeout=10) as answer:
            answer.read()
        count += 1
        began = began or perf_counter()
    return count / (perf_counter() - began)


def _jpeg(frame: Frame) -> bytes:
    return cv2.imencode(".jpg", frame)[1].tobytes()


def table(figures: dict[str, Any]) -> list[str]:
    """The figures in words and columns."""
    lines = [f"{'median ms':<12}{'decode':>8}{'locate':>8}{'read':>8}"]
    for name, ms in figures["ms"].items():
        lines.append(f"{name:<12}{ms['decode']:>8}{ms['locate']:>8}{ms['read']:>8}")
    lines.append(f"dicescribe read of a 12-megapixel photo, cold: {figures['cold_start_s']} s")
    if figures["peak_mb"] is not None:
        lines.append(f"peak memory of that: {figures['peak_mb']} MB")
    lines.append(f"pages answered a second: {figures['pages_a_second']}")
    lines.append("median ms of advice: {load} to load the game, {advice} for a roll".format_map(figures["advice_ms"]))
    if "photos" in figures:
        lines += _quality(figures["photos"])
    return lines


def _quality(report: dict[str, Any]) -> list[str]:
    names = list(report["all"])
    rows = [*report["sources"].items(), ("all", report["all"])]
    wide = max(len(source) for source, _ in rows) + 2
    lines = ["", "".join((" " * wide, *(f"{name:>11}" for name in names)))]
    for source, row in rows:
        lines.append("".join((source.ljust(wide), *(f"{_shown(row[name]):>11}" for name in names))))
    return [*lines, f"macro {_shown(report['macro'])}: the mean of exact over the sources"]


def _shown(value: float | None) -> str:
    return "-" if value is None else str(value)
