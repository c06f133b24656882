"""What an event did, in a sentence."""

from __future__ import annotations

from flask_babel import gettext as _

from scorekeeper.events import Edited, Event, Left, Lost, Passed, Renamed, Reordered, Scored, Started, Undone
from scorekeeper.session import Position
from web.words.names import in_line, row_name


def happened(event: Event, before: Position | None, after: Position) -> str:
    """What the event that leads from one position to the next did; empty for a roll, which is shown."""
    if isinstance(event, Started):
        return _("%(name)s begins.", name=in_line(after.players[event.first]))
    if isinstance(event, Undone):
        return _("The last change was taken back.")
    if isinstance(event, Lost):
        return _("This part of the record was damaged.")
    if isinstance(event, Reordered):
        return _("The order was changed.")
    if before is None:
        return ""
    if isinstance(event, Renamed):
        was, now = (in_line(one.players[event.player]) for one in (before, after))
        return _("%(name)s is now %(new)s.", name=was, new=now)
    if isinstance(event, Left):
        return _("%(name)s has left.", name=in_line(after.players[event.player]))
    if isinstance(event, Edited):
        points = after.game.filled(after.state)[event.player][event.box]
        name, row = in_line(after.players[event.player]), row_name(event.box)
        return _("%(name)s: corrected to %(points)s in %(box)s.", name=name, points=points, box=row)
    if before.turn is None:
        return ""
    name = in_line(after.players[before.turn.player])
    if isinstance(event, Passed):
        return _("%(name)s took no chip.", name=name)
    if not isinstance(event, Scored):
        return ""
    row = row_name(event.box)
    if before.game.stock(before.state) is not None:
        if event.source == "pile":
            return _("%(name)s took a chip from the discard pile: %(chip)s.", name=name, chip=row)
        return _("%(name)s took a chip: %(chip)s.", name=name, chip=row)
    points = after.game.filled(after.state)[before.turn.player][event.box]
    return _("%(name)s: %(points)s in %(box)s.", name=name, points=points, box=row)
