"""Moving pictures, one at a time, from cameras, films and streams. The sole use of OpenCV's VideoCapture.

A live source is never late: each time a picture is asked for, the next one that the camera takes is given, and what
came in between is gone. Pictures that are not wanted are not even decoded.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import cast

import cv2

from vision import devices
from vision.devices import Camera, Found, Source
from vision.errors import CameraError
from vision.sentences import Sentence
from vision.shots import PATIENCE, Capture, FilmClock, Grabber, Paced, retrieved
from vision.shots import Shot as Shot

WIDTH, HEIGHT = 1280, 720
WAITS = (0.5, 1.0, 2.0, 5.0)
"""Seconds before a lost source is tried again; the last of them from then on."""
# How many milliseconds a stream may take to answer, and between two pictures.
_PATIENT = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 10000)

_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class Lost:
    """A source gives no pictures; `message` says so to the player. It is tried again in `wait` seconds."""

    message: str
    wait: float


def always(t: float) -> bool:
    """Every picture is wanted."""
    return True


def cameras() -> tuple[Camera, ...]:
    """The cameras of this computer, by index; none where there are none."""
    return devices.listed(_opens)


def find(source: Source) -> Found:
    """What a source means. Raises CameraError for a camera or a file that is not there."""
    return devices.find(source, cameras)


def frames(
    source: Source, wanted: Callable[[float], bool] = always, stop: threading.Event | None = None
) -> Generator[Shot, None, None]:
    """The pictures of a source, as fast as they are asked for; those not `wanted` at their time are left out.

    A film's file gives each picture to its end, at the film's own time; one that breaks off gives what it has first. A
    camera or a stream gives the newest, at the seconds since it was opened, and goes on until `stop` is set. Times
    grow. `wanted` is only asked while the caller waits for a picture. Raises CameraError when the source can't be
    opened, or stops to give pictures.
    """
    found = find(source)
    capture = open_capture(found)
    if found.live:
        began = monotonic()
        return _newest(capture, lambda: monotonic() - began, found, wanted, stop or threading.Event())
    return _each(capture, wanted, found.name)


def played(
    source: Source, wanted: Callable[[float], bool] = always, stop: threading.Event | None = None
) -> Generator[Shot, None, None]:
    """As `frames`, but a film's file runs at its own speed, and who is slow misses pictures, as with a camera."""
    found = find(source)
    if found.live:
        return frames(source, wanted, stop)
    stop = stop or threading.Event()
    paced = Paced(open_capture(found), stop)
    return _newest(paced, lambda: paced.t, found, wanted, stop)


def steadily(
    source: Source, wanted: Callable[[float], bool] = always, stop: threading.Event | None = None
) -> Generator[Shot | Lost, None, None]:
    """The pictures of a source that may go and come back, as one plugs and unplugs a camera: raises no CameraError.

    Instead a Lost is given each time that it can't be opened or has no more pictures, and then it is tried again,
    after a wait that grows. Times grow over all of it. A film runs at its own speed, to its end. Setting `stop` ends it
    (within 0.1 seconds, unless a stream is just being opened, which may take 5).
    """
    stop = stop or threading.Event()
    began, failures = monotonic(), 0
    while not stop.is_set():
        ahead = 0.0
        try:
            live = find(source).live
            if live:
                ahead = monotonic() - began
            with closing(played(source, partial(_shifted, wanted, ahead), stop)) as shots:
                for shot in shots:
                    failures = 0
                    yield Shot(shot.t + ahead, shot.pixels)
            if not live:
                return
        except CameraError as problem:
            wait = WAITS[min(failures, len(WAITS) - 1)]
            failures += 1
            yield Lost(problem.sentence, wait)
            stop.wait(wait)


def open_capture(found: Found) -> Capture:
    """A source, opened. Raises CameraError with what to do about it."""
    if found.kind == "camera":
        assert isinstance(found.target, int)
        return _camera(found, found.target)
    capture = _opened(found.target, cv2.CAP_FFMPEG, _PATIENT if found.kind == "stream" else ())
    if capture is None and found.kind == "stream":
        raise CameraError(
            "The stream %(name)s can't be reached: check its address, and that what sends it is running.",
            name=found.name,
        )
    if found.kind == "file":
        pictures = 0 if capture is None else capture.grab() + capture.grab()
        if not pictures:
            raise CameraError(
                "%(file)s is no film that can be played: record it again, or save it as MP4.", file=found.name
            )
        if pictures == 1:
            raise CameraError("%(file)s is a single picture: read it with `dicescribe read`.", file=found.name)
        capture = _opened(found.target, cv2.CAP_FFMPEG)  # from the beginning
    return cast(Capture, capture)


