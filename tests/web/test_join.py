"""Who may come in: join code, host names, forged requests, security headers."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.conftest import CHANGE
from web import create_app
from web.serving.join import (
    ALPHABET,
    COOKIE,
    FIRST_WAIT,
    FREE_TRIES,
    LONGEST_WAIT,
    REMEMBERED,
    Attempts,
    Key,
    is_known_host,
    is_this_machine,
    load_key,
)

if TYPE_CHECKING:
    from tests.web.conftest import Player

PHONE: dict[str, Any] = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture
def code(app: Flask) -> str:
    code = app.extensions["dicescribe"].key.code
    assert isinstance(code, str)
    return code


def _wrong(code: str) -> str:
    return ("A" if code[0] != "A" else "B") + code[1:]


# ---- The code


def test_the_code_is_short_and_has_no_look_alikes() -> None:
    code = Key(b"x" * 32).code
    assert re.fullmatch(f"[{ALPHABET}]{{6}}", code)
    assert not set("01ILO") & set(ALPHABET)
    assert len({Key(bytes([n]) * 32).code for n in range(100)}) == 100


def test_the_code_may_be_typed_as_people_type() -> None:
    key = Key(b"x" * 32)
    typed = f" {key.code[:3].lower()}-{key.code[3:].lower()} "
    assert key.opens(typed)
    for wrong in ("", key.code[:5], key.code + "A", _wrong(key.code), "é", "\0" * 6):
        assert not key.opens(wrong)


def test_the_key_stays_after_a_restart_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "games.db.key"
    key = load_key(path)
    assert load_key(path) == key
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0
    path.write_text("no key")
    assert load_key(path) != key


def test_a_phone_that_has_joined_stays_joined_after_a_restart(client: FlaskClient, code: str, database: Path) -> None:
    client.get(f"/?code={code}", environ_base=PHONE)
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    again = create_app({"DATABASE": database}).test_client()
    again.set_cookie(COOKIE, cookie.value)
    assert again.get("/", environ_base=PHONE).status_code == 200


def test_this_machine_needs_no_code(client: FlaskClient) -> None:
    for address in ("127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"):
        assert client.get("/", environ_base={"REMOTE_ADDR": address}).status_code == 200


def test_another_machine_is_asked_for_the_code_everywhere(client: FlaskClient, player: Player, photo: bytes) -> None:
    state = player.start()
    for path in ("/", f"/sessions/{state['id']}", f"/sessions/{state['id']}/sheet", "/nothing"):
        answer = client.get(path, environ_base=PHONE)
        assert answer.status_code == 403
        assert b"Join the table" in answer.data
        assert b"Ana" not in answer.data
    for path in ("/games", "/sessions", f"/sessions/{state['id']}", "/openapi.json"):
        answer = client.get(f"/api/v1{path}", environ_base=PHONE)
        assert answer.status_code == 403
        assert answer.json is not None
        assert "join code" in answer.json["error"]
    answer = client.post(
        f"/api/v1/sessions/{state['id']}/rolls",
        json={"seq": 1, "dice": [1, 2, 3, 4, 5]},
        headers=CHANGE,
        environ_base=PHONE,
    )
    assert answer.status_code == 403
    assert client.post("/api/v1/read", data=photo, environ_base=PHONE).status_code == 403
    assert player.get(f"/sessions/{state['id']}").json == state
    # The look of the page that asks is no secret.
    assert client.get("/static/app.css", environ_base=PHONE, buffered=True).status_code == 200


def test_the_link_joins_once_and_leaves_no_code_behind(client: FlaskClient, player: Player, code: str) -> None:
    state = player.start()
    answer = client.get(f"/sessions/{state['id']}?seq=3&code={code.lower()}", environ_base=PHONE)
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/sessions/{state['id']}?seq=3"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert code not in cookie
    assert client.get(answer.headers["Location"], environ_base=PHONE).status_code == 200
    body = {"seq": 1, "dice": [1, 2, 3, 4, 5]}
    path = f"/api/v1/sessions/{state['id']}/rolls"
    assert client.post(path, json=body, headers=CHANGE, environ_base=PHONE).status_code == 200


def test_a_forged_cookie_does_not_join(client: FlaskClient, code: str) -> None:
    for value in ("1", code, "", "0" * 64, "\u00e9"):
        client.set_cookie(COOKIE, value)
        assert client.get("/", environ_base=PHONE).status_code == 403


def test_the_redirect_never_leaves_this_machine(client: FlaskClient, code: str) -> None:
    # As a server gives them on: the client would take the first for another host's address, and ask there.
    for path in ("//evil.example/", "/\\evil.example/", "///evil.example", "/\r\nLocation: //evil.example", "/\xff"):
        answer = client.get(query_string={"code": code}, environ_base=PHONE, environ_overrides={"PATH_INFO": path})
        assert answer.status_code == 303
        target = answer.headers["Location"]
        assert target.startswith("/")
        assert not target.startswith(("//", "/\\"))


# ---- Guessing


def test_wrong_codes_make_a_machine_wait_and_no_other(client: FlaskClient, code: str) -> None:
    for _ in range(FREE_TRIES):
        answer = client.get(f"/?code={_wrong(code)}", environ_base=PHONE)
        assert answer.status_code == 403
        assert b"not this table&#39;s code" in answer.data
    # Now even the right one has to wait: else guessing would only need to be patient in parallel.
    answer = client.get(f"/?code={code}", environ_base=PHONE)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= FIRST_WAIT
    answer = client.get(f"/api/v1/games?code={code}", environ_base=PHONE)
    assert answer.status_code == 429
    assert answer.json is not None
    assert "Wait" in answer.json["error"]
    assert int(answer.headers["Retry-After"]) > 0
    other = client.get(f"/?code={code}", environ_base={"REMOTE_ADDR": "192.0.2.8"})
    assert other.status_code == 303


def test_the_wait_doubles_and_is_forgotten_by_the_right_code() -> None:
    now = 1000.0
    attempts = Attempts(lambda: now)
    for _ in range(FREE_TRIES - 1):
        attempts.wrong("192.0.2.7")
        assert attempts.wait("192.0.2.7") == 0
    waits = []
    for _ in range(12):
        attempts.wrong("192.0.2.7")
        waits.append(attempts.wait("192.0.2.7"))
        now += waits[-1]
    assert waits[:4] == [FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT, 8 * FIRST_WAIT]
    assert waits[-1] == LONGEST_WAIT
    attempts.right("192.0.2.7")
    attempts.wrong("192.0.2.7")
    assert attempts.wait("192.0.2.7") == 0


def test_one_ipv6_machine_is_one_machine_and_the_memory_is_bounded() -> None:
    attempts = Attempts(lambda: 0.0)
    for n in range(FREE_TRIES):
        attempts.wrong(f"2001:db8::{n}")
    assert attempts.wait("2001:db8::ffff") == FIRST_WAIT
    assert attempts.wait("2001:db8:0:1::1") == 0
    for n in range(REMEMBERED):
        attempts.wrong(f"10.0.{n // 256}.{n % 256}")
    assert attempts.wait("2001:db8::1") == 0


# ---- Hosts, other sites, headers


@pytest.mark.parametrize(
    "host, known",
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("LOCALHOST.", True),
        ("127.0.0.1:8000", True),
        ("192.168.1.20:8000", True),
        ("[::1]:8000", True),
        ("[fe80::1]", True),
        ("table.local", True),
        ("evil.example", False),
        ("evil.example:8000", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost:evil", False),
        ("[::1", False),
        ("[evil]:80", False),
        ("[::1]evil.example", False),
        ("::1", False),
        ("", False),
        ("localhost, evil.example", False),
        ("[fe80::1%25eth0]:8000", True),
        ("127.0.0.1%evil.example", False),
    ],
)
def test_only_known_hosts_are_answered(host: str, known: bool) -> None:
    assert is_known_host(host, {"localhost", "table.local"}) is known


def test_a_foreign_name_that_points_here_gets_nothing(client: FlaskClient) -> None:
    for path in ("/", "/api/v1/sessions", "/static/app.css"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 400
        assert b"table" in answer.data


@pytest.mark.parametrize("host", [".local", "a..b", "-.", "x" * 70])
def test_a_host_that_is_no_name_at_all_gets_nothing_either(client: FlaskClient, host: str) -> None:
    for path in ("/", "/api/v1/sessions", "/static/app.css"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 400
        assert b"not an address of this table" in answer.data


def test_further_host_names_can_be_given(database: Path) -> None:
    client = create_app({"DATABASE": database, "HOSTS": ("Dice.Example",)}).test_client()
    assert client.get("/", headers={"Host": "dice.example:8000"}).status_code == 200


def test_loopback_is_loopback_only() -> None:
    assert [is_this_machine(text) for text in ("127.0.0.1", "::1", "10.0.0.1", "0.0.0.0", "", None)] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_another_sites_page_can_do_nothing(client: FlaskClient, photo: bytes) -> None:
    for site in ("cross-site", "same-site"):
        headers = {**CHANGE, "Sec-Fetch-Site": site}
        body = {"game": "yams", "players": ["Ana"]}
        assert client.post("/api/v1/sessions", json=body, headers=headers).status_code == 403
        assert client.post("/api/v1/read", data=photo, headers=headers).status_code == 403
    # No answer lets another origin read or send more than it may anyway.
    for method in ("GET", "OPTIONS"):
        answer = client.open("/api/v1/sessions", method=method, headers={"Origin": "http://evil.example"})
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


def test_every_answer_has_the_security_headers(client: FlaskClient, player: Player, code: str) -> None:
    state = player.start()
    answers = [
        client.get("/"),
        client.get(f"/sessions/{state['id']}"),
        client.get("/api/v1/sessions"),
        client.get("/nothing"),
        client.get("/static/app.css", buffered=True),
        client.get("/", environ_base=PHONE),
        client.get(f"/?code={code}", environ_base=PHONE),
        client.get("/", headers={"Host": "evil.example"}),
    ]
    for answer in answers:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answers[0].headers["Cache-Control"] == "no-store"
