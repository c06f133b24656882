"""`dicescribe advise`, to the letter of the contract, and every way of using it wrongly."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import web.commands.advise
from scorekeeper.advice import Progress
from scorekeeper.advice import advisor as real_advisor
from scorekeeper.game import AnyGame
from scorekeeper.rulebooks import GAMES
from web.api.fields import check
from web.coach.advice import ADVICE

if TYPE_CHECKING:
    from tests.web.conftest import Run

EXAMPLE = {"boxes": {"ones": 3, "yams": 0}, "primes": 0, "dice": [2, 2, 4, 4, 4], "rolls_left": 1}
TABLE = {"rack": {"flush": 3, "four_of_a_kind": 1}, "pile": {"large_straight": 1}, "chips": {"flush": 1}}


def position(**changes: Any) -> str:
    """The example with these changes; what is changed to None is left out."""
    return json.dumps({name: value for name, value in {**EXAMPLE, **changes}.items() if value is not None})


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(web.commands.advise, "default_cache", lambda: tmp_path / "cache")


@pytest.mark.parametrize(
    "game, value", [("yams", 245.870774514), ("yatzy", 245.870774514), ("scandinavian", 248.439989378)]
)
def test_what_a_fresh_game_is_worth(run: Run, game: str, value: float) -> None:
    (shown,) = run("advise", "--game", game, "--json", "--start").objects
    assert shown == {"expected": pytest.approx(value, abs=1e-9)}
    assert f"{value:.9f}" in run("advise", "--game", game, "--start").out


def test_options_count_from_the_start(run: Run) -> None:
    options = ("--option", "joker=forced", "--option", "prime=yes")
    (shown,) = run("advise", "--game", "yams", *options, "--json", "--start").objects
    assert shown["expected"] == pytest.approx(254.587728734, abs=1e-9)


def test_a_position_to_the_letter(run: Run) -> None:
    (shown,) = run("advise", "--game", "yams", "--json", position()).objects
    assert list(shown) == ["keep", "expected", "keeps", "boxes", "why"]
    assert shown["keep"] == [2, 2, 4, 4, 4]
    assert shown["keeps"][0] == {"keep": shown["keep"], "expected": shown["expected"]}
    values = [keep["expected"] for keep in shown["keeps"]]
    assert values == sorted(values, reverse=True)
    assert len(values) == 3 * 4
    assert {box["id"] for box in shown["boxes"]} == set(GAMES["yams"].boxes) - {"ones", "yams"}
    assert shown["boxes"][0] == {"id": "full_house", "points": 25, "expected": shown["expected"]}
    worths = [box["expected"] for box in shown["boxes"]]
    assert worths == sorted(worths, reverse=True)
    assert shown["why"].startswith("Full house for 25: 223.4 on average; ")


def test_the_odds_of_what_is_hoped_for(run: Run) -> None:
    (shown,) = run("advise", "--game", "yams", "--json", position(boxes={"full_house": 0})).objects
    assert shown["keep"] == [4, 4, 4]
    assert {hope["box"]: hope["chance"] for hope in shown["odds"]} == {
        "four_of_a_kind": pytest.approx(11 / 36, abs=1e-6),
        "fours": pytest.approx(11 / 36, abs=1e-6),
        "yams": pytest.approx(1 / 36, abs=1e-6),
    }
    assert "The chance of four of a kind is 31%, that of a yams 3%." in shown["why"]


def test_without_a_roll_left_there_is_no_keep(run: Run) -> None:
    (shown,) = run("advise", "--game", "yams", "--json", position(rolls_left=0)).objects
    assert list(shown) == ["expected", "boxes", "why"]
    assert shown["expected"] == shown["boxes"][0]["expected"]


def test_before_the_first_roll_only_what_is_to_be_expected(run: Run) -> None:
    (shown,) = run("advise", "--game", "yams", "--json", '{"boxes": {}}').objects
    assert shown == {"expected": pytest.approx(245.870774514, abs=1e-4)}
    assert run("advise", "--game", "yams", '{"boxes": {}}').out == "245.9 on average under perfect play\n"


def test_points_on_the_sheet_primes_and_jokers_count(run: Run) -> None:
    filled = {box: 0 for box in GAMES["yams"].boxes if box not in ("chance", "full_house")} | {"yams": 50, "fours": 12}
    options = ("--option", "joker=seeds", "--option", "prime=yes")
    text = position(boxes=filled, primes=2, dice=[4] * 5, rolls_left=0)
    (shown,) = run("advise", "--game", "yams", *options, "--json", text).objects
    full_house, chance = shown["boxes"]
    assert (full_house["id"], full_house["points"], full_house["prime"]) == ("full_house", 25, 100)
    assert (chance["id"], chance["points"], chance["prime"]) == ("chance", 20, 100)
    # 50 + 12 + three primes + the joker's 25, and a turn for chance, of which the best mean is 70/3.
    sure = 62 + 300 + 25 + 70 / 3
    assert sure < full_house["expected"] < sure + 100 * 0.04602864  # nobody plays for chance and five alike at once
    assert shown["expected"] == full_house["expected"]


def test_a_joker_restricts_the_boxes(run: Run) -> None:
    options = ("--option", "joker=forced", "--option", "prime=yes")
    text = position(boxes={"yams": 50}, dice=[4] * 5, rolls_left=0)
    (shown,) = run("advise", "--game", "yams", *options, "--json", text).objects
    assert [(box["id"], box["points"]) for box in shown["boxes"]] == [("fours", 20)]
    assert "only box" in shown["why"]


def test_yamslam_with_others_at_the_table(run: Run) -> None:
    text = json.dumps({**TABLE, "dice": [1, 1, 3, 5, 5], "rolls_left": 1})
    (shown,) = run("advise", "--game", "yamslam", "--json", text).objects
    assert shown["chips"] == [{"id": "flush", "points": 25, "expected": pytest.approx(50), "from": "rack"}]
    assert shown["pass"] == pytest.approx(25)
    assert shown["assumption"] == "others"
    assert shown["keep"] == [1, 1, 3, 5, 5]
    assert shown["why"].startswith("Flush for 25: 50.0 on average.")


def test_a_yamslam_chooses_from_rack_and_pile(run: Run) -> None:
    text = json.dumps({**TABLE, "dice": [6] * 5, "rolls_left": 0})
    (shown,) = run("advise", "--game", "yamslam", "--json", text).objects
    assert {(chip["id"], chip["from"]) for chip in shown["chips"]} == {
        ("flush", "rack"),
        ("four_of_a_kind", "rack"),
        ("large_straight", "pile"),
    }
    assert (shown["chips"][0]["id"], shown["chips"][0]["from"]) == ("large_straight", "pile")
    assert "from the discard pile" in shown["why"]


def test_nothing_to_take_is_said(run: Run) -> None:
    text = json.dumps({**TABLE, "dice": [1, 2, 2, 4, 6], "rolls_left": 0})
    (shown,) = run("advise", "--game", "yamslam", "--json", text).objects
    assert shown["chips"] == []
    assert shown["why"].startswith("Take no chip: 25.0 on average.")


def test_positions_a_line_from_stdin_and_a_bad_one_keeps_no_other_waiting(run: Run) -> None:
    lines = "\n".join((position(rolls_left=0), "", "nonsense", '{"boxes": {"ones": 9}}', position())).encode()
    ran = run("advise", "--game", "yams", "--json", "-", stdin=b"\xef\xbb\xbf" + lines)
    ran.is_refused("Line 3", "JSON", "1 more")
    good, bad, worse, last = ran.objects
    assert "keep" not in good
    assert list(bad) == list(worse) == ["error"]
    assert "cannot hold 9" in worse["error"]
    assert last["keep"] == [2, 2, 4, 4, 4]
    ran = run("advise", "--game", "yams", "-", stdin=lines)
    assert ran.code == 2
    assert "not understood: A position is one JSON object" in ran.out


@pytest.mark.parametrize("game", ["yams", "scandinavian", "yamslam"])
def test_every_answer_is_as_the_description_says(run: Run, game: str) -> None:
    where: Mapping[str, Any] = TABLE if game == "yamslam" else {"boxes": {"ones": 3}}
    lines = [{**where, "dice": dice, "rolls_left": left} for dice in ([1] * 5, [1, 3, 4, 6, 6]) for left in range(3)]
    ran = run("advise", "--game", game, "--json", "-", stdin="\n".join(map(json.dumps, lines)).encode())
    assert len(ran.objects) == len(lines)
    for shown in ran.objects:
        check({"seq": 1, **shown}, ADVICE)


def test_without_json_a_sentence_and_a_table(run: Run) -> None:
    first, *rows = run("advise", "--game", "yams", position()).out.splitlines()
    assert first.startswith("Full house for 25: 223.4 on average; fours for 12 costs 4.6.")
    assert re.fullmatch(r"  keep 2-2-4-4-4 +223\.40", rows[0])
    assert re.fullmatch(r"  Full house +25 +223\.40", rows[5])
    assert len(rows) == 5 + 11
    text = json.dumps({**TABLE, "dice": [6] * 5, "rolls_left": 1})
    out = run("advise", "--game", "yamslam", text).out
    assert "Large straight (pile)" in out
    assert "No chip" in out
    last = position(boxes=dict.fromkeys(GAMES["yams"].boxes[:5] + GAMES["yams"].boxes[6:], 0), dice=[1, 2, 3, 4, 5])
    first, nothing, *_ = run("advise", "--game", "yams", last).out.splitlines()
    assert first == "Throw all five again: 5.0 on average; sixes now is worth 0 and costs 5.0."
    assert nothing.startswith("  keep nothing")


@pytest.mark.parametrize(
    "text, words",
    [
        ("", ("JSON",)),
        ("[[[", ("JSON",)),
        ("7", ("an object",)),
        ("[" * 5000, ("nested",)),
        ('{"boxes": {"ones": ' + "[" * 900 + "]" * 900 + "}}", ("cannot hold",)),
        ('{"boxes": ' + "9" * 5000 + "}", ("digits",)),
        ('{"boxes": {"ones": ' + "9" * 4000 + "}}", ("cannot hold", "0 to 5")),
        ('{"boxes": {"ones": NaN}}', ("NaN",)),
        ('{"boxes": {"ones": 1e999}}', ("cannot hold",)),
        ('{"boxes": {"ones": 1, "ones": 2}}', ("'ones'", "twice")),
        (position(boxes=None), ("boxes is missing",)),
        (position(boxes=[]), ("boxes must be an object",)),
        (position(boxes={"pairs": 4}), ("'pairs'", "ones, twos")),
        (position(boxes={"full_house": 24}), ("24", "0, 25")),
        (position(boxes={"ones": True}), ("cannot hold True",)),
        (position(boxes={"ones": "3"}), ("cannot hold '3'",)),
        (position(boxes={"ones": None}), ("cannot hold None",)),
        (position(primes=1), ("prime",)),
        (position(primes=-1), ("-1",)),
        (position(primes=1.5), ("whole number",)),
        (position(dice=[1, 2, 3, 4]), ("5 whole numbers from 1 to 6",)),
        (position(dice=[1, 2, 3, 4, 7]), ("from 1 to 6",)),
        (position(dice=[1, 2, 3, 4, True]), ("from 1 to 6",)),
        (position(dice="12345"), ("a list",)),
        (position(rolls_left=3), ("0 to 2",)),
        (position(rolls_left=-1), ("0 to 2",)),
        (position(dice=None), ("dice and rolls_left",)),
        (position(rolls_left=None), ("dice and rolls_left",)),
        (position(roll=1), ("'roll'", "rolls_left")),
        (position(boxes=dict.fromkeys(GAMES["yams"].boxes, 0)), ("over",)),
        (json.dumps(TABLE), ("'rack'", "boxes")),
    ],
)
def test_a_bad_position_is_told_in_a_line(run: Run, text: str, words: tuple[str, ...]) -> None:
    ran = run("advise", "--game", "yams", "--json", text)
    ran.is_refused(*words)
    assert ran.out == ""
    ran = run("advise", "--game", "yams", "--json", "-", stdin=f"{text or 'x'}\n".encode())
    ran.is_refused("Line 1")
    assert list(ran.objects[0]) == ["error"]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"rack": {"flush": 5}}, ("flush", "4")),
        ({"rack": {"flush": 4}, "chips": {"flush": 1}}, ("more than", "flush")),
        ({"rack": {"pairs": 1}}, ("'pairs'", "two_pairs")),
        ({"rack": {"flush": "1"}}, ("'1'",)),
        ({"rack": {}, "pile": {}}, ("over",)),
        ({"boxes": {}}, ("'boxes'", "rack, pile, chips")),
        ({"rack": None}, ("an object",)),
    ],
)
def test_chips_that_cannot_be_are_told(run: Run, change: dict[str, Any], words: tuple[str, ...]) -> None:
    run("advise", "--game", "yamslam", json.dumps({**TABLE, **change})).is_refused(*words)


def test_alone_all_chips_are_named(run: Run) -> None:
    text = json.dumps(TABLE)
    run("advise", "--game", "yamslam", "--option", "mode=solo", text).is_refused("missing")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((), ("--game",)),
        (("--game", "yams"), ("--help",)),
        (("--game", "yams", "--start", "{}"), ("--help",)),
        (("--game", "poker", "--start"), ("poker", "yamslam")),
        (("--game", "poker", "-"), ("poker", "yamslam")),
        (("--game", "yams", "--option", "joker=wild", "--start"), ("wild", "seeds")),
        (("--game", "yams", "--option", "x", "{}"), ("NAME=VALUE",)),
    ],
)
def test_bad_use_is_told_in_a_line(run: Run, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    run("advise", *arguments).is_refused(*words)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("terminal", [True, False])
def test_only_a_terminal_is_shown_how_far_a_table_is(run: Run, monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    told: list[float] = []

    def slow(game: AnyGame, *, cache: Path | None, progress: Progress | None) -> Any:
        assert progress is not None
        for done in (0.0, 0.5, 1.0):
            progress(done)
            told.append(done)
        return real_advisor(game)

    monkeypatch.setattr(web.commands.advise, "advisor", slow)
    stderr = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    assert run("advise", "--game", "yams", position()).code == 0
    assert told == [0.0, 0.5, 1.0]
    assert ("100%" in stderr.getvalue()) == terminal
    assert terminal or not stderr.getvalue()


def test_advice_waits_for_no_networks_and_no_server() -> None:
    code = (
        "import sys; from web.cli import main; assert main(['advise', '--game', 'yams', sys.argv[1]]) == 0; "
        "sys.exit(not {'cv2', 'onnxruntime', 'flask'}.isdisjoint(sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code, position()], check=True, capture_output=True)
