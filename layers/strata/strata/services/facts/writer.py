"""Writes facts about a person: compared with what is known, in one transaction, under conditions.

A head row changes with every write of an agent's facts about a person, so each writer has compared its facts
with all others: the same fact is noted once, a newer value supersedes an older one, and the cap is exact,
however many sessions are extracted at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from strata.domain.facts.conflicts import fact_hash, relation
from strata.domain.facts.found import FoundFact
from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.agents import AgentConfig
from strata.ports.clock import Clock
from strata.ports.rows import (
    Absent,
    Action,
    Condition,
    Delete,
    Equals,
    Item,
    Key,
    Put,
    Update,
)
from strata.ports.table import Query, Table
from strata.services.records.owners import owned
from strata.services.records.people import (
    FACT_HOLDS,
    FACT_KIND,
    FACT_PREFIX,
    deleted_fact_key,
    fact_key,
    facts_head_key,
)
from strata.services.table.pages import every_row
from strata.services.table.retry import settled
from strata.services.table.transaction import Named, Refused, transact

_AT_ONCE = 20
"""Facts of one transaction: each may supersede another and push out a third."""
_PAGE = 200


class PreconditionFailed(Exception):
    """A precondition of the write no longer holds: facts that were written stay, no more are written."""


@dataclass(frozen=True, slots=True)
class About:
    """The person that facts are about, the agent that remembers them, and the session that they come from.

    `said_at` is when an imported session ended (µs); None for the others, whose facts are the newest.
    """

    agent_id: str
    owner: str
    session_id: str
    config: AgentConfig
    said_at: int | None = None


@dataclass(frozen=True, slots=True)
class _NewFact:
    """A fact that is not known yet, and the numbers of the known facts that it supersedes."""

    found: FoundFact
    supersedes: list[int]


class FactWriter:
    """Writes facts; nothing else does."""

    def __init__(self, table: Table, clock: Clock, ids: IdSource) -> None:
        self._table = table
        self._clock = clock
        self._ids = ids

    def write(
        self,
        scope: Scope,
        about: About,
        found: Sequence[FoundFact],
        *,
        preconditions: Sequence[Action] = (),
        last: Sequence[Action] = (),
    ) -> None:
        """Write those facts that are new.

        Args:
            scope: the tenant.
            about: the person, the agent and the session.
            found: the facts, in the order in which they were said.
            preconditions: part of each transaction.
            last: part of the last transaction, under conditions that are preconditions of it, too.

        Raises:
            PreconditionFailed: a condition of `preconditions` or `last` does not hold.
            Conflict: concurrent writers did not let this one settle.
        """
        chunks = [found[start : start + _AT_ONCE] for start in range(0, len(found), _AT_ONCE)] or [[]]
        for chunk in chunks[:-1]:
            self._write(scope, about, chunk, preconditions)
        self._write(scope, about, chunks[-1], [*preconditions, *last])

    def _write(
        self, scope: Scope, about: About, found: Sequence[FoundFact], preconditions: Sequence[Action]
    ) -> None:
        def attempt(_: Refused | None) -> None:
            actions = self._actions(scope, about, found)
            try:
                transact(self._table, scope, {"preconditions": preconditions, **actions})
            except Refused as refused:
                if "preconditions" in refused:
                    raise PreconditionFailed from None
                raise

        settled(self._clock, "the list of facts", attempt)

    def _actions(self, scope: Scope, about: About, found: Sequence[FoundFact]) -> Named:
        if not found:
            return {}
        head_key = facts_head_key(about.agent_id, about.owner)
        head = self._table.get(scope, head_key)
        query = Query(head_key.pk, prefix=FACT_PREFIX, limit=_PAGE)
        known = [row.item for row in every_row(self._table, scope, query)]
        new = _compared(self._undeleted(scope, about, found), known, about.said_at)
        if not new:
            return {}
        rows = [
            _row(about, each, number) for each, number in zip(new, self._numbers(about, known), strict=False)
        ]
        excess = max(0, len(known) + len(rows) - about.config.max_facts)
        oldest = {item["id"] for item in known[: min(excess, 2 * _AT_ONCE)]}
        version = (head or {}).get("version", 0)
        unseen: Condition = Absent() if head is None else Equals("version", version)

        def key(number: int) -> Key:
            return fact_key(about.agent_id, about.owner, number)

        return {
            "head": Put(head_key, {"version": version + 1} | owned(about.owner, FACT_KIND), unseen),
            "new": [Put(key(row["id"]), row, Absent()) for row in rows],
            "superseded": [
                Update(key(number), set={"superseded_by": row["id"]}, condition=FACT_HOLDS)
                for row in rows
                for number in row.get("supersedes", ())
                if number not in oldest
            ],
            "pushed out": [Delete(key(number)) for number in oldest],
        }

    def _numbers(self, about: About, known: Sequence[Item]) -> Iterator[int]:
        """Unused numbers of new facts: the time, or when they were said."""
        if about.said_at is None:
            now = self._clock.now_us()
            return (self._ids.next(now) for _ in count())
        taken = {row["id"] for row in known}
        return (number for number in count(about.said_at) if number not in taken)

    def _undeleted(self, scope: Scope, about: About, found: Sequence[FoundFact]) -> list[FoundFact]:
        """Those that were not deleted within the last day."""
        keys = [deleted_fact_key(about.agent_id, about.owner, fact_hash(each)) for each in found]
        deleted = self._table.get_many(scope, list(dict.fromkeys(keys)))
        return [each for each, key in zip(found, keys, strict=True) if key not in deleted]


def _compared(found: Sequence[FoundFact], known: Sequence[Item], said_at: int | None) -> list[_NewFact]:
    """Those found facts that are new; a later one supersedes an earlier one also among them.

    What was said at `said_at` is left out where a later fact says otherwise.
    """
    holding = [(row["id"], found_of(row)) for row in known if "superseded_by" not in row]
    new: list[_NewFact] = []
    for each in found:
        superseded = {number for other in new for number in other.supersedes}
        judged = [(number, relation(fact, each)) for number, fact in holding if number not in superseded]
        among = [(other, relation(other.found, each)) for other in new]
        if "same" in [how for _, how in (*judged, *among)]:
            continue
        supersedes = [number for number, how in judged if how == "conflicting"]
        if said_at is not None and any(number > said_at for number in supersedes):
            continue
        for other, how in among:
            if how == "conflicting":
                supersedes += other.supersedes
        new = [other for other, how in among if how != "conflicting"]
        new.append(_NewFact(each, supersedes))
    return new


def _row(about: About, new: _NewFact, number: int) -> Item:
    found = new.found
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
    if about.config.fact_retention_days is not None:
        row["expires_at"] = number // 1_000_000 + about.config.fact_retention_days * DAY
    if new.supersedes:
        row["supersedes"] = sorted(new.supersedes)
    return row


def found_of(row: Item) -> FoundFact:
    """The fact of a row, as it was found."""
    return FoundFact(row["category"], row["value"], row["fact"], row["basis"])
