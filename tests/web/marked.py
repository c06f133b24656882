"""French in which all that goes through the catalogues is marked, so that what does not is seen."""

from __future__ import annotations

import re

from babel.messages import Catalog

from web.translations.catalogues import extract, updated

SAID = re.compile("⟦[^⟦⟧]*⟧")


def marked() -> Catalog:
    """The French catalogue with each English text between marks for its translation."""
    catalog = updated("fr", extract())
    for message in catalog:
        if isinstance(message.id, str) and message.id:
            message.string = f"⟦{message.id}⟧"
        elif message.id:
            message.string = tuple(f"⟦{one}⟧" for one in message.id)
    return catalog


def unmarked(text: str) -> str:
    """What is left of a text without what is marked."""
    while SAID.search(text):  # one may stand within another
        text = SAID.sub("", text)
    return text
