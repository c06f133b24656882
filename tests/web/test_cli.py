"""The command line, to the letter of the contract, and every way of using it wrongly."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorekeeper.events import Recorded, Rolled, Scored
from scorekeeper.session import new_game
from scorekeeper.store import Store
from web.cli import main
from web.serving.server import open_app

if TYPE_CHECKING:
    from tests.web.conftest import Run, ScriptedReader

COMMAND = [sys.executable, "-m", "web.cli"]


# ---- score


def test_the_example_of_the_rules(run: Run) -> None:
    ran = run("score", "--game", "yams", "--json", "2", "2", "4", "4", "4")
    assert (ran.code, ran.err) == (0, "")
    upper = {"ones": 0, "twos": 4, "threes": 0, "fours": 12, "fives": 0, "sixes": 0}
    lower = {"three_of_a_kind": 16, "four_of_a_kind": 0, "full_house": 25, "small_straight": 0}
    rest = {"large_straight": 0, "yams": 0, "chance": 16}
    assert ran.objects == [{"dice": [2, 2, 4, 4, 4], "boxes": upper | lower | rest}]
    assert list(ran.objects[0]["boxes"]) == [*upper, *lower, *rest]


def test_the_dice_may_come_as_one_word_and_stay_in_their_order(run: Run) -> None:
    ran = run("score", "--game", "yatzy", "--json", "4 2 4  2 4")
    assert ran.objects[0]["dice"] == [4, 2, 4, 2, 4]
    assert ran.objects[0]["boxes"]["full_house"] == 25


@pytest.mark.parametrize(
    ("arguments", "box", "points"),
    [
        (("scandinavian", "5", "5", "5", "2", "1"), "three_of_a_kind", 15),
        (("yams", "5", "5", "5", "2", "1"), "three_of_a_kind", 18),
        (("yams", "2", "3", "4", "5", "3"), "small_straight", 30),
        (("scandinavian", "2", "3", "4", "5", "3"), "small_straight", 0),
        (("yams", "4", "4", "4", "4", "4"), "full_house", 0),
        (("yams", "--option", "five_alike_full_house=yes", "4", "4", "4", "4", "4"), "full_house", 25),
        (("scandinavian", "--option", "four_alike_two_pairs=yes", "4", "4", "4", "4", "2"), "two_pairs", 16),
    ],
)
def test_games_and_options_differ(run: Run, arguments: tuple[str, ...], box: str, points: int) -> None:
    assert run("score", "--json", "--game", *arguments).objects[0]["boxes"][box] == points


@pytest.mark.parametrize(
    ("dice", "chips"),
    [
        ("1 2 3 6 6", {}),
        ("2 2 4 4 4", {"two_pairs": 5, "three_of_a_kind": 10, "flush": 25, "full_house": 30}),
        ("2 3 4 5 6", {"small_straight": 20, "large_straight": 50}),
        (
            "3 3 3 3 3",
            {
                "two_pairs": 5,
                "three_of_a_kind": 10,
                "small_straight": 20,
                "flush": 25,
                "full_house": 30,
                "four_of_a_kind": 40,
                "large_straight": 50,
            },
        ),
    ],
)
def test_yamslam_gives_just_the_chips_that_the_roll_wins(run: Run, dice: str, chips: dict[str, int]) -> None:
    ran = run("score", "--game", "yamslam", "--json", dice)
    assert ran.objects == [{"dice": [int(d) for d in dice.split()], "chips": chips}]


@pytest.mark.parametrize("mode", ["table", "solo", "teams"])
def test_every_way_of_playing_yamslam_can_be_scored(run: Run, mode: str) -> None:
    assert run("score", "--game", "yamslam", "--option", f"mode={mode}", "--json", "6 6 1 1 2").code == 0


def test_without_json_a_table(run: Run) -> None:
    lines = run("score", "--game", "yams", "2 2 4 4 4").out.splitlines()
    assert lines[0] == "2 2 4 4 4"
    assert [line.split() for line in lines[1:]][8] == ["Full", "house", "25"]
    assert len(lines) == 14
    assert "no chip" in run("score", "--game", "yamslam", "1 2 3 6 6").out


@pytest.mark.parametrize("game", ["yams", "scandinavian", "yamslam"])
def test_all_rolls_are_scored_in_one_go(game: str) -> None:
    rolls = list(itertools.product(range(1, 7), repeat=5))
    text = "".join(f"{' '.join(map(str, roll))}\n" for roll in rolls)
    began = time.monotonic()
    command = [*COMMAND, "score", "--game", game, "--json", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert time.monotonic() - began < 20
    assert [tuple(json.loads(line)["dice"]) for line in done.stdout.splitlines()] == rolls


def test_a_roll_a_line_from_stdin(run: Run) -> None:
    ran = run("score", "--game", "yams", "--json", "-", stdin=b"1 2 3 4 5\n\n6 6 6 6 6")
    assert [shown["dice"] for shown in ran.objects] == [[1, 2, 3, 4, 5], [6, 6, 6, 6, 6]]
    assert "Large straight 40" in run("score", "--game", "yams", "-", stdin=b"1 2 3 4 5").out
    run("score", "--game", "yams", "-", stdin=b"1 2 3 4 5\n1 2 3 4\n").is_refused("Line 2", "five dice")
    run("score", "--game", "yams", "-", stdin=b"\xff\xfe").is_refused("Line 1")
    assert run("score", "--game", "yams", "--json", "-", stdin=b"\xef\xbb\xbf1 2 3 4 5\r\n").objects[0]["dice"][0] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--game", "poker", "1 1 1 1 1"), ("poker", "yams, yatzy, scandinavian, yamslam")),
        (("--game", "yams", "--option", "wild=yes", "1 1 1 1 1"), ("wild", "joker, prime")),
        (("--game", "yams", "--option", "joker=maybe", "1 1 1 1 1"), ("maybe", "none, seeds, forced, free")),
        (("--game", "scandinavian", "--option", "joker=free", "1 1 1 1 1"), ("joker",)),
        (("--game", "yams", "--option", "joker", "1 1 1 1 1"), ("NAME=VALUE",)),
        (("--game", "yamslam", "--option", "games=0", "1 1 1 1 1"), ("games",)),
        (("--game", "yams", "1 1 1 1"), ("five dice",)),
        (("--game", "yams", "1 1 1 1 1 1"), ("five dice",)),
        (("--game", "yams", "1 1 1 1 7"), ("7", "1 to 6")),
        (("--game", "yams", "1 1 1 1 0"), ("1 to 6",)),
        (("--game", "yams", "1 1 1 1 x"), ("x", "1 to 6")),
        (("--game", "yams", "1 1 1 1 2.0"), ("1 to 6",)),
        (("--game", "yams", "-", "1"), ("1 to 6",)),
        (("--game", "yams"), ("DICE", "--help")),
        (("1 1 1 1 1",), ("--game", "--help")),
        (("--game", "yams", "--colour", "1 1 1 1 1"), ("--help",)),
    ],
)
def test_bad_use_of_score_is_told_in_a_line(run: Run, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    run("score", *arguments).is_refused(*words)


@pytest.mark.parametrize("arguments", [(), ("advise",), ("games",), ("games", "burn"), ("read",), ("--loud",)])
def test_an_unknown_command_is_told_in_a_line(run: Run, arguments: tuple[str, ...]) -> None:
    run(*arguments).is_refused("--help")


# ---- read


@pytest.fixture
def scripted(reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch) -> ScriptedReader:
    """`read` with the scripted reader in place of the networks."""
    monkeypatch.setattr("web.commands.read.open_reader", lambda threads: reader)
    return reader


@pytest.fixture
def photos(tmp_path: Path, photo: bytes) -> list[Path]:
    files = [tmp_path / name for name in ("b.jpg", "a.jpg", "c d.jpg")]
    for file in files:
        file.write_bytes(photo)
    return files


def test_photos_are_read_in_the_order_given(run: Run, scripted: ScriptedReader, photos: list[Path]) -> None:
    scripted.readings = [(6, 1), (), (3,)]
    ran = run("read", "--json", *photos)
    assert (ran.code, ran.err) == (0, "")
    assert [shown["file"] for shown in ran.objects] == [str(photo) for photo in photos]
    assert [shown["values"] for shown in ran.objects] == [[1, 6], [], [3]]
    first = ran.objects[0]
    assert list(first) == [
        "file", "width", "height", "model", "dice", "values", "other", "sure", "doubts", "ms"
    ]  # fmt: skip
    assert (first["width"], first["height"], first["sure"], first["doubts"]) == (640, 480, True, [])
    assert [die["value"] for die in first["dice"]] == [6, 1]
    assert first["ms"]["decode"] > 0


def test_the_file_is_named_just_as_it_was_given(
    run: Run, scripted: ScriptedReader, photos: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(photos[0].parent)
    assert [shown["file"] for shown in run("read", "--json", "./b.jpg", "b.jpg").objects] == ["./b.jpg", "b.jpg"]


def test_a_photo_from_stdin(run: Run, scripted: ScriptedReader, photo: bytes, photos: list[Path]) -> None:
    ran = run("read", "--json", "-", photos[0], stdin=photo)
    assert [shown["file"] for shown in ran.objects] == ["-", str(photos[0])]
    run("read", "-", "-", stdin=photo).is_refused("stdin", "once")


def test_a_bad_photo_does_not_keep_the_others_from_being_read(
    run: Run, scripted: ScriptedReader, photos: list[Path], tmp_path: Path
) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("2 2 4 4 4")
    ran = run("read", "--json", photos[0], text, photos[1])
    ran.is_refused(str(text), "no picture")
    good, bad, last = ran.objects
    assert "error" not in good
    assert "error" not in last
    assert set(bad) == {"file", "error"}
    assert bad["file"] == str(text)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        pytest.param(lambda file: None, "no such file", id="missing"),
        pytest.param(lambda file: file.mkdir(), "a folder", id="a folder"),
        pytest.param(lambda file: file.write_bytes(b""), "empty", id="empty"),
        pytest.param(lambda file: file.write_bytes(bytes(50 * 2**20)), "40 MB", id="50 MB"),
        pytest.param(lambda file: file.write_bytes(b"GIF89a" + bytes(99)), "GIF", id="gif"),
    ],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_what_can_not_be_read_is_told(
    run: Run, scripted: ScriptedReader, tmp_path: Path, make: Callable[[Path], None], word: str, as_json: bool
) -> None:
    file = tmp_path / "photo.jpg"
    make(file)
    ran = run("read", *(["--json"] if as_json else []), file)
    ran.is_refused(word)
    assert word in (ran.objects[0]["error"] if as_json else ran.out)


def test_several_bad_photos_are_summed_up_in_one_line(run: Run, scripted: ScriptedReader, photos: list[Path]) -> None:
    run("read", "--json", "x", photos[0], "y").is_refused("2 of 3 photos", "x: ")


def test_a_name_that_is_no_text(run: Run, scripted: ScriptedReader, tmp_path: Path, photo: bytes) -> None:
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.jpg")).write_bytes(photo)
    except OSError:
        pytest.skip("this file system has no such names")
    name = str(tmp_path / os.fsdecode(b"caf\xe9.jpg"))
    assert run("read", "--json", name).objects[0]["file"] == name
    assert "caf" in run("read", name).out


def test_how_many_dice_are_expected(run: Run, scripted: ScriptedReader, photos: list[Path]) -> None:
    scripted.readings = [(1, 2, 3), (1, 2, 3, 4, 5)]
    three, five = run("read", "--json", "--expect", "5", *photos[:2]).objects
    assert three["sure"] is False
    assert "3 dice" in three["doubts"][0]
    assert five["sure"] is True


def test_without_json_a_line_a_photo(run: Run, scripted: ScriptedReader, photos: list[Path]) -> None:
    scripted.readings, scripted.unsure = [(4, 2), ()], {1}
    first, second = run("read", *photos[:2]).out.splitlines()
    assert first.startswith(f"{photos[0]}"[:40])
    assert re.search(r"  2 4 +not sure: the die .* may not be a 2$", first)
    assert re.search(r"  no dice +not sure: no die was found$", second)


def test_read_uses_as_many_threads_as_told(
    run: Run, reader: ScriptedReader, monkeypatch: pytest.MonkeyPatch, photos: list[Path]
) -> None:
    opened: list[int | None] = []

    def open_reader(threads: int | None) -> ScriptedReader:
        opened.append(threads)
        return reader

    monkeypatch.setattr("web.commands.read.open_reader", open_reader)
    assert run("read", "--threads", "3", *photos).code == run("read", *photos).code == 0
    assert opened == [3, None]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--expect", "five"),
        ("--expect", "-1"),
        ("--expect", "1e3"),
        ("--threads", "0"),
        ("--threads", "2.5"),
        ("--annotate",),
    ],
)
def test_bad_use_of_read_is_told_in_a_line(
    run: Run, scripted: ScriptedReader, photos: list[Path], arguments: tuple[str, ...]
) -> None:
    run("read", photos[0], *arguments).is_refused(arguments[0])


def test_annotated_pictures_are_upright_and_named_after_the_photo(
    run: Run, scripted: ScriptedReader, photos: list[Path], photo: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "drawn"
    twin = tmp_path / "twin" / "b.jpg"
    heic = tmp_path / "x.heic"
    twin.parent.mkdir()
    turned = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    twin.write_bytes(photo[:2] + b"\xff\xe1" + (len(turned) + 2).to_bytes(2) + turned + photo[2:])
    heic.write_bytes(photo)
    ran = run("read", "--json", "--annotate", folder, photos[0], twin, heic, "-", stdin=photo)
    assert ran.code == 0
    assert sorted(file.name for file in folder.iterdir()) == ["b-2.jpg", "b.jpg", "stdin.jpg", "x.jpg"]
    assert _pixels(folder / "b.jpg").shape == (480, 640, 3)
    assert _pixels(folder / "b-2.jpg").shape == (640, 480, 3)
    assert (np.abs(_pixels(folder / "b.jpg") - _pixels(photos[0])) > 60).any()


def _pixels(file: Path) -> NDArray[np.int64]:
    image = cv2.imread(str(file))
    assert image is not None
    return np.asarray(image, np.int64)


def test_a_photo_is_never_written_over(
    run: Run, scripted: ScriptedReader, photos: list[Path], photo: bytes, tmp_path: Path
) -> None:
    run("read", "--annotate", tmp_path, photos[0]).is_refused("another folder")
    assert photos[0].read_bytes() == photo


def test_links_in_a_ring_are_a_photo_that_can_not_be_read(run: Run, scripted: ScriptedReader, tmp_path: Path) -> None:
    link = tmp_path / "ring.jpg"
    link.symlink_to(link)
    run("read", "--annotate", tmp_path / "out", link).is_refused("ring.jpg", "can't be read")


def test_a_line_stays_a_line_whatever_a_file_is_called(run: Run, scripted: ScriptedReader, tmp_path: Path) -> None:
    ran = run("read", tmp_path / "a\nb\x1b[2J\u2028.jpg")
    ran.is_refused("a\\nb\\x1b[2J\\u2028.jpg")
    assert ran.out.count("\n") == 1
    assert "\x1b" not in ran.out


def test_a_folder_that_can_not_be_made(run: Run, scripted: ScriptedReader, photos: list[Path]) -> None:
    run("read", "--annotate", photos[1], photos[0]).is_refused("a.jpg")


# ---- games


@pytest.fixture
def store(database: Path) -> Store:
    return Store(database)


def play(store: Store) -> str:
    """Ana has a full house, Bo has scratched his ones."""
    session = store.create(new_game("yams", ["Ana", "=Bo"]))
    events: list[Recorded] = [
        Rolled((2, 2, 4, 4, 4)),
        Scored("full_house"),
        Rolled((1, 2, 2, 3, 6)),
        Scored("ones", scratch=True),
    ]
    for seq, event in enumerate(events, 1):
        store.append(session, seq, event)
    return session


def test_games_are_listed_shown_and_deleted(run: Run, store: Store, database: Path) -> None:
    session = play(store)
    listed = run("games", "list", "--db", database)
    assert listed.code == 0
    assert session in listed.out
    assert "Yams: Ana, =Bo" in listed.out
    assert run("games", "list", "--json", "--db", database).objects[0]["id"] == session
    shown = run("games", "show", session, "--db", database).out
    assert re.search(r"^Ones +\. +0$", shown, re.M)
    assert re.search(r"^Full house +25 +\.$", shown, re.M)
    assert re.search(r"^Grand total +25 +0$", shown, re.M)
    assert "Ana is to play." in shown
    assert run("games", "show", session, "--json", "--db", database).objects[0]["seq"] == 5
    assert run("games", "delete", session, "--db", database).code == 0
    assert store.sessions() == ()
    run("games", "delete", session, "--db", database).is_refused(session)


def test_the_csv_has_all_rows_and_tells_zero_from_empty(run: Run, store: Store, database: Path) -> None:
    play(store)
    rows = list(csv.DictReader(io.StringIO(run("games", "export", "--format", "csv", "--db", database).out)))
    ana = {row["row"]: row["points"] for row in rows if row["player"] == "Ana"}
    bo = {row["row"]: row["points"] for row in rows if row["player"] == "'=Bo"}
    assert len(ana) == len(bo) == 13 + 7
    assert (ana["ones"], bo["ones"]) == ("", "0")
    assert (ana["full_house"], ana["lower_total"], ana["grand_total"]) == ("25", "25", "25")
    assert list(ana)[6:9] == ["upper_subtotal", "upper_bonus", "upper_total"]


def test_the_csv_of_yamslam_counts_the_chips(run: Run, store: Store, database: Path) -> None:
    session = store.create(new_game("yamslam", ["Ana", "Bo"]))
    store.append(session, 1, Rolled((2, 2, 4, 4, 4)))
    store.append(session, 2, Scored("full_house"))
    rows = list(csv.DictReader(io.StringIO(run("games", "export", "--format", "csv", "--db", database).out)))
    ana = {row["row"]: row["points"] for row in rows if row["player"] == "Ana"}
    assert (ana["full_house"], ana["flush"], ana["chips"], ana["grand_total"]) == ("30", "0", "30", "30")


def test_an_export_put_back_elsewhere_is_the_same(run: Run, store: Store, database: Path, tmp_path: Path) -> None:
    sessions = [play(store), play(store)]
    undone = store.load(sessions[0])
    store.append(sessions[0], undone.seq, undone.position.undo())
    exported = run("games", "export", "--db", database)
    file, other = tmp_path / "games.json", tmp_path / "other.db"
    file.write_text(exported.out)
    assert "2 games put back" in run("games", "import", file, "--db", other).out
    assert "2 were here already" in run("games", "import", "-", "--db", other, stdin=exported.out.encode()).out
    copy = Store(other)
    for session in sessions:
        assert copy.record(session) == store.record(session)
        assert copy.load(session).position == store.load(session).position
    assert (
        run("games", "export", "--db", other, *sessions).out == run("games", "export", "--db", database, *sessions).out
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_export_may_have_gone_through_a_shell_that_writes_it_otherwise(
    run: Run, store: Store, database: Path, tmp_path: Path, encoding: str
) -> None:
    session = play(store)
    file = tmp_path / "games.json"
    file.write_text(run("games", "export", "--db", database).out, encoding=encoding)
    other = tmp_path / "other.db"
    assert run("games", "import", file, "--db", other).code == 0
    assert Store(other).record(session) == store.record(session)


def test_one_game_can_be_exported(run: Run, store: Store, database: Path) -> None:
    first, _ = play(store), play(store)
    exported = json.loads(run("games", "export", first, "--db", database).out)
    assert [session["id"] for session in exported["sessions"]] == [first]
    assert exported["sessions"][0]["state"]["players"][0]["total"] == 25


def test_a_game_that_has_gone_on_is_not_written_over(run: Run, store: Store, database: Path) -> None:
    session = play(store)
    exported = run("games", "export", "--db", database).out
    store.append(session, 5, Rolled((1, 1, 1, 1, 1)))
    run("games", "import", "-", "--db", database, stdin=exported.encode()).is_refused(session, "delete")
    assert store.load(session).seq == 6


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("dicescribe games", "other games"),
        lambda text: text.replace('"version": 2', '"version": 99'),
        lambda text: text.replace('"full_house"', '"no_house"'),
        lambda text: text.replace('"kind": "rolled"', '"kind": "lost"'),
        lambda text: re.sub(r'"at": "[^"]*"', '"at": "yesterday"', text),
        lambda text: re.sub(r'"at": "[^"]*"', '"at": "0001-01-01T00:00:00+01:00"', text),
        lambda text: re.sub(r'"id": "[^"]*"', '"id": "../../etc"', text),
        lambda text: "[]",
        lambda text: "null",
        lambda text: "[" * 100_000,
        lambda text: "\x00",
    ],
)
def test_what_is_no_export_is_refused(
    run: Run, store: Store, database: Path, tmp_path: Path, change: Callable[[str], str]
) -> None:
    play(store)
    text = change(run("games", "export", "--db", database).out)
    other = tmp_path / "other.db"
    run("games", "import", "-", "--db", other, stdin=text.encode()).is_refused()
    assert Store(other).sessions() == ()


def test_where_there_is_no_database(run: Run, tmp_path: Path) -> None:
    none = tmp_path / "none.db"
    assert "no games yet" in run("games", "list", "--db", none).out
    assert run("games", "list", "--json", "--db", none).out == ""
    run("games", "show", "abc", "--db", none).is_refused("abc")
    run("games", "export", "abc", "--db", none).is_refused("abc")
    run("games", "import", tmp_path / "none.json", "--db", none).is_refused("none.json")
    assert not none.exists()


def test_a_file_that_is_no_database(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "photo.db"
    file.write_bytes(b"no database at all" * 99)
    run("games", "list", "--db", file).is_refused("photo.db")
    run("serve", "--port", "0", "--db", file).is_refused("photo.db")


@pytest.mark.parametrize("command", [("list",), ("show", "x"), ("export",), ("delete", "x"), ("import", "-")])
def test_a_database_that_can_not_be_looked_for(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    run("games", *command, "--db", tmp_path / ("a" * 300)).is_refused("database")


# ---- serve, and the shell around it


def test_a_port_that_is_taken(run: Run, database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run("serve", "--host", "127.0.0.1", "--port", str(port), "--db", database).is_refused("--port")


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none(run: Run, port: str) -> None:
    run("serve", "--port", port).is_refused("65535")


def test_serve_reads_with_as_many_threads_as_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, database: Path, cache: Path, photo: bytes, reader: ScriptedReader
) -> None:
    served: list[tuple[object, ...]] = []
    monkeypatch.setattr("web.serving.server.serve", lambda *arguments, https: served.append((*arguments, https)))
    assert run("serve", "--db", database, "--threads", "3", "--camera", "Eye").code == 0
    assert served == [(None, 8000, database, 3, "Eye", False)]
    for wrong in ("0", "two"):
        run("serve", "--threads", wrong).is_refused("--threads")

    opened: list[int | None] = []

    def open_reader(threads: int | None) -> ScriptedReader:
        opened.append(threads)
        return reader

    monkeypatch.setattr("web.app.open_reader", open_reader)
    for threads in (3, None):
        app = open_app(database, threads=threads)
        assert app.test_client().post("/api/v1/read", data=photo).status_code == 200
    assert opened == [3, None]


def test_a_reader_that_has_seen_enough_is_no_failure() -> None:
    text = "1 2 3 4 5\n" * 20_000
    command = f"{' '.join(COMMAND)} score --game yams --json - | head -n 1"
    done = subprocess.run(command, shell=True, input=text, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["dice"] == [1, 2, 3, 4, 5]
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full is a thing of Linux")
@pytest.mark.parametrize(
    "dice, redirections, code, said",
    [
        ("1 2 3 4 5", ">&-", 0, ""),
        ("1 2 3 4 5", ">&- 2>&- <&-", 0, ""),
        ("-", "<&-", 0, ""),
        ("1 2 3 4 5", ">/dev/full", 2, "dicescribe: The output can't be written: No space left on device.\n"),
        ("1 2 3 4", "2>/dev/full", 2, ""),
        ("1 2 3 4", "2>&-", 2, ""),
    ],
)
def test_what_the_shell_does_with_our_streams_is_no_failure_of_ours(
    dice: str, redirections: str, code: int, said: str
) -> None:
    command = f"{' '.join(COMMAND)} score --game yams --json {dice} {redirections}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal that can be sent to one process there")
def test_ctrl_c_is_quiet() -> None:
    with subprocess.Popen(
        [*COMMAND, "score", "--game", "yams", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        # A job in a shell's background is told to ignore it, and its children inherit that.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"1 2 3 4 5\n" * 5000)
        assert process.stdout is not None
        process.stdout.read(1)  # it is at work
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert err == b""
    assert process.returncode == 130


@pytest.mark.parametrize("cause", [KeyboardInterrupt(), OSError("no such library")])
def test_ctrl_c_is_quiet_while_a_library_is_loaded(
    run: Run, monkeypatch: pytest.MonkeyPatch, cause: BaseException
) -> None:
    def load(*_: object, **__: object) -> None:
        raise ImportError("initialization failed") from cause

    monkeypatch.setattr("web.serving.server.serve", load)
    if isinstance(cause, KeyboardInterrupt):
        assert (run("serve").code, run("serve").err) == (130, "")
    else:
        with pytest.raises(ImportError):
            run("serve")


def test_score_waits_for_no_networks_and_read_for_no_server() -> None:
    program = """
        import sys
        from web.cli import main
        main(["score", "--game", "yams", "--json", "1 2 3 4 5"])
        assert not {"cv2", "numpy", "onnxruntime", "flask", "sqlite3"} & set(sys.modules)
        import web.commands.read
        assert not {"flask", "waitress", "sqlite3"} & set(sys.modules)
    """
    code = "\n".join(line.strip() for line in program.splitlines())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for argument, word in (("--help", "read the dice of photos"), ("--version", "dicescribe 0.1")):
        with pytest.raises(SystemExit) as ended:
            main([argument])
        assert ended.value.code == 0
        assert word in capsys.readouterr().out
