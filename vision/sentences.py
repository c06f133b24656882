"""Sentences for players, which can be said in another language than English.

`scorekeeper.sentences` has the like: neither package may know the other. `web.words.sentences` says both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Sentence(str):
    """A sentence in English that still knows how it was made.

    `template` has places such as `%(box)s`, and `values` says what stands in them: numbers, names or other
    sentences. As a text it is the English one.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Sentence:
        made = super().__new__(cls, template % values if values else template)
        made.template = template
        made.values = values
        return made

    def to_json(self) -> dict[str, Any]:
        """The sentence for another process; see `from_json`."""
        values = {
            name: value.to_json() if isinstance(value, Sentence) else value for name, value in self.values.items()
        }
        return {"template": self.template, "values": values}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Sentence:
        """The sentence that another process told. Raises LookupError, TypeError, ValueError where it is none."""
        if not isinstance(told, dict) or not isinstance(told["values"], dict) or not isinstance(told["template"], str):
            raise TypeError("this is no sentence")
        values = {
            name: cls.from_json(value) if isinstance(value, dict) else value for name, value in told["values"].items()
        }
        return cls(told["template"], **values)
