"""The JSON interface's way back for exported games."""

from __future__ import annotations

from flask import Response, jsonify
from flask_babel import gettext as _

from web.api.body import json_data
from web.api.fields import TEXT, fields, list_of
from web.api.openapi import Operation
from web.commands.imports import EXPORT, import_games
from web.table import the_table

LARGEST_MB = 32
IMPORTED = fields({"new": list_of(TEXT), "known": list_of(TEXT)})


def import_sessions() -> Response:
    """Put exported games back: all that are not here yet, or none."""
    too_large = _("This file is too large: %(most)s MB can be read at once. Export fewer games.", most=LARGEST_MB)
    new, known = import_games(the_table().store, json_data(LARGEST_MB * 1024 * 1024, too_large))
    return jsonify({"new": new, "known": known})


IMPORT_OPERATIONS = (
    Operation(
        "POST",
        "/imports",
        "Put exported games back: the ids of those that are new, and of those that were here already.",
        import_sessions,
        {200: IMPORTED},
        refuses=(400, 413, 415),
        takes=EXPORT,
        changes=True,
    ),
)
