"""Lets containers reach a server that listens on the loopback only."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def forwarded(address: str, port: int) -> Iterator[int]:
    """The port at `address` whose connections go on to `port` of the loopback."""
    with socket.create_server((address, 0)) as listener:
        threading.Thread(target=_accept, args=(listener, port), daemon=True).start()
        yield listener.getsockname()[1]
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, port: int) -> None:
    while True:
        try:
            caller, _ = listener.accept()
        except OSError:  # closed
            return
        try:
            server = socket.create_connection(("127.0.0.1", port))
        except OSError:
            caller.close()
            continue
        for source, target in ((caller, server), (server, caller)):
            threading.Thread(target=_pump, args=(source, target), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
