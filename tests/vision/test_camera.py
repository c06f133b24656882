"""Films, streams and cameras; where no camera is, one that is made up."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import camera, devices, shots
from vision.camera import Lost, Shot, cameras, find, frames, played, steadily
from vision.devices import Camera, Found
from vision.errors import CameraError
from vision.types import Frame

RATE = 20.0


def picture(level: int, width: int = 160, height: int = 96) -> Frame:
    """All of one grey, but for a white corner at the top left."""
    out = np.full((height, width, 3), level, np.uint8)
    out[: height // 4, : width // 4] = 255
    return out


def film(path: Path, levels: Sequence[int], codec: str = "mp4v") -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), RATE, (160, 96))
    assert writer.isOpened()
    for level in levels:
        writer.write(picture(level))
    writer.release()
    return path


def level(pixels: Frame) -> int:
    """The grey away from the corner."""
    return round(float(pixels[pixels.shape[0] // 2 :, pixels.shape[1] // 2 :].mean()))


def until_lost(looking: Iterator[Shot], words: str = "gives no pictures") -> list[Shot]:
    """All shots up to the end, which has to be the loss of the source."""
    taken = []

    def take() -> None:
        for shot in looking:
            taken.append(shot)

    with pytest.raises(CameraError, match=words):
        take()
    return taken


class FakeCamera:
    """Grabs without end; the number of each picture that is decoded is its grey. After so many it is unplugged."""

    def __init__(self, pictures: int = 10**9) -> None:
        self.left = pictures
        self.grabbed = self.decoded = 0
        self.given: list[int] = []  # which of the grabbed ones were decoded
        self.torn: set[int] = set()
        self.released = threading.Event()

    def grab(self) -> bool:
        time.sleep(0.002)
        if self.decoded >= self.left:
            return False
        self.grabbed += 1
        return True

    def retrieve(self) -> tuple[bool, Frame | None]:
        self.decoded += 1
        self.given.append(self.grabbed)
        return (False, None) if self.decoded in self.torn else (True, picture(self.decoded % 256))

    def get(self, what: int, /) -> float:
        return 0.0

    def release(self) -> None:
        self.released.set()


Plug = Callable[..., list[Found]]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Plug:
    """Puts these in the place of camera 0: one for each time it is opened, or what opening raises."""

    def plug(*captures: FakeCamera | CameraError) -> list[Found]:
        opened: list[Found] = []
        left = list(captures)

        def open_capture(found: Found) -> FakeCamera:
            opened.append(found)
            capture = left.pop(0)
            if isinstance(capture, CameraError):
                raise capture
            return capture

        monkeypatch.setattr(camera, "find", lambda source: Found("camera", 0, "Eye"))
        monkeypatch.setattr(camera, "open_capture", open_capture)
        return opened

    monkeypatch.setattr(shots, "PAUSE", 0.001)
    monkeypatch.setattr(camera, "WAITS", (0.001, 0.002))
    return plug


# ---- films


@pytest.mark.parametrize(("name", "codec"), [("a.mp4", "mp4v"), ("b.avi", "MJPG"), ("50% c:d é.mp4", "mp4v")])
def test_a_film_gives_every_picture_at_its_own_time(tmp_path: Path, name: str, codec: str) -> None:
    levels = range(20, 220, 10)
    taken = list(frames(film(tmp_path / name, levels, codec)))
    assert [shot.t for shot in taken] == pytest.approx([n / RATE for n in range(20)], abs=0.002)
    assert [level(shot.pixels) for shot in taken] == pytest.approx(levels, abs=4)
    assert all(shot.pixels.shape == (96, 160, 3) for shot in taken)


def test_pictures_that_are_not_wanted_are_left_out(tmp_path: Path) -> None:
    asked: list[float] = []

    def late(t: float) -> bool:
        asked.append(t)
        return t > 0.72

    taken = list(frames(str(film(tmp_path / "a.mp4", range(100, 120))), late))
    assert [round(shot.t, 2) for shot in taken] == [0.75, 0.8, 0.85, 0.9, 0.95]
    assert len(asked) == 20


def test_a_film_that_lies_on_its_side_is_turned_upright(tmp_path: Path) -> None:
    """As phones store what they took upright: pictures as the sensor gave them, and a matrix."""
    path = film(tmp_path / "a.mp4", [90] * 8)
    data = path.read_bytes()
    flat, quarter = ((1, 0, 0, 1), (0, 1, -1, 0))
    a, b, c, d = (struct.pack(">i", n << 16) for n in flat)
    where = data.index(b"tkhd") + 4 + 40
    assert data[where : where + 20] == a + b + bytes(4) + c + d
    a, b, c, d = (struct.pack(">i", n << 16) for n in quarter)
    path.write_bytes(data[:where] + a + b + bytes(4) + c + d + data[where + 20 :])
    shot = next(frames(path))
    assert shot.pixels.shape == (160, 96, 3)
    assert shot.pixels[:20, -12:].mean() > 200  # the corner went to the right
    assert shot.pixels[:20, :12].mean() < 120


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.mp4", None, "no file"),
        ("empty.mp4", b"", "is empty"),
        ("words.mp4", b"no film at all\n" * 99, "no film"),
        ("cut.mp4", "cut", "no film"),
        ("photo.jpg", "photo", "dicescribe read"),
        ("a folder", "folder", "is a folder"),
    ],
)
def test_a_file_that_is_no_film(tmp_path: Path, name: str, content: bytes | str | None, words: str) -> None:
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif content == "photo":
        cv2.imwrite(str(path), picture(90))
    elif content == "cut":
        data = film(path, range(100, 120)).read_bytes()
        path.write_bytes(data[: len(data) // 2])
    elif isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(CameraError, match=words):
        next(frames(path))


def test_a_film_that_breaks_off_gives_what_it_has_and_says_so(tmp_path: Path) -> None:
    path = film(tmp_path / "a.avi", range(20, 220, 2), "MJPG")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    taken = until_lost(frames(path), r"a\.avi breaks off at 3\.\d of 5\.0 seconds")
    assert 60 < len(taken) < 75


def test_a_film_whose_length_is_only_about_right_is_whole(tmp_path: Path) -> None:
    path = film(tmp_path / "a.avi", range(20, 220, 10), "MJPG")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    assert 5 < len(list(frames(path))) < 20  # less than a second is missing


def test_times_grow_whatever_the_film_says() -> None:
    class Odd(FakeCamera):
        def get(self, what: int, /) -> float:
            return {
                cv2.CAP_PROP_FPS: 25.0,
                cv2.CAP_PROP_FRAME_COUNT: -1.0,
                cv2.CAP_PROP_POS_MSEC: [0, 40, 40, 0, 300][self.grabbed],
            }[what]

    odd = Odd()
    clock = shots.FilmClock(odd)
    times = []
    for odd.grabbed in range(5):
        times.append(clock.next())
    assert times == pytest.approx([0, 0.04, 0.08, 0.12, 0.3])
    assert not clock.breaks_off


def test_a_film_played_takes_its_time_and_who_is_slow_misses_pictures(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", range(100, 110))
    began = time.monotonic()
    taken = []
    for shot in played(path):
        taken.append(shot.t)
        time.sleep(0.12)
    assert time.monotonic() - began >= 9 / RATE
    assert 2 <= len(taken) < 6
    assert taken == sorted(set(taken))


def test_a_film_played_can_be_stopped(tmp_path: Path) -> None:
    stop = threading.Event()
    taken = []
    for shot in played(film(tmp_path / "a.mp4", [90] * 200), stop=stop):
        taken.append(shot.t)
        stop.set()
    assert len(taken) == 1


# ---- live sources


def test_a_slow_taker_gets_the_newest_picture_and_nothing_else_is_decoded(plug: Plug) -> None:
    plug(eye := FakeCamera())
    looking = frames(0)
    times = []
    for number in range(1, 5):
        asked = eye.grabbed
        shot = next(looking)
        assert eye.given[-1] >= asked
        assert eye.decoded == number
        times.append(shot.t)
        while eye.grabbed < asked + 20:  # this is the slow one
            time.sleep(0.001)
    assert times == sorted(set(times))


def test_what_is_not_wanted_of_a_camera_is_grabbed_and_not_decoded(plug: Plug) -> None:
    plug(eye := FakeCamera())
    taken: list[Shot] = []
    for shot in frames(0, lambda t: not taken or t >= taken[-1].t + 0.05):
        taken.append(shot)
        if len(taken) == 4:
            break
    assert all(b.t - a.t >= 0.05 for a, b in pairwise(taken))
    assert eye.decoded == 4 < eye.grabbed


def test_torn_pictures_are_left_out(plug: Plug) -> None:
    plug(eye := FakeCamera(pictures=6))
    eye.torn = {1, 2, 4}
    assert [level(shot.pixels) for shot in until_lost(frames(0))] == [3, 5, 6]


def test_a_camera_that_is_unplugged(plug: Plug) -> None:
    plug(eye := FakeCamera(pictures=3))
    with pytest.raises(CameraError, match=r"camera 0 \(Eye\) gives no pictures"):
        list(frames(0))
    assert eye.released.wait(5)


def test_a_camera_that_says_nothing_at_all(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hung(FakeCamera):
        def grab(self) -> bool:
            self.released.wait(5)
            return False

    plug(eye := Hung())
    monkeypatch.setattr(shots, "SILENT_SECONDS", 0.05)
    monkeypatch.setattr(shots, "JOIN_SECONDS", 0.01)
    with pytest.raises(CameraError, match="gives no pictures"):
        next(frames(0))
    eye.release()


def test_a_camera_is_given_back_when_nobody_looks_any_more(plug: Plug) -> None:
    plug(eye := FakeCamera())
    looking = frames(0)
    next(looking)
    looking.close()
    assert eye.released.wait(5)


def test_stop_is_heard_while_nothing_is_wanted(plug: Plug) -> None:
    plug(eye := FakeCamera())
    stop = threading.Event()

    def never(t: float) -> bool:
        stop.set()
        return False

    assert list(frames(0, never, stop)) == []
    assert eye.released.wait(5)


def test_a_fault_in_what_is_wanted_is_not_swallowed(plug: Plug) -> None:
    plug(FakeCamera())
    with pytest.raises(ZeroDivisionError):
        next(frames(0, lambda t: t < 1 / 0))


def test_a_camera_that_goes_and_comes_back(plug: Plug) -> None:
    busy = CameraError("It is busy.")
    opened = plug(busy, busy, busy, FakeCamera(pictures=3), busy, FakeCamera(), busy)
    stop = threading.Event()
    seen: list[Shot | Lost] = []
    for item in steadily(0, stop=stop):
        seen.append(item)
        if len(opened) == 6 and isinstance(item, Shot):
            stop.set()
    lost = [item for item in seen if isinstance(item, Lost)]
    # The waits grow to the last one, and begin anew after a picture.
    assert [item.wait for item in lost] == [0.001, 0.002, 0.002, 0.001, 0.002]
    assert lost[0].message == "It is busy."
    assert "gives no pictures" in lost[3].message
    assert [isinstance(item, Shot) for item in seen] == [False] * 3 + [True] * 3 + [False] * 2 + [True]
    times = [item.t for item in seen if isinstance(item, Shot)]
    assert times == sorted(set(times))
    assert len(opened) == 6


def test_a_wait_for_a_camera_can_be_stopped(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> None:
    plug(CameraError("It is busy."))
    monkeypatch.setattr(camera, "WAITS", (60.0,))
    stop = threading.Event()
    trying = steadily(0, stop=stop)
    assert next(trying) == Lost("It is busy.", 60.0)
    threading.Timer(0.02, stop.set).start()
    assert list(trying) == []


def test_a_film_is_played_once(tmp_path: Path) -> None:
    taken = list(steadily(film(tmp_path / "a.mp4", range(100, 105))))
    assert all(isinstance(item, Shot) for item in taken)
    assert len(taken) >= 3


class _Stream(BaseHTTPRequestHandler):
    pictures = 60

    def do_GET(self) -> None:
        if self.path != "/eye":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
        self.end_headers()
        for number in range(self.pictures):
            data = cv2.imencode(".jpg", picture(30 + number))[1].tobytes()
            self.wfile.write(b"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
            self.wfile.write(data + b"\r\n")
            time.sleep(0.01)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def stream() -> Iterator[str]:
    """A network camera's address; it stops after some pictures."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Stream) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_a_stream_of_a_network_camera(stream: str) -> None:
    taken = until_lost(frames(f"{stream}/eye"), "no more pictures")
    assert len(taken) > 3
    levels = [level(shot.pixels) for shot in taken]
    assert levels == sorted(levels)
    assert all(shot.pixels.shape == (96, 160, 3) for shot in taken)


