"""The JSON that comes with a change."""

from __future__ import annotations

from typing import Any, cast

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from web.api.fields import Schema, check, parsed
from web.errors import Refused

LARGEST_JSON = 64 * 1024


def json_body(schema: Schema) -> dict[str, Any]:
    """The request's JSON, checked against the schema. Raises Refused: 400, 413, 415."""
    request.max_content_length = LARGEST_JSON
    if not request.is_json:
        raise Refused(415, "Send JSON, with the header Content-Type: application/json.")
    try:
        body = parsed(request.get_data())
    except RequestEntityTooLarge as problem:
        raise Refused(413, f"That is too large: a change may have {LARGEST_JSON // 1024} KB.") from problem
    except (ValueError, RecursionError) as problem:
        raise Refused(400, "The body is not JSON that can be understood.") from problem
    check(body, schema)
    return cast(dict[str, Any], body)
