"""Events that are told to whoever listens outside."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Announcement:
    """An event.

    Attributes:
        id: the same when it is sent again.
        name: what happened, such as `memory.contradiction.detected`.
        tenant: whose it is.
        at: when it happened (µs).
        detail: what it is about: ids and codes, no text of the person's.
    """

    id: str
    name: str
    tenant: str
    at: int
    detail: Mapping[str, str]


class Announcer(Protocol):
    """Sends events."""

    def announce(self, announcement: Announcement) -> None:
        """Send an event.

        Raises:
            Unavailable: it was not taken; it is to be sent again.
        """
