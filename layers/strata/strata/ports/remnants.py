"""The remains of deleted rows in a store."""

from typing import Protocol


class Remnants(Protocol):
    """Makes an end of the words that a store still holds after they were deleted.

    Raises: `Unavailable` when the store can't be used now.
    """

    def expunge(self) -> bool:
        """Have nothing left of what was deleted before; False when that is to be tried again later."""
