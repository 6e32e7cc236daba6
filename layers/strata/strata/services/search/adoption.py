"""Judges an index while the table has no marker: that of a new table, or of a version before markers.

A new table is one whose changes no consumer of the stream has followed yet. Its index is whole, even if
there is none: whatever is stored has a change note. The index of an earlier version is taken to be whole if
it holds as many observations as the totals say, of every tenant that changed lately.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.search import NoIndex, SearchEngine
from strata.ports.table import Query, Table
from strata.services.records.change_notes import SHARDS, notes_of, unseen_in_shard
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.maintenance import TENANT_PREFIX, changes_pk, maintenance_key
from strata.services.records.totals import STATS_PK
from strata.services.table.pages import every_row

_SERVICE = Scope.maintenance()
_DAYS, _TENANTS = 14, 100
_AGAIN_SECONDS = 10.0


class Adoption:
    """Tells whether an index without a marker is whole.

    Args:
        table, engine: are compared.
        clock: tells the day.
    """

    def __init__(self, table: Table, engine: SearchEngine, clock: Clock) -> None:
        self._table = table
        self._engine = engine
        self._clock = clock
        self._judged: dict[str, tuple[float, bool]] = {}

    def is_new(self) -> bool:
        """Whether no change of the table was followed yet."""
        return self._table.get(_SERVICE, maintenance_key()) is None

    def is_whole(self, tenant: str | None) -> bool:
        """Whether the live index holds what the totals count, of this tenant and those that changed lately.

        A judgement may be some seconds old.
        """
        at, judged = self._judged.get(tenant or "", (0.0, False))
        if not at or self._clock.monotonic() - at > _AGAIN_SECONDS:
            judged = self._judge(tenant)
            self._judged[tenant or ""] = (self._clock.monotonic(), judged)
        return judged

    def _judge(self, tenant: str | None) -> bool:
        tenants = dict.fromkeys([*([tenant] if tenant else []), *self._changed_lately()])
        try:
            return all(self._holds_all(Scope(each)) for each in tenants)
        except NoIndex:
            return False

    def _holds_all(self, scope: Scope) -> bool:
        rows = every_row(self._table, scope, Query(STATS_PK, limit=1000))
        total = sum(row.item.get("observations", 0) for row in rows)
        indexed = self._engine.count(scope, OBSERVATIONS.name)
        return bool(indexed >= total or indexed + self._on_their_way(scope) >= total)

    def _on_their_way(self, scope: Scope) -> int:
        """The number of changes that the index may not show yet."""
        now = self._clock.now_us()
        queries = [unseen_in_shard(shard, now, 1000) for shard in range(SHARDS)]
        return sum(len(notes_of(row)) for query in queries for row in self._table.query(scope, query).rows)

    def _changed_lately(self) -> Iterator[str]:
        """Some tenants, those of the latest days first."""
        today = datetime.fromtimestamp(self._clock.now_us() // 1_000_000, UTC).date()
        found = 0
        for back in range(_DAYS + 1):
            pk = changes_pk((today - timedelta(days=back)).isoformat())
            page = self._table.query(_SERVICE, Query(pk, prefix=TENANT_PREFIX, limit=_TENANTS - found))
            yield from (row.item["tenant"] for row in page.rows)
            found += len(page.rows)
            if found >= _TENANTS:
                return
