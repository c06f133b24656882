"""The JSON that comes with a change."""

from __future__ import annotations

from typing import Any, cast

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from web.api.fields import Schema, check, parsed
from web.errors import Refused

LARGEST_JSON = 64 * 1024


def json_data(largest: int, too_large: str) -> bytes:
    """The request's JSON as it came, of at most so many bytes. Raises Refused: 413 with `too_large`, 415."""
    request.max_content_length = largest
    if not request.is_json:
        raise Refused(415, "Send JSON, with the header Content-Type: application/json.")
    try:
        return request.get_data()
    except RequestEntityTooLarge as problem:
        raise Refused(413, too_large) from problem


def json_body(schema: Schema) -> dict[str, Any]:
    """The request's JSON, checked against the schema. Raises Refused: 400, 413, 415."""
    data = json_data(LARGEST_JSON, f"That is too large: a change may have {LARGEST_JSON // 1024} KB.")
    try:
        body = parsed(data)
    except (ValueError, RecursionError) as problem:
        raise Refused(400, "The body is not JSON that can be understood.") from problem
    check(body, schema)
    return cast(dict[str, Any], body)
