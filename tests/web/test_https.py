"""`serve --https`: the certificate, TLS on the wire whatever comes over it, and the table behind it."""

from __future__ import annotations

import http.client
import io
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from flask import Flask, Response, request
from flask.testing import FlaskClient

from scorekeeper.events import Rolled
from scorekeeper.session import new_game
from tests.web.acted import until
from tests.web.browsing import serve
from tests.web.conftest import CHANGE
from web import create_app
from web.serving.certificate import names_here, tls_context
from web.serving.join import COOKIE, SECURE_COOKIE
from web.serving.server import THREADS, CannotServe, open_tls, print_addresses
from web.table import Table

if TYPE_CHECKING:
    from tests.web.conftest import Run

HERE = ("localhost", "127.0.0.1", "::1", "192.0.2.5")
NOW = datetime(2026, 5, 1, tzinfo=UTC)
PHONE: dict[str, Any] = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tls") / "games.db.pem"
    tls_context(path, HERE)
    return path


@pytest.fixture(scope="module")
def trusting(pem: Path) -> ssl.SSLContext:
    """A client that trusts this certificate, and checks the name."""
    return ssl.create_default_context(cafile=pem)


@pytest.fixture(scope="module")
def echo(pem: Path) -> Iterator[int]:
    """The port of an app that says back what it is sent."""
    app = Flask("echo")

    @app.post("/")
    def back() -> Response:
        return Response(request.get_data(), headers={"X-From": request.remote_addr or "", "X-Scheme": request.scheme})

    for address in serve(app, tls_context(pem, HERE)):
        yield int(address.rpartition(":")[2])


@pytest.fixture
def table(database: Path, cache: Path, pem: Path) -> Iterator[int]:
    app = create_app({"DATABASE": database, "CACHE": cache, "HTTPS": True})
    for address in serve(app, tls_context(pem, HERE)):
        yield int(address.rpartition(":")[2])


def _post(port: int, trusting: ssl.SSLContext, body: bytes, path: str = "/") -> http.client.HTTPResponse:
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=20, context=trusting)
    connection.request("POST", path, body, CHANGE)
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def _body(answer: http.client.HTTPResponse) -> bytes:
    body: bytes = answer.body  # type: ignore[attr-defined]
    return body


# ---- The certificate


def _certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_the_certificate_holds_this_machines_names_and_no_phone_finds_it_too_long_valid(pem: Path) -> None:
    certificate = _certificate(pem)
    held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(address) for address in held.get_values_for_type(x509.IPAddress)} == set(HERE[1:])
    assert held.get_values_for_type(x509.DNSName) == ["localhost"]
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc <= timedelta(days=825)


def test_only_its_owner_reads_the_key(pem: Path) -> None:
    assert b"PRIVATE KEY" in pem.read_bytes()
    if os.name == "posix":
        assert pem.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in pem.parent.iterdir()] == [pem.name]


def test_a_certificate_that_still_does_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "pem"
    tls_context(path, HERE, NOW)
    made = path.read_bytes()
    # The network may be gone for a while; the address is still in it when it is back.
    tls_context(path, HERE[:3], NOW + timedelta(days=700))
    tls_context(path, HERE, NOW - timedelta(hours=1))
    assert path.read_bytes() == made


@pytest.mark.parametrize(
    "names, days", [((*HERE, "192.0.2.6"), 0), ((*HERE, "table.local"), 0), (HERE, 790), (HERE, 900), (HERE, -2)]
)
def test_a_certificate_that_no_longer_does_is_made_anew(tmp_path: Path, names: tuple[str, ...], days: int) -> None:
    path = tmp_path / "pem"
    tls_context(path, HERE, NOW)
    made = path.read_bytes()
    later = NOW + timedelta(days=days)
    tls_context(path, names, later)
    assert path.read_bytes() != made
    assert _certificate(path).not_valid_before_utc < later < _certificate(path).not_valid_after_utc


def test_a_broken_file_is_made_anew(tmp_path: Path, pem: Path) -> None:
    path = tmp_path / "pem"
    tls_context(path, HERE)
    key, begin, rest = path.read_text().partition("-----BEGIN CERTIFICATE-----")
    others = pem.read_text().partition(begin)[2]
    for broken in ("", "no certificate", key, begin + rest, key + begin + others, (key + begin + rest)[:-100]):
        path.write_text(broken)
        tls_context(path, HERE)
        assert path.read_text() != broken
        assert ssl.create_default_context(cafile=path).cert_store_stats()["x509"] == 1


def test_odd_names_of_a_machine_do_no_harm(tmp_path: Path) -> None:
    tls_context(tmp_path / "pem", ("fe80::1%eth0", "büro", "x" * 70, "some_name"))
    assert "büro" not in str(_certificate(tmp_path / "pem").extensions)


