"""The audit log: who recorded which consent, erasure or agreement, and when. Entries are only added.

An entry is written in the transaction that it tells of. An erasure puts a digest in the place of the person's
name; nothing deletes an entry.
"""

from uuid import uuid4

from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.domain.wire.audit import AuditEntry, Event
from strata.ports.clock import Clock
from strata.ports.rows import Json, Put
from strata.ports.table import Query, Table
from strata.services.records.audit import AUDIT_PK, about, audit_key, audit_of, to_entry


class AuditLog:
    """Adds entries to the audit log, and lists them."""

    def __init__(self, table: Table, clock: Clock, ids: IdSource) -> None:
        self._table = table
        self._clock = clock
        self._ids = ids

    def entry(self, event: Event, owner: str | None, by: str, metadata: dict[str, Json]) -> Put:
        """The action that adds an entry, to be written with what it tells of.

        Args:
            event: what was recorded.
            owner: the person concerned; None for nobody.
            by: the caller who records it.
            metadata: what else belongs to it.
        """
        at = self._ids.next(self._clock.now_us())
        fields = {"event": event, "actor": by, "metadata": metadata, "at": at}
        return Put(audit_key(at, uuid4().hex[:8]), fields | about(owner, at))

    def listed(self, scope: Scope, owner: str | None, limit: int) -> list[AuditEntry]:
        """The newest entries, newest first; of one person where one is named."""
        query = (
            Query(AUDIT_PK, newest_first=True, limit=limit, resumable=False)
            if owner is None
            else Query(audit_of(owner), index="gsi1", newest_first=True, limit=limit, resumable=False)
        )
        return [to_entry(row.key, row.item) for row in self._table.query(scope, query).rows]
