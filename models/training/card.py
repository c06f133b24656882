"""Writes the tables of the model card and of the README anew from what was measured.

    python -m models.training.card

A table stands between `<!-- name -->` and `<!-- /name -->`; the figures come from `metrics.json` and `robustness.json`
beside the weights. What stands around the tables is written by hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import models
from models.training.robustness import markdown
from models.training.tallies import Bin, reliability_table

Figures = Mapping[str, Any]
ROOT = Path(models.__file__).parents[1]
COLUMNS = ("photos", "dice", "exact", "five", "recall", "precision", "sure", "silent")
HELD_OUT = {"elevation": "by elevation", "light": "by light", "die in pixels": "by size in pixels"}


def row(cells: Iterable[Any]) -> str:
    """A line of a Markdown table: shares with three places, "–" for what there is none of."""
    shown = ("–" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells)
    return f"| {' | '.join(shown)} |"


def head(names: Sequence[str]) -> list[str]:
    """A Markdown table's first two lines."""
    return [row(names), "|" + "---|" * len(names)]


def by_source(dev: Figures) -> list[str]:
    """The photos' figures per source and in all."""
    rows = [row([name, *(figures[column] for column in COLUMNS)]) for name, figures in dev["sources"].items()]
    return [*head(("source", *COLUMNS)), *rows, row(["**all**", *(dev["all"][column] for column in COLUMNS)])]


def by_scene(name: str, table: Figures) -> list[str]:
    """Held-out pictures or dice, a line for each band of what they show."""
    columns = list(next(iter(table.values())))
    return [*head((name, *columns)), *(row([band, *figures.values()]) for band, figures in table.items())]


def tables(metrics: Figures, robustness: Figures) -> dict[str, list[str]]:
    """All tables by their names, each as its lines."""
    bins = [Bin(*one) for one in metrics["held back"]["reliability"]["bins"]]
    held_out = {name: by_scene(name, metrics["held out"][key]) for name, key in HELD_OUT.items()}
    disturbed = {f"disturbed {name}": markdown(rows) for name, rows in robustness.items()}
    return {"sources": by_source(metrics["dev"]), "confidence": reliability_table(bins), **held_out, **disturbed}


def filled(text: str, tables: Mapping[str, list[str]]) -> str:
    """The text with its tables written anew. Raises KeyError for one that there is none of."""

    def write(found: re.Match[str]) -> str:
        return "\n".join([f"<!-- {found[1]} -->", *tables[found[1]], f"<!-- /{found[1]} -->"])

    return re.sub(r"<!-- ([\w -]+) -->\n.*?<!-- /\1 -->", write, text, flags=re.DOTALL)


def texts() -> dict[Path, str]:
    """The files that hold tables, each as it should be."""
    folder = ROOT / "models" / models.DEFAULT
    metrics, robustness = (json.loads((folder / f"{name}.json").read_bytes()) for name in ("metrics", "robustness"))
    written = tables(metrics, robustness)
    files = (folder / "README.md", ROOT / "README.md")
    return {file: filled(file.read_text(encoding="utf-8"), written) for file in files}


def main() -> None:
    """Write."""
    for file, text in texts().items():
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
