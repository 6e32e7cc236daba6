"""The port of what is too large for a row."""

from collections.abc import Sequence
from typing import Protocol

from strata.domain.scope import Scope


class Bodies(Protocol):
    """Bytes by name, beside the table, that are too large for a row.

    Promises:
    - Every method sees the scope's tenant only; no name reaches another tenant's bodies.
    - `put` is durable when it returns, and seen by every read after it. A reader sees a whole body or none.
    - A name is 1 to 64 letters, digits, `-` and `_`. Who puts a body takes a name that was never used: a body
      does not change.

    Raises (every method): `Unavailable` when the store does not answer in time, `Throttled` when it asks to
    slow down; ValueError for a name of another form.
    """

    def put(self, scope: Scope, name: str, body: bytes) -> None:
        """Keep a body; keeping it again is fine."""

    def get_many(self, scope: Scope, names: Sequence[str]) -> dict[str, bytes]:
        """The bodies of these names; those that are not there are missing from the answer."""

    def list(self, scope: Scope, after: str | None, limit: int) -> list[tuple[str, int]]:
        """Up to `limit` names behind `after`, in their order, each with the time it was kept at (µs)."""

    def delete_many(self, scope: Scope, names: Sequence[str]) -> None:
        """Erase bodies; erasing what is not there is fine."""
