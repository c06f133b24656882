"""What the boxes of the rulebooks are made of: tests of a roll, and the points that a roll scores.

Tests and scores are functions of the roll alone; the factories below put them together.
"""

from __future__ import annotations

from collections.abc import Callable

from scorekeeper.dice import FACES, Roll, counts

Test = Callable[[Roll], bool]
Score = Callable[[Roll], int]


def alike(number: int) -> Test:
    """At least ``number`` dice show the same face."""
    return lambda roll: max(counts(roll)) >= number


def full_house(roll: Roll) -> bool:
    """Three dice of one face and two of another; five alike are none."""
    return sorted(counts(roll))[-2:] == [2, 3]


def full_house_or_five_alike(roll: Roll) -> bool:
    """A full house, where five alike count as one too."""
    return full_house(roll) or max(counts(roll)) == 5


def two_pairs(roll: Roll) -> bool:
    """Two pairs of two different faces; a full house holds two."""
    return sum(count >= 2 for count in counts(roll)) >= 2


def two_pairs_or_four_alike(roll: Roll) -> bool:
    """Two pairs, where four (or five) alike are two pairs of one face."""
    return two_pairs(roll) or max(counts(roll)) >= 4


def run(length: int) -> Test:
    """At least ``length`` dice in a row, whatever the others show."""
    starts = range(1, 8 - length)
    return lambda roll: any(all(start + step in roll for step in range(length)) for start in starts)


def exactly(*faces: int) -> Test:
    """Just these dice."""
    wanted = sorted(faces)
    return lambda roll: sorted(roll) == wanted


def one_colour(roll: Roll) -> bool:
    """A flush: odd and even faces are printed in two inks, so five odd or five even faces."""
    return len({die % 2 for die in roll}) == 1


def total(roll: Roll) -> int:
    """The sum of all five dice."""
    return sum(roll)


def sum_of(face: int) -> Score:
    """The sum of the dice that show ``face``."""
    return lambda roll: face * roll.count(face)


def worth(points: int, test: Test) -> Score:
    """Always the same points, if the roll passes the test."""
    return lambda roll: points if test(roll) else 0


def total_if(test: Test) -> Score:
    """The sum of all five dice, if the roll passes the test."""
    return lambda roll: sum(roll) if test(roll) else 0


def sum_of_alike(number: int) -> Score:
    """The sum of the best ``number`` dice of one face, those dice only."""
    return lambda roll: max((number * face for face in FACES if roll.count(face) >= number), default=0)


def sum_of_two_pairs(roll: Roll) -> int:
    """The sum of the four dice of two different pairs."""
    pairs = [face for face in FACES if roll.count(face) >= 2]
    return 2 * sum(pairs) if len(pairs) == 2 else 0


def sum_of_two_pairs_or_four_alike(roll: Roll) -> int:
    """The sum of the four dice of two pairs, which may show the same face."""
    return sum_of_two_pairs(roll) or sum_of_alike(4)(roll)
