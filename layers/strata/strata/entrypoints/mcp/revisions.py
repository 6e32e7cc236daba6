"""The supported revisions of the Model Context Protocol, and their differences.

Up to 2025-11-25 a client starts with a handshake (`initialize`). From 2026-07-28 on there is none: every
request states its revision in `_meta`.
"""

from dataclasses import dataclass

STATELESS = ("2026-07-28",)
HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
SUPPORTED = STATELESS + HANDSHAKE
"""Newest first."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One of `SUPPORTED`. Their names are dates and sort as such."""

    name: str

    @property
    def stateless(self) -> bool:
        """Requests are independent, and results state their kind and their server."""
        return self.name in STATELESS

    @property
    def batches(self) -> bool:
        """Several messages may be sent as one list; only one revision had that."""
        return self.name == "2025-03-26"

    @property
    def annotated(self) -> bool:
        """Tools describe their effects on their environment."""
        return self.name >= "2025-03-26"

    @property
    def structured(self) -> bool:
        """Tools have titles, and results a structured part with a schema."""
        return self.name >= "2025-06-18"


UNNAMED = Revision("2025-03-26")
"""The revision of an HTTP request that does not state one (2025-11-25, Transports)."""


def agreed(asked: object) -> Revision:
    """The revision agreed in a handshake: the requested one, else the newest that has a handshake."""
    return Revision(asked if isinstance(asked, str) and asked in HANDSHAKE else HANDSHAKE[0])
