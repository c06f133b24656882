"""The server at the table: its sockets, the addresses and the QR code that it prints."""

from __future__ import annotations

import contextlib
import errno
import logging
import socket
import ssl
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import segno
from flask import Flask
from waitress.server import BaseWSGIServer, MultiSocketServer, create_server
from waitress.task import ThreadedTaskDispatcher

from scorekeeper.errors import StoreError
from vision.camera import find
from vision.devices import Source
from vision.errors import CameraError
from web import create_app
from web.serving.changes import PLACES
from web.serving.join import lan_addresses
from web.serving.tls import speak_tls
from web.table import Table, default_database

try:
    import resource
except ImportError:  # Windows, which sets no such limit
    resource = None  # type: ignore[assignment]

PORT = 8000
# Requests that are answered at once. Photos wait for their turn in a thread of their own kind of work (see api.py),
# so there have to be more threads than photos that may wait.
THREADS = 24
# Enough for 50 phones with all the lines that a browser may open, and those who listen.
CONNECTIONS = 500
# Seconds after which a phone that has vanished without a word is taken for gone, where the system can tell.
VANISHED = 60
# Bodies up to here are taken in (to a file), so that a too large photo gets a sentence instead of a dropped line.
BODY_BYTES = 128 * 1024 * 1024


WARNING = """\
Each browser warns once that the connection is not private: the certificate is this computer's own, and nobody else
vouches for it. In Chrome tap Advanced, then Proceed; on an iPhone Show Details, then visit this website; in Firefox
Advanced, then Accept the Risk."""


class Threads(ThreadedTaskDispatcher):
    """The threads that answer, which end at once when they are told to, since those who listen are told first."""

    def __init__(self, count: int, ending: Callable[[], None]) -> None:
        super().__init__()
        self._ending = ending
        self.set_thread_count(count)

    def shutdown(self, cancel_pending: bool = True, timeout: int = 5) -> bool:
        """Stop all threads; says whether what still waited was given up."""
        self._ending()
        return super().shutdown(cancel_pending, timeout)


class CannotServe(Exception):
    """The server can't start; the message says why and what to do."""


def serve(
    host: str | None = None,
    port: int = PORT,
    db: Path | None = None,
    threads: int | None = None,
    camera: Source | None = None,
    *,
    https: bool = False,
) -> None:
    """Serve the page until interrupted. `host` None: all addresses; `port` 0: any free one.

    `threads`: CPU cores to read a photo with; None: all. `camera`: this computer's camera, for games to be followed by.
    `https`: with a certificate of this machine's own, kept beside the database.

    Raises CannotServe if the port is taken, the host is not this machine's or the database can't be written.
    """
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(listener) for listener in listen(host, port)]
        db = db or default_database()
        app = open_app(db, host, threads, camera, https=https)
        context = open_tls(db, host) if https else None
        server = make_server(app, sockets, THREADS, context)
        table: Table = app.extensions["dicescribe"]
        print_addresses(host, sockets[0].getsockname()[1], table.key.code, sys.stdout, camera, https=https)
        opened.callback(table.photos.close)
        opened.callback(table.advisors.close)
        opened.callback(table.live.close)
        table.photos.get_ready()
        server.run()


def make_server(
    app: Flask, sockets: list[socket.socket], threads: int, tls: ssl.SSLContext | None = None
) -> MultiSocketServer | BaseWSGIServer:
    """The server of `app` on these sockets, to be run; with `tls` it speaks https.

    `threads`: requests that are answered at once, beside those who only listen for changes.
    """
    # That a request waits for its turn a moment is nothing to write on the terminal about.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    parts: dict[int, Any] = {}  # waitress puts a server for each socket in here
    table: Table | None = app.extensions.get("dicescribe")
    _allow_connections()
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        for listener in sockets:
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED * 1000)
    server = create_server(
        app,
        map=parts,
        sockets=sockets,
        _dispatcher=Threads(threads + PLACES, table.changes.close if table else lambda: None),
        connection_limit=CONNECTIONS,
        channel_request_lookahead=1,  # only who reads on while it answers hears that a phone has gone
        ident="",
        max_request_body_size=BODY_BYTES,
        asyncore_use_poll=True,
    )
    if tls is not None:
        for part in parts.values():
            if isinstance(part, BaseWSGIServer):
                speak_tls(part, tls)
    return server


