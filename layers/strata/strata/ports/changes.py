"""The table's change stream."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from strata.domain.scope import Scope
from strata.ports.rows import Key


@dataclass(frozen=True, slots=True)
class Change:
    """One committed change of one row: what happened to which key, of whom, in which order."""

    sequence: int
    tenant: str
    key: Key
    event: Literal["INSERT", "MODIFY", "REMOVE"]


class ChangeLog(Protocol):
    """The stream of a table on one machine, kept until it is trimmed: of each key in order, and in commit
    order where the rows are on this machine too."""

    def fetch(self) -> None:
        """Bring in what the stream of a table elsewhere has; by one process at a time.

        Raises:
            Unavailable: the stream does not answer.
        """

    def head(self) -> int:
        """Sequence number of the newest change, 0 when there was none."""

    def read(self, after: int, limit: int) -> list[Change]:
        """Changes with a higher sequence number than `after`, oldest first."""

    def position(self, consumer: str) -> int:
        """The position that the named consumer has reached."""

    def advance(self, consumer: str, sequence: int) -> None:
        """Record how far the consumer has come, and drop what every consumer has read."""


class Backlog(Protocol):
    """The changes of a table that its stream's consumers have not processed yet, as far as they are known."""

    def waiting(self, scope: Scope, prefixes: Sequence[str], limit: int) -> list[Key]:
        """Keys of the tenant's changes whose sort keys begin with one of these, newest first, each once.

        They are among the newest `limit` such changes.
        """

    def is_longer(self, scope: Scope, prefixes: Sequence[str], than: int) -> bool:
        """Whether more such changes wait."""


@dataclass(frozen=True, slots=True)
class Place:
    """The position in one shard of a stream: `after` is the number of the last record, None at the start."""

    shard: str
    after: str | None = None
    ended: bool = False


class Journal(ChangeLog, Protocol):
    """A change log that is written from the stream of a table elsewhere."""

    def append(self, stream: str, place: Place, changes: Sequence[Change]) -> None:
        """Add the changes of one shard (their numbers are given here) with its place, all or nothing."""

    def places(self, stream: str) -> dict[str, Place]:
        """The position in each shard, by its id."""

    def forget(self, stream: str, shards: Collection[str]) -> None:
        """Drop the places of shards that are no more."""
