"""What goes wrong between this adapter and the engine.

Missing, Rejected      what the engine answered; the adapter's own modules handle them
UnusableEndpoint       an `Unavailable` that only another endpoint or another setting ends
"""

from strata.domain.errors import Unavailable


class Missing(Exception):
    """There is no such index or alias (404)."""


class Rejected(Exception):
    """The engine understood the request and refuses it (4xx); `kind` is its name for the reason."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind


class UnusableEndpoint(Unavailable):
    """The endpoint cannot be what the settings say it is; the message says what to set or to make instead."""
