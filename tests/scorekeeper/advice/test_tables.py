"""Files of tables: whole or not at all, and never a foreign or an old one."""

from __future__ import annotations

import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorekeeper.advice import ready, start_value, tables
from scorekeeper.advice.sheet_rules import sheet_rules
from scorekeeper.advice.tables import Table, from_bytes, load_or_build, stored, to_bytes
from scorekeeper.advice.types import Progress
from scorekeeper.rulebooks import make_game
from scorekeeper.sheet import SheetGame

KEY = "toy1-0123456789abcdef01234567"
TABLE = Table(np.linspace(0, 250, 1000, dtype=np.float32), 245.870774514)


def build(progress: Progress) -> Table:
    progress(0.5)
    progress(1.0)
    return TABLE


def forbidden(progress: Progress) -> Table:
    raise AssertionError("it need not be built")


def same(table: Table | None) -> bool:
    return table is not None and table.start == TABLE.start and np.array_equal(table.values, TABLE.values)


def file_of(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_what_is_built_is_kept(tmp_path: Path) -> None:
    cache, told = tmp_path / "new" / "folder", list[float]()
    assert not stored(KEY, cache)
    assert same(load_or_build(KEY, build, cache, told.append))
    assert told == [0.5, 1.0]
    assert stored(KEY, cache)
    assert same(load_or_build(KEY, forbidden, cache))
    assert file_of(cache).name == tables.file_name(KEY)


def test_without_a_folder_it_is_built_each_time() -> None:
    assert same(load_or_build(KEY, build, None))
    assert not stored(KEY, None)


def cut(content: bytes) -> bytes:
    return content[:-5]


def longer(content: bytes) -> bytes:
    return content + b"\0"


def empty(content: bytes) -> bytes:
    return b""


def text(content: bytes) -> bytes:
    return b"<html>" * 200


def flipped(place: int) -> Callable[[bytes], bytes]:
    return lambda content: content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def whole_but_not_compressed(content: bytes) -> bytes:
    data = content[: tables._HEAD.size] + TABLE.values.tobytes()
    return data + zlib.crc32(data).to_bytes(4, "little")


DAMAGE = [cut, longer, empty, text, whole_but_not_compressed, *map(flipped, (0, 17, 60, 66, 80, 200, -2))]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_built_anew(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    load_or_build(KEY, build, tmp_path)
    file = file_of(tmp_path)
    good = file.read_bytes()
    file.write_bytes(damage(good))
    assert not stored(KEY, tmp_path)
    assert same(load_or_build(KEY, build, tmp_path))
    assert file.read_bytes() == good
    assert same(load_or_build(KEY, forbidden, tmp_path))


def test_no_bit_can_change_unseen() -> None:
    content = to_bytes(KEY, Table(TABLE.values[:5], 1.5))
    for place in range(len(content)):
        assert from_bytes(KEY, flipped(place)(content) if place + 1 < len(content) else content[:-1] + b"?") is None
        assert from_bytes(KEY, content[:place]) is None


def test_the_table_of_another_game_is_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / tables.file_name(KEY)).write_bytes(to_bytes(KEY.replace("toy1", "toy2"), TABLE))
    assert not stored(KEY, tmp_path)
    assert same(load_or_build(KEY, build, tmp_path))
    assert stored(KEY, tmp_path)


@pytest.mark.parametrize("below", ["", "folder"])
def test_a_folder_that_cannot_be_written_is_no_error(below: str, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert same(load_or_build(KEY, build, blocked / below))
    assert not stored(KEY, blocked / below)
    assert blocked.read_text() == "no folder"


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert same(load_or_build(KEY, build, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_build_that_is_stopped_leaves_nothing_behind(tmp_path: Path) -> None:
    def stop(done: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        load_or_build(KEY, build, tmp_path, stop)
    assert list(tmp_path.iterdir()) == []


AT_ONCE = """
import sys
from pathlib import Path
import numpy as np
from scorekeeper.advice.tables import Table, load_or_build
folder, key = Path(sys.argv[1]), sys.argv[2]
def build(progress):
    print("building", flush=True)
    sys.stdin.readline()
    return Table(np.linspace(0, 250, 1000, dtype=np.float32), 245.870774514)
print(load_or_build(key, build, folder).start)
"""


def test_two_processes_may_build_at_once(tmp_path: Path, root: Path) -> None:
    pair = [
        subprocess.Popen(
            [sys.executable, "-c", AT_ONCE, str(tmp_path), KEY],
            cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    for process in pair:
        assert process.stdout is not None
        assert process.stdout.readline() == "building\n"  # both, before either is done
    for process in pair:
        assert process.communicate("\n", timeout=60)[0] == "245.870774514\n"
    assert file_of(tmp_path).name == tables.file_name(KEY)
    assert same(load_or_build(KEY, forbidden, tmp_path))


# --- keys ------------------------------------------------------------------------------------------------


def sheet_game(game_id: str, **options: str) -> SheetGame:
    game = make_game(game_id, options)
    assert isinstance(game, SheetGame)
    return game


def key(game: SheetGame) -> str:
    return sheet_rules(game).key


def test_equal_rules_share_a_table_whatever_they_are_called() -> None:
    assert key(sheet_game("yams")) == key(sheet_game("yatzy"))
    assert key(sheet_game("yams", joker="seeds")) == key(sheet_game("yatzy", joker="seeds"))


def test_other_rules_have_other_tables() -> None:
    yams = sheet_game("yams")
    games = [
        *(
            sheet_game("yams", joker=joker, prime=prime, five_alike_full_house=full)
            for joker in ("none", "seeds", "forced", "free")
            for prime in ("no", "yes")
            for full in ("no", "yes")
        ),
        *(
            sheet_game("scandinavian", five_alike_full_house=full, four_alike_two_pairs=four)
            for full in ("no", "yes")
            for four in ("no", "yes")
        ),
        replace(yams, bonus=34),
        replace(yams, prime=50),
        replace(yams, lower=yams.lower[:-1]),
        replace(yams, lower=tuple(replace(box, score=lambda roll: 7) for box in yams.lower)),
        replace(yams, joker="free", lower=tuple(replace(box, joker=25) for box in yams.lower)),
    ]
    keys = {key(game) for game in games}
    # With a joker, five alike in the full house are worth 25 by either rule, but not always.
    assert len(keys) == len(games)


def test_a_key_fits_a_file() -> None:
    assert from_bytes(key(sheet_game("yams")), to_bytes(key(sheet_game("yams")), TABLE)) is not None
    assert len(key(sheet_game("yams"))) <= 40


def test_ready_tells_whether_there_is_something_to_build(tmp_path: Path) -> None:
    game = sheet_game("yams", joker="free")
    assert ready(sheet_game("yatzy"))
    assert not ready(game)
    assert not ready(game, tmp_path)
    (tmp_path / tables.file_name(key(game))).write_bytes(to_bytes(key(game), TABLE))
    assert ready(game, tmp_path)
    assert start_value(game, cache=tmp_path) == TABLE.start
