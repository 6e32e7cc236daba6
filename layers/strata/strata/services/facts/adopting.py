"""Gives the facts about one owner to another, compared with what is known of that one."""

from itertools import count

from strata.domain.facts.conflicts import relation
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Action, AllOf, Check, Delete, Equals, Item, Key, Present, Put, Update
from strata.ports.table import Query, Table
from strata.services.facts.writer import found_of
from strata.services.records.owners import owned
from strata.services.records.parts import whole
from strata.services.records.people import (
    FACT_KIND,
    FACT_PREFIX,
    deleted_fact_key,
    fact_key,
    facts_head_key,
    facts_pk,
)
from strata.services.table.pages import every_row
from strata.services.table.retry import settled
from strata.services.table.transaction import transact


class FactAdoption:
    """Moves facts, each in a transaction of its own."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def adopt(self, scope: Scope, key: Key, heir: str, checks: list[Check]) -> bool:
        """Move a fact, or the mark of a deleted one; False where it is gone.

        One that says the same as a fact of the heir's is dropped; of two that conflict the newer supersedes.

        Raises:
            Conflict: a check does not hold, or concurrent writers did not let this one settle.
        """
        agent = whole(key.pk.split("#")[1])

        def attempt(_: object) -> bool:
            row = self._table.get(scope, key)
            if row is None:
                return False
            actions = self._mark(row, key, agent, heir)
            if key.sk.startswith(FACT_PREFIX):
                actions = self._moved(scope, row, key, agent, heir)
            transact(self._table, scope, {"moved": actions, "checks": checks})
            return True

        return settled(self._clock, "the list of facts", attempt)

    def _mark(self, row: Item, key: Key, agent: str, heir: str) -> list[Action]:
        mark = deleted_fact_key(agent, heir, "")
        if not key.sk.startswith(mark.sk):  # the head
            return [Delete(key)]
        return [Delete(key), Put(Key(mark.pk, key.sk), row | owned(heir, FACT_KIND))]

    def _moved(self, scope: Scope, row: Item, key: Key, agent: str, heir: str) -> list[Action]:
        gone = Delete(key, AllOf((Present(), Equals("superseded_by", row.get("superseded_by")))))
        rows = every_row(self._table, scope, Query(facts_pk(agent, heir), prefix=FACT_PREFIX))
        known = {each.item["id"]: each.item for each in rows}
        number = next(each for each in count(row["id"]) if each not in known)
        new = row | {"id": number, "user_id": heir} | owned(heir, FACT_KIND)
        actions: list[Action] = []
        for other in known.values():
            if "superseded_by" in new or "superseded_by" in other:
                continue
            older, newer = sorted((other, new), key=lambda each: int(each["id"]))
            related = relation(found_of(older), found_of(newer))
            if related == "same":
                return [gone]
            if related == "conflicting" and newer is new:
                new["supersedes"] = sorted([*new.get("supersedes", ()), other["id"]])
                holds = AllOf((Present(), Equals("superseded_by", None)))
                place = fact_key(agent, heir, other["id"])
                actions.append(Update(place, set={"superseded_by": number}, condition=holds))
            elif related == "conflicting":
                new["superseded_by"] = other["id"]
        head = Update(facts_head_key(agent, heir), set=owned(heir, FACT_KIND), add={"version": 1})
        return [gone, Put(fact_key(agent, heir, number), new), *actions, head]