def test_a_stream_that_is_not_there(stream: str) -> None:
    with pytest.raises(CameraError, match="can't be reached"):
        frames(f"{stream}/ear")


def test_a_password_is_not_shown() -> None:
    found = find("rtsp://ana:secret@10.0.0.9/live")
    assert (found.target, found.name) == ("rtsp://ana:secret@10.0.0.9/live", "rtsp://10.0.0.9/live")


# ---- which cameras there are


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Linux with three cameras, one of them with a second device that gives no pictures."""
    monkeypatch.setattr(devices, "SYSTEM", "linux")
    monkeypatch.setattr(devices, "SYSFS", tmp_path / "sys")
    monkeypatch.setattr(devices, "DEV", tmp_path / "dev")
    (tmp_path / "dev").mkdir()
    for number, index, name in ((10, 0, "Eye 3000"), (0, 0, "Laptop: HD"), (1, 1, "Laptop: HD"), (2, 0, "Eye 4000")):
        entry = tmp_path / f"sys/video{number}"
        entry.mkdir(parents=True)
        (entry / "name").write_text(f"{name}\n")
        (entry / "index").write_text(f"{index}\n")
        (tmp_path / f"dev/video{number}").touch()
    return tmp_path


def test_the_cameras_of_a_linux(three: Path) -> None:
    assert cameras() == (Camera(0, "Laptop: HD"), Camera(2, "Eye 4000"), Camera(10, "Eye 3000"))
    eye = Found("camera", 2, "Eye 4000")
    assert (
        find(2) == find("2") == find("eye 4000") == find(three / "dev/video2") == find(str(three / "dev/video2")) == eye
    )
    assert find("laptop").target == 0
    assert find("1") == Found("camera", 1, "camera 1")  # not a camera as it seems, but it may be tried


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (7, r"no camera 7\. These are here: camera 0 \(Laptop: HD\), camera 2 \(Eye 4000\), camera 10"),
        ("eye", r"'eye' may be camera 2 \(Eye 4000\) or camera 10 \(Eye 3000\): give its number"),
        ("nose", "no file and no camera called 'nose'. These are here: camera 0"),
        (" ", "no source"),
        ("a\0b", "no source"),
        (Path("2"), "no file 2"),
    ],
)
def test_a_source_that_is_nowhere(three: Path, source: int | str | Path, words: str) -> None:
    with pytest.raises(CameraError, match=words):
        find(source)


def test_a_camera_that_may_not_be_used(three: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CameraError, match=r"may not use the camera 2 \(Eye 4000\): run .*usermod"):
        frames(2)


def test_a_camera_that_does_not_open(three: Path) -> None:
    with pytest.raises(CameraError, match=r"camera 2 \(Eye 4000\) can't be opened. Another program"):
        frames(2)


def test_no_camera_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "SYSFS", tmp_path)
    monkeypatch.setattr(devices, "SYSTEM", "linux")
    assert cameras() == ()
    with pytest.raises(CameraError, match="No camera was found: plug one in, or"):
        find("nose")


def test_elsewhere_cameras_are_tried_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "SYSTEM", "darwin")
    monkeypatch.setattr(camera, "_opens", lambda index: index in (0, 2))
    assert cameras() == (Camera(0, "camera 0"), Camera(2, "camera 2"))
    assert find("camera 2") == Found("camera", 2, "camera 2")
    assert str(cameras()[0]) == "camera 0"
    monkeypatch.setattr(camera, "_opened", lambda *_: None)
    with pytest.raises(CameraError, match=r"Another program.*Privacy.*These are here: camera 0, camera 2"):
        frames(1)


def test_nothing_is_said_on_stderr_and_the_environment_stays(tmp_path: Path) -> None:
    """OpenCV and FFmpeg write past Python, so this is seen from outside only."""
    (tmp_path / "words.mp4").write_bytes(b"no film")
    program = (
        "import os, sys, cv2\nfrom vision.camera import frames, _opened\nfrom vision.errors import CameraError\n"
        "before = dict(os.environ)\n"
        "for source in (sys.argv[1], 'http://127.0.0.1:9/'):\n"
        "    try:\n        frames(source)\n    except CameraError:\n        print('refused')\n"
        "_opened(63, cv2.CAP_V4L2)\n"
        "assert dict(os.environ) == before\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "words.mp4")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV_")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert (done.stdout, done.stderr) == ("refused\nrefused\n", "")
