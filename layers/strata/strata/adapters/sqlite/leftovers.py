"""The port `Leftovers` over a file of SQLite, which has no time to live of its own."""

from strata.adapters.sqlite.table import SqliteTable
from strata.domain.scope import Scope
from strata.ports import Cleared


class SqliteLeftovers:
    """Removes rows that are past their time, as changes like any other."""

    def __init__(self, table: SqliteTable) -> None:
        self._table = table

    def clear(self, scope: Scope, after: str | None, limit: int) -> Cleared:
        """Remove up to `limit` of them; there is nothing to remember between rounds."""
        removed = self._table.delete_expired(scope, limit)
        return Cleared(removed, removed, more=removed == limit, expecting=self._table.has_expiring(scope))
