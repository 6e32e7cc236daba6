"""The port `Leftovers` over SQLite, which has no time to live."""

from strata.adapters.sqlite.table import SqliteTable
from strata.domain.scope import Scope
from strata.ports.leftovers import Cleared


class SqliteLeftovers:
    """Removes expired rows, recorded as changes like any other."""

    def __init__(self, table: SqliteTable) -> None:
        self._table = table

    def clear(self, scope: Scope, after: str | None, limit: int) -> Cleared:
        """Remove up to `limit` of them; no state between rounds."""
        removed = self._table.delete_expired(scope, limit)
        return Cleared(removed, removed, more=removed == limit, expecting=self._table.has_expiring(scope))
