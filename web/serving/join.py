"""Who may come in: the join code, forged requests, host names, security headers.

This machine's own pages (loopback) need no code. Every other machine shows the join code once, as the QR link's
`?code=…` or typed in, and from then on a cookie. Three further holes are closed here: a page elsewhere that sends
changes in a player's name (it can't send the header `X-Dicescribe`), a name elsewhere that is pointed at this
machine (DNS rebinding: only known names and plain addresses are answered), and guessing (wrong codes make a
machine wait).
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import ipaddress
import math
import os
import secrets
import socket
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from flask import Flask, Response, make_response, render_template, request
from flask_babel import gettext as _
from flask_babel import ngettext

from web.errors import Refused
from web.pages.addresses import without

COOKIE = "dicescribe_join"
# A browser that has the secure cookie of a name takes no other of that name: a table that speaks http today and spoke
# https yesterday would never be joined.
SECURE_COOKIE = "__Host-dicescribe_join"
COOKIE_SECONDS = 30 * 24 * 3600
HEADER = "X-Dicescribe"
# No letter or digit that can be taken for another one.
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 6

# Wrong codes that cost nothing, then the first wait in seconds, which doubles up to the longest.
FREE_TRIES = 5
FIRST_WAIT = 5.0
LONGEST_WAIT = 600.0
# Machines remembered at once; beyond it the one that tried longest ago is forgotten.
REMEMBERED = 1000

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class Key:
    """The table's secret; the code that people read and the cookie's value both follow from it."""

    secret: bytes

    @property
    def code(self) -> str:
        """Six letters and digits, the same for as long as the secret is kept."""
        number = int.from_bytes(self._derive(b"code"), "big")
        letters: list[str] = []
        while len(letters) < CODE_LENGTH:
            number, letter = divmod(number, len(ALPHABET))
            letters.append(ALPHABET[letter])
        return "".join(letters)

    @property
    def cookie(self) -> str:
        return self._derive(b"cookie").hex()

    def opens(self, code: str) -> bool:
        """Whether this is the join code, however it was typed (case, blanks and hyphens do not matter)."""
        typed = "".join(letter for letter in code.upper() if letter not in " -")
        return hmac.compare_digest(typed.encode(), self.code.encode())

    def _derive(self, purpose: bytes) -> bytes:
        return hmac.digest(self.secret, purpose, hashlib.sha256)


def load_key(path: Path) -> Key:
    """The key kept in `path`, made at the first call, so that phones stay joined after a restart.

    Raises OSError if the file can be neither read nor written.
    """
    try:
        secret = bytes.fromhex(path.read_text(encoding="ascii"))
        if len(secret) == 32:
            return Key(secret)
    except (FileNotFoundError, ValueError):
        pass
    secret = secrets.token_bytes(32)
    keep_secret(path, secret.hex())
    return Key(secret)


def keep_secret(path: Path, text: str) -> None:
    """Write a file that only its owner may read. Raises OSError if that can't be done."""
    # Written aside and moved into place: half a key would lock everyone out. The name of what is written aside can't
    # be known before, so nobody can have put a link there.
    number, aside = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(text)
        Path(aside).replace(path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


class Attempts:
    """Wrong codes per machine, and how long each must wait. Safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Seconds until the machine may try again; 0 if it may now."""
        with self._lock:
            _, until = self._wrong.get(_machine(address), (0, 0.0))
        return max(0.0, until - self._clock())

    def wrong(self, address: str) -> None:
        """Count one wrong code."""
        machine = _machine(address)
        with self._lock:
            count = self._wrong.pop(machine, (0, 0.0))[0] + 1
            over = count - FREE_TRIES
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(over, 20)) if over >= 0 else 0.0
            self._wrong[machine] = (count, self._clock() + wait)
            while len(self._wrong) > REMEMBERED:
                self._wrong.popitem(last=False)

    def right(self, address: str) -> None:
        """Forget the wrong codes of a machine that has joined."""
        with self._lock:
            self._wrong.pop(_machine(address), None)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0] if ":" in text else text)  # only IPv6 has zones
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def _machine(text: str) -> str:
    """An address as one machine: of IPv6 the network part, since a machine picks the rest as it likes."""
    address = _address(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address or text)


def is_this_machine(text: str | None) -> bool:
    """Whether a request came over the loopback interface."""
    address = _address(text or "")
    return address is not None and address.is_loopback


def lan_addresses() -> list[str]:
    """This machine's addresses for the phones on its network, the most likely one first."""
    found: list[str] = []
    # Connecting a datagram socket sends nothing; it only asks which own address leads outside.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not is_this_machine(address) and address != "0.0.0.0"]


