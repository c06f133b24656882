"""A store to keep games in."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store keeps them."""
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Store:
    return Store(path)
