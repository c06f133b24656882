"""Inputs that nobody sends by accident. Each is refused or taken in a sentence; the sheet stays, the server lives."""

from __future__ import annotations

import csv
import io
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web import hostile
from tests.web.conftest import CHANGE
from tests.web.hostile import HUGE
from web import create_app

OK, MADE, WRONG, NEVER, NOTHING, CONFLICT, LARGE, KIND = 200, 201, 400, 403, 404, 409, 413, 415


@dataclass(frozen=True)
class Sent:
    """A request, and the status that it gets. `{id}` in its path is the sheet at play, `{seq}` in its body its seq."""

    name: str
    method: str
    path: str
    body: bytes | Callable[[], bytes] = b""
    expects: int | tuple[int, ...] = WRONG
    headers: dict[str, str] = field(default_factory=dict)

    def to(self, client: FlaskClient, state: dict[str, Any]) -> TestResponse:
        body = self.body() if callable(self.body) else self.body
        body = body.replace(b"{seq}", str(state["seq"]).encode())
        headers = {**CHANGE, "Content-Type": "application/json", **self.headers}
        return client.open(
            self.path.replace("{id}", state["id"]), method=self.method, data=body, headers=headers, buffered=True
        )


def photo(name: str, body: bytes | Callable[[], bytes], expects: int | tuple[int, ...], **headers: str) -> Sent:
    return Sent(f"photo: {name}", "POST", "/api/v1/read", body, expects, {"Content-Type": "image/jpeg", **headers})


def change(name: str, what: str, body: bytes | str, expects: int | tuple[int, ...] = WRONG, **headers: str) -> Sent:
    data = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    more = {key.replace("_", "-"): value for key, value in headers.items()}
    return Sent(f"{what}: {name}", "POST", f"/api/v1/sessions/{{id}}/{what}", data, expects, more)


def start(name: str, player: object, expects: int | tuple[int, ...]) -> Sent:
    body = json.dumps({"game": "yams", "players": [player]}).encode()
    return Sent(f"name: {name}", "POST", "/api/v1/sessions", body, expects)


def get(name: str, path: str, expects: int | tuple[int, ...] = NOTHING, **headers: str) -> Sent:
    return Sent(f"address: {name}", "GET", path, b"", expects, {k.replace("_", "-"): v for k, v in headers.items()})


def part(name: str, filename: str, data: bytes) -> bytes:
    head = f'--frontier\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\n\r\n'
    return head.encode() + data + b"\r\n"


END = b"--frontier--\r\n"
FORM = {"Content-Type": "multipart/form-data; boundary=frontier"}