def own_names() -> frozenset[str]:
    """The names under which this machine may be asked for on its network."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, name.partition(".")[0], name.partition(".")[0] + ".local"} - {"", ".local"})


def is_known_host(header: str, names: Iterable[str]) -> bool:
    """Whether the `Host` header is a plain address or one of `names`.

    A page elsewhere can point a NAME of its own at this machine and so pass for it; it can't do that with an address.
    """
    host = header.strip().lower()
    if host.startswith("["):
        host, bracket, port = host[1:].partition("]")
        if not bracket or _address(host) is None:
            return False
        return port == "" or (port.startswith(":") and port[1:].isdecimal())
    host, colon, port = host.partition(":")
    if colon and not port.isdecimal():
        return False
    return _address(host) is not None or host.rstrip(".") in names


def is_same_origin(origin: str, host: str) -> bool:
    """Whether the `Origin` header is a page of the very host and port that the `Host` header names."""
    scheme, _, place = origin.lower().partition("://")
    return scheme in ("http", "https") and place == host.lower()


def guard(
    app: Flask, key: Key, names: Iterable[str] = (), attempts: Attempts | None = None, *, https: bool = False
) -> None:
    """Put the checks before every request of `app` and the headers after it.

    `names` are further host names to answer to. `https`: nothing is done for who speaks plain http.
    """
    known = own_names() | {name.lower() for name in names}
    tries = attempts or Attempts()

    def check_host() -> None:
        if not is_known_host(request.headers.get("Host", ""), known):
            raise Refused(400, _("This is not an address of this table: open the address that dicescribe printed."))

    def check_scheme() -> Response | None:
        return _elsewhere("https" + request.url.removeprefix("http")) if https and not request.is_secure else None

    def check_join() -> Response | None:
        if request.endpoint == "static":
            return None
        local = is_this_machine(request.remote_addr)
        cookie = SECURE_COOKIE if request.is_secure else COOKIE
        joined = local or hmac.compare_digest(request.cookies.get(cookie, "").encode(), key.cookie.encode())
        code = request.args.get("code") if request.method == "GET" else None
        if joined and code is None:
            return None
        if joined:  # the code stays out of the history and out of shared links
            return without("code")
        if code is None:
            return _ask_for_code(403, "")
        address = request.remote_addr or ""
        wait = tries.wait(address)
        if wait > 0:
            seconds = math.ceil(wait)
            words = ngettext(
                "Too many wrong codes. Wait %(num)s second, then try again.",
                "Too many wrong codes. Wait %(num)s seconds, then try again.",
                seconds,
            )
            return _ask_for_code(429, words, seconds)
        if not key.opens(code):
            tries.wrong(address)
            return _ask_for_code(403, _("That is not this table's code."))
        tries.right(address)
        answer = without("code")
        answer.set_cookie(
            cookie, key.cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", secure=request.is_secure
        )
        return answer

    def check_forgery() -> None:
        if request.method in ("GET", "HEAD", "OPTIONS") or request.routing_exception is not None:
            return  # nothing is changed, at the latter as there is nothing that could
        site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
        # Older browsers say only where the page is from; of a page that keeps that to itself they say "null".
        ours = origin is None or is_same_origin(origin, request.host) or (origin == "null" and site == "same-origin")
        if site not in (None, "same-origin", "none") or not ours:
            raise Refused(403, _("Another site's page can't do this."))
        # Reading a photo changes nothing, so a plain `curl` may do it without the header.
        if request.endpoint != "api.read" and request.headers.get(HEADER) != "1":
            raise Refused(403, f"A change needs the header `{HEADER}: 1`.", field=HEADER)

    def add_headers(response: Response) -> Response:
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    app.before_request(check_host)
    app.before_request(check_scheme)
    app.before_request(check_join)
    app.before_request(check_forgery)
    app.after_request(add_headers)


def _elsewhere(url: str) -> Response:
    """Sends who reads a page to `url`, and says it to everybody else."""
    said = _("This table speaks https, not http: open %(url)s instead.", url=url)
    if request.method not in ("GET", "HEAD") or request.path.startswith("/api/"):
        raise Refused(400, said)
    return Response(said, 307, {"Location": url}, mimetype="text/plain")


def _ask_for_code(status: int, message: str, retry_after: int | None = None) -> Response:
    if request.path.startswith("/api/"):
        reason = message or _("This machine has not joined the table: open the link with the join code first.")
        raise Refused(status, reason, retry_after=retry_after)
    answer = make_response(render_template("join.html", message=message), status)
    if retry_after is not None:
        answer.headers["Retry-After"] = str(retry_after)
    return answer
