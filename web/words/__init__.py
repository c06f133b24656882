"""The words of what both the page and the command line show.

Tables hold texts in English, marked so that they are found for the catalogues; whoever shows one says it. This needs no
web framework, and without one all is said in English: the command line's language.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from functools import lru_cache


def mark(text: str) -> str:
    """The text as it is. What stands in this call, in quotes, comes into the catalogues."""
    return text


def said(text: str, **places: object) -> str:
    """A text in the language of the page that is being made, with its %(places)s filled in."""
    babel = sys.modules.get("flask_babel")
    words = text if babel is None else str(babel.gettext(text))
    return words % places if places else words


def said_of(one: str, many: str, num: int, **places: object) -> str:
    """One of two texts, as the language counts; `num` fills the place %(num)s."""
    babel = sys.modules.get("flask_babel")
    words = (one if num == 1 else many) if babel is None else str(babel.get_translations().ungettext(one, many, num))
    return words % {"num": num, **places}


def within(name: str) -> str:
    """A box's name within a sentence: small in English; elsewhere as it is, so that "Two" is not taken for a number."""
    return name.lower() if _locale() in (None, "en") else name


def number(value: float, decimals: int = 0, *, sign: bool = False) -> str:
    """A number as the language writes it, 1,575 or 245,9; with `sign` also a plus."""
    exact = Decimal(f"{value:.{decimals}f}")
    shown = _written(exact, decimals, _locale())
    return f"+{shown}" if sign and exact >= 0 else shown


@lru_cache(maxsize=5000)
def _written(exact: Decimal, decimals: int, locale: str | None) -> str:
    """Kept, as a page of figures has hundreds of the same numbers."""
    if locale is None:
        return f"{exact:,f}"
    from babel.numbers import format_decimal

    return format_decimal(exact, f"#,##0{'.' * bool(decimals)}{'0' * decimals}", locale)


def percent(share: float) -> str:
    """A share of 1 in whole percent, as the language writes it."""
    exact = Decimal(f"{100 * share:.0f}")
    if (locale := _locale()) is None:
        return f"{exact:f}%"
    from babel.numbers import format_percent

    return format_percent(exact / 100, locale=locale)


def _locale() -> str | None:
    babel = sys.modules.get("flask_babel")
    locale = None if babel is None else babel.get_locale()
    return None if locale is None else str(locale)
