"""What agents know about people: listed, told in contexts, deleted. Never another agent's."""

from collections.abc import Sequence

from strata.domain.errors import Conflict, NotFound
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.facts import Fact
from strata.domain.wire.fields import MAX_ROWS
from strata.ports import Clock, ConditionFailed, Delete, Equals, Item, Put, Query, Table
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
from strata.services.table.retry import attempts

MOST = MAX_ROWS


class FactCatalog:
    """Reads and deletes facts; `services/facts/extraction` writes them."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def newest(self, scope: Scope, agent_id: str, owner: str, limit: int) -> list[Item]:
        """The newest facts that hold, newest first: what was superseded is left out."""
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
        """The same as they go over the wire."""
        return [to_fact(row) for row in self.newest(scope, agent_id, owner, limit)]

    def by_ids(self, scope: Scope, agent_id: str, owner: str, ids: Sequence[str]) -> list[Item]:
        """Those of these facts that are there and hold."""
        numbers = [number for each in ids if (number := fact_number(each)) is not None]
        keys = [fact_key(agent_id, owner, number) for number in numbers]
        rows = self._table.get_many(scope, keys) if keys else {}
        return [row for row in rows.values() if "superseded_by" not in row]

    def delete(self, scope: Scope, agent_id: str, owner: str, identity: str) -> None:
        """Delete a fact. For a day the same words do not bring it back.

        Raises:
            NotFound: unknown, deleted already, or another's.
            Conflict: concurrent writers did not let this one settle.
        """
        number = fact_number(identity)
        key = None if number is None else fact_key(agent_id, owner, number)
        for _ in attempts():
            row = None if key is None else self._table.get(scope, key)
            if key is None or row is None:
                raise NotFound("no such fact")
            now = self._clock.now_us()
            gone = {"expires_at": now // 1_000_000 + DAY} | owned(owner, FACT_KIND)
            try:
                self._table.transact(
                    scope,
                    [
                        Delete(key, Equals("hash", row["hash"])),
                        Put(deleted_fact_key(agent_id, owner, row["hash"]), gone),
                    ],
                )
            except ConditionFailed:
                continue
            return
        raise Conflict("the fact is being written by others; try again")
