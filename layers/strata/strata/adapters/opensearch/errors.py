"""Errors between this adapter and the engine.

    Unavailable
    ├── Missing            the engine has no such index or alias; a `NoIndex` of the port
    ├── Rejected           the engine understood the request and refuses it
    ├── Blocked            the index is closed or blocked; whoever runs the engine ends this
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


class Blocked(Unavailable):
    """The index is closed, or a block keeps its documents from being written or read."""


class UnusableEndpoint(Unavailable):
    """The endpoint does not match the settings; the message says which to change."""


def blocked(status: int, kind: str, reason: str) -> Blocked | None:
    """The error for a request that the state of the index refuses, whatever it asks for; None for others.

    Blocks of a cluster that is starting (503) are none of these: they end by themselves.
    """
    if kind == "index_closed_exception":
        return Blocked("the search index is closed: open it in the search engine (POST /<index>/_open)")
    if kind != "cluster_block_exception" or status >= 500:
        return None
    if "flood-stage" in reason or "read-only-allow-delete" in reason:
        return Blocked(
            "the search engine's disk is nearly full (flood stage): it takes no writes until it has room"
        )
    return Blocked("the search index is blocked: lift its block in the search engine (index.blocks.*)")


def refused_credentials(status: int) -> UnusableEndpoint:
    """The error for credentials that are unknown, or may not do what was asked."""
    return UnusableEndpoint(f"the search engine refuses these credentials (status {status})")
