"""The tables that come with the package: the right ones, and right."""

from __future__ import annotations

import numpy as np
import pytest

from scorekeeper.advice.rolls import turn_values
from scorekeeper.advice.sheet_rules import sheet_rules
from scorekeeper.advice.sheets import Positions, solve
from scorekeeper.advice.ship import FOLDER, shipped, shipped_solo
from scorekeeper.advice.tables import file_name, from_bytes

SHIPPED = {name: (key, game) for key, (name, game) in shipped().items()}


def test_those_of_the_presets_and_of_solo_yamslam_are_there_and_no_others() -> None:
    assert set(SHIPPED) == {"yams", "yams_joker_prime", "official", "scandinavian"}
    files = {file.name: file.stat().st_size for file in FOLDER.iterdir()}
    assert {file_name(key) for key in (*shipped(), shipped_solo()[0])} == set(files)
    assert sum(files.values()) < 12e6


@pytest.mark.parametrize("name", SHIPPED)
def test_each_value_is_what_follows_from_the_others(name: str) -> None:
    """Drawn positions, reckoned anew from those that follow them."""
    key, game = SHIPPED[name]
    table = from_bytes(key, (FOLDER / file_name(key)).read_bytes())
    assert table is not None
    positions = Positions(sheet_rules(game))
    assert len(table.values) == positions.size
    values = np.append(table.values, np.float32(-np.inf))
    batches = [*positions.batches()]
    for number in np.random.default_rng(4).choice(len(batches), 30, replace=False):
        upper, rows, gaps = batches[number]
        found = turn_values(positions.roll_values(values, upper, rows, gaps))
        assert found == pytest.approx(values[positions.index(upper, rows, gaps)], abs=3e-5)
    start = positions.index(*positions.locate([None] * len(game.boxes)))
    assert values[start] == np.float32(table.start)


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_each_is_built_again_to_the_bit(name: str) -> None:
    key, game = SHIPPED[name]
    table, again = from_bytes(key, (FOLDER / file_name(key)).read_bytes()), solve(sheet_rules(game), lambda _: None)
    assert table is not None
    assert table.start == again.start
    assert np.array_equal(table.values, again.values)
