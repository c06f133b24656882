"""The page, the JSON interface and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

    from vision.reader import Reader


def create_app(config: Mapping[str, Any] | None = None, reader: Reader | None = None) -> Flask:
    """The app: pages and JSON interface on one database.

    `config` may hold DATABASE (the file; by default in the user's data folder, made if missing), CACHE (the folder for
    tables of advice that had to be built; by default in the user's cache folder), HOSTS (further names that this
    machine is asked for by), THREADS (CPU cores to read a photo with; by default all), CAMERA (this computer's camera,
    for games to be followed by: an index, a name, a film's file or a stream's address; by default none), HTTPS (who
    comes by plain http is sent to https; by default not) and Flask's own settings. `reader` reads pictures; by default
    the one of `vision.pipeline`, opened when the first photo comes.
    Raises StoreError or OSError if the database can't be used.
    """
    # The command line is in this package too, and need not load a web framework to read a photo.
    from web.app import build

    return build(config or {}, reader)