def test_the_names_here_are_all_that_a_phone_or_this_machine_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serving.certificate.lan_addresses", lambda: ["192.0.2.5"])
    assert names_here("Dice.Example") >= {*HERE, "dice.example"}


def test_a_certificate_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "games.db.pem").mkdir()
    with pytest.raises(CannotServe, match=r"games\.db\.pem can't be used"):
        open_tls(tmp_path / "games.db")


# ---- On the wire


def test_the_name_is_checked_and_found_right(echo: int, trusting: ssl.SSLContext) -> None:
    for host in ("localhost", "127.0.0.1"):
        with urllib.request.urlopen(f"https://{host}:{echo}/", b"dice", timeout=20, context=trusting) as answer:
            assert (answer.status, answer.read()) == (200, b"dice")
            assert answer.headers["X-Scheme"] == "https"
            assert answer.headers["X-From"] == "127.0.0.1"
            assert "Server" not in answer.headers


def test_large_bodies_come_and_go_unchanged_many_at_once(echo: int, trusting: ssl.SSLContext) -> None:
    bodies = [os.urandom(3_000_000 + n) for n in range(8)]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda body: _post(echo, trusting, body), bodies))
    assert [_body(answer) for answer in answers] == bodies


def test_a_connection_is_used_again(echo: int, trusting: ssl.SSLContext) -> None:
    connection = http.client.HTTPSConnection("127.0.0.1", echo, timeout=20, context=trusting)
    connection.connect()
    wire = connection.sock
    for size in (0, 1, 16_384, 16_385, 100_000):
        connection.request("POST", "/", b"x" * size)
        assert connection.getresponse().read() == b"x" * size
    assert connection.sock is wire
    connection.close()


def test_two_requests_in_one_record_are_both_answered(echo: int, trusting: ssl.SSLContext) -> None:
    asked = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"
    with (
        socket.create_connection(("127.0.0.1", echo), 20) as plain,
        trusting.wrap_socket(plain, server_hostname="localhost") as wire,
    ):
        wire.sendall(asked + b"dice" + asked + b"rice")
        said = b""
        while b"rice" not in said:
            more = wire.recv(65_536)
            assert more
            said += more
    assert said.index(b"dice") < said.index(b"rice")