def _camera(found: Found, index: int) -> Capture:
    if devices.SYSTEM == "linux":
        device = devices.DEV / f"video{index}"
        if not os.access(device, os.R_OK | os.W_OK):
            raise CameraError(
                "You may not use the %(camera)s: run `sudo usermod -aG video $USER`, log out and in again.",
                camera=_called(found),
            )
    capture = _opened(index, _backend())
    if capture is not None:
        # MJPG first: as raw pictures most cameras can't send this size 30 times a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return cast(Capture, capture)
    if devices.SYSTEM == "linux":
        raise CameraError(
            "The %(camera)s can't be opened. Another program may be using it: close that, or unplug the camera and "
            "plug it in again.",
            camera=_called(found),
        )
    raise CameraError(  # it is seen only now whether there is such a camera at all
        "The %(camera)s can't be opened. Another program may be using it: close that, or unplug the camera and plug "
        "it in again. Or it is not allowed: look under Privacy & Security, Camera, in the system's settings. "
        "%(there_are)s",
        camera=_called(found),
        there_are=devices.there_are(cameras()),
    )


def _called(found: Found) -> str:
    """A camera by its number, and its name where it has one."""
    return str(Camera(int(found.target), found.name))


def _opens(index: int) -> bool:
    capture = _opened(index, _backend())
    if capture is None:
        return False
    capture.release()
    return True


def _backend() -> int:
    """What opens cameras here; left to itself, OpenCV would try a dozen others too."""
    known = {"linux": cv2.CAP_V4L2, "darwin": cv2.CAP_AVFOUNDATION, "win32": cv2.CAP_DSHOW}
    return known.get(devices.SYSTEM, cv2.CAP_ANY)


def _opened(target: int | str, backend: int, wishes: Sequence[int] = ()) -> cv2.VideoCapture | None:
    with _quiet():
        capture = cv2.VideoCapture()
        done = capture.open(target, backend, list(wishes)) if isinstance(target, str) else capture.open(target, backend)
    return capture if done else None


@contextmanager
def _quiet() -> Iterator[None]:
    """OpenCV and FFmpeg keep to themselves what they think of a source, now and later; we say what is to be done.

    FFmpeg is told when its first source is opened, by a variable that is there only then.
    """
    variable = "OPENCV_FFMPEG_LOGLEVEL"
    with _opening:
        if "OPENCV_LOG_LEVEL" not in os.environ:
            cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        told = variable in os.environ
        if not told:
            os.environ[variable] = "-8"
        try:
            yield
        finally:
            if not told:
                del os.environ[variable]


def _shifted(wanted: Callable[[float], bool], ahead: float, t: float) -> bool:
    return wanted(t + ahead)


def _each(capture: Capture, wanted: Callable[[float], bool], name: str) -> Generator[Shot, None, None]:
    """Each picture of a film. Raises CameraError after the last one if the film breaks off there."""
    clock = FilmClock(capture)
    try:
        while capture.grab():
            t = clock.next()
            if wanted(t) and (pixels := retrieved(capture)) is not None:
                yield Shot(t, pixels)
    finally:
        capture.release()
    if clock.breaks_off:
        raise CameraError(
            "%(file)s breaks off at %(seen)s of %(all)s seconds: what comes after is missing or damaged. "
            "Copy or record it again.",
            file=name,
            seen=f"{clock.seconds:.1f}",
            all=f"{clock.promised:.1f}",
        )


def _newest(
    capture: Capture, clock: Callable[[], float], found: Found, wanted: Callable[[float], bool], stop: threading.Event
) -> Generator[Shot, None, None]:
    """The newest picture each time one is asked for, grabbed in a thread of its own."""
    grabber = Grabber(capture, clock, wanted, 1 if not found.live else PATIENCE)
    grabber.start()
    with closing(grabber):
        while not stop.is_set():
            shot = grabber.take(stop)
            if shot is not None:
                yield shot
            elif grabber.over and not stop.is_set():
                if found.live:
                    raise CameraError(_gone(found))
                return


def _gone(found: Found) -> Sentence:
    if found.kind == "stream":
        return Sentence(
            "The stream %(name)s has no more pictures: see whether what sends it is still running.", name=found.name
        )
    return Sentence(
        "The %(camera)s gives no pictures: see whether it is plugged in, and used by nothing else.",
        camera=_called(found),
    )
