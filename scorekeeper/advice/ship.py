"""Builds the tables that come with the package: ``python -m scorekeeper.advice.ship``.

They are those of the presets and of Scandinavian Yatzy as printed. Run it when the rules of one of these change, or
the solver's version; the same rules give the same bytes on every machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from scorekeeper.advice.sheet_rules import sheet_rules
from scorekeeper.advice.sheets import solve
from scorekeeper.advice.tables import file_name, to_bytes
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


def main() -> None:
    """Build them all, and take away what is none of them."""
    FOLDER.mkdir(exist_ok=True)
    wanted = shipped()
    for old in FOLDER.glob("*.table"):
        if old.stem not in wanted:
            old.unlink()
    for key, (name, game) in wanted.items():
        table = solve(sheet_rules(game), lambda _: None)
        data = to_bytes(key, table)
        (FOLDER / file_name(key)).write_bytes(data)
        print(f"{name}: {table.start:.9f}, {len(data):,} bytes, {file_name(key)}")


if __name__ == "__main__":
    main()
