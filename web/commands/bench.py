"""`dicescribe bench`: how fast this machine reads, and with labelled photos how well."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import cv2
import numpy as np

import models
from scorekeeper.advice import advisor
from scorekeeper.advice.bench import advice_seconds
from scorekeeper.rulebooks import PRESETS, make_game
from scorekeeper.session import new_game
from scorekeeper.sheet import SheetGame
from scorekeeper.store import Store
from vision.evaluate import evaluate, labelled_photos
from vision.follow import Follower
from vision.images import Picture, decode
from vision.network import Network
from vision.photo import read_photo
from vision.pipeline import Pipeline, open_reader
from vision.types import Frame
from web.commands.indexes import labelled
from web.errors import BadUse

SAMPLES = Path(__file__).parents[2] / "samples"
LIVE = (1280, 720)
SIZES = {"640x480": (640, 480), "1280x720": LIVE, "12 MP": (4000, 3000)}
THREADS = 2  # for the networks, so that machines with many cores compare
BESIDE = (1, 3, 640, 640)  # what a network to compare with takes
OFFICIAL = next(preset for preset in PRESETS if preset.id == "official")  # its table is the largest
ROUNDS = 3  # over all samples, after one that does not count
PAGE_SECONDS = 2.0
MOVING = 16  # pictures in which something moves, over and over
CAMERA_RATE = 30  # pictures a second that a camera gives
SETTLING, FOLLOWED = 90, 300  # of its pictures: until dice have been read, and those that count
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


def bench(index: Path | None, split: str | None, beside: Path | None, *, as_json: bool) -> None:
    """Measure and print. Raises BadUse without the samples, or for an index or a network that can't be used."""
    photos = None
    if index is not None:
        which = f" of the split {split}" if split else ""
        photos = labelled(index, partial(labelled_photos, split=split), "photo", which)
    other = None if beside is None else network(beside)
    samples = throws()
    reader = open_reader(threads=THREADS)
    weights = models.load()
    figures: dict[str, Any] = {"ms": {name: speed(reader, samples, size) for name, size in SIZES.items()}}
    if other is not None:
        figures["beside"] = compared(reader, other, samples)
    figures["frames_a_second"] = live_speed(reader, samples[0])
    figures["networks_mb"] = round((len(weights.locator) + len(weights.reader)) / 1e6, 2)
    figures["cold_start_s"], figures["peak_mb"] = cold_start(samples[0])
    figures["pages_a_second"] = pages_a_second()
    figures["advice_ms"] = advice_speed()
    quality = None if photos is None else evaluate(reader, photos)
    if as_json:
        print(json.dumps(figures | ({} if quality is None else {"photos": quality.to_json()})))
    else:
        print("\n".join([*table(figures), *([] if quality is None else ["", *quality.table()])]))


def throws() -> list[Frame]:
    """The samples that show five dice, the throw of most games. Raises BadUse where they are not here."""
    try:
        labels: dict[str, Any] = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))
        names = sorted(name for name, label in labels.items() if len(label["values"]) == 5)
        return [decode((SAMPLES / name).read_bytes()).pixels for name in names]
    except FileNotFoundError:
        raise BadUse("The samples are not here: run this in the folder of the source, installed with pip -e.") from None


def network(file: Path) -> Network:
    """Another network, opened as ours are. Raises BadUse for a file that does not hold one that takes BESIDE."""
    try:
        other = Network(file.read_bytes(), THREADS)
        other(np.zeros(BESIDE, np.float32))
    except OSError as problem:
        raise BadUse(f"{file} can't be read: {problem.strerror}.") from problem
    except Exception as problem:  # the runtime's own errors have no class in common
        raise BadUse(f"{file} is no ONNX network that takes {' x '.join(map(str, BESIDE))} numbers.") from problem
    return other


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
    """Median milliseconds of decoding a JPEG of this size, locating its dice, reading them, and the last two."""
    took: dict[str, list[float]] = {"decode": [], "locate": [], "read": [], "both": []}
    for number in range(1 + ROUNDS):
        for sample in samples:
            data = _jpeg(composed(sample, *size))
            ms = read_photo(reader, data).ms
            if number:
                for stage, value in {**ms, "both": ms["locate"] + ms["read"]}.items():
                    took[stage].append(value)
    return {stage: round(median(values), 1) for stage, values in took.items()}


def live_speed(reader: Pipeline, sample: Frame) -> dict[str, float]:
    """How many of a camera's pictures a second can be followed, decoding them included: dice at rest, and in motion.

    In motion the middle of the picture moves, as under a hand. At rest most pictures of a camera need not be looked at,
    which counts too.
    """
    table = composed(sample, *LIVE)
    third = LIVE[1] // 3
    moving = []
    for step in range(MOVING):
        picture = table.copy()
        picture[third : 2 * third] = np.roll(table[third : 2 * third], step * LIVE[0] // MOVING, axis=1)
        moving.append(_jpeg(picture))
    films = {"rest": [_jpeg(table)], "motion": moving}
    return {name: round(_followed(reader, pictures), 1) for name, pictures in films.items()}


def _followed(reader: Pipeline, pictures: list[bytes]) -> float:
    """Pictures a second, shown in turn by a camera's clock; the first ones, in which dice are read, don't count."""
    follower = Follower(reader)
    began = 0.0
    for number in range(SETTLING + FOLLOWED):
        if number == SETTLING:
            began = perf_counter()
        t = number / CAMERA_RATE
        if follower.wants(t):
            data = np.frombuffer(pictures[number % len(pictures)], np.uint8)
            follower.feed(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), t)
    return FOLLOWED / (perf_counter() - began)


def compared(reader: Pipeline, other: Network, samples: list[Frame]) -> dict[str, float]:
    """Median milliseconds that we and the other network take for a picture, one after the other, and our share."""
    ours: list[float] = []
    theirs: list[float] = []
    tensor = np.random.default_rng(0).uniform(0, 1, BESIDE).astype(np.float32)
    for number in range(1 + ROUNDS):
        for sample in samples:
            picture = Picture.of(composed(sample, *LIVE))
            times = [perf_counter()]
            reader.read(picture)
            times.append(perf_counter())
            other(tensor)
            times.append(perf_counter())
            if number:
                ours.append(1000 * (times[1] - times[0]))
                theirs.append(1000 * (times[2] - times[1]))
    return {
        "both": round(median(ours), 1),
        "other": round(median(theirs), 1),
        "ratio": round(median(ours) / median(theirs), 3),
    }


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
    lines = [f"{'median ms':<12}{'decode':>8}{'locate':>8}{'read':>8}{'both':>8}"]
    for name, ms in figures["ms"].items():
        lines.append(f"{name:<12}{ms['decode']:>8}{ms['locate']:>8}{ms['read']:>8}{ms['both']:>8}")
    if "beside" in figures:
        words = "{0} x {1} in turn with the other network: {both} against {other} ms, a ratio of {ratio}"
        lines.append(words.format(*LIVE, **figures["beside"]))
    words = "pictures of {0} x {1} followed a second: {rest} of dice at rest, {motion} in motion"
    lines.append(words.format(*LIVE, **figures["frames_a_second"]))
    lines.append(f"both networks: {figures['networks_mb']} MB")
    lines.append(f"dicescribe read of a 12-megapixel photo, cold: {figures['cold_start_s']} s")
    if figures["peak_mb"] is not None:
        lines.append(f"peak memory of that: {figures['peak_mb']} MB")
    lines.append(f"pages answered a second: {figures['pages_a_second']}")
    lines.append("median ms of advice: {load} to load the game, {advice} for a roll".format_map(figures["advice_ms"]))
    return lines
