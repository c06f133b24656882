"""Pictures of figures, drawn as SVG by hand: lines, bars and dots that need no colour to be told apart.

Colours come from classes alone, so that they follow the theme; a page's strict policy allows no inline style. Each
picture is named by its title and described for who can't see it; the numbers belong in a table beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from flask import g
from markupsafe import Markup, escape

from web.pages.device import this_device
from web.words import number

WIDTH, HEIGHT = 360.0, 240.0
LARGER = 1.3
"""How much larger the words are in larger type, as in access.css: a narrower picture fills the same room."""
LEFT, RIGHT, TOP, BOTTOM = 34.0, 104.0, 12.0, 34.0
"""Room around the picture: for the numbers of the axis, the names at the ends of lines, and what is below."""

GAP = 13.0
"""Between the middles of two names, so that they do not overlap."""
LETTER = 6.7
"""How wide a digit is."""
NAME = 12
"""Letters of a name that fit beside the lines."""
MOST = 8
"""Lines or dots that can be told apart."""
APART = 9.0
"""Between the middles of two marks, so that none hides the other."""

DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1 4", "12 4", "8 2 2 2 2 2")
MARKS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",  # a ball
    "M-3.2 -3.2h6.4v6.4h-6.4z",  # a square
    "M0 -4.2L4 3.2H-4z",  # a triangle
    "M0 -4.6L4.2 0L0 4.6L-4.2 0z",  # a diamond
    "M0 4.2L4 -3.2H-4z",  # a triangle that stands on its tip
    "M-3.6 -1.2h2.4v-2.4h2.4v2.4h2.4v2.4h-2.4v2.4h-2.4v-2.4h-2.4z",  # a plus
    "M-4 -4L4 4L4 -4L-4 4z",  # an hourglass
    "M-4.2 -1.6h8.4v3.2h-8.4z",  # a bar
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line from left to right through these points (x, y), with the name that stands at its end."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of this height; `below` stands under it, `on_top` above. A die is drawn instead where `below` is a face."""

    below: str | int
    height: float
    on_top: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of dots, one a player (None: no dot), with its name to the left."""

    name: str
    values: Sequence[float | None]


def lines(drawn: Sequence[Line], *, title: str, told: str, below: str, breaks: Sequence[float] = ()) -> Markup:
    """Lines over whole numbers; `breaks` are places of thin upright lines. At most MOST lines are drawn."""
    drawn, width = drawn[:MOST], _width()
    xs = [x for line in drawn for x, _ in line.points]
    ys = [y for line in drawn for _, y in line.points]
    across = _Scale(min(xs, default=0), max(xs, default=1), LEFT, width - RIGHT)
    up = _Scale(min(0, *ys, 0), max(1, *ys, 1), HEIGHT - BOTTOM, TOP)
    parts = [*_level_lines(up, width - RIGHT), *_steps(across)]
    parts += [
        f'<path class="plot-break" d="M{across(x):.1f} {TOP:g}V{HEIGHT - BOTTOM:g}"></path>' for x in breaks if drawn
    ]
    ends = _apart([up(line.points[-1][1]) if line.points else 0 for line in drawn], TOP, HEIGHT - BOTTOM)
    every = max(1, math.ceil((across.high - across.low) / 12))
    for n, (line, end) in enumerate(zip(drawn, ends, strict=True)):
        if not line.points:
            continue
        places = [(across(x), up(y)) for x, y in line.points]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        stroke = f'<path class="plot-line" stroke-dasharray="{DASHES[n]}" d="{path}"></path>'
        parts.append(f'<g class="plot-{n + 1}">{stroke}')
        # Marks stand apart, and at each line's end.
        marked = [place for (x, _), place in zip(line.points[:-1], places, strict=False) if (x - n) % every == 0]
        parts += [_mark(n, *place) for place in (*marked, places[-1])]
        x, y = places[-1]
        edge = width - RIGHT + 8
        parts.append(f'<path class="plot-leader" d="M{x + 4:.1f} {y:.1f}L{edge:.1f} {end:.1f}"></path>')
        parts.append(_mark(n, edge + 4, end))
        parts.append(f'<text x="{edge + 11:.1f}" y="{end + 4:.1f}">{_short(line.name)}</text></g>')
    parts.append(_caption(below, (LEFT + width - RIGHT) / 2))
    return _svg(parts, title, told, HEIGHT)


def bars(drawn: Sequence[Bar], *, title: str, told: str, below: str, level: tuple[float, str] | None = None) -> Markup:
    """Bars beside each other; `level` is a height that a dashed line marks, with what it is."""
    width, right, top = _width(), 12.0, TOP + 12
    room = (width - LEFT - right) / max(1, len(drawn))
    highest = max([1.0, *(bar.height for bar in drawn), *([level[0]] if level else [])])
    up = _Scale(0, highest, HEIGHT - BOTTOM, top)
    parts = _level_lines(up, width - right)
    longest = max((len(bar.below) for bar in drawn if isinstance(bar.below, str)), default=0)
    every = math.ceil((LETTER * longest + 3) / room)
    for n, bar in enumerate(drawn):
        left = LEFT + n * room
        middle = left + room / 2
        height = up.start - up(bar.height)
        parts.append(
            f'<rect class="plot-bar" x="{left + room * 0.12:.1f}" y="{up(bar.height):.1f}" '
            f'width="{room * 0.76:.1f}" height="{height:.1f}"></rect>'
        )
        if bar.on_top:
            parts.append(_text(middle, up(bar.height) - 4, bar.on_top))
        if isinstance(bar.below, int):
            parts.append(
                f'<svg class="die" x="{middle - 9:.1f}" y="{HEIGHT - BOTTOM + 4:.1f}" width="18" height="18">'
                f'<use href="#die-{bar.below}"></use></svg>'
            )
        elif n % every == 0:
            parts.append(_text(middle, HEIGHT - BOTTOM + 14, bar.below))
    if level:
        parts.append(f'<path class="plot-level" d="M{LEFT:g} {up(level[0]):.1f}H{width - right:g}"></path>')
        x, y = width - right, TOP - 2
        parts.append(f'<text class="plot-note" x="{x:g}" y="{y:g}" text-anchor="end">{escape(level[1])}</text>')
    parts.append(_caption(below, (LEFT + width - right) / 2))
    return _svg(parts, title, told, HEIGHT)


def dots(rows: Sequence[Row], names: Sequence[str], *, title: str, told: str) -> Markup:
    """A row a box, in it a dot for each of at most MOST players; what each kind of dot means stands below.

    Dots that would hide one another stand one above the other, and their row is as high as that takes.
    """
    names, width = names[:MOST], _width()
    step, left, right = 19.0, 112.0, 14.0
    highest = max([1.0, *(value for row in rows for value in row.values[:MOST] if value is not None)])
    across = _Scale(0, highest, left, width - right)
    levels = [_levels([None if v is None else across(v) for v in row.values[:MOST]]) for row in rows]
    steps = [max(step, APART * (1 + max(own, default=0)) + 6) for own in levels]
    bottom = TOP + sum(steps)
    beside = int(width // 116)
    legend = [bottom + 30 + 16 * (n // beside) for n in range(len(names))]
    parts = []
    for tick in across.ticks():
        x = across(tick)
        parts.append(f'<path class="plot-grid" d="M{x:.1f} {TOP:g}V{bottom:.1f}"></path>')
        parts.append(_text(x, bottom + 13, number(tick)))
    for n, (row, own) in enumerate(zip(rows, levels, strict=True)):
        y = TOP + sum(steps[:n]) + steps[n] / 2
        first = y - APART * max(own, default=0) / 2
        parts.append(f'<text x="{left - 8:g}" y="{y + 4:.1f}" text-anchor="end">{_short(row.name, 18)}</text>')
        parts.append(f'<path class="plot-grid" d="M{left:g} {TOP + sum(steps[:n]):.1f}H{width - right:g}"></path>')
        parts += [
            f'<g class="plot-{who + 1}">{_mark(who, across(value), first + APART * own[who])}</g>'
            for who, value in enumerate(row.values[:MOST])
            if value is not None
        ]
    parts.append(f'<path class="plot-grid" d="M{left:g} {bottom:.1f}H{width - right:g}"></path>')
    for n, name in enumerate(names):
        x, y = 12 + 116 * (n % beside), legend[n]
        named = f'<text x="{x + 9}" y="{y:.1f}">{_short(name)}</text>'
        parts.append(f'<g class="plot-{n + 1}">{_mark(n, x, y - 4)}{named}</g>')
    return _svg(parts, title, told, max([bottom + 18, *legend]) + 8)


def classes_of(values: Iterable[int], most: int = 12) -> tuple[int, list[tuple[int, int]]]:
    """Whole numbers in at most so many classes of a round width: the width, and per class its low end and its number.

    Classes without a value between others are there, with 0.
    """
    ordered = sorted(values)
    if not ordered:
        return 1, []
    width = next(
        wide
        for power in count()
        for wide in (10**power, 2 * 10**power, 5 * 10**power)
        if ordered[-1] // wide - ordered[0] // wide < most
    )
    first, last = ordered[0] // width, ordered[-1] // width
    found = [0] * (last - first + 1)
    for value in ordered:
        found[value // width - first] += 1
    return width, [((first + n) * width, number_) for n, number_ in enumerate(found)]


class _Scale:
    """From values to places."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = low, max(high, low + 1), start, end

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, about: int = 5, *, whole: bool = False) -> list[float]:
        """Round values within."""
        span = (self.high - self.low) / about
        power = 10.0 ** math.floor(math.log10(span))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= span)
        if whole:
            step = max(1.0, step)
        first = math.ceil(self.low / step)
        return [n * step for n in range(first, math.floor(self.high / step) + 1)]


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places near the wanted ones, at least GAP from each other and within, in the same order."""
    order = sorted(range(len(wanted)), key=lambda n: wanted[n])
    placed = [0.0] * len(wanted)
    least = top
    for n in order:
        placed[n] = max(wanted[n], least)
        least = placed[n] + GAP
    most = bottom
    for n in reversed(order):
        placed[n] = min(placed[n], most)
        most = placed[n] - GAP
    return placed


def _levels(places: Sequence[float | None]) -> list[int]:
    """Per mark at one of these places (None: no mark) how many stand above it: the least that keeps them apart."""
    levels = [0] * len(places)
    ends: list[float] = []  # per level, the place of the last mark there
    for place, n in sorted((place, n) for n, place in enumerate(places) if place is not None):
        free = (level for level, end in enumerate(ends) if place - end >= APART)
        levels[n] = next(free, len(ends))
        ends[levels[n] : levels[n] + 1] = [place]
    return levels


def _level_lines(up: _Scale, right: float) -> list[str]:
    parts = []
    for tick in up.ticks(whole=True):
        y = up(tick)
        parts.append(f'<path class="plot-grid" d="M{LEFT:g} {y:.1f}H{right:g}"></path>')
        parts.append(f'<text x="{LEFT - 5:g}" y="{y + 4:.1f}" text-anchor="end">{number(tick)}</text>')
    return parts


def _width() -> float:
    """How wide the picture is on the device that asks, in units of which a letter takes always as many."""
    return WIDTH / LARGER if this_device().large else WIDTH


def _steps(across: _Scale) -> list[str]:
    return [_text(across(tick), HEIGHT - BOTTOM + 14, number(tick)) for tick in across.ticks(6, whole=True)]


def _mark(n: int, x: float, y: float) -> str:
    return f'<path class="plot-mark" transform="translate({x:.1f} {y:.1f})" d="{MARKS[n]}"></path>'


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(words)}</text>'


def _caption(words: str, x: float) -> str:
    return _text(x, HEIGHT - 4, words)


def _short(name: str, most: int = NAME) -> str:
    """A name that fits, safe in markup."""
    return str(escape(name if len(name) <= most else name[: most - 1].rstrip() + "…"))


def _svg(parts: Iterable[str], title: str, told: str, height: float) -> Markup:
    g.plots = g.get("plots", 0) + 1
    ids = f"plot-{g.plots}"
    return Markup(
        f'<svg class="plot" viewBox="0 0 {_width():g} {height:g}" role="img" aria-labelledby="{ids}-title {ids}-told">'
        f'<title id="{ids}-title">{escape(title)}</title><desc id="{ids}-told">{escape(told)}</desc>'
        f"{''.join(parts)}</svg>"
    )
