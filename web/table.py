"""What a running app holds: store, reader of photos, the key to the table, the advisors, the camera, who listens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import platformdirs
from flask import current_app

from scorekeeper.store import Store
from web.coach.advisors import Advisors
from web.live.following import Live
from web.serving.changes import Changes
from web.serving.join import Key
from web.serving.photos import Photos


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that requests share; each part is safe to use from several threads."""

    store: Store
    photos: Photos
    key: Key
    advisors: Advisors
    live: Live
    changes: Changes


def the_table() -> Table:
    """The present app's table."""
    return cast(Table, current_app.extensions["dicescribe"])


def default_database() -> Path:
    """Where the games are kept unless told otherwise: in the user's data folder."""
    return platformdirs.user_data_path("dicescribe", appauthor=False) / "dicescribe.db"
