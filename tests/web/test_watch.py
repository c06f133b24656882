"""`dicescribe watch` and `dicescribe cameras`, with a follower that says what it is told to."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

import models
from vision import camera, devices
from vision.camera import Lost, Shot
from vision.devices import Camera
from vision.errors import CameraError
from vision.follow import View
from vision.steady import Settled
from vision.types import Colour, Die, Frame, Region
from web.commands import recorder, watch
from web.commands.recorder import Recorder
from web.commands.watch import line, living, settled_rolls, turn_ends
from web.errors import BadUse

if TYPE_CHECKING:
    from tests.web.conftest import Run

PIXELS = np.full((48, 64, 3), 90, np.uint8)


def roll(n: int, t: float, *values: int, turn: int = 1, kept: int = 0, doubts: tuple[str, ...] = ()) -> Settled:
    """A settled roll whose first `kept` dice were kept; it is sure if there are no doubts."""
    dice = tuple(
        Die(Region(20.0 * i, 10, 15, 15, 0.9), value, Colour("black", 0.97), Colour("white", 0.99), 0.99)
        for i, value in enumerate(values)
    )
    flags = tuple(i < kept for i in range(len(dice)))
    return Settled(n, turn, (n - 1) % 3 + 1, t, dice, flags, (bool(doubts),) + (False,) * (len(dice) - 1), doubts)


class ScriptedFollower:
    """Settles the rolls it is given when a frame of their time comes, and notes what it is told."""

    def __init__(self, rolls: Sequence[Settled] = ()) -> None:
        self.rolls = list(rolls)
        self.told: list[str] = []
        self.times: list[float] = []
        self.words = iter([*("starting", "waiting", "waiting", "rolling"), *["roll 1 read"] * 999])
        self.view = View()

    def wants(self, t: float) -> bool:
        return True

    def end(self) -> tuple[Settled, ...]:
        return ()

    def feed(self, frame: Frame, t: float) -> tuple[Settled, ...]:
        self.times.append(t)
        self.view = View(words=next(self.words))
        due = tuple(settled for settled in self.rolls if settled.t <= t)
        self.rolls = [settled for settled in self.rolls if settled.t > t]
        return due

    def new_turn(self) -> None:
        self.told.append(f"new turn after {len(self.times)}")


Follow = Callable[..., ScriptedFollower]


@pytest.fixture
def follow(monkeypatch: pytest.MonkeyPatch) -> Follow:
    """Puts a scripted follower in the place of the real one."""

    def follow(*rolls: Settled) -> ScriptedFollower:
        follower = ScriptedFollower(rolls)
        monkeypatch.setattr(watch, "Follower", lambda reader, expect: follower)
        monkeypatch.setattr(watch, "open_reader", lambda: None)
        return follower

    return follow


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Three seconds, 20 pictures each."""
    path = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 20, (64, 48))
    for number in range(60):
        writer.write(np.full((48, 64, 3), 60 + 2 * number, np.uint8))
    writer.release()
    return path


def shots(*times: float) -> Iterator[Shot]:
    return (Shot(t, PIXELS) for t in times)


DOUBT = ("the die on the left may not be a 2",)


# ---- the command