def _allow_connections() -> None:
    """Some systems let a program have only 256 files and connections open unless it asks for more."""
    if resource is not None:
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = CONNECTIONS + 256
        if now != resource.RLIM_INFINITY and now < wanted:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, most) if most > 0 else wanted, most))


def camera_line(camera: Source) -> str:
    """Which camera games can be followed by; or why none, though it is tried again each time that one is."""
    try:
        return f"Camera:            {find(camera).name}"
    except CameraError as problem:
        return f"Camera:            {problem}"


def open_app(
    db: Path,
    host: str | None = None,
    threads: int | None = None,
    camera: Source | None = None,
    *,
    https: bool = False,
) -> Flask:
    """The app on the database `db`, which is made if missing. Raises CannotServe if it can't be written."""
    config = {
        "DATABASE": db,
        "HOSTS": (host,) if host else (),
        "THREADS": threads,
        "CAMERA": camera,
        "HTTPS": https,
    }
    try:
        return create_app(config)
    except StoreError as problem:
        raise CannotServe(str(problem)) from problem
    except OSError as problem:
        raise CannotServe(
            f"The database {db} can't be written ({problem.strerror or problem}): name another file with --db."
        ) from problem


def open_tls(db: Path, host: str | None = None) -> ssl.SSLContext:
    """What is needed to speak https, with the certificate kept beside the database. Raises CannotServe."""
    from web.serving.certificate import names_here, tls_context

    path = db.with_name(db.name + ".pem")
    try:
        return tls_context(path, names_here(host))
    except OSError as problem:
        raise CannotServe(
            f"The certificate {path} can't be used ({problem.strerror or problem}): remove it, or leave --https out."
        ) from problem


def listen(host: str | None, port: int) -> list[socket.socket]:
    """Sockets that listen on `host`, or on every address of both families. Raises CannotServe."""
    if not 0 <= port <= 65535:
        raise CannotServe(f"There is no port {port}: use --port with a number from 1 to 65535.")
    try:
        if host is not None:
            family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            return [socket.create_server(address[:2], family=family)]
        four = socket.create_server(("", port))
    except OverflowError as problem:
        raise CannotServe(f"There is no port {port}: use --port with a number from 1 to 65535.") from problem
    except (socket.gaierror, UnicodeError) as problem:  # Unicode: no name could be so
        raise CannotServe(f"{host} is not an address of this machine: leave --host out to listen on all.") from problem
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            why = f"Port {port} is taken, perhaps by another dicescribe: stop that one or choose another with --port."
        elif problem.errno == errno.EACCES:
            why = f"Port {port} may not be used by you: choose one above 1023 with --port."
        elif problem.errno == errno.EADDRNOTAVAIL:
            why = f"{host} is not an address of this machine: leave --host out to listen on all."
        else:
            why = f"Can't listen on port {port} ({problem}): choose another with --port."
        raise CannotServe(why) from problem
    sockets = [four]
    if socket.has_ipv6:
        # Some machines have IPv6 switched off; the page works without.
        with contextlib.suppress(OSError):
            sockets.append(socket.create_server(("", four.getsockname()[1]), family=socket.AF_INET6))
    return sockets


def print_addresses(
    host: str | None, port: int, code: str, out: TextIO, camera: Source | None = None, *, https: bool = False
) -> None:
    """Print where the page is: for this machine, and with the join code and its QR code for the phones.

    And which camera there is for games to be followed by, or why it is none yet.
    """
    scheme = "https" if https else "http"
    if host in (None, "0.0.0.0", "::"):
        here, phones = "localhost", lan_addresses()
    else:
        here, phones = host, [] if host in ("localhost", "127.0.0.1", "::1") else [host]
    print(f"On this computer:  {scheme}://{_in_url(here)}:{port}/", file=out)
    if phones:
        links = [f"{scheme}://{_in_url(phone)}:{port}/?code={code}" for phone in phones]
        print(f"On the phones:     {links[0]}", file=out)
        for link in links[1:]:
            print(f"               or  {link}", file=out)
        print(f"Join code:         {code}", file=out)
        # A terminal that can't show block characters goes without the picture; the link says the same.
        with contextlib.suppress(UnicodeEncodeError):
            segno.make(links[0], error="m").terminal(out, border=2, compact=True)
    if https:
        print(WARNING, file=out)
    if camera is not None:
        print(camera_line(camera), file=out)
    print("Stop with Ctrl+C. Every roll and score is kept.", file=out, flush=True)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
