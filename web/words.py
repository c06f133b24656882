"""Texts that are known before anybody has said in which language they are to be.

Tables hold them in English, marked so that they are found for the catalogues; whoever shows one says it. This needs no
web framework: the command line, which speaks English, uses the same tables.
"""

from __future__ import annotations

import sys


def mark(text: str) -> str:
    """The text as it is. What stands in this call, in quotes, comes into the catalogues."""
    return text


def said(text: str) -> str:
    """A marked text in the language of the page that is being made; in English where there is none."""
    babel = sys.modules.get("flask_babel")
    return text if babel is None else str(babel.gettext(text))