def test_neither_silence_nor_nonsense_keeps_others_waiting(echo: int, trusting: ssl.SSLContext) -> None:
    hello = ssl.MemoryBIO()
    client = trusting.wrap_bio(ssl.MemoryBIO(), hello, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    half = hello.read()[:50]
    with ExitStack() as opened:
        for _ in range(THREADS):
            for sent in (b"", half, b"\x16nonsense" * 20, b"\x80\x01", b"GET / HT"):
                wire = opened.enter_context(socket.create_connection(("127.0.0.1", echo), 20))
                wire.sendall(sent)
        socket.create_connection(("127.0.0.1", echo), 20).close()
        assert _body(_post(echo, trusting, b"dice")) == b"dice"


def test_a_client_that_does_not_trust_it_or_leaves_in_the_middle_does_no_harm(
    echo: int, trusting: ssl.SSLContext
) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        _post(echo, ssl.create_default_context(), b"dice")
    with pytest.raises(ssl.SSLCertVerificationError), socket.create_connection(("127.0.0.1", echo), 20) as plain:
        trusting.wrap_socket(plain, server_hostname="other.example")
    with socket.create_connection(("127.0.0.1", echo), 20) as plain:
        wire = trusting.wrap_socket(plain, server_hostname="localhost")
        wire.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n" + b"x" * 100_000)
        wire.close()
    assert _body(_post(echo, trusting, b"dice")) == b"dice"


# ---- The table


def test_a_game_is_played_over_https(table: int, trusting: ssl.SSLContext) -> None:
    connection = http.client.HTTPSConnection("localhost", table, timeout=20, context=trusting)
    body = json.dumps({"game": "yams", "players": ["Ana"]})
    connection.request(
        "POST", "/api/v1/sessions", body, CHANGE | {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
    )
    answer = connection.getresponse()
    assert answer.status == 201
    path = f"/sessions/{json.loads(answer.read())['id']}"
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200
    assert b"Ana" in answer.read()
    assert answer.headers["Strict-Transport-Security"] is None  # the same machine may speak http tomorrow
    connection.close()


def test_changes_are_told_over_https_and_who_has_gone_is_noticed(
    database: Path, cache: Path, pem: Path, trusting: ssl.SSLContext
) -> None:
    app = create_app({"DATABASE": database, "CACHE": cache, "HTTPS": True})
    held: Table = app.extensions["dicescribe"]
    for address in serve(app, tls_context(pem, HERE)):
        session_id = held.store.create(new_game("yams", ["Ana"]))
        phones = [http.client.HTTPSConnection(address[8:], timeout=20, context=trusting) for _ in range(4)]
        streams = []
        for phone in phones:
            phone.request("GET", f"/api/v1/sessions/{session_id}/events")
            streams.append(phone.getresponse())
        assert [_next_seq(stream) for stream in streams] == [1] * 4
        held.store.append(session_id, 1, Rolled(dice=(2, 2, 4, 4, 4)))
        assert [_next_seq(stream) for stream in streams] == [2] * 4
        for phone, stream in zip(phones, streams, strict=True):
            stream.close()
            phone.close()
        until(lambda: len(held.changes) == 0)


def _next_seq(stream: http.client.HTTPResponse) -> int:
    return next(int(line[4:]) for line in iter(stream.readline, b"") if line.startswith(b"id: "))


def test_a_too_large_upload_gets_a_sentence(table: int, trusting: ssl.SSLContext) -> None:
    answer = _post(table, trusting, b"x" * (41 * 2**20), "/api/v1/read")
    assert answer.status == 413
    assert b"40 MB" in _body(answer)


def test_plain_http_is_told_to_use_https(table: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", table, timeout=20)
    connection.request("GET", "/?code=ABC234")
    answer = connection.getresponse()
    assert answer.status == 307
    assert answer.headers["Location"] == f"https://127.0.0.1:{table}/?code=ABC234"
    assert f"open https://127.0.0.1:{table}/" in answer.read().decode()
    connection.request("POST", "/api/v1/sessions", "{}", CHANGE | {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 400
    assert f"open https://127.0.0.1:{table}/" in json.loads(answer.read())["error"]
    # Nobody is sent to a name that somebody else has pointed here.
    connection.request("GET", "/", headers={"Host": "evil.example"})
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (400, None)
    connection.close()


@pytest.fixture
def secure(database: Path, cache: Path) -> FlaskClient:
    return create_app({"DATABASE": database, "CACHE": cache, "HTTPS": True}).test_client()


def test_the_cookie_of_a_joined_phone_goes_over_https_alone(secure: FlaskClient, database: Path, cache: Path) -> None:
    code = secure.application.extensions["dicescribe"].key.code
    answer = secure.get(f"/?code={code}", base_url="https://localhost", environ_base=PHONE)
    assert answer.status_code == 303
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"{SECURE_COOKIE}=")
    assert "; Secure" in cookie
    assert secure.get("/", base_url="https://localhost", environ_base=PHONE).status_code == 200
    # Over http a browser would neither send it nor let another of its name be set.
    plain = create_app({"DATABASE": database, "CACHE": cache}).test_client()
    assert plain.get(f"/?code={code}", environ_base=PHONE).headers["Set-Cookie"].startswith(f"{COOKIE}=")
    assert "Secure" not in plain.get(f"/?code={code}", environ_base=PHONE).headers.get("Set-Cookie", "")
    assert plain.get("/", environ_base=PHONE).status_code == 200


def test_another_machine_is_asked_for_the_code(secure: FlaskClient) -> None:
    assert secure.get("/", base_url="https://localhost", environ_base=PHONE).status_code == 403


def test_the_page_says_what_the_phone_will_warn_of(
    secure: FlaskClient, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pages.sheet.lan_addresses", lambda: ["192.0.2.5"])
    said = secure.get("/", base_url="https://localhost:8000").text
    assert "https://192.0.2.5:8000" in said
    assert "Show Details" in said
    assert "Show Details" not in client.get("/").text


# ---- The command


def test_the_addresses_are_of_https_and_the_warning_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serving.server.lan_addresses", lambda: ["192.0.2.5"])
    out = io.StringIO()
    print_addresses(None, 8000, "ABC234", out, https=True)
    assert "https://localhost:8000/" in out.getvalue()
    assert "https://192.0.2.5:8000/?code=ABC234" in out.getvalue()
    assert "http://" not in out.getvalue()
    assert "Show Details" in out.getvalue()


def test_https_is_an_option_of_serve(run: Run, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("web.serving.server.serve", lambda *_, https: asked.append(https))
    assert run("serve", "--https").code == 0
    assert asked == [True]
    with pytest.raises(SystemExit):
        run("serve", "--help")
    assert "--https" in capsys.readouterr().out


def test_a_server_keeps_its_certificate_and_ends_when_told(database: Path) -> None:
    program = "import sys; from web.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "serve", "--https", "--port", "0", "--host", "127.0.0.1", "--db"]
    made = set()
    for _ in range(2):
        with subprocess.Popen(
            [*command, str(database)],
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # whatever who runs the tests ignores
        ) as process:
            end = threading.Timer(60, process.kill)
            end.start()
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            pem = database.with_name(database.name + ".pem")
            made.add(pem.read_bytes())
            trusting = ssl.create_default_context(cafile=pem)
            with urllib.request.urlopen(f"{address}api/v1/sessions", timeout=20, context=trusting) as answer:
                assert json.loads(answer.read()) == []
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
            end.cancel()
    assert len(made) == 1
