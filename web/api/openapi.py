"""The description of the JSON interface, made from the table by which it is also routed and checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from web.api.fields import Schema


@dataclass(frozen=True, slots=True)
class Operation:
    """One line of the interface.

    `path` in Flask's writing; `takes` the JSON body (None: none; PHOTO: a picture; FRAME: a JPEG); `answers` per good
    status the JSON of the answer (FRAME: a JPEG; EVENTS: server-sent events); `refuses` the other statuses, whose body
    is ERROR.
    """

    method: str
    path: str
    does: str
    view: Callable[..., Any]
    answers: Mapping[int, Schema]
    refuses: tuple[int, ...] = ()
    takes: Schema | None = None
    query: Mapping[str, Schema] | None = None
    changes: bool = False


PHOTO: Schema = {"type": "string", "format": "binary"}
FRAME: Schema = {"type": "string", "format": "binary", "contentMediaType": "image/jpeg"}
EVENTS: Schema = {"type": "string", "contentMediaType": "text/event-stream"}
ERROR: Schema = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "field": {"type": "string"}},
    "required": ["error"],
}
REPEATED: Schema = {"type": "object", "properties": {"recorded": {"type": "boolean"}}}
REASONS = {
    400: "Wrong use: `error` says what, `field` where. Also where the table was asked for by a name that it has not.",
    403: "The header is missing, this machine has not joined the table, or another site's page asked.",
    404: "There is no such session.",
    409: "Made on an older `seq`: nothing was changed; the fresh state, with `error`. `recorded` is true where just "
    "this change was made on that `seq` before: what was sent again, as the first answer was lost, has arrived.",
    413: "Too large.",
    415: "Not a picture that can be read, or not JSON.",
    503: "This can't be had on this machine just now: the disk is full, say.",
    429: "Too many at once, or too many wrong codes: see Retry-After.",
}
ANYWHERE = (400, 403, 429, 503)
"""Statuses that any request may get: by whoever asks, and by the state of the machine."""


def describe(operations: tuple[Operation, ...], prefix: str, state: Schema) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the operations; `state` is the schema of State."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        path = prefix + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _described(operation, path, state)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dicescribe",
            "version": _version(),
            "description": "Reads throws of dice from photos and keeps the score sheets. Changes need the header "
            "`X-Dicescribe: 1`; from other machines every request needs the join cookie, which the address with "
            "`?code=` gives.",
        },
        "paths": paths,
        "components": {"schemas": {"State": state, "Error": ERROR}},
    }


def _described(operation: Operation, path: str, state: Schema) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
    ]
    parameters += [{"name": name, "in": "query", "schema": schema} for name, schema in (operation.query or {}).items()]
    if operation.changes:
        parameters.append(
            {"name": "X-Dicescribe", "in": "header", "required": True, "schema": {"type": "string", "enum": ["1"]}}
        )
    answers: dict[str, Any] = {
        str(status): {"description": "Nothing new."}
        if status == 204
        else {"description": "Done.", "content": {_kind(schema): {"schema": _named(schema, state)}}}
        for status, schema in operation.answers.items()
    }
    for status in sorted({*operation.refuses, *ANYWHERE}):
        schema = _stale(state) if status == 409 else _named(ERROR, state)
        answers[str(status)] = {
            "description": REASONS[status],
            "content": {"application/json": {"schema": schema}},
        }
    described: dict[str, Any] = {
        "operationId": operation.view.__name__,
        "summary": operation.does,
        "parameters": parameters,
        "responses": answers,
    }
    if operation.takes is PHOTO:
        form = {"type": "object", "properties": {"photo": PHOTO}, "required": ["photo"]}
        described["requestBody"] = {
            "required": True,
            "content": {"image/*": {"schema": PHOTO}, "multipart/form-data": {"schema": form}},
        }
    elif operation.takes is not None:
        described["requestBody"] = {"required": True, "content": {_kind(operation.takes): {"schema": operation.takes}}}
    return described


def _stale(state: Schema) -> Schema:
    """A State that also says why it came."""
    properties = {**state["properties"], **ERROR["properties"], **REPEATED["properties"]}
    return {**state, "properties": properties, "required": [*state["required"], "error"]}


def _kind(schema: Schema) -> str:
    if schema is FRAME:
        return "image/jpeg"
    return "text/event-stream" if schema is EVENTS else "application/json"


def _named(schema: Schema, state: Schema) -> Schema:
    if schema is state:
        return {"$ref": "#/components/schemas/State"}
    if schema is ERROR:
        return {"$ref": "#/components/schemas/Error"}
    return schema


def _version() -> str:
    try:
        return version("dicescribe")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0"
