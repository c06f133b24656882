"""Takes JSON, and checks it against a small part of JSON Schema, in sentences. The description has the same schemas."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, NoReturn

from scorekeeper.dice import short
from web.errors import Refused

Schema = Mapping[str, Any]

WHOLE: Schema = {"type": "integer", "minimum": 0, "maximum": 1_000_000}
TEXT: Schema = {"type": "string"}
YES: Schema = {"type": "boolean"}
DIE: Schema = {"type": "integer", "minimum": 1, "maximum": 6}


def list_of(items: Schema, fewest: int = 0, most: int | None = None) -> Schema:
    """A list with so many items; `most` None: any number."""
    return {"type": "array", "items": items, "minItems": fewest} | ({} if most is None else {"maxItems": most})


def fields(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def parsed(text: str | bytes) -> Any:
    """What the JSON says. Raises ValueError, also for NaN and a field that is there twice; RecursionError."""
    return json.loads(text, parse_constant=_no_number, object_pairs_hook=_each_once)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):  # which of the two was meant, only the sender knows
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{short(twice)} is there twice")
    return found


def check(value: object, schema: Schema, name: str = "") -> None:
    """Raise Refused (400) with what is wrong and in which field, unless `value` is as the schema says."""
    if "anyOf" in schema:
        kinds = [kind for kind in schema["anyOf"] if _has_type(value, kind["type"])]
        if not kinds:
            raise _wrong(value, schema, name)
        check(value, kinds[0], name)
        return
    if not _has_type(value, schema["type"]):
        raise _wrong(value, schema, name)
    if isinstance(value, Mapping):
        _check_object(value, schema, name)
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            raise _wrong(value, schema, name)
        for item in value:
            try:
                check(item, schema["items"], name)
            except Refused as refused:
                raise _wrong(value, schema, name) from refused
    elif not _is_allowed(value, schema):
        raise _wrong(value, schema, name)


def _check_object(value: Mapping[str, object], schema: Schema, name: str) -> None:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", False)
    for key, item in value.items():
        if key in known:
            check(item, known[key], key)
        elif others is False:
            raise Refused(
                400, f"There is no field {_short(key)} here; the fields are {', '.join(known)}.", field=key[:80]
            )
        elif others is not True:
            check(item, others, name)
    for key in schema.get("required", ()):
        if key not in value:
            raise Refused(400, f"The field {key} is missing: it is {_words(known[key])}.", field=key)


def _is_allowed(value: object, schema: Schema) -> bool:
    if "enum" in schema:
        return value in schema["enum"]
    if isinstance(value, int | float):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True


def _has_type(value: object, kind: str) -> bool:
    # To Python true is a 1; to JSON it is not.
    if isinstance(value, bool):
        return kind == "boolean"
    types: dict[str, type | tuple[type, ...]] = {
        "integer": int,
        "number": (int, float),
        "string": str,
        "array": list,
        "object": dict,
        "null": type(None),
        "boolean": (),
    }
    return isinstance(value, types[kind])


def _wrong(value: object, schema: Schema, name: str) -> Refused:
    return Refused(400, f"{name or 'The body'} must be {_words(schema)}, not {_short(value)}.", field=name or None)


def _words(schema: Schema, many: bool = False) -> str:
    """What a schema asks for, as in "must be …"; `many` in the plural."""
    if "anyOf" in schema:
        return " or ".join(_words(kind, many) for kind in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    kind = schema["type"]
    if kind == "array":
        fewest, most = schema.get("minItems", 0), schema.get("maxItems")
        count = "" if most is None else f"{fewest} " if most == fewest else f"{fewest} to {most} "
        return ("lists of " if many else "a list of ") + count + _words(schema["items"], many=True)
    one, several = {
        "integer": ("a whole number", "whole numbers"),
        "number": ("a number", "numbers"),
        "string": ("a text", "texts"),
        "boolean": ("true or false", "true or false"),
        "object": ("an object", "objects"),
        "null": ("null", "null"),
    }[kind]
    span = f" from {schema['minimum']} to {schema['maximum']}" if "maximum" in schema else ""
    return (several if many else one) + span


def _short(value: object) -> str:
    names = {True: "true", False: "false", None: "null"}
    if value is None or isinstance(value, bool):
        return names[value]
    try:
        text = repr(value)
    except ValueError:  # a number with more digits than Python writes out
        return "so large a number"
    except RecursionError:
        return "so deep a nest"
    return text if len(text) <= 60 else text[:57] + "…"
