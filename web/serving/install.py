"""What a browser needs to keep the page as if it were installed: manifest, service worker, a last word."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, jsonify, render_template, url_for
from flask_babel import gettext as _

from web.words.languages import asked_language

TABLE = "#e6e0d1"
"""The colour of the table, as in app.css."""

STATIC = Path(__file__).parents[1] / "static"

installation = Blueprint("install", __name__)


@installation.get("/manifest.webmanifest")
def manifest() -> Response:
    """How the page is called and what it looks like on a phone's first screen."""
    answer = jsonify(
        {
            "id": "/",
            "name": "dicescribe",
            "short_name": "dicescribe",
            "description": _("Reads your dice and keeps the score sheet."),
            "lang": asked_language(),
            "dir": "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": TABLE,
            "theme_color": TABLE,
            "categories": ["games"],
            "icons": [
                _icon("icon.svg", "any", "image/svg+xml"),
                _icon("icons/icon-192.png", "192x192"),
                _icon("icons/icon-512.png", "512x512"),
                _icon("icons/maskable-512.png", "512x512", purpose="maskable"),
            ],
        }
    )
    answer.mimetype = "application/manifest+json"
    return answer


@installation.get("/sw.js")
def worker() -> Response:
    """The service worker, which knows the files it keeps and, by their contents, whether they are still the same."""
    files, version = shell(STATIC)
    kept = {
        "version": f"{version} {asked_language()}",
        "files": [*(url_for("static", filename=name) for name in files), url_for(".away")],
    }
    script = f"self.SHELL = {json.dumps(kept)};\n{(STATIC / 'sw.js').read_text(encoding='utf-8')}"
    # The browser asks for it at every page, and takes on what is new.
    return Response(script, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@installation.get("/away")
def away() -> str:
    """What a device shows while the table's computer is away and it has not kept what was asked for."""
    said = _("The table’s computer does not answer just now, and this device has kept nothing of this page.")
    return render_template("away.html", message=said)


@cache
def shell(folder: Path) -> tuple[tuple[str, ...], str]:
    """The files that a page may need, and a short text that is another one as soon as one of them is."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name != "sw.js")
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return tuple(file.relative_to(folder).as_posix() for file in files), digest.hexdigest()[:16]


def _icon(name: str, sizes: str, kind: str = "image/png", purpose: str = "any") -> dict[str, str]:
    return {"src": url_for("static", filename=name), "sizes": sizes, "type": kind, "purpose": purpose}
