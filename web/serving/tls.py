"""Lets waitress, which knows http alone, speak https: TLS inside its own event loop.

So all that holds of it for http holds for https too: a slow or silent client keeps no thread, the client's address is
known, and a body is taken in whole before it is answered.
"""

from __future__ import annotations

import copy
import socket
import ssl
import threading
from contextlib import suppress
from typing import Any, ClassVar

from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer

HANDSHAKE = b"\x16"
"""The first byte of every TLS connection; no request in plain http begins so."""


class _NotYet(Exception):
    """Nothing can be read before more has come over the line."""


class TlsChannel(HTTPChannel):
    """A client's connection, which its first byte shows to be TLS or not.

    A plain one is served as such, with `http` as its scheme: what is to be said to it is the app's affair.
    """

    tls: ClassVar[ssl.SSLContext]

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._known = False
        # The loop reads while a thread of the app writes, and TLS bears one of them at a time.
        self._turn = threading.Lock()

    def handle_read(self) -> None:
        with suppress(_NotYet):
            super().handle_read()

    def recv(self, buffer_size: int) -> bytes:
        """What has come, decrypted; nothing, and the connection closed, when it has ended or is no proper TLS."""
        try:
            with self._turn:
                data = self._receive(buffer_size)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise _NotYet from None
        except OSError:  # SSLError too
            data = b""
        if not data:
            self.handle_close()
        return data

    def _receive(self, buffer_size: int) -> bytes:
        assert self.socket is not None
        if not self._known:
            if self.socket.recv(1, socket.MSG_PEEK) == HANDSHAKE:
                self.socket = self.tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
                self.adj = copy.copy(self.adj)
                self.adj.url_scheme = "https"
            self._known = True
        data = self.socket.recv(buffer_size)  # of TLS, does the handshake too
        if isinstance(self.socket, ssl.SSLSocket):
            # What is decrypted already shows no more as something to read.
            while waiting := self.socket.pending():
                data += self.socket.recv(waiting)
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what there is room for; gives the number of bytes."""
        assert self.socket is not None
        try:
            with self._turn:
                return self.socket.send(data)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0


def speak_tls(server: BaseWSGIServer, context: ssl.SSLContext) -> None:
    """Let all connections that `server` accepts from now on be TLS."""

    class Channel(TlsChannel):
        tls = context

    server.channel_class = Channel
