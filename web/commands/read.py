"""`dicescribe read`: photos in, one line each out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2

from vision.draw import annotate
from vision.errors import BadImage
from vision.images import MAX_BYTES, Picture, decode
from vision.photo import read_photo
from vision.pipeline import Pipeline, open_reader
from vision.types import Frame, Reading
from web.api.readings import reading_json
from web.errors import BadUse, one_line

STDIN = "-"
WRITTEN = (".jpg", ".jpeg", ".png")
WIDEST_NAME = 40


def read_photos(
    photos: Sequence[str],
    *,
    as_json: bool,
    annotated: Path | None = None,
    expect: int | None = None,
    threads: int | None = None,
) -> list[str]:
    """Read the photos in the order given, print a line for each, and give what kept some from being read.

    With `annotated` the pictures are put into that folder with their dice outlined. Raises BadUse when that
    can't be done, or when stdin is named twice.
    """
    if photos.count(STDIN) > 1:
        raise BadUse("There is only one photo on stdin: name - once.")
    targets = _targets(photos, annotated) if annotated is not None else [None] * len(photos)
    reader = open_reader(threads=threads)
    wide = min(WIDEST_NAME, max(map(len, photos)))
    problems = []
    for file, target in _progress(list(zip(photos, targets, strict=True))):
        try:
            shown = _read(reader, file, target, expect)
        except BadImage as problem:
            problems.append(f"{file}: {problem}")
            shown = {"file": file, "error": str(problem)}
        print(json.dumps(shown) if as_json else _line(shown, wide), flush=True)
    return problems


def _read(reader: Pipeline, file: str, target: Path | None, expect: int | None) -> dict[str, Any]:
    data = _bytes(file)
    reading = read_photo(reader, data)
    if target is not None:
        _draw(decode(data), reading.expecting(expect), target)
    return reading_json(reading, file=file, expect=expect)


def _bytes(file: str) -> bytes:
    """The photo's bytes, but no more than show that it is too large. Raises BadImage."""
    try:
        if file == STDIN:
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(file).open("rb") as photo:
            return photo.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise BadImage("There is no such file.") from None
    except IsADirectoryError:
        raise BadImage("This is a folder: name the photos in it.") from None
    except (OSError, ValueError) as problem:  # ValueError: a name with a zero in it
        raise BadImage(f"The file can't be read: {getattr(problem, 'strerror', None) or problem}.") from None


def _line(shown: dict[str, Any], wide: int) -> str:
    file = one_line(shown["file"])
    if "error" in shown:
        return f"{file:<{wide}}  not read: {shown['error']}"
    values = " ".join(map(str, shown["values"])) or "no dice"
    said = "sure" if shown["sure"] else f"not sure: {'; '.join(shown['doubts'])}"
    other = {0: "", 1: " (and 1 die without pips)"}.get(shown["other"], f" (and {shown['other']} dice without pips)")
    return f"{file:<{wide}}  {values:<9}{other}  {said}"


def _draw(picture: Picture, reading: Reading, target: Path) -> None:
    drawn: Frame = annotate(picture.pixels, reading)
    done, data = cv2.imencode(target.suffix, drawn, [cv2.IMWRITE_JPEG_QUALITY, 90])
    try:
        if not done:
            raise OSError(f"a {target.suffix} of this size can't be made")
        target.write_bytes(data.tobytes())
    except OSError as problem:
        raise BadUse(f"{target} can't be written: {problem.strerror or problem}.") from problem


def _targets(photos: Sequence[str], folder: Path) -> list[Path | None]:
    """Where each annotated picture goes: under the photo's own name, numbered where two are called the same."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadUse(f"The folder {folder} can't be made: {problem.strerror}.") from problem
    sources = {os.path.realpath(photo) for photo in photos}  # unlike Path.resolve, quiet about links in a ring
    targets: list[Path | None] = []
    for photo in photos:
        name = Path("stdin.jpg" if photo == STDIN else photo)
        suffix = name.suffix.lower() if name.suffix.lower() in WRITTEN else ".jpg"
        target, number = folder / f"{name.stem}{suffix}", 1
        while target in targets:
            number += 1
            target = folder / f"{name.stem}-{number}{suffix}"
        if os.path.realpath(target) in sources:
            raise BadUse(f"{target} would be written over: choose another folder than the photos'.")
        targets.append(target)
    return targets


def _progress(items: list[tuple[str, Path | None]]) -> Iterable[tuple[str, Path | None]]:
    """The items, with a progress bar on a terminal where it does not run into the lines."""
    if len(items) < 2 or sys.stdout.isatty() or not sys.stderr.isatty():
        return items
    from tqdm import tqdm

    return tqdm(items, unit="photo")