PICTURES = [
    photo("PNG of 60,000 x 60,000", hostile.png_of(HUGE, HUGE), LARGE),
    photo("PNG of the largest header", hostile.png_of(2**31 - 1, 2**31 - 1), LARGE),
    photo("PNG, interlaced, 100 megapixels", hostile.png_of(10_000, 10_000, interlaced=1), LARGE),
    photo("PNG with 200 MB in 200 KB", hostile.png_bomb, (OK, KIND)),
    photo("WebP of 60,000 x 60,000", hostile.webp_of(HUGE, HUGE), LARGE),
    photo("WebP of the largest header", hostile.webp_of(2**24, 2**24), LARGE),
    photo("GIF of 60,000 x 60,000", hostile.GIF[:6] + b"\x60\xea\x60\xea" + hostile.GIF[10:], KIND),
    photo("TIFF of 60,000 x 60,000", hostile.tiff_of(HUGE, HUGE), KIND),
    photo("HEIC of 60,000 x 60,000", hostile.isobmff_of(HUGE, HUGE), (OK, LARGE, KIND)),
    photo("AVIF of 60,000 x 60,000", hostile.isobmff_of(HUGE, HUGE, hostile.AVIF), KIND),
    photo("JPEG of 60,000 x 60,000", hostile.jpeg_of(HUGE, HUGE), LARGE),
    photo("JPEG that is smaller than it says", hostile.jpeg_of(9_000, 9_000), (OK, KIND)),
    photo("JPEG of no height", hostile.jpeg_of(64, 0), KIND),
    photo("GIF", hostile.GIF, KIND),
    photo("TIFF", hostile.TIFF, KIND),
    photo("AVIF", hostile.AVIF, KIND),
    photo("SVG with a script", b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', KIND),
    photo("page", b"<!doctype html><script>alert(1)</script>", KIND),
    photo("zero bytes", b"", WRONG),
    photo("one byte", b"\xff", KIND),
    photo("zeros", bytes(4096), KIND),
    photo("41 MB", lambda: hostile.JPEG + bytes(41 * 2**20), LARGE),
    photo("JPEG with a ZIP behind", hostile.JPEG + b"PK\x03\x04" + bytes(99), OK),
    photo("JPEG with a script in a comment", hostile.segment(0xFE, b"<script>alert(1)</script>"), OK),
    photo("GIF that goes on as a JPEG", b"GIF89a" + hostile.JPEG, KIND),
    photo("PDF that goes on as a JPEG", b"%PDF-1.7\n" + hostile.JPEG, KIND),
    photo("PNG called a JPEG", hostile.PNG, OK),
    photo("JPEG called JSON", hostile.JPEG, OK, **{"Content-Type": "application/json"}),
    photo("JPEG without a type", hostile.JPEG, OK, **{"Content-Type": ""}),
    photo("JPEG with a gzip header", hostile.JPEG, (OK, KIND), **{"Content-Encoding": "gzip"}),
    photo("orientation 0", hostile.orientation(0), OK),
    photo("orientation 9", hostile.orientation(9), OK),
    photo("orientation 65,535", hostile.orientation(65_535), OK),
    photo("orientation of four billion values", hostile.orientation(6, count=2**32 - 1), OK),
    photo("orientation as a text", hostile.orientation(6, kind=2), OK),
    photo("EXIF directory that follows itself", hostile.exif((274, 3, 1, 1), after=8), OK),
    photo("EXIF sub-directory that is its parent", hostile.exif((34_665, 4, 1, 8), (34_853, 4, 1, 8)), OK),
    photo("EXIF with 65,535 entries that are not there", hostile.exif(claimed=65_535), OK),
    photo("EXIF that lies outside", hostile.segment(0xE1, b"Exif\0\0II*\0\xff\xff\xff\xff"), OK),
    photo("EXIF that is empty", hostile.segment(0xE1, b"Exif\0\0"), OK),
    photo("EXIF of noise", hostile.segment(0xE1, b"Exif\0\0MM\0*" + bytes(range(256)) * 99), OK),
    photo("ICC of noise", hostile.icc(b"\xff" * 60_000), OK),
    photo("ICC that claims four gigabytes", hostile.icc(b"\xff\xff\xff\xffappl" + bytes(120)), OK),
    photo("ICC, part 200 of 3", hostile.icc(b"x", 200, 3), OK),
    photo("thumbnail of 60,000 x 60,000", hostile.segment(0xE0, b"JFXX\0\x10" + hostile.jpeg_of(HUGE, HUGE)), OK),
    photo("thousands of scans", hostile.JPEG[:-2] + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" * 5_000, KIND),
    photo("CMYK", hostile.cmyk, OK),
    photo("16 bit", hostile.deep, OK),
    photo("1 x 1", lambda: hostile.long_and_thin(1, 1, "PNG"), OK),
    photo("1 x 30,000", lambda: hostile.long_and_thin(1, 30_000, "PNG"), OK),
    photo("30,000 x 1", lambda: hostile.long_and_thin(30_000, 1, "JPEG"), OK),
    photo("WebP that moves", lambda: hostile.moving("WEBP"), OK),
    photo("PNG that moves", lambda: hostile.moving("PNG"), OK),
    photo("GIF that moves", lambda: hostile.moving("GIF"), KIND),
    photo("PNG with two headers", hostile.PNG[:33] + hostile.PNG[8:33] + hostile.PNG[33:], (OK, KIND)),
    photo("PNG with a text that inflates to 50 MB", lambda: hostile.PNG[:33] + hostile.png_chunk(
        b"zTXt", b"x\0\0" + zlib.compress(bytes(50_000_000))) + hostile.PNG[33:], OK),
    photo("form without a photo", END, WRONG, **FORM),
    photo("form of another name", part("picture", "a.jpg", hostile.JPEG) + END, WRONG, **FORM),
    photo("form that breaks off", part("photo", "a.jpg", hostile.JPEG[:200]), (WRONG, KIND), **FORM),
    photo("form without its boundary", part("photo", "a.jpg", hostile.JPEG), (WRONG, KIND),
          **{"Content-Type": "multipart/form-data"}),
    photo("form with a path for a name", part("photo", "../../etc/passwd", hostile.JPEG) + END, OK, **FORM),
    photo("form with a name of 10,000 letters", part("photo", "a" * 10_000, hostile.JPEG) + END, (OK, WRONG), **FORM),
    photo("form with markup for a name", part("photo", "<img src=x>", hostile.JPEG) + END, OK, **FORM),
    photo("form with the photo as a text", b'--frontier\r\nContent-Disposition: form-data; name="photo"\r\n\r\nx\r\n'
          + END, WRONG, **FORM),
    photo("form of 3,000 parts", part("other", "a", b"x") * 3_000 + END, (WRONG, LARGE), **FORM),
    Sent("photo: expected dice -1", "POST", "/api/v1/read?expect=-1", hostile.JPEG, WRONG),
]  # fmt: skip

ROLL = '"dice": [1, 2, 3, 4, 5]'
JSON = [
    change("a nest of 100,000", "rolls", '{"seq": {seq}, "dice": ' + "[" * 30_000),
    change("a nest that ends", "rolls", '{"seq": {seq}, "dice": ' + "[" * 5_000 + "]" * 5_000 + "}"),
    change("a number of 10,000 digits", "rolls", f'{{"seq": {"9" * 10_000}, {ROLL}}}'),
    change("a die of 1e400", "rolls", '{"seq": {seq}, "dice": [1, 2, 3, 4, 1e400]}'),
    change("a die of -1e400", "rolls", '{"seq": {seq}, "dice": [1, 2, 3, 4, -1e400]}'),
    change("a die that is no number", "rolls", '{"seq": {seq}, "dice": [1, 2, 3, 4, NaN]}'),
    change("a die without end", "rolls", '{"seq": {seq}, "dice": [1, 2, 3, 4, -Infinity]}'),
    change("a die of 5.0", "rolls", '{"seq": {seq}, "dice": [1, 2, 3, 4, 5.0]}'),
    change("a die of true", "rolls", '{"seq": {seq}, "dice": [true, 2, 3, 4, 5]}'),
    change("a die as a text", "rolls", '{"seq": {seq}, "dice": ["1", 2, 3, 4, 5]}'),
    change("a die of 7", "rolls", '{"seq": {seq}, "dice": [1, 2, 3, 4, 7]}'),
    change("six dice", "rolls", '{"seq": {seq}, "dice": [1, 2, 3, 4, 5, 6]}'),
    change("a million dice", "rolls", '{"seq": {seq}, "dice": [' + "1," * 29_000 + "1]}"),
    change("more than 64 KB", "rolls", '{"seq": {seq}, "dice": [' + "1," * 40_000 + "1]}", LARGE),
    change("a list for an object", "rolls", f"[{{seq}}, {ROLL[8:]}]"),
    change("null", "rolls", "null"),
    change("nothing", "rolls", ""),
    change("the same field twice", "rolls", f'{{"seq": 0, "seq": {{seq}}, {ROLL}}}'),
    change("an unknown field", "rolls", f'{{"seq": {{seq}}, {ROLL}, "__proto__": {{}}}}'),
    change("a field of half a letter", "rolls", f'{{"seq": {{seq}}, {ROLL}, "\\ud800": 1}}'),
    change("a mark at its beginning", "rolls", b"\xef\xbb\xbf" + b'{"seq": {seq}, "dice": [1]}'),
    change("UTF-16", "rolls", '{"seq": 999, "dice": [1, 2, 3, 4, 5]}'.encode("utf-16"), (WRONG, CONFLICT)),
    change("Latin-1", "players", '{"seq": {seq}, "player": 0, "name": "René"}'.encode("latin-1")),
    change("half a letter", "players", '{"seq": {seq}, "player": 0, "name": "\\ud800"}'),
    change("comments", "rolls", f'{{"seq": {{seq}}, {ROLL}}} // well'),
    change("two objects", "rolls", f'{{"seq": {{seq}}, {ROLL}}}' * 2),
    change("a form", "rolls", "seq={seq}&dice=1", KIND, Content_Type="application/x-www-form-urlencoded"),
    change("plain text", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', KIND, Content_Type="text/plain"),
    change("an ink of 60,000 letters", "rolls", f'{{"seq": {{seq}}, {ROLL}, "inks": ["{"x" * 60_000}",1,1,1,1]}}'),
    change("confidence 2", "rolls", f'{{"seq": {{seq}}, {ROLL}, "confidence": 2}}'),
    change("confidence true", "rolls", f'{{"seq": {{seq}}, {ROLL}, "confidence": true}}'),
    change("source of another kind", "rolls", f'{{"seq": {{seq}}, {ROLL}, "source": "__class__"}}'),
    change("kept that was not there", "rolls", f'{{"seq": {{seq}}, {ROLL}, "kept": [6]}}'),
    change("a box that is none", "scores", '{"seq": {seq}, "box": "../../full_house"}'),
    change("a box of markup", "scores", '{"seq": {seq}, "box": "<script>"}'),
    change("no box", "scores", '{"seq": {seq}}'),
    change("all at once", "scores", '{"seq": {seq}, "box": "ones", "chip": "flush", "pass": true}'),
    change("player 99", "edits", '{"seq": {seq}, "player": 99, "box": "ones", "points": 3}'),
    change("points of a million", "edits", '{"seq": {seq}, "player": 0, "box": "ones", "points": 1000000}'),
    change("an order of one twice", "players", '{"seq": {seq}, "order": [0, 0]}'),
]  # fmt: skip

SEQS = [
    change(f"seq {value[:40]}", "rolls", f'{{"seq": {value}, {ROLL}}}', status)
    for value, status in (
        ("-1", WRONG), ("0", CONFLICT), ("999999", CONFLICT), ("9" * 30, WRONG), ("2.0", WRONG), ("2e0", WRONG),
        ('"2"', WRONG), ("true", WRONG), ("null", WRONG), ("[2]", WRONG), ("-0", CONFLICT), ("1e400", WRONG),
        (str(2**63), WRONG), ('"2 OR 1=1"', WRONG),
    )
]  # fmt: skip

NAMES = [
    start("markup", "<script>alert(1)</script>", MADE),
    start("markup of an attribute", '"><img src=x onerror=a(1)>', MADE),
    start("a template", "{{ config }}{% raw %}", MADE),
    start("a place in a sentence", "%(name)s %s {0}", MADE),
    start("turned round", "Ana\u202eoB", WRONG),
    start("isolated", "\u2067Ana", WRONG),
    start("Arabic", "ليلى", MADE),
    start("10,000 letters", "A" * 10_000, WRONG),
    start("emoji", "🎲" * 20, MADE),
    start("a family", "👨‍👩‍👧‍👦 Lee", MADE),
    start("joiners alone", "\u200d\u200b", WRONG),
    start("combined", "Z" + "\u0335\u0321\u0489" * 13, MADE),
    start("marks alone", "\u0335\u0321", WRONG),
    start("a formula", "=1+1", MADE),
    start("a command", "+cmd|' /C calc'!A0", MADE),
    start("a lookup", "@SUM(A1)", MADE),
    start("a difference", "-1+1", MADE),
    start("a tab and a formula", "\t=1+1", MADE),
    start("two lines", "Ana\nBo", WRONG),
    start("a line's end", "Ana\u2028Bo", WRONG),
    start("NUL", "Ana\0", WRONG),
    start("half a letter", "\ud83c", WRONG),
    start("blank", " \u3000", WRONG),
    start("a number", 1, WRONG),
    start("a list", ["Ana"], WRONG),
    start("true", True, WRONG),
    Sent("name: nobody", "POST", "/api/v1/sessions", b'{"game": "yams", "players": []}'),
    Sent("name: nine", "POST", "/api/v1/sessions", b'{"game": "yams", "players": [' + b'"A",' * 8 + b'"I"]}'),
    Sent("game: none", "POST", "/api/v1/sessions", b'{"game": "__class__", "players": ["A"]}'),
    Sent("game: no such option", "POST", "/api/v1/sessions", b'{"game":"yams","players":["A"],"options":{"a":1}}'),
    Sent("game: begun by player -1", "POST", "/api/v1/sessions", b'{"game": "yams", "players": ["A"], "first": -1}'),
    Sent("game: begun by 1e400", "POST", "/api/v1/sessions", b'{"game": "yams", "players": ["A"], "first": 1e400}'),
]  # fmt: skip

ADDRESSES = [
    get("parent", "/api/v1/sessions/../games", (OK, NOTHING)),
    get("parent, written otherwise", "/api/v1/sessions/%2e%2e%2f%2e%2e%2fetc%2fpasswd"),
    get("parent, twice", "/api/v1/sessions/%252e%252e"),
    get("10,000 letters", "/api/v1/sessions/" + "a" * 10_000),
    get("letters of elsewhere", "/api/v1/sessions/%F0%9F%8E%B2"),
    get("no letters at all", "/api/v1/sessions/%ff%fe"),
    get("NUL", "/api/v1/sessions/a%00b"),
    get("a quote", "/api/v1/sessions/'%20OR%201=1%20--"),
    get("markup", "/sessions/%3Cscript%3Ealert(1)%3C%2Fscript%3E"),
    get("a template", "/sessions/%7B%7Bconfig%7D%7D"),
    get("another host", "//evil.example/", WRONG),
    get("a box of another player", "/sessions/{id}/boxes/999999999999/ones"),
    get("a box of a player -1", "/sessions/{id}/boxes/-1/ones"),
    get("a box that is none", "/sessions/{id}/boxes/0/%3Cscript%3E"),
    get("a picture of roll -1", "/api/v1/sessions/{id}/live/picture?roll=-1", (WRONG, 204)),
    get("page 1e400 of the history", "/history?page=1e400&player=%00&game=%3Cscript%3E", OK),
    get("an export of another kind", "/history/games.html"),
    get("static files listed", "/static/"),
    get("a folder of static files listed", "/static/icons/"),
    get("source by the static files", "/static/../app.py"),
    get("source, written otherwise", "/static/%2e%2e/app.py"),
    get("source, on Windows", "/static/..%5capp.py"),
    get("source, doubly", "/static/....//app.py"),
    get("a file of the system", "/static//etc/passwd", (NOTHING, 308)),
    get("a file of the system by its address", "/static/file:///etc/passwd"),
    get("NUL among static files", "/static/app.css%00.js"),
    get("a name of 5,000 letters among static files", "/static/" + "a" * 5_000),
    get("templates", "/templates/base.html"),
    get("the key", "/games.db.key"),
    get("expected dice of 1e400", "/api/v1/read?expect=1e400", 405),
    Sent("address: deleted", "DELETE", "/api/v1/sessions/{id}", b"", 405),
    Sent("address: another method", "BREW", "/api/v1/sessions", b"", (405, 501)),
    Sent("address: traced", "TRACE", "/api/v1/sessions", b"", 405),
]

HEADERS = [
    change("a foreign host", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', WRONG, Host="evil.example"),
    change("a foreign origin", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, Origin="http://evil.example"),
    change("origin null", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, Origin="null"),
    change("another port's origin", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, Origin="http://localhost:8001"),
    change("an origin that begins alike", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, Origin="http://localhost.evil"),
    change("an origin that is none", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, Origin="javascript://localhost"),
    change("another site", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, Sec_Fetch_Site="cross-site"),
    change("the same site", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, Sec_Fetch_Site="same-site"),
    change("a site that is none", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, Sec_Fetch_Site="self"),
    change("no header of ours", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, X_Dicescribe=""),
    change("another value of ours", "rolls", f'{{"seq": {{seq}}, {ROLL}}}', NEVER, X_Dicescribe="2"),
    photo("from a foreign origin", hostile.JPEG, NEVER, Origin="http://evil.example"),
    photo("from our own page", hostile.JPEG, OK, Origin="http://localhost"),
    get("a cookie of 100 KB", "/", OK, Cookie="dicescribe_join=" + "a" * 100_000),
    get("a cookie of noise", "/", OK, Cookie='dicescribe_join="\xff\\"; ;=;'),
    get("a language of noise", "/", OK, Accept_Language="x" * 5_000 + ";q=1e400,../..,\xff"),
    get("a range of noise", "/static/app.css", (OK, 416), Range="bytes=99999999999-1,-0"),
    get("a date of noise", "/static/app.css", OK, If_Modified_Since="99/99/99999 99:99"),
    get("a host of noise", "/", WRONG, Host="localhost:80:80@evil.example"),
]  # fmt: skip

TABLE = [*PICTURES, *JSON, *SEQS, *NAMES, *ADDRESSES, *HEADERS]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The app as it is, with its own reader and decoders."""
    folder = tmp_path_factory.mktemp("hostile")
    app = create_app({"DATABASE": folder / "games.db", "CACHE": folder / "cache"})
    yield app
    app.extensions["dicescribe"].photos.close()


@pytest.fixture
def state(app: Flask) -> dict[str, Any]:
    """A sheet at play: Ana has rolled."""
    client = app.test_client()
    made = client.post("/api/v1/sessions", json={"game": "yams", "players": ["Ana", "Bo"]}, headers=CHANGE).json
    assert made is not None
    body = {"seq": 1, "dice": [2, 2, 4, 4, 4]}
    rolled = client.post(f"/api/v1/sessions/{made['id']}/rolls", json=body, headers=CHANGE).json
    assert isinstance(rolled, dict)
    return rolled


def test_there_are_many() -> None:
    assert len({sent.name for sent in TABLE}) == len(TABLE) >= 64


# Of a form that breaks off the library leaves what it had of it to the garbage collection.
@pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("sent", TABLE, ids=lambda sent: sent.name[:60])
def test_what_is_hostile_does_no_harm(app: Flask, state: dict[str, Any], sent: Sent) -> None:
    check(app, state, sent, sent.to(app.test_client(), state))


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_photo_cut_anywhere_is_refused(app: Flask, state: dict[str, Any], kind: str, root: Path) -> None:
    for data in hostile.cuts(hostile.small_sample(root, kind)):
        sent = photo("cut off", data, KIND)
        check(app, state, sent, sent.to(app.test_client(), state))


def check(app: Flask, state: dict[str, Any], sent: Sent, answer: TestResponse) -> None:
    """The status is among those expected, whoever is refused is told why, and nothing has changed."""
    expected = (sent.expects,) if isinstance(sent.expects, int) else sent.expects
    assert answer.status_code in expected, answer.data[:300]
    if answer.status_code >= 400:
        if sent.path.startswith("/api/"):
            said = answer.json
            assert isinstance(said, dict)
            assert said["error"].endswith(".")
            assert len(said["error"]) < 400
        else:
            assert b"<main" in answer.data
        assert b"Traceback" not in answer.data
    # Whatever came in is text wherever it comes out.
    if answer.mimetype == "text/html":
        assert b"<script>alert" not in answer.data
    client = app.test_client()
    assert client.get(f"/api/v1/sessions/{state['id']}").json == state


@pytest.mark.parametrize("sent", [sent for sent in NAMES if sent.expects == MADE], ids=lambda sent: sent.name)
def test_a_name_is_text_wherever_it_stands(app: Flask, state: dict[str, Any], sent: Sent) -> None:
    client = app.test_client()
    made = sent.to(client, state).json
    assert made is not None
    name = made["players"][0]["name"]
    client.post(f"/api/v1/sessions/{made['id']}/rolls", json={"seq": 1, "dice": [1, 1, 2, 3, 4]}, headers=CHANGE)
    client.post(f"/api/v1/sessions/{made['id']}/scores", json={"seq": 2, "box": "ones"}, headers=CHANGE)
    for path in ("", "/sheet", "/more", "/history", "/screen", "/boxes/0/ones"):
        page = client.get(f"/sessions/{made['id']}{path}")
        assert page.status_code == 200, path
        assert b"<script>alert" not in page.data
        assert b"<img src=x" not in page.data
    for path in ("/", "/history", "/statistics"):
        assert b"<script>alert" not in client.get(path).data
    table = client.get(f"/sessions/{made['id']}/game.csv").data.decode()
    # A spreadsheet would reckon what begins so.
    for row in csv.reader(io.StringIO(table)):
        for cell in row:
            assert cell[:1] not in set("=+-@\t\r"), row
    assert name.lstrip("=+-@") in table.replace('""', '"')


def test_a_link_out_of_the_static_files_leads_nowhere(app: Flask, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    static = tmp_path / "static"
    static.mkdir()
    (static / "inside.txt").write_text("open")
    (static / "link.txt").symlink_to(tmp_path / "secret.txt")
    (static / "folder").symlink_to(tmp_path)
    kept, app.static_folder = app.static_folder, str(static)
    try:
        client = app.test_client()
        assert client.get("/static/inside.txt", buffered=True).data == b"open"
        for path in ("link.txt", "folder/secret.txt", "folder", "../secret.txt"):
            answer = client.get(f"/static/{path}", buffered=True)
            assert answer.status_code == 404
            assert b"secret" not in answer.data
    finally:
        app.static_folder = kept
