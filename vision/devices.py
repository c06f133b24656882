"""Which cameras there are, and what a source of moving pictures is meant to be: a camera, a film's file, or a stream.

Linux tells the cameras' names without opening them. Elsewhere the first few indices are tried, and cameras are
called "camera 0" and so on: the systems' own lists need libraries of their own, and number cameras differently.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vision.errors import CameraError
from vision.sentences import Sentence

SYSTEM: str = sys.platform
PROBED = 6
"""How many indices are tried where the system gives no names."""
SYSFS = Path("/sys/class/video4linux")
DEV = Path("/dev")
# The question "what can you do?" of Video4Linux, and the answers that matter (linux/videodev2.h).
_QUERYCAP, _ANSWER_BYTES, _DEVICE_CAPS = 0x80685600, 104, 88
_CAPTURE, _CAPTURE_PLANES = 0x1, 0x1000

Kind = Literal["camera", "file", "stream"]
Source = int | str | Path
"""A camera's index or name, a film's file, or a stream's address."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera of this computer, by the index that opens it."""

    index: int
    name: str

    def __str__(self) -> str:
        plain = f"camera {self.index}"
        return plain if self.name == plain else f"{plain} ({self.name})"


@dataclass(frozen=True, slots=True)
class Found:
    """What a source means. `target` opens it: a camera's index, a file's absolute path or a stream's address."""

    kind: Kind
    target: int | str
    name: str

    @property
    def live(self) -> bool:
        """Whether it goes on for as long as one likes, and what is missed is gone."""
        return self.kind != "file"


def listed(probe: Callable[[int], bool]) -> tuple[Camera, ...]:
    """The cameras of this computer, by index. `probe` says whether an index opens, where names can't be had."""
    if SYSTEM == "linux":
        return _of_linux()
    return tuple(Camera(index, f"camera {index}") for index in range(PROBED) if probe(index))


def find(source: Source, cameras: Callable[[], tuple[Camera, ...]]) -> Found:
    """What is meant by a source. Raises CameraError, with what there is instead, for what is nowhere."""
    text = str(source)
    if not text.strip() or "\0" in text:
        raise CameraError("This is no source: give a camera's number or name, a film's file or a stream's address.")
    if device := re.fullmatch(re.escape(str(DEV)) + r"/video(\d+)", os.path.realpath(text)):
        return _by_index(int(device[1]), cameras)
    if isinstance(source, Path):
        return _file(text)
    if isinstance(source, int) or (text.isascii() and text.isdigit() and len(text) < 5):
        return _by_index(int(source), cameras)
    if "://" in text:
        # What stands before an @ may be a password, and the name is shown and kept.
        return Found("stream", text, re.sub(r"://[^/@]*@", "://", text))
    if os.path.exists(text):  # noqa: PTH110 - unlike Path, it takes any text for an answer
        return _file(text)
    return _by_name(text, cameras())


def _by_index(index: int, cameras: Callable[[], tuple[Camera, ...]]) -> Found:
    """A camera that the system doesn't list may still open; whether it does is seen when it is tried."""
    name = f"camera {index}"
    if SYSTEM == "linux":
        known = cameras()
        if not (DEV / f"video{index}").exists():
            raise CameraError("There is no camera %(index)s. %(there_are)s", index=index, there_are=there_are(known))
        name = next((camera.name for camera in known if camera.index == index), name)
    return Found("camera", index, name)


def _by_name(text: str, cameras: tuple[Camera, ...]) -> Found:
    wanted = text.casefold()
    fits = [camera for camera in cameras if camera.name.casefold() == wanted]
    fits = fits or [camera for camera in cameras if wanted in camera.name.casefold()]
    if len(fits) > 1:
        raise CameraError(
            "%(text)s may be %(cameras)s: give its number.", text=repr(text), cameras=" or ".join(map(str, fits))
        )
    if not fits:
        raise CameraError(
            "There is no file and no camera called %(text)s. %(there_are)s",
            text=repr(text),
            there_are=there_are(cameras),
        )
    return Found("camera", fits[0].index, fits[0].name)


def _file(text: str) -> Found:
    path = Path(text)
    try:
        if path.is_dir():
            raise CameraError("%(file)s is a folder: name a film in it.", file=text)
        with path.open("rb") as film:
            if not film.read(1):
                raise CameraError("%(file)s is empty: record or copy it again.", file=text)
    except FileNotFoundError:
        raise CameraError("There is no file %(file)s.", file=text) from None
    except (OSError, ValueError) as problem:  # ValueError: a name with a zero in it
        raise CameraError(
            "%(file)s can't be read: %(why)s.", file=text, why=getattr(problem, "strerror", None) or problem
        ) from None
    return Found("file", os.path.abspath(text), text)  # noqa: PTH100 - the file's name must stay as it is


def there_are(cameras: tuple[Camera, ...]) -> Sentence:
    """The cameras in a sentence, or what to do without any."""
    if not cameras:
        return Sentence("No camera was found: plug one in, or take photos and type the dice, which need none.")
    listed = ", ".join(map(str, cameras))
    if len(cameras) == 1:
        return Sentence("This is here: %(camera)s.", camera=listed)
    return Sentence("These are here: %(cameras)s.", cameras=listed)


def _of_linux() -> tuple[Camera, ...]:
    found = []
    for entry in SYSFS.glob("video*"):
        number = entry.name.removeprefix("video")
        if number.isdigit() and _takes_pictures(entry):
            name = _text(entry / "name") or f"camera {number}"
            found.append(Camera(int(number), name))
    return tuple(sorted(found, key=lambda camera: camera.index))


def _takes_pictures(entry: Path) -> bool:
    """Not every video device does: most cameras have a second one for data about the pictures, and there are decoders.

    The device is asked; where that is not allowed, or it doesn't answer, the first of each camera is taken for it.
    """
    import fcntl  # not on Windows

    answer = bytearray(_ANSWER_BYTES)
    try:
        device = os.open(DEV / entry.name, os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.ioctl(device, _QUERYCAP, answer)
        finally:
            os.close(device)
    except OSError:
        return _text(entry / "index") in ("0", "")
    return bool(int.from_bytes(answer[_DEVICE_CAPS : _DEVICE_CAPS + 4], sys.byteorder) & (_CAPTURE | _CAPTURE_PLANES))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
