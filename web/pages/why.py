"""Why a roll is worth what it is in a box: for whoever wonders, in a sentence or two."""

from __future__ import annotations

from flask_babel import gettext as _
from flask_babel import ngettext

from scorekeeper.dice import DICE, Roll, counts, five_alike
from scorekeeper.game import Option
from scorekeeper.patterns import run
from scorekeeper.session import Position
from scorekeeper.sheet import SheetGame
from web.coach.phrases import dice_words
from web.words.names import row_name

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
ALIKE = {"one_pair": 2, "three_of_a_kind": 3, "four_of_a_kind": 4, "yams": 5, "yatzy": 5}
"""How many dice of one face a box asks for."""

LOW, HIGH = (1, 2, 3, 4, 5), (2, 3, 4, 5, 6)


def why(position: Position, box: str, option: Option | None) -> str:
    """Why the dice on the table are worth the option's points in this open box; None: why they may not go there.

    Of chips why the roll wins one of this kind, or none. Empty before the first roll.
    """
    turn, game = position.turn, position.game
    if turn is None or turn.dice is None:
        return ""
    dice, printed = turn.dice, game.points(turn.dice).get(box, 0)
    if option is None and isinstance(game, SheetGame):
        face = UPPER[dice[0] - 1]
        if any(one.box == face for one in position.options):
            return _("Five alike again are a joker: while %(box)s is free, it goes there.", box=row_name(face))
        return _("Five alike again are a joker: it goes into a free box of the lower half.")
    if option is None:
        gone = _("No chip of this kind is left on the rack.")
        return f"{_rule(position, box)} {gone if printed else _lacks(position, box, dice)}"
    if option.points and not printed:
        told = _(
            "Five alike again are a joker: it scores %(points)s here, whatever its dice show.", points=option.points
        )
    else:
        told = f"{_rule(position, box)} {(_has if printed else _lacks)(position, box, dice)}"
    if option.prime:
        told += " " + _("It also earns %(points)s: five alike again, after the first ones scored.", points=option.prime)
    return told


def _rule(position: Position, box: str) -> str:
    """What the box asks for, by the rules that were chosen."""
    exact = position.started.game == "scandinavian"
    if box in UPPER:
        return _("All dice that show a %(face)s are added up, and no others.", face=UPPER.index(box) + 1)
    if box in ALIKE:
        return _alike(position, box, ALIKE[box])
    chosen = {name for name, value in position.started.options.items() if value == "yes"}
    if box == "two_pairs":
        if "four_alike_two_pairs" in chosen:
            return _("Two pairs: by the rules of this game four alike are two pairs as well.")
        return _("Two pairs show two different faces: four alike are only one.")
    if box == "full_house":
        if "five_alike_full_house" in chosen:
            return _("A full house is three dice of one face and two of another; in this game five alike count, too.")
        return _("A full house is three dice of one face and two of another: neither four alike nor five.")
    if box == "small_straight":
        if exact:
            return _("By these rules the small straight is %(dice)s and nothing else.", dice=dice_words(LOW))
        return _("A small straight is four dice in a row; the fifth may show anything.")
    if box == "large_straight":
        if exact:
            return _("By these rules the large straight is %(dice)s and nothing else.", dice=dice_words(HIGH))
        return _("A large straight is %(low)s or %(high)s.", low=dice_words(LOW), high=dice_words(HIGH))
    if box == "flush":
        return _("A flush is five dice of one colour: all odd, or all even.")
    return _("All five dice are added up, whatever they show.")


def _alike(position: Position, box: str, number: int) -> str:
    if box == "one_pair":
        return _("The highest two dice of one face are added up, and no others.")
    if number < DICE and isinstance(position.game, SheetGame):
        if position.started.game == "scandinavian":
            return _("The %(num)s dice of one face are added up, and no others.", num=number)
        return _("With %(num)s dice of one face all five dice are added up.", num=number)
    return _("It takes %(num)s dice of one face.", num=number)


def _has(position: Position, box: str, dice: Roll) -> str:
    """How the points come about."""
    points = position.game.points(dice)[box]
    added = _added(position, box, dice)
    if len(added) > 1:
        return _("Here: %(sum)s = %(points)s.", sum=" + ".join(map(str, added)), points=points)
    return _("Here: %(points)s.", points=points)


def _added(position: Position, box: str, dice: Roll) -> tuple[int, ...]:
    """The dice whose sum the box gets; none where its points are always the same."""
    ordered = tuple(sorted(dice))
    exact = position.started.game == "scandinavian"
    if box in UPPER:
        return tuple(die for die in ordered if die == UPPER.index(box) + 1)
    if not isinstance(position.game, SheetGame) or box in ("yams", "yatzy"):
        return ()
    if box == "chance" or (box == "full_house" and exact) or (box in ALIKE and not exact):
        return ordered
    if box in ALIKE:
        return (position.game.points(dice)[box] // ALIKE[box],) * ALIKE[box]
    if box == "two_pairs":
        pairs = [face for face, count in enumerate(counts(dice), start=1) if count >= 2]
        return tuple(sorted(2 * pairs)) if len(pairs) == 2 else tuple(pairs) * 4
    return ()


def _lacks(position: Position, box: str, dice: Roll) -> str:
    """Why there is nothing to be had."""
    most = max(counts(dice))
    if box in UPPER:
        return _("None of these dice does.")
    if box in ALIKE:
        return ngettext("Of these dice not even two are alike.", "Of these dice no more than %(num)s are alike.", most)
    if box == "full_house":
        if five_alike(dice):
            return _("These are five alike.")
        if most == 4:
            return _("These are four alike and one other.")
        return _("These dice lack that.")
    if box == "two_pairs":
        if most >= 4:
            return _("These are %(num)s alike.", num=most)
        return _("These dice have one pair only.") if most >= 2 else _("These dice have no pair.")
    if box in ("small_straight", "large_straight"):
        if position.started.game == "scandinavian":
            return _("These are %(dice)s.", dice=dice_words(sorted(dice)))
        row = max(length for length in range(1, 6) if run(length)(dice))
        return ngettext("Of these dice no two are in a row.", "Of these dice no more than %(num)s are in a row.", row)
    return _("These dice are mixed.")
