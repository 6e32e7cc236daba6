"""Step: leftovers of the store are cleared."""

from strata.domain.scope import Scope
from strata.ports.leftovers import Leftovers
from strata.ports.rows import Update
from strata.ports.table import Table
from strata.services.maintenance.step import Swept, Window
from strata.services.records.maintenance import maintenance_key

AT_ONCE = 500
PIECES = 4
"""Pieces of a run, each behind the one before; the next run goes on where this one stopped."""


class ClearLeftovers:
    """Clears expired rows, and bodies that no row names.

    Args:
        leftovers: of the store.
        table: remembers between runs where to go on.
    """

    name = "leftovers"

    def __init__(self, leftovers: Leftovers, table: Table) -> None:
        self._leftovers = leftovers
        self._table = table

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        if cursor is None:
            done, after = 0, (self._table.get(scope, maintenance_key()) or {}).get("cleared")
        else:
            number, _, name = cursor.partition(" ")
            done, after = int(number), name or None
        cleared = self._leftovers.clear(scope, after, AT_ONCE)
        counts = {"looked_at": cleared.looked_at, "removed": cleared.removed}
        done += 1
        if cleared.more and (cleared.after is None or done < PIECES):
            return Swept(counts, f"{done} {cleared.after or ''}", again=cleared.expecting)
        if cleared.after != after or cursor is not None:
            self._remember(scope, cleared.after)
        return Swept(counts, again=cleared.expecting)

    def _remember(self, scope: Scope, after: str | None) -> None:
        if after is None:
            self._table.update(scope, Update(maintenance_key(), remove=("cleared",)))
        else:
            self._table.update(scope, Update(maintenance_key(), set={"cleared": after}))
