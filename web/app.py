"""Puts the app together: its parts, and how whatever is raised is answered."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from flask import Flask, Response, current_app, jsonify, render_template, request
from flask.json.provider import DefaultJSONProvider
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, NotFound

from scorekeeper.errors import NoSession, RuleError, StaleSeq, StoreError
from scorekeeper.store import Store
from vision.pipeline import open_reader
from vision.reader import Reader
from web.api.sessions import PREFIX, api, field_of
from web.api.states import state_json
from web.coach.advisors import Advisors, default_cache
from web.errors import Refused
from web.live.following import Live
from web.pages import device, drawn
from web.pages.history import history
from web.pages.screen import screens
from web.pages.sheet import pages
from web.serving.changes import Changes
from web.serving.install import installation
from web.serving.join import guard, load_key
from web.serving.photos import Photos
from web.table import Table, default_database
from web.words import languages, mark, said
from web.words.sentences import say

SENTENCES = {
    400: mark("This request can't be understood."),
    404: mark("There is nothing at this address."),
    405: mark("That can't be done at this address."),
    413: mark("That is too large: a photo may have 40 MB."),
}


# Windows may have other ideas of these in its registry, and a browser runs no script that comes as plain text.
for kind, ending in (("text/javascript", ".js"), ("text/css", ".css"), ("image/svg+xml", ".svg")):
    mimetypes.add_type(kind, ending)


class _App(Flask):
    """Gives out what lies in the static folder, and nothing that a link in there points at elsewhere."""

    def send_static_file(self, filename: str) -> Response:
        folder = Path(cast(str, self.static_folder)).resolve()
        try:
            inside = Path(folder, filename).resolve().is_relative_to(folder)
        except (OSError, ValueError):  # no name of a file
            inside = False
        if not inside:
            raise NotFound
        return super().send_static_file(filename)


def build(config: Mapping[str, Any], reader: Reader | None) -> Flask:
    """The app; see `web.create_app`."""
    app = _App("web")
    app.config.from_mapping(DATABASE=None, CACHE=None, HOSTS=(), THREADS=None, CAMERA=None, HTTPS=False)
    app.config.from_mapping(config)
    cast(DefaultJSONProvider, app.json).sort_keys = False  # boxes in the order of the sheet
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    database = Path(app.config["DATABASE"] or default_database())
    store = Store(database)
    key = load_key(database.with_name(database.name + ".key"))
    photos = Photos(lambda: open_reader(threads=app.config["THREADS"]) if reader is None else reader)
    advisors = Advisors(Path(app.config["CACHE"] or default_cache()))
    live = Live(store, photos.reader, app.config["CAMERA"])
    app.extensions["dicescribe"] = Table(store, photos, key, advisors, live, Changes(store))
    languages.set_up(app)
    device.set_up(app)
    drawn.set_up(app)
    guard(app, key, app.config["HOSTS"], https=app.config["HTTPS"])
    app.register_blueprint(api)
    app.register_blueprint(pages)
    app.register_blueprint(screens)
    app.register_blueprint(history)
    app.register_blueprint(installation)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(RuleError, _rule_broken)
    app.register_error_handler(NoSession, lambda error: _error(404, say(error.sentence)))
    app.register_error_handler(StaleSeq, _stale)
    app.register_error_handler(StoreError, _store_failed)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _own_failure)
    return app


def _error(status: int, message: str, field: str | None = None) -> Response:
    if request.path.startswith(PREFIX):
        answer = jsonify({"error": message} | ({} if field is None else {"field": field}))
    else:
        answer = Response(render_template("error.html", message=message), mimetype="text/html")
    answer.status_code = status
    return answer


def _refused(refused: Refused) -> Response:
    answer = _error(refused.status, say(refused.message), refused.field)
    if refused.retry_after is not None:
        answer.headers["Retry-After"] = str(refused.retry_after)
    return answer


def _rule_broken(error: RuleError) -> Response:
    return _error(400, say(error.sentence), field_of(error))


def _stale(error: StaleSeq) -> Response:
    """The fresh state, so that the caller sees at once what holds now; `recorded` if the change was made already."""
    session_id = (request.view_args or {})["session_id"]
    why = {"error": say(error.sentence), "field": "seq"} | ({"recorded": True} if error.recorded else {})
    answer = jsonify(state_json(session_id, error.session) | why)
    answer.status_code = 409
    return answer


def _store_failed(error: StoreError) -> Response:
    return _error(503, say(error.sentence))


def _http(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if 300 <= status < 400:
        return error.get_response()
    answer = _error(status, said(SENTENCES.get(status, SENTENCES[400])))
    if status == 405 and (allowed := error.get_response().headers.get("Allow")):
        answer.headers["Allow"] = allowed
    return answer


def _own_failure(error: Exception) -> Response:
    current_app.logger.exception("A request failed: %s %s", request.method, request.path, exc_info=error)
    return _error(500, said("Something went wrong here, and it is not your fault. The sheet is as it was."))
