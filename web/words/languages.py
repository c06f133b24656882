"""The languages of the page: which one a device is spoken to in, and how it asks for another.

The texts are in English in the code, and in `web/translations` in the others; see `web.translations.catalogues`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlencode

from babel.support import NullTranslations
from flask import Flask, Response, g, has_request_context, make_response, request
from flask_babel import Babel, get_translations

from web.pages.addresses import without
from web.words import number, percent

LANGUAGES: Mapping[str, str] = {"en": "English", "fr": "Français", "es": "Español", "it": "Italiano"}
"""Each with its own name for itself."""

DEFAULT = "en"
COOKIE = "dicescribe_language"
COOKIE_SECONDS = 365 * 24 * 3600
QUERY = "language"
"""A page asked for with `?language=fr` is given in French from then on."""


def asked_language() -> str:
    """The language that this request is to be answered in: what was chosen, else what the browser asks for."""
    if not has_request_context():
        return DEFAULT
    if (chosen := request.cookies.get(COOKIE, "")) in LANGUAGES:
        return chosen
    # The first that is spoken here, whatever the region: who asks for "fr-CA, en" is better served in French.
    for tag, quality in request.accept_languages:
        language = tag.replace("_", "-").partition("-")[0].lower()
        if quality > 0 and language in LANGUAGES:
            return language
    return DEFAULT


def set_up(app: Flask) -> None:
    """Have the app speak the asked language. To be called before the checks of who may come in."""
    Babel(app, default_locale=DEFAULT, locale_selector=asked_language)  # type: ignore[no-untyped-call]

    def choose() -> Response | None:
        if request.method != "GET" or QUERY not in request.args or request.path.startswith("/api/"):
            return None
        answer = make_response(without(QUERY))
        if (language := request.args[QUERY]) in LANGUAGES:
            answer.set_cookie(COOKIE, language, max_age=COOKIE_SECONDS, samesite="Lax")
        return answer

    def say_which(response: Response) -> Response:
        if request.endpoint != "static":
            response.headers.setdefault("Content-Language", asked_language())
            response.vary.update(("Accept-Language", "Cookie"))
        return response

    def shared() -> dict[str, Any]:
        return {"language": asked_language(), "languages": LANGUAGES, "in_language": _in_language}

    app.before_request(choose)
    app.after_request(say_which)
    app.context_processor(shared)
    app.jinja_env.globals.update(number=number, percent=percent)
    # A sheet says hundreds of texts, and flask_babel would ask for the language anew at each of them.
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: _catalogue().ugettext(text),
        lambda one, many, n: _catalogue().ungettext(one, many, n),
        newstyle=True,
    )


def _in_language(language: str) -> str:
    """The present page in another language, as a link; a join code is left out, it may have been wrong."""
    rest = [(name, value) for name, value in request.args.items(multi=True) if name not in (QUERY, "code")]
    return "?" + urlencode([*rest, (QUERY, language)])


def _catalogue() -> NullTranslations:
    """The texts in the language of this request."""
    here = g._get_current_object()
    if "catalogue" not in here:
        here.catalogue = get_translations()
    return cast(NullTranslations, here.catalogue)
