"""Builds the tables that come with the package: ``python -m scorekeeper.advice.ship``.

They are those of the presets, of Scandinavian Yatzy and of solo Yamslam as printed. Run it when the rules of one of
these change, or the solver's version; the same rules give the same values to the bit, on every machine.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from scorekeeper.advice import sheets, solo
from scorekeeper.advice.chip_rules import chip_rules
from scorekeeper.advice.sheet_rules import sheet_rules
from scorekeeper.advice.tables import Build, file_name, to_bytes
from scorekeeper.chips import ChipGame
from scorekeeper.rulebooks import PRESETS, make_game
from scorekeeper.sheet import SheetGame

FOLDER: Final = Path(__file__).parent / "shipped"


def shipped() -> dict[str, tuple[str, SheetGame]]:
    """Per table to ship its key: the first game that it is for, by name and as such."""
    found: dict[str, tuple[str, SheetGame]] = {}
    named = [(preset.id, preset.game, preset.options) for preset in PRESETS]
    for name, game_id, options in [*named, ("scandinavian", "scandinavian", {})]:
        game = make_game(game_id, options)
        if isinstance(game, SheetGame):
            found.setdefault(sheet_rules(game).key, (name, game))
    return found


def shipped_solo() -> tuple[str, ChipGame]:
    """The key of the table for playing Yamslam alone, and its game."""
    game = make_game("yamslam", {"mode": "solo"})
    assert isinstance(game, ChipGame)
    return chip_rules(game).key, game


def main() -> None:
    """Build them all, and take away what is none of them."""
    wanted: dict[str, tuple[str, Build]] = {
        key: (name, partial(sheets.solve, sheet_rules(game))) for key, (name, game) in shipped().items()
    }
    key, alone = shipped_solo()
    wanted[key] = "yamslam solo", partial(solo.solve, chip_rules(alone))
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.table"):
        if old.stem not in wanted:
            old.unlink()
    for key, (name, build) in wanted.items():
        table = build(lambda _: None)
        data = to_bytes(key, table)
        (FOLDER / file_name(key)).write_bytes(data)
        print(f"{name}: {table.start:.9f}, {len(data):,} bytes, {file_name(key)}")


if __name__ == "__main__":
    main()
