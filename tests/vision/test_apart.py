"""Photos decoded in processes apart: the same pixels, and whatever befalls a decoder stays with its photo."""

from __future__ import annotations

import gc
import io
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.vision.clumsy import CLUMSY
from vision import apart
from vision.apart import Decoders
from vision.errors import BadImage
from vision.images import decode

Make = Callable[..., Decoders]
WORDS = {"hang": "too long", "spin": "too long"}


def jpeg(level: int, size: tuple[int, int] = (64, 48), orientation: int = 1) -> bytes:
    row = np.linspace(0, 60, size[0] * 3).reshape(1, size[0], 3).astype(np.uint8)
    ramp = np.repeat(row, size[1], axis=0)
    ramp[: size[1] // 3] //= 2  # upside down it is another picture
    file, exif = io.BytesIO(), Image.Exif()
    exif[274] = orientation
    Image.fromarray(ramp + np.uint8(level)).save(file, "JPEG", exif=exif)
    return file.getvalue()


def there(process: int) -> bool:
    """Whether a process lives; one that has ended and that nobody has asked for is no more."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout
    return bool(state.strip()) and not state.startswith("Z")


def processes(of: int | None = None) -> set[int]:
    """The decoders that a process has started."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()]
    return {int(row[0]) for row in rows if int(row[1]) == (of or os.getpid()) and row[2] != "ps"}


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[Decoders] = []

    def start(*arguments: Any, **more: Any) -> Decoders:
        made.append(Decoders(*arguments, **more))
        return made[-1]

    yield start
    for decoders in made:
        decoders.close()


@pytest.fixture
def clumsy(make: Make) -> Decoders:
    return make(2, deadline=1.5, command=CLUMSY)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_pixels_are_those_of_decoding_in_place(make: Make, orientation: int) -> None:
    photo = jpeg(90, (1900, 1300), orientation)  # several bands
    decoders = make(1)
    got, want = decoders.decode(photo), decode(photo)
    assert (got.width, got.height, got.scale) == (want.width, want.height, want.scale)
    assert got.pixels.flags.c_contiguous
    np.testing.assert_array_equal(got.pixels, want.pixels)


def test_a_large_photo_is_reduced_as_in_place(make: Make) -> None:
    photo = jpeg(90, (6000, 4999))
    got, want = make(1).decode(photo), decode(photo)
    assert (got.width, got.height, got.scale) == (6000, 4999, 0.5)
    np.testing.assert_array_equal(got.pixels, want.pixels)


@pytest.mark.parametrize("photo", [b"", b"GIF89a", jpeg(1)[:-9], b"\xff\xd8\xff", b"x" * (40 * 2**20 + 1)])
def test_a_bad_photo_is_refused_in_the_same_words_and_the_process_stays(make: Make, photo: bytes) -> None:
    decoders = make(1)
    decoders.decode(jpeg(5))
    before = processes()
    with pytest.raises(BadImage) as there:
        decoders.decode(photo)
    with pytest.raises(BadImage) as here:
        decode(photo)
    assert (str(there.value), there.value.too_large) == (str(here.value), here.value.too_large)
    decoders.decode(jpeg(5))
    assert processes() == before


def test_a_side_may_be_limited(make: Make) -> None:
    decoders = make(1, longest=64)
    assert decoders.decode(jpeg(5, (64, 48))).width == 64
    with pytest.raises(BadImage) as error:
        decoders.decode(jpeg(5, (65, 48)))
    assert error.value.too_large


KINDS = ["abort", "segfault", "exit", "hang", "spin", "raise", "midway", "much"]


@pytest.mark.parametrize("mishap", [*KINDS, *(["eat"] if sys.platform == "linux" else [])])
def test_a_decoder_that_dies_of_a_photo_is_replaced(clumsy: Decoders, mishap: str) -> None:
    assert clumsy.decode(jpeg(5)).width == 64
    (before,) = processes()
    with pytest.raises(BadImage, match=WORDS.get(mishap, "can't be read")):
        clumsy.decode(mishap.encode() + b" " + jpeg(5))
    np.testing.assert_array_equal(clumsy.decode(jpeg(90)).pixels, decode(jpeg(90)).pixels)
    (after,) = processes()
    assert after != before
    assert not there(before)


@pytest.mark.parametrize("mishap", ["abort", "hang", "midway"])
def test_the_other_photos_are_not_mixed_up(clumsy: Decoders, mishap: str) -> None:
    levels = [5, 40, 75, 110, 145, 180]
    together = Barrier(len(levels) + 1)

    def read(level: int | None) -> int | None:
        together.wait(10)
        if level is None:
            with pytest.raises(BadImage):
                clumsy.decode(mishap.encode() + b" " + jpeg(5))
            return None
        return int(clumsy.decode(jpeg(level)).pixels[0, 0, 0])

    with ThreadPoolExecutor(len(levels) + 1) as pool:
        got = list(pool.map(read, [None, *levels]))
    assert got == [None, *(int(decode(jpeg(level)).pixels[0, 0, 0]) for level in levels)]
    assert len(processes()) <= 2


def test_memory_is_bounded(make: Make, tmp_path: Path) -> None:
    """Less than half of what is asked for, though the machine has it."""
    if sys.platform != "linux":
        pytest.skip("limits of memory hold on Linux alone")
    peak = tmp_path / "peak"
    eater = f"""
        import re, sys
        sys.path.insert(0, sys.argv[1])
        from vision import decoder
        def planned(data, longest, *, coarse):
            eaten = []
            try:
                while len(eaten) < 1000:
                    eaten.append(b"x" * 2**20)
            except MemoryError:
                del eaten
            status = open("/proc/self/status").read()
            open({str(peak)!r}, "w").write(re.search(r"VmHWM:\\s+(\\d+)", status)[1])
            raise MemoryError
        decoder.planned = planned
        decoder.main()
    """
    with pytest.raises(BadImage, match="can't be read"):
        make(1, command=[sys.executable, "-c", textwrap.dedent(eater), apart.COMMAND[-1]]).decode(b"x")
    assert int(peak.read_text()) < 500 * 1024


def test_a_process_that_ended_meanwhile_is_replaced(make: Make) -> None:
    decoders = make(1)
    decoders.decode(jpeg(5))
    (before,) = processes()
    os.kill(before, signal.SIGKILL)
    os.waitid(os.P_PID, before, os.WEXITED | os.WNOWAIT)  # with its threads; to be taken leave of by whoever began it
    assert decoders.decode(jpeg(5)).width == 64


def test_processes_are_started_when_needed_and_end_with_their_owner() -> None:
    decoders = Decoders(2)
    assert processes() == set()
    decoders.decode(jpeg(5))
    (one,) = processes()
    del decoders
    gc.collect()
    assert not there(one)
    decoders = Decoders(2)
    decoders.decode(jpeg(5))
    (one,) = processes()
    decoders.close()
    assert not there(one)


def test_one_can_be_started_before_it_is_needed(make: Make) -> None:
    decoders = make(2)
    decoders.get_ready()
    (one,) = processes()
    decoders.get_ready()
    decoders.decode(jpeg(5))
    assert processes() == {one}


def test_one_that_does_not_start_is_a_failure_of_ours(make: Make) -> None:
    for command in ([sys.executable, "-c", "print('{}')"], [sys.executable, "-c", ""], ["no such program"]):
        with pytest.raises(OSError):
            make(1, command=command).decode(jpeg(5))


def test_no_process_is_left_behind_by_a_killed_program(tmp_path: Path) -> None:
    """Neither an idle one nor one that is busy: that one ends when it has done, or after its time."""
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(jpeg(5))
    program = """
        import pathlib, sys, threading
        from vision.apart import Decoders
        decoders, photo = Decoders(2), pathlib.Path(sys.argv[1]).read_bytes()
        decoders.decode(photo)
        print(flush=True)
        while True:
            decoders.decode(photo)
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(photo)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(apart.COMMAND[-1])) as killed:
        assert killed.stdout is not None
        killed.stdout.readline()
        (child,) = processes(killed.pid)
        killed.kill()
    deadline = time.monotonic() + 10
    while there(child):
        assert time.monotonic() < deadline
        time.sleep(0.01)
