"""An end to an exchange that socket timeouts don't have: those begin anew with every byte."""

import socket
import threading
from types import TracebackType
from typing import Any

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

_here = threading.local()


class Watch:
    """Cuts the connection that this thread works on when the time is up; a context manager."""

    def __init__(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._connection: Any = None
        self._is_over = False
        self.has_cut = False

    def __enter__(self) -> "Watch":
        _here.watch = self
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _here.watch = None
        self._timer.cancel()
        with self._lock:
            self._is_over = True

    def on(self, connection: Any) -> None:
        """Watch this connection from now on."""
        with self._lock:
            self._connection = connection

    def _cut(self) -> None:
        with self._lock:
            if self._is_over:
                return
            self.has_cut = True
            sock = getattr(self._connection, "sock", None)
        if sock is not None:
            try:
                socket.socket.shutdown(
                    sock, socket.SHUT_RDWR
                )  # below TLS, which another thread may be reading
            except OSError:
                return


def _watched(connection: Any) -> None:
    watch = getattr(_here, "watch", None)
    if watch is not None:
        watch.on(connection)


class _PlainConnection(HTTPConnection):
    def connect(self) -> None:
        _watched(self)
        super().connect()

    def request(self, *arguments: Any, **named: Any) -> None:
        _watched(self)
        super().request(*arguments, **named)


class _SafeConnection(HTTPSConnection):
    def connect(self) -> None:
        _watched(self)
        super().connect()

    def request(self, *arguments: Any, **named: Any) -> None:
        _watched(self)
        super().request(*arguments, **named)


class PlainPool(HTTPConnectionPool):
    """Connections over http that can be cut."""

    ConnectionCls = _PlainConnection


class SafePool(HTTPSConnectionPool):
    """Connections over https that can be cut."""

    ConnectionCls = _SafeConnection
