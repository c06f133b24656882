"""Addresses of this app's own pages."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from flask import Response, make_response, redirect, request


def without(name: str) -> Response:
    """Sends the browser to the address it asked for, without one of its parameters."""
    rest = [(other, value) for other, value in request.args.items(multi=True) if other != name]
    path = "/" + quote(request.path.lstrip("/\\"))  # never "//host"
    return make_response(redirect(path + ("?" + urlencode(rest) if rest else ""), 303))