def test_a_line_for_each_roll_of_a_film(run: Run, follow: Follow, film: Path) -> None:
    follower = follow(
        roll(1, 0.95, 2, 4, 4, 5, 6), roll(2, 1.7, 4, 4, 1, 1, 3, kept=2), roll(3, 2.5, 2, 2, 2, 2, 2, doubts=DOUBT)
    )
    ran = run("watch", film, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert [shown["n"] for shown in ran.objects] == [1, 2, 3]
    second = ran.objects[1]
    assert (second["turn"], second["roll"], second["t"]) == (1, 2, 1.7)
    assert (second["values"], second["kept"], second["thrown"]) == ([1, 1, 3, 4, 4], [4, 4], [1, 1, 3])
    assert [die["kept"] for die in second["dice"]] == [True, True, False, False, False]
    assert [shown["sure"] for shown in ran.objects] == [True, True, False]
    assert ran.objects[2]["doubts"] == list(DOUBT)
    assert follower.times == pytest.approx([n / 20 for n in range(60)], abs=0.002)


def test_lines_for_people(run: Run, follow: Follow, film: Path) -> None:
    follow(roll(1, 1.0, 2, 6, 4, 5, 4), roll(2, 2.0, 4, 4, 1, 1, 3, turn=1, kept=2, doubts=DOUBT))
    assert run("watch", film).out.splitlines() == [
        "1.0 s  turn 1, roll 1: 2 4 4 5 6  sure",
        "2.0 s  turn 1, roll 2: 1 1 3 4 4  (kept 4 4)  not sure: the die on the left may not be a 2",
    ]
    assert line(roll(7, 12.44, 2, 4, 4, 5, 6, turn=3)).startswith("12.4 s  turn 3, roll 1: ")


def test_a_film_without_a_roll_is_fine_and_stdin_is_left_alone(run: Run, follow: Follow, film: Path) -> None:
    follower = follow()
    ran = run("watch", film, "--json", stdin=b"\n\n\n")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert follower.told == []
    assert sys.stdin.read() == "\n\n\n"


def test_how_many_dice_are_expected(run: Run, follow: Follow, film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected: list[int] = []
    follower = follow()

    def make(reader: object, expect: int) -> ScriptedFollower:
        expected.append(expect)
        return follower

    monkeypatch.setattr(watch, "Follower", make)
    run("watch", film)
    run("watch", film, "--expect", 6)
    assert expected == [5, 6]
    run("watch", film, "--expect", 0).is_refused("--expect", "'0'")


@pytest.mark.parametrize(
    ("source", "words"),
    [("none.mp4", ("no file and no camera", "No camera was found")), ("0", ("no camera 0",)), ("", ("no source",))],
)
def test_a_source_that_is_not_there(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(devices, "SYSTEM", "linux")
    monkeypatch.setattr(devices, "SYSFS", tmp_path)
    monkeypatch.setattr(devices, "DEV", tmp_path)
    run("watch", source).is_refused(*words)


def test_a_file_that_is_no_film(run: Run, root: Path, follow: Follow) -> None:
    follow()
    run("watch", root / "README.md").is_refused("README.md is no film")
    run("watch", root / "samples/wood.jpg").is_refused("wood.jpg is a single picture", "dicescribe read")
    run("watch", root / "samples").is_refused("is a folder")


def test_a_camera_that_is_not_there_at_first_is_refused(
    run: Run, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow()

    def refuse(_: object) -> None:
        raise CameraError("It is busy.")

    monkeypatch.setattr(camera, "open_capture", refuse)
    monkeypatch.setattr(camera, "find", lambda _: devices.Found("camera", 0, "Eye"))
    monkeypatch.setattr(watch, "find", camera.find)
    run("watch", 0).is_refused("It is busy.")


def test_the_cameras(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "cameras", lambda: (Camera(0, "Laptop"), Camera(10, "Eye\n2")))
    ran = run("cameras")
    assert (ran.code, ran.out, ran.err) == (0, "0  Laptop\n10  Eye\\n2\n", "")
    assert run("cameras", "--json").objects == [{"index": 0, "name": "Laptop"}, {"index": 10, "name": "Eye\n2"}]
    monkeypatch.setattr(watch, "cameras", tuple)
    ran = run("cameras")
    assert (ran.code, ran.out) == (0, "")
    assert "No camera was found" in ran.err
    assert "photos" in ran.err


# ---- rolls, one by one


def test_an_unsure_roll_waits_for_the_surer_one() -> None:
    unsure, sure = roll(1, 1.0, 2, 2, 3, 4, 5, doubts=DOUBT), roll(1, 1.5, 3, 2, 3, 4, 5)
    follower = ScriptedFollower([unsure, sure, roll(2, 3.0, 1, 1, 1, 1, 1)])
    assert [r.t for r in settled_rolls(follower, shots(0.5, 1, 1.5, 2, 3), SimpleQueue())] == [1.5, 3.0]


def test_an_unsure_roll_comes_before_the_next_one_and_at_the_end() -> None:
    rolls = [roll(n, float(n), n, n, n, n, n, doubts=DOUBT) for n in (1, 2)]
    coming = settled_rolls(ScriptedFollower(rolls), shots(0.5, 1, 2, 3), SimpleQueue())
    assert list(coming) == rolls


def test_an_unsure_roll_is_not_held_back_for_ever() -> None:
    unsure, sure = roll(1, 1.0, 2, 2, 3, 4, 5, doubts=DOUBT), roll(1, 9.0, 3, 2, 3, 4, 5)
    follower = ScriptedFollower([unsure, sure])
    coming = settled_rolls(follower, shots(1, 2, 3, 4, 9), SimpleQueue(), held_for=2.5)
    assert next(coming) == unsure
    assert follower.times == [1, 2, 3]
    assert list(coming) == [sure]  # too late to be waited for: the same roll, anew


def test_a_turn_is_ended_between_two_shots() -> None:
    ends: SimpleQueue[None] = SimpleQueue()
    unsure = roll(1, 1.0, 2, 2, 3, 4, 5, doubts=DOUBT)
    follower = ScriptedFollower([unsure])

    def shown() -> Iterator[Shot]:
        yield Shot(1, PIXELS)
        ends.put(None)
        yield Shot(2, PIXELS)
        yield Shot(3, PIXELS)

    coming = settled_rolls(follower, shown(), ends)
    assert next(coming) == unsure
    assert list(coming) == []
    assert follower.told == ["new turn after 1"]


def test_ctrl_c_is_an_end_like_any_other() -> None:
    def shown() -> Iterator[Shot]:
        yield Shot(1, PIXELS)
        raise KeyboardInterrupt

    unsure = roll(1, 1.0, 2, 2, 3, 4, 5, doubts=DOUBT)
    assert list(settled_rolls(ScriptedFollower([unsure]), shown(), SimpleQueue())) == [unsure]


def test_a_film_that_breaks_off_loses_no_roll() -> None:
    def shown() -> Iterator[Shot]:
        yield Shot(1, PIXELS)
        raise CameraError("a.mp4 breaks off")

    unsure = roll(1, 1.0, 2, 2, 3, 4, 5, doubts=DOUBT)
    coming = settled_rolls(ScriptedFollower([unsure]), shown(), SimpleQueue())
    assert next(coming) == unsure
    with pytest.raises(CameraError, match="breaks off"):
        next(coming)


def test_an_empty_line_ends_the_turn() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as stream:
        ends = turn_ends(stream)
        for part in (b"word\n", b"\n  ", b"\r\nmore", b"\n"):
            os.write(writing, part)
        os.close(writing)
        for _ in range(2):
            ends.get(timeout=10)
        for thread in threading.enumerate():
            if thread.name == "stdin":
                thread.join(10)
        assert ends.empty()


def test_without_a_real_stdin_no_turn_is_ended() -> None:
    assert turn_ends(io.StringIO("\n\n")).empty()


# ---- a live source


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Terminal(), ["starting", "waiting", "It is gone. It is tried again by itself.", "rolling", "roll 1 read"]),
        (io.StringIO(), ["It is gone. It is tried again by itself."]),
    ],
)
def test_what_is_seen_is_told_when_it_changes(
    monkeypatch: pytest.MonkeyPatch, said: io.StringIO, words: list[str]
) -> None:
    gone = Lost("It is gone.", 0.5)
    items = [*shots(1, 2, 3), gone, gone, *shots(4, 5, 6)]
    monkeypatch.setattr(watch, "steadily", lambda source, wanted: (item for item in items))
    follower = ScriptedFollower()
    for shot in living(0, follower, said):
        follower.feed(shot.pixels, shot.t)
    assert said.getvalue().splitlines() == words
    assert follower.times == [1, 2, 3, 4, 5, 6]


class _Endless(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        data = cv2.imencode(".jpg", PIXELS)[1].tobytes()
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
        self.end_headers()
        with suppress(OSError):
            while not self.server.over.wait(0.02):  # type: ignore[attr-defined]
                self.wfile.write(b"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
                self.wfile.write(data + b"\r\n")

    def log_message(self, *_: object) -> None: ...


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send")
def test_a_stream_is_watched_until_ctrl_c() -> None:
    """The real thing from outside: a network camera, an empty line on stdin, the signal, nothing on stderr."""
    program = (
        "import sys\nfrom web.commands import watch\nfrom web.cli import main\n"
        "class Follower(watch.Follower):\n"
        "    def feed(self, frame, t):\n"
        "        print('fed', flush=True)\n        return super().feed(frame, t)\n"
        "    def new_turn(self):\n"
        "        print('new turn', flush=True)\n        super().new_turn()\n"
        "watch.Follower = Follower\nsys.exit(main(['watch', sys.argv[1]]))\n"
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), _Endless) as server:
        server.over = threading.Event()  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        with subprocess.Popen(
            [sys.executable, "-c", program, address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # whatever who runs the tests ignores
        ) as watching:
            assert watching.stdout is not None
            assert watching.stdin is not None
            assert watching.stdout.readline() == "fed\n"
            watching.stdin.write("\n")
            watching.stdin.flush()
            assert "new turn\n" in iter(watching.stdout.readline, "")
            watching.send_signal(signal.SIGINT)
            _, err = watching.communicate(timeout=20)
        server.over.set()  # type: ignore[attr-defined]
        server.shutdown()
    assert (watching.returncode, err) == (0, "")


# ---- recording


def test_the_pictures_of_each_roll_are_kept(run: Run, follow: Follow, film: Path, tmp_path: Path) -> None:
    follow(roll(1, 0.5, 2, 4, 4, 5, 6), roll(2, 2.75, 4, 4, 1, 1, 3, kept=2))
    folder = tmp_path / "a/b"
    ran = run("watch", film, "--json", "--record", folder)
    assert ran.code == 0
    assert sorted(entry.name for entry in folder.iterdir()) == ["roll-0001", "roll-0002"]
    said = json.loads((folder / "roll-0002/roll.json").read_text())
    assert {name: said[name] for name in ran.objects[1]} == ran.objects[1]
    assert (said["source"], said["model"]) == (str(film), models.DEFAULT)
    assert said["version"]
    pictures = said["pictures"]
    assert pictures["read.jpg"] == 2.75
    before = [t for name, t in pictures.items() if name != "read.jpg"]
    assert 8 <= len(before) <= recorder.PICTURES
    assert all(2.75 - recorder.SECONDS <= a < b < 2.75 for a, b in pairwise(before))
    assert {entry.name for entry in (folder / "roll-0002").iterdir()} == {*pictures, "roll.json"}
    for name, t in pictures.items():
        kept = cv2.imread(str(folder / "roll-0002" / name))
        assert kept is not None
        assert kept.shape == (48, 64, 3)
        assert kept.mean() == pytest.approx(60 + 2 * 20 * t, abs=4)  # the picture of that time
    run("watch", film, "--record", folder).is_refused("holds a recording", "another folder")


def test_a_correction_takes_the_place_of_what_it_corrects(tmp_path: Path) -> None:
    keeping = Recorder(tmp_path, "clip.mp4")
    for shot in shots(0, 1, 2):
        keeping.saw(shot)
    keeping.keep(roll(1, 2.0, 2, 2, 3, 4, 5, doubts=DOUBT))
    keeping.saw(Shot(30, PIXELS))
    keeping.keep(roll(1, 30.0, 3, 2, 3, 4, 5))
    assert {entry.name for entry in (tmp_path / "roll-0001").iterdir()} == {"read.jpg", "roll.json"}
    assert json.loads((tmp_path / "roll-0001/roll.json").read_text())["values"] == [2, 3, 3, 4, 5]


def test_a_folder_that_can_not_be_used(
    run: Run, follow: Follow, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(roll(1, 0.5, 2, 4, 4, 5, 6))
    run("watch", film, "--record", film).is_refused("can't be made")
    keeping = Recorder(tmp_path / "full", "clip.mp4")
    keeping.saw(Shot(1, PIXELS))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(BadUse, match="roll-0001 can't be written: No space left"):
        keeping.keep(roll(1, 1.0, 2, 4, 4, 5, 6))


def test_no_line_is_lost_when_the_disk_is_full(
    run: Run, follow: Follow, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the roll whose pictures find no room, and that of one which is still held back."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    for doubts in ((), DOUBT):
        follow(roll(1, 0.5, 2, 4, 4, 5, 6, doubts=doubts))
        ran = run("watch", film, "--json", "--record", tmp_path / f"full{len(doubts)}")
        assert [settled["values"] for settled in ran.objects] == [[2, 4, 4, 5, 6]]
        ran.is_refused("roll-0001 can't be written", "No space left")
