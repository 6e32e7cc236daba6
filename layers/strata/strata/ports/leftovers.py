"""The rows and files that a store leaves behind by itself."""

from dataclasses import dataclass
from typing import Protocol

from strata.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Cleared:
    """The result of one round of clearing.

    Attributes:
        looked_at: how many things were judged.
        removed: how many of them were left over, and are gone.
        after: where the next round goes on; None when it begins anew.
        more: whether this round ended at its limit, and not because there was nothing more.
        expecting: whether there is anything that may be left over one day.
    """

    looked_at: int
    removed: int
    after: str | None = None
    more: bool = False
    expecting: bool = False


class Leftovers(Protocol):
    """Clears what a store leaves behind: rows past their time, bodies that no row names.

    Promises: it sees the scope's tenant only, and removes nothing that can still be read or that a write
    which is under way will name. A round is bounded by `limit`, however much there is.

    Raises: `Unavailable` when the store does not answer, `Throttled` when it asks to slow down.
    """

    def clear(self, scope: Scope, after: str | None, limit: int) -> Cleared:
        """One round; `after` is what the round before gave."""
