"""Queues."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from strata.ports.rows import Json


@dataclass(frozen=True, slots=True)
class Message:
    """A message that was received: `receipt` is this delivery's, `deliveries` counts it too."""

    body: Json
    receipt: str
    deliveries: int


class Queue(Protocol):
    """Messages that wait until someone has done what they say.

    Promises:
    - `send` is durable when it returns, all bodies or, after an error, possibly some of them.
    - At least once: a message comes until it is deleted, in no promised order, and now and then again.
    - A received message is invisible to other receivers for as long as was asked; then it comes again.
    - A receipt is good for its own delivery; one that is over is passed over.
    - A queue that is limited to some deliveries puts a message aside as a dead letter after the last.

    Raises (every method): `Unavailable` when the queue does not answer, `Throttled` when it asks to slow
    down.
    """

    def send(self, bodies: Sequence[Json]) -> None:
        """Add a message for each body."""
        ...

    def receive(self, limit: int = 10, *, invisible: int = 60) -> list[Message]:
        """Up to `limit` visible messages, from now on invisible for `invisible` seconds; none if none is."""
        ...

    def delete(self, receipts: Sequence[str]) -> None:
        """These messages are done."""
        ...

    def release(self, receipts: Sequence[str], reason: str, *, after: int = 0) -> None:
        """These messages are not done, for this reason: they come again after `after` seconds.

        A queue that can keeps the reason with the message, for whoever looks at its dead letters.
        """
        ...

    def depth(self) -> int:
        """How many messages there are, invisible ones included; about, where the queue is far away."""
        ...
