"""What is read aloud: each roll, and what every other change did, in the language of the page."""

from __future__ import annotations

from itertools import islice

from flask_babel import gettext as _

from scorekeeper.events import Rolled, Undone
from scorekeeper.session import Session
from web.pages.happened import happened

LATEST = 4
"""A device that asks for the sheet now and then may have missed so many changes, and hears of each."""


def spoken(session: Session) -> list[tuple[int, str]]:
    """The latest changes that count, in their order, each with its number and in a sentence."""
    told: list[tuple[int, str]] = []
    for event, after in islice(reversed(session.steps), LATEST):
        if isinstance(event, Rolled) and after.turn is not None:
            dice = ", ".join(map(str, sorted(event.dice)))
            words = _("Roll %(n)s: %(dice)s.", n=after.turn.roll, dice=dice)
        else:
            words = happened(event, after.before, after)
        if words:
            told.append((after.at, words))
    told.reverse()
    if isinstance(last := session.events[-1], Undone):
        told.append((session.seq, happened(last, None, session.position)))
    return told
