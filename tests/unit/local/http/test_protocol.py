"""Connections of the local server: responses in one piece, and limits of size, time and number."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from strata.local.http.limits import Limits
from strata.local.http.protocol import Protocol
from strata.local.http.writes import WholeWrites


class Wire(asyncio.Transport):
    """A transport that remembers what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Any] = []

    def write(self, data: Any) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.sent.append("closed")

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return "closed" in self.sent


def in_a_loop(use) -> Wire:
    """The bytes that reached the wire of one connection."""
    wire = Wire()

    async def run() -> None:
        await use(WholeWrites(wire, asyncio.get_running_loop(), lambda: False, Limits()))
        await asyncio.sleep(0)

    asyncio.run(run())
    return wire


def test_head_and_body_are_sent_at_once():
    async def respond(transport):
        transport.write(b"head ")
        transport.write(b"body")

    assert in_a_loop(respond).sent == [b"head body"]


def test_what_is_written_in_a_later_turn_does_not_wait():
    async def respond(transport):
        transport.write(b"first")
        await asyncio.sleep(0)
        transport.write(b"second")

    assert in_a_loop(respond).sent == [b"first", b"second"]


def test_nothing_is_lost_by_hanging_up():
    async def respond(transport):
        transport.write(b"last words")
        transport.close()
        assert transport.is_closing()

    assert in_a_loop(respond).sent == [b"last words", "closed"]


# --- Limits ---------------------------------------------------------------------------------------

MANY = 4
LARGE = 20_000_000
QUICK = Limits(
    head_bytes=2000,
    head_seconds=0.15,
    body_seconds=0.3,
    linger_seconds=0.3,
    unread_seconds=0.2,
    connections=MANY,
)


class Quick(Protocol):
    limits = QUICK


async def app(scope, receive, send) -> None:
    """Respond with the length of the body, or with as many bytes as the path asks for."""
    if scope["path"] == "/early":
        length = 0
    else:
        message = await receive()
        length = len(message["body"])
        while message.get("more_body"):
            message = await receive()
            length += len(message.get("body", b""))
        if message["type"] == "http.disconnect":
            return
        if scope["path"] == "/block":
            time.sleep(0.6)
        if scope["path"] == "/wait":
            await asyncio.sleep(0.4)
    body = b"x" * LARGE if scope["path"] == "/large" else str(length).encode()
    head = [(b"content-length", str(len(body)).encode())]
    await send(
        {"type": "http.response.start", "status": 413 if scope["path"] == "/early" else 200, "headers": head}
    )
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module", autouse=True)
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, http=Quick, loop="uvloop", lifespan="off", log_config=None, ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


@contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        yield connection


def rest(connection: socket.socket) -> bytes:
    """All that comes until the server hangs up."""
    return b"".join(iter(lambda: connection.recv(1 << 20), b""))


def sent(port: int, data: bytes) -> bytes:
    with connected(port) as connection:
        connection.sendall(data)
        return rest(connection)


def problem_in(response: bytes) -> tuple[int, str]:
    head, _, body = response.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["code"]


HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = HEAD + b"Content-Length: 2\r\n\r\nab"
CLOSING = HEAD + b"Connection: close\r\nContent-Length: 2\r\n\r\nab"


LARGE_HEADS = {
    "a header without end": HEAD + b"X-Long: " + b"x" * 3000,
    "a header": HEAD + b"X-Long: " + b"x" * 3000 + b"\r\n\r\n",
    "many headers": HEAD + b"X: y\r\n" * 600 + b"\r\n",
    "a path without end": b"GET /" + b"x" * 3000,
    "a path": b"GET /" + b"x" * 3000 + b" HTTP/1.1\r\n\r\n",
    "a trailer": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Trailer: " + b"x" * 3000,
}


@pytest.mark.parametrize("large", LARGE_HEADS)
def test_a_head_that_is_too_large_is_refused(port, large):
    first, last = LARGE_HEADS[large][:100], LARGE_HEADS[large][100:]
    with connected(port) as connection:
        connection.sendall(WHOLE)
        assert connection.recv(1000).endswith(b"\r\n\r\n2")
        connection.sendall(first)
        time.sleep(0.01)
        connection.sendall(last)
        assert problem_in(rest(connection)) == (431, "head_too_large")


