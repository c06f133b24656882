"""One reader for all: what it reads depends on the picture alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from types import MappingProxyType

import pytest

from vision.images import Picture, decode
from vision.pipeline import Pipeline, open_reader
from vision.types import Reading

AT_ONCE = 10


@pytest.fixture(scope="module")
def pictures(root: Path) -> list[Picture]:
    """Ten of the samples, no two alike."""
    pictures = [decode(file.read_bytes()) for file in sorted((root / "samples").glob("*.jpg"))[:AT_ONCE]]
    assert len(pictures) == AT_ONCE
    return pictures


def read(reader: Pipeline, picture: Picture) -> Reading:
    """All of a reading but how long it took."""
    return replace(reader.read(picture), ms=MappingProxyType({}))


def test_reading_again_reads_the_same(reader: Pipeline, pictures: list[Picture]) -> None:
    first = [read(reader, picture) for picture in pictures]
    assert [read(reader, picture) for picture in pictures] == first
    assert [read(open_reader(threads=2), pictures[0])] == first[:1]
    assert all(first.count(one) == 1 for one in first)


def test_ten_threads_at_once_read_what_one_does(reader: Pipeline, pictures: list[Picture]) -> None:
    alone = [read(reader, picture) for picture in pictures]
    together = Barrier(AT_ONCE)

    def at_once(picture: Picture) -> Reading:
        together.wait(30)
        return read(reader, picture)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        assert list(pool.map(at_once, pictures)) == alone


def test_the_number_of_threads_changes_nothing(reader: Pipeline, pictures: list[Picture]) -> None:
    single = open_reader(threads=1)
    for picture in pictures:
        one, two = read(single, picture), read(reader, picture)
        assert one.values == two.values
        assert [die.confidence for die in one.dice] == pytest.approx([die.confidence for die in two.dice], abs=1e-4)
