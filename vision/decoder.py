"""The process that decodes photos for `vision.apart`: bytes in at stdin, rows of pixels out at stdout.

It imports what decoding needs and nothing more, so that it starts quickly, and ends when its stdin does: with the
program that started it, however that ends.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import signal
import struct
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from vision.codecs import WORKING_BYTES
from vision.errors import BadImage
from vision.images import MAX_BYTES, planned

HEAD = struct.Struct("!II?")
"""Comes before a photo: its bytes, how many pixels its longer side may have, and whether it is wanted coarse."""
READY = b"ready\n"
"""Said once, when a photo may come."""
DEADLINE = 20.0
"""Seconds that a photo may take."""
SLACK = 64 * 2**20
"""Bytes for what the libraries keep for themselves."""


def main() -> None:
    """Answer one photo after the other, until stdin ends.

    An answer is lines of JSON: `plan`, then for each band its `rows` followed by their bytes, and `done`; or at any
    point `bad`, why the photo can't be read.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who started this
    _limit()
    answers.write(READY)
    answers.flush()
    while head := sys.stdin.buffer.read(HEAD.size):
        length, longest, coarse = HEAD.unpack(head)
        data = sys.stdin.buffer.read(length)
        # Who started this ends it in time; this is for when that one is gone.
        faulthandler.dump_traceback_later(2 * DEADLINE, exit=True, file=sys.stderr)
        _answer(answers, data, longest, coarse)
        faulthandler.cancel_dump_traceback_later()
        del data


def _answer(answers: BinaryIO, data: bytes, longest: int, coarse: bool) -> None:
    try:
        plan, bands = planned(data, longest, coarse=coarse)
        _say(answers, {"plan": asdict(plan)})
        for band in bands:
            _say(answers, {"rows": len(band)})
            answers.write(band.data)
        _say(answers, {"done": True})
    except BadImage as bad:
        _say(answers, {"bad": bad.sentence.to_json(), "too_large": bad.too_large})


def _say(answers: BinaryIO, what: dict[str, Any]) -> None:
    answers.write(json.dumps(what).encode() + b"\n")
    answers.flush()


def _limit() -> None:
    """Take no more than a photo may cost, leave no dump of it, and be the first to go when memory runs out."""
    with contextlib.suppress(OSError):  # Linux alone has it
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # elsewhere it does not hold what is allocated
        most = _data_bytes() + MAX_BYTES + WORKING_BYTES + SLACK
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data_bytes() -> int:
    """What RLIMIT_DATA counts of this process by now."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * os.sysconf("SC_PAGE_SIZE")
