"""Sentences for players, which can be said in another language than English.

``vision.sentences`` has the like: neither package may know the other. ``web.words.sentences`` says both.
"""

from __future__ import annotations

from collections.abc import Mapping


class Sentence(str):
    """A sentence in English that still knows how it was made.

    ``template`` has places such as ``%(box)s``, and ``values`` says what stands in them: numbers, names, other
    sentences, or ids of boxes and options, which a page calls by their names. As a text it is the English one.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Sentence:
        made = super().__new__(cls, template % values if values else template)
        made.template = template
        made.values = values
        return made


class BoxId(str):
    """The id of a box or of a kind of chips, within a sentence."""

    __slots__ = ()

    def __str__(self) -> str:
        return repr(self)


class BoxIds(tuple[str, ...]):
    """Ids of boxes or of kinds of chips, within a sentence."""

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(self)


class Choice(str):
    """An option and its value, as ``mode=teams``, within a sentence."""

    __slots__ = ()
