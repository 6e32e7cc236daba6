"""A response leaves in one piece."""

import asyncio
from typing import Any

from strata.local.http.worker import WholeWrites


class Wire(asyncio.Transport):
    """A transport that remembers what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Any] = []

    def write(self, data: Any) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.sent.append("closed")

    def is_closing(self) -> bool:
        return "closed" in self.sent


def in_a_loop(use) -> Wire:
    """The bytes that reached the wire of one connection."""
    wire = Wire()

    async def run() -> None:
        await use(WholeWrites(wire, asyncio.get_running_loop()))
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
