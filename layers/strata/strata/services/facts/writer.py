"""Writing what was found about a person: compared with what is known, in one transaction, under conditions.

A head row changes with every write of an agent's facts about a person, so whoever compares has compared with
all of them: the same fact is noted once, a newer value takes the place of an older one and says so, and the
cap is exact, however many sessions are looked at at once.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.errors import Conflict
from strata.domain.facts import Found
from strata.domain.facts.conflicts import fact_hash, relation
from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.agents import AgentConfig
from strata.ports import (
    Absent,
    Action,
    AllOf,
    Clock,
    Condition,
    ConditionFailed,
    Delete,
    Equals,
    Item,
    Key,
    Present,
    Put,
    Query,
    Table,
    Update,
)
from strata.services.records.owners import owned
from strata.services.records.people import (
    FACT_KIND,
    FACT_PREFIX,
    deleted_fact_key,
    fact_key,
    facts_head_key,
    facts_pk,
)
from strata.services.table.pages import every_row
from strata.services.table.retry import attempts

_AT_ONCE = 20
"""Facts of one transaction: each may supersede another and push out a third."""
_PAGE = 200

_log = logging.getLogger("strata.facts")


class Overtaken(Exception):
    """A condition that was given along no longer holds; what was written under it stays, no more is."""


@dataclass(frozen=True, slots=True)
class About:
    """Whose facts they are, of which session, and what the agent may remember."""

    agent_id: str
    owner: str
    session_id: str
    config: AgentConfig


class FactWriter:
    """Writes facts; nothing else does."""

    def __init__(self, table: Table, clock: Clock, ids: IdSource) -> None:
        self._table = table
        self._clock = clock
        self._ids = ids

    def learn(
        self,
        scope: Scope,
        about: About,
        found: Sequence[Found],
        *,
        holds: Sequence[Action],
        then: Sequence[Action],
    ) -> None:
        """Note those that are new.

        Args:
            scope: the tenant.
            about: whose they are.
            found: in the order in which they were said.
            holds: what must hold for each of the writes.
            then: what is written with the last of them; the first of these under the same condition as each.

        Raises:
            Overtaken: something of `holds` or `then` does not hold.
            Conflict: concurrent writers did not let this one settle.
        """
        parts = [found[start : start + _AT_ONCE] for start in range(0, len(found), _AT_ONCE)] or [[]]
        for part in parts[:-1]:
            self._write(scope, about, part, holds)
        self._write(scope, about, parts[-1], [*holds, *then])

    def _write(self, scope: Scope, about: About, found: Sequence[Found], beside: Sequence[Action]) -> None:
        for _ in attempts():
            actions = self._actions(scope, about, found)
            try:
                self._table.transact(scope, [*beside, *actions])
            except ConditionFailed as failed:
                if any(place < len(beside) for place in failed.failures):
                    raise Overtaken from None
            else:
                return
        raise Conflict("the facts are being written by others; try again")

    def _actions(self, scope: Scope, about: About, found: Sequence[Found]) -> list[Action]:
        if not found:
            return []
        head = self._table.get(scope, facts_head_key(about.agent_id, about.owner))
        pk = facts_pk(about.agent_id, about.owner)
        there = [
            row.item for row in every_row(self._table, scope, Query(pk, prefix=FACT_PREFIX, limit=_PAGE))
        ]
        new, superseded = self._compared(found, there, self._gone(scope, about, found))
        if not new:
            return []
        now = self._clock.now_us()
        rows = [self._row(about, each, self._ids.next(now)) for each in new]
        numbers = {id(each): row["id"] for each, row in zip(new, rows, strict=True)}
        older: dict[int, list[int]] = {}
        for number, by in superseded.items():
            older.setdefault(numbers[id(by)], []).append(number)
        for row in rows:
            if row["id"] in older:
                row["supersedes"] = sorted(older[row["id"]])
        excess = max(0, len(there) + len(rows) - about.config.max_facts)
        pushed = {item["id"] for item in there[: min(excess, 2 * _AT_ONCE)]}
        version = (head or {}).get("version", 0)
        seen: Condition = Absent() if head is None else Equals("version", version)
        return [
            Put(
                facts_head_key(about.agent_id, about.owner),
                {"version": version + 1} | owned(about.owner, FACT_KIND),
                seen,
            ),
            *(Put(self._key(about, row["id"]), row, Absent()) for row in rows),
            *(
                Update(self._key(about, number), set={"superseded_by": numbers[id(by)]}, condition=_holding)
                for number, by in superseded.items()
                if number not in pushed
            ),
            *(Delete(self._key(about, number)) for number in pushed),
        ]

    def _compared(
        self, found: Sequence[Found], there: Sequence[Item], gone: frozenset[str]
    ) -> tuple[list[Found], dict[int, Found]]:
        """Which of them are new, and which known facts they take the place of."""
        holding = [row for row in there if "superseded_by" not in row]
        new: list[Found] = []
        superseded: dict[int, Found] = {}
        for each in found:
            if fact_hash(each) in gone:
                continue
            known = [(row["id"], _found(row)) for row in holding if row["id"] not in superseded]
            judged = [(number, relation(fact, each)) for number, fact in known]
            among = [(other, relation(other, each)) for other in new]
            if "same" in [how for _, how in (*judged, *among)]:
                continue
            new = [other for other, how in among if how != "conflicting"]
            corrected = {id(other) for other, how in among if how == "conflicting"}
            superseded = {
                number: each if id(by) in corrected else by for number, by in superseded.items()
            } | {number: each for number, how in judged if how == "conflicting"}
            new.append(each)
        return new, superseded

    def _gone(self, scope: Scope, about: About, found: Sequence[Found]) -> frozenset[str]:
        """Those of their hashes that were deleted a short while ago."""
        keys = {
            deleted_fact_key(about.agent_id, about.owner, fact_hash(each)): fact_hash(each) for each in found
        }
        return frozenset(keys[key] for key in self._table.get_many(scope, list(keys)))

    def _row(self, about: About, found: Found, number: int) -> Item:
        row: Item = {
            "id": number,
            "agent_id": about.agent_id,
            "user_id": about.owner,
            "session_id": about.session_id,
            "category": found.category,
            "value": found.value,
            "fact": found.fact,
            "basis": found.basis,
            "hash": fact_hash(found),
            "created_at": number,
        } | owned(about.owner, FACT_KIND)
        days = about.config.fact_retention_days
        if days is not None:
            row["expires_at"] = number // 1_000_000 + days * DAY
        return row

    def _key(self, about: About, number: int) -> Key:
        return fact_key(about.agent_id, about.owner, number)


_holding = AllOf((Present(), Equals("superseded_by", None)))


def _found(row: Item) -> Found:
    return Found(row["category"], row["value"], row["fact"], row["basis"])
