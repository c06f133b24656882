"""How a request or a command is refused: in one clear sentence."""

from __future__ import annotations

import unicodedata


class Refused(Exception):
    """A request that is answered with a status and one clear sentence; `field` names what is wrong with it."""

    def __init__(self, status: int, message: str, field: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.field = field
        self.retry_after = retry_after


class BadUse(Exception):
    """A command that can't do what was asked; the message says why, in one line."""


def one_line(text: str) -> str:
    """The text with its line breaks and control characters spelt out, as the name of a file may hold them."""
    return "".join(
        sign.encode("unicode_escape").decode() if unicodedata.category(sign) in {"Cc", "Zl", "Zp"} else sign
        for sign in text
    )
