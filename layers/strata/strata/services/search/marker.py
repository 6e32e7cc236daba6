"""The marker: the row of the table that says which index is whole.

Index and table are different stores, and the index may be lost, replaced or emptied without the table knowing
of it. An index has an identity that no other one ever has, so an answer counts as whole if it comes from the
index that the marker names.
"""

from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Put
from strata.ports.search import INDEX_SHAPE
from strata.ports.table import ConditionFailed, Table
from strata.services.records.index import index_marker_key

SECONDS = 3.0
"""A process goes so long by a marker that it has read."""

_OLD: dict[str, Any] = {"shape": 1, "next_shape": 1}
"""The fields that a marker of an earlier version lacks."""

_SERVICE = Scope.maintenance()


@dataclass(frozen=True, slots=True)
class Marked:
    """The identity of the index that is whole, and of one that is being filled; None where there is none.

    `shape` and `next_shape` are those of their documents: see `INDEX_SHAPE`.
    """

    index: str | None
    next: str | None = None
    shape: int = INDEX_SHAPE
    next_shape: int = INDEX_SHAPE


class IndexMarker:
    """Reads and writes the marker.

    Args:
        place: names the index among those of the table, whichever is there at the time.
        table: holds it.
        clock: tells how old a reading is.
    """

    def __init__(self, place: str, table: Table, clock: Clock) -> None:
        self._key = index_marker_key(place)
        self._table = table
        self._clock = clock
        self._known: Marked | None = None
        self._read_at = 0.0

    @property
    def known(self) -> Marked | None:
        """The marker as this process read it last; None if there was none yet."""
        return self._known

    @property
    def is_due(self) -> bool:
        """Whether it was read too long ago."""
        return self._clock.monotonic() - self._read_at > SECONDS

    def read(self) -> Marked | None:
        """The marker as it is now; None if there is none."""
        began = self._clock.monotonic()
        row = self._table.get(_SERVICE, self._key)
        self._known = None if row is None else Marked(**(_OLD | row))
        self._read_at = began
        return self._known

    def write(self, marked: Marked) -> None:
        """Let this be the marker."""
        self._table.transact(_SERVICE, [Put(self._key, asdict(marked))])
        self._known, self._read_at = marked, self._clock.monotonic()

    def write_first(self, marked: Marked) -> Marked:
        """Let this be the marker unless there is one; the marker that there is now."""
        with suppress(ConditionFailed):
            self._table.transact(_SERVICE, [Put(self._key, asdict(marked), condition=Absent())])
        return self.read() or marked
