"""The table: the source of truth, and its census for the operator."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Action, Condition, Item, Json, Key, Update


@dataclass(frozen=True, slots=True)
class Query:
    """Rows of one partition in the order of their sort key.

    `index` reads a secondary index instead (`pk` and the bounds are then those of the index, and the
    answer may lag behind the newest writes by moments). `gsi3` knows keys only: its rows' items are empty, it
    takes no `where`, and may name rows that are past their time. With `keys_only`, and then without `where`,
    items are empty for every index. `first` and `last` bound the sort key, both
    included; `prefix` asks for sort keys that begin so. `where` filters rows; `limit` counts rows that
    passed it: an adapter reads on until it has them or the partition ends. Who will not go on says so by
    `resumable` False, and gets no cursor. With `expired`, and then without `where`, rows that are past their
    time and still stored are found too: for who must leave nothing behind.
    """

    pk: str
    prefix: str | None = None
    first: str | None = None
    last: str | None = None
    index: Literal["gsi1", "gsi2", "gsi3"] | None = None
    newest_first: bool = False
    limit: int = 100
    cursor: str | None = None
    where: Condition | None = None
    resumable: bool = True
    expired: bool = False
    keys_only: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row read from the table."""

    key: Key
    item: Item


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a query; `cursor` continues it, None at its end. A cursor is opaque and of one query."""

    rows: list[Row]
    cursor: str | None


class NoTable(Unavailable):
    """The store answers, and has no such table."""


class ConditionFailed(Exception):
    """A condition did not hold, so nothing of the transaction was written.

    `failures` maps the index of each action whose condition failed to the live row that stood there
    (None when there was none).
    """

    def __init__(self, failures: Mapping[int, Item | None]) -> None:
        super().__init__(f"conditions failed for actions {sorted(failures)}")
        self.failures = dict(failures)


class Table(Protocol):
    """Rows by partition and sort key, the source of truth.

    Promises:
    - Every method sees the scope's tenant only; no argument can name another tenant's row.
    - Reads by key and by partition are consistent: they see every write acknowledged before them.
    - `transact` is all or nothing, isolated, and durable when it returns.
    - A row past its `expires_at` is never returned, and conditions and updates treat it as absent,
      also while it is still stored.
    - Values come back as they went in: ints as int, floats as float, strings of any script, NUL
      included, empty strings, lists and maps to any depth. A float that is a whole number may come
      back as that int.
    - A row of up to 1 MB of JSON comes back whole. Conditions are about values of up to 1 KB.
    - Every committed change shows on the change stream, per key in order.

    Raises (every method): `Unavailable` when the store does not answer in time, `Throttled` when it
    asks to slow down; then nothing was written, or the write's outcome is unknown and a retry with the
    same conditions tells. `ConditionFailed` as said.
    """

    def get(self, scope: Scope, key: Key) -> Item | None:
        """The live row, or None."""

    def get_many(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, Item]:
        """The live rows among `keys`; those that are not there are missing from the answer."""

    def query(self, scope: Scope, query: Query) -> Page:
        """One page of a partition."""

    def transact(self, scope: Scope, actions: Sequence[Action]) -> None:
        """Write up to 100 actions on distinct keys at once, or raise `ConditionFailed`."""

    def delete_many(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Delete small rows, however many, each by itself: when this raises, any of them may be gone.

        For rows of up to 1 KB: nothing looks for values of theirs that are stored elsewhere.
        """

    def update(self, scope: Scope, update: Update) -> Item:
        """Write one update and return the whole row after it, or raise `ConditionFailed`."""


class Census(Protocol):
    """Every tenant's rows, for the operator's work only: rebuilds, checks and sweeps, never a request's."""

    def tenants(self) -> list[str]:
        """Every tenant that has a row. What is reserved (`domain.scope.RESERVED`) is no tenant."""

    def count(self, sk_prefix: str) -> int:
        """The number of rows whose sort key begins so."""

    def keys(self, sk_prefix: str) -> Iterator[tuple[Scope, Key]]:
        """The keys of the rows whose sort key begins so, in long runs of one tenant's.

        Rows that are written meanwhile may be missing.
        """


Place = tuple[Json, ...]
"""A place between two keys of an inventory: texts, numbers and None, and nothing of another tenant's."""


class Inventory(Protocol):
    """Every key of one tenant, in whatever partition, for exports.

    Reading it reads the whole store, so it is no list of a request that people wait for.
    """

    def keys(
        self, scope: Scope, sk_prefixes: Sequence[str], after: Place | None
    ) -> Iterator[tuple[Place, Key | None]]:
        """Yield the keys whose sort key begins with one of these, each with the place behind it.

        None instead of a key: there is nothing more up to that place. Keys of one partition come in their
        order, partitions in any. Rows that are past their time may be among them, and rows that are written
        meanwhile missing.

        Raises:
            InvalidRequest: `after` is no place of this store's.
        """
