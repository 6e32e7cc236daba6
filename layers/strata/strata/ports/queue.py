"""Queues."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from strata.ports.rows import Json


@dataclass(frozen=True, slots=True)
class Message:
    """A message that was received: `receipt` is this delivery's, `deliveries` counts it too.

    `id` is the message's own, the same at each delivery.
    """

    body: Json
    receipt: str
    deliveries: int
    id: str


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that was delivered as often as its queue allows: why it failed last, when it died (µs)."""

    id: str
    body: Json
    deliveries: int
    reason: str
    died_at: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of messages: that wait (those that come later included), are being worked on, were given up."""

    waiting: int
    in_flight: int
    dead: int


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

    def send(self, bodies: Sequence[Json], *, after: int = 0) -> None:
        """Add a message for each body, to be received from `after` seconds on, at most 900."""

    def receive(self, limit: int = 10, *, invisible: int = 60) -> list[Message]:
        """Up to `limit` visible messages, from now on invisible for `invisible` seconds; none if none is."""

    def delete(self, receipts: Sequence[str]) -> None:
        """These messages are done."""

    def release(self, receipts: Sequence[str], reason: str, *, after: int = 0) -> None:
        """These messages are not done, for this reason: they come again after `after` seconds.

        A queue that can keeps the reason with the message, for whoever looks at its dead letters.
        """

    def depth(self) -> int:
        """The number of messages, invisible ones included; about, where the queue is far away."""

    def counts(self) -> Counts:
        """The number of messages, by their state; about, where the queue is far away."""

    def dead_letters(self, limit: int = 100) -> list[DeadLetter]:
        """Dead letters, the latest last; none where looking at them means receiving them."""

    def revive(self) -> int:
        """Let every dead letter be delivered again, as if it were new; how many, about."""

    def reclaim(self, reason: str, *, after: int = 0) -> int:
        """Whoever worked on messages is gone: they come again after `after` seconds; how many.

        To be called only by one who knows that nobody else receives. A queue with receivers elsewhere does
        nothing: there a message comes again when its time of invisibility is over.
        """
