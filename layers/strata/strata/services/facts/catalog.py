"""Lists and deletes the facts that an agent knows about a person; never those of another agent."""

from collections.abc import Sequence

from strata.domain.errors import NotFound
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.facts import Fact
from strata.domain.wire.fields import MAX_ROWS
from strata.ports.clock import Clock
from strata.ports.rows import Delete, Equals, Item, Put
from strata.ports.table import Query, Table
from strata.services.people.consent import refusing
from strata.services.records.owners import owned
from strata.services.records.people import (
    FACT_KIND,
    FACT_PREFIX,
    deleted_fact_key,
    fact_key,
    fact_number,
    facts_pk,
    to_fact,
)
from strata.services.table.retry import settled

MOST = MAX_ROWS


class FactCatalog:
    """Reads and deletes facts; `services/facts/writer` writes them."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def newest(self, scope: Scope, agent_id: str, owner: str, limit: int) -> list[Item]:
        """The newest facts that hold, newest first; superseded facts are left out."""
        query = Query(
            facts_pk(agent_id, owner),
            prefix=FACT_PREFIX,
            newest_first=True,
            limit=limit,
            where=Equals("superseded_by", None),
            resumable=False,
        )
        return [row.item for row in self._table.query(scope, query).rows]

    def listed(self, scope: Scope, agent_id: str, owner: str, limit: int) -> list[Fact]:
        """The newest facts that hold as they go over the wire, newest first; none of a person who refuses."""
        if refusing(self._table, scope, [owner]):
            return []
        return [to_fact(row) for row in self.newest(scope, agent_id, owner, limit)]

    def by_ids(self, scope: Scope, agent_id: str, owner: str, ids: Sequence[str]) -> list[Item]:
        """Those of these facts that exist and hold."""
        numbers = [number for each in ids if (number := fact_number(each)) is not None]
        keys = [fact_key(agent_id, owner, number) for number in numbers]
        rows = self._table.get_many(scope, keys) if keys else {}
        return [row for row in rows.values() if "superseded_by" not in row]

    def delete(self, scope: Scope, agent_id: str, owner: str, identity: str) -> None:
        """Delete a fact. For a day the same words are not written as a fact again.

        Raises:
            NotFound: unknown, deleted already, or another's.
            Conflict: concurrent writers did not let this one settle.
        """
        number = fact_number(identity)
        if number is None:
            raise NotFound("no such fact")
        key = fact_key(agent_id, owner, number)

        def attempt(_: object) -> None:
            row = self._table.get(scope, key)
            if row is None:
                raise NotFound("no such fact")
            until = self._clock.now_us() // 1_000_000 + DAY
            gone = {name: row[name] for name in ("id", "session_id", "value", "basis")}
            gone |= {"expires_at": until} | owned(owner, FACT_KIND)
            guard = Put(deleted_fact_key(agent_id, owner, row["hash"]), gone)
            self._table.transact(scope, [Delete(key, Equals("hash", row["hash"])), guard])

        settled(self._clock, "the fact", attempt)
