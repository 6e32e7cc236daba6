"""The revisions of the Model Context Protocol that are spoken here, and what differs between them.

Up to 2025-11-25 a client opens with a handshake (`initialize`). From 2026-07-28 on there is none: every
request says in its `_meta` which revision it is of.
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
        """Requests stand for themselves, and results say of which kind they are and from whom."""
        return self.name in STATELESS

    @property
    def batches(self) -> bool:
        """Several messages may come as one list; there was one revision with that."""
        return self.name == "2025-03-26"

    @property
    def annotated(self) -> bool:
        """Tools say what they do to their environment."""
        return self.name >= "2025-03-26"

    @property
    def structured(self) -> bool:
        """Tools have titles, and results a part for programs with a schema."""
        return self.name >= "2025-06-18"


UNNAMED = Revision("2025-03-26")
"""What a request over HTTP is taken for that says nothing of its revision (2025-11-25, Transports)."""


def agreed(asked: object) -> Revision:
    """The revision that a handshake ends with: the one asked for, else the newest that has a handshake."""
    return Revision(asked if isinstance(asked, str) and asked in HANDSHAKE else HANDSHAKE[0])
