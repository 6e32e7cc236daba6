"""Errors between this adapter and the engine.

    Unavailable
    ├── Missing            the engine has no such index or alias; a `NoIndex` of the port
    ├── Rejected           the engine understood the request and refuses it
    └── UnusableEndpoint   only another endpoint, or another setting, will end this

The adapter handles the first two where they are expected. Elsewhere they are plain `Unavailable`.
"""

from strata.domain.errors import Unavailable
from strata.ports.search import NoIndex


class Missing(NoIndex):
    """There is no such index or alias (404)."""


class Rejected(Unavailable):
    """The engine understood the request and refuses it (4xx); `kind` is its name for the reason."""

    def __init__(self, kind: str, reason: str) -> None:
        self.kind = kind
        self.told = f"{kind}: {reason}"
        super().__init__(f"the search engine refuses a request: {self.told}")


class UnusableEndpoint(Unavailable):
    """The endpoint does not match the settings; the message says which to change."""
