"""What can go wrong in the rules and in the store, each with a sentence that a player can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.sentences import Sentence

if TYPE_CHECKING:
    from scorekeeper.session import Session


class RuleError(ValueError):
    """Something the rules do not allow; ``sentence`` says it to the player, as ``str(error)`` does in English."""

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.sentence = sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        super().__init__(self.sentence)


class BadRoll(RuleError):
    """Dice that are not five whole numbers from 1 to 6."""


class BadGame(RuleError):
    """A game, an option or a value that does not exist; the sentence lists what does."""


class BadPlayers(RuleError):
    """Too few or too many players, or a name that cannot be shown."""


class IllegalMove(RuleError):
    """A roll, a score or an undo that the position does not allow."""


class NoPlayer(IllegalMove):
    """A player's number that nobody has."""


class BadEvent(RuleError):
    """A recorded event that cannot be understood."""


class StoreError(Exception):
    """The database cannot be read or written; ``sentence`` says what to do, as ``str(error)`` does in English."""

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.sentence = sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        super().__init__(self.sentence)


class NoSession(StoreError):
    """There is no session with that id."""


class StaleSeq(StoreError):
    """The change was made on an older position than the present one.

    ``session`` is the fresh session, to show instead; ``recorded`` says that just this change was made on that
    position before, so that it is the repetition of one whose answer was lost.
    """

    def __init__(self, seq: int, session: Session, *, recorded: bool = False) -> None:
        super().__init__(
            Sentence(
                "The sheet has changed meanwhile (change %(now)s, yours was made on %(then)s): "
                "look at it again, then repeat your move if it is still wanted.",
                now=session.seq,
                then=seq,
            )
        )
        self.session = session
        self.recorded = recorded