def hung_up(connection: socket.socket, data: bytes, pause: float) -> bool:
    """Whether the server hangs up on a client that sends the data again and again."""
    try:
        for _ in range(1000):
            connection.sendall(data)
            time.sleep(pause)
    except OSError:
        return True
    return False


def test_a_head_that_does_not_end_is_not_waited_for(port):
    with connected(port) as connection:
        began = time.monotonic()
        assert hung_up(connection, b"x" * 100_000, 0.002)
        assert time.monotonic() - began < 5


def test_a_head_must_arrive_in_time(port):
    with connected(port) as connection:
        began = time.monotonic()
        connection.sendall(HEAD)
        assert problem_in(rest(connection)) == (408, "request_timeout")
        assert 0.1 < time.monotonic() - began < 5


def test_a_connection_without_a_request_is_closed(port):
    assert sent(port, b"") == b""
    assert problem_in(sent(port, b"\r\n\r\nPOST"))[0] == 408


def test_the_head_of_a_later_request_must_arrive_in_time_too(port):
    with connected(port) as connection:
        connection.sendall(WHOLE)
        assert connection.recv(1000).endswith(b"\r\n\r\n2")
        connection.sendall(HEAD)
        assert problem_in(rest(connection)) == (408, "request_timeout")


def test_half_a_request_does_not_cost_the_one_before_its_response(port):
    with connected(port) as connection:
        connection.sendall(WHOLE.replace(b"/ ", b"/wait ") + HEAD)
        assert connection.recv(1000).endswith(b"\r\n\r\n2")
        assert problem_in(rest(connection)) == (408, "request_timeout")


@pytest.mark.parametrize(
    "body", [b"Content-Length: 9\r\n\r\nab", b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n"]
)
def test_a_body_must_arrive_in_time(port, body):
    assert problem_in(sent(port, HEAD + body)) == (408, "request_timeout")


def test_a_trickle_extends_no_deadline(port):
    with connected(port) as connection:
        connection.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
        began = time.monotonic()
        assert hung_up(connection, b"x", 0.02)
        assert time.monotonic() - began < 5


def test_what_arrived_while_the_process_was_busy_is_in_time(port):
    with connected(port) as busy, connected(port) as waiting:
        waiting.sendall(HEAD + b"Content-Length: 4\r\n\r\nab")
        busy.sendall(CLOSING.replace(b"/ ", b"/block "))
        time.sleep(0.05)  # it blocks now, for longer than the other may take
        waiting.sendall(b"cd")
        assert waiting.recv(1000).endswith(b"\r\n\r\n4")


def test_a_body_that_nobody_wants_is_read_until_the_response_has_been(port):
    head = HEAD.replace(b"/ ", b"/early ") + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(port) as connection:
        connection.sendall(head)
        for _ in range(200):
            connection.sendall(b"19000\r\n" + b"x" * 0x19000 + b"\r\n")  # 20 MB in all
        connection.sendall(b"0\r\n\r\n")
        assert rest(connection).startswith(b"HTTP/1.1 413")


def test_a_client_that_does_not_read_its_response_is_not_waited_for(port):
    with connected(port) as connection:
        connection.sendall(CLOSING.replace(b"/ ", b"/large "))
        time.sleep(0.5)
        assert 0 < len(rest(connection)) < LARGE


def test_new_connections_are_served_however_many_others_send_nothing_more(port):
    half = [socket.create_connection(("127.0.0.1", port)) for _ in range(MANY * 3)]
    for number, connection in enumerate(half):
        connection.sendall(b"" if number % 2 else HEAD)
    for _ in range(MANY * 3):
        assert sent(port, CLOSING).endswith(b"\r\n\r\n2")
    for connection in half:
        connection.close()


def test_the_connection_that_waited_longest_gives_way(port):
    with connected(port) as first, connected(port) as second:
        second.sendall(WHOLE)
        assert second.recv(1000).endswith(b"2")
        others = [socket.create_connection(("127.0.0.1", port)) for _ in range(MANY - 1)]
        assert first.recv(1000) == b""
        second.sendall(WHOLE)
        assert second.recv(1000).endswith(b"2")
        for connection in others:
            connection.close()
