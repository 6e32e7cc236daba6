"""Facts as sources of conclusions: those that rest on a fact's words name it, and fall with it.

A session is read for facts and for conclusions by different workers, so either may come first: every change
on the stream is looked at as the rows are now. A fact that expires, or is pushed out, takes nothing away.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, Check, Equals, Item, Key, Present, Put, Update
from strata.ports.table import Query, Table
from strata.services.knowledge.drawing import paired
from strata.services.knowledge.felling import AT_ONCE, without
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.knowledge.sighted import tells
from strata.services.records.erasures import tombstone_key
from strata.services.records.knowledge import (
    CONSOLIDATION_SK,
    consolidation_key,
    consolidation_order_key,
    declined_key,
)
from strata.services.records.parts import digest, whole
from strata.services.records.people import (
    FACT_PREFIX,
    GONE_PREFIX,
    fact_id,
    fact_key,
    facts_pk,
    is_fact,
)
from strata.services.table.pages import every_row
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

_HOLDS = Equals("superseded_by", None)


@dataclass(frozen=True, slots=True)
class _Fact:
    """A fact of an agent; `row` is its own, or the mark that a deleted one leaves."""

    agent: str
    row: Item

    @property
    def id(self) -> str:
        return fact_id(self.row["id"])

    @property
    def replaced(self) -> bool:
        return self.row.get("superseded_by") is not None

    @property
    def gone(self) -> bool:
        return self.replaced or "hash" not in self.row

    def source(self, row: Item) -> str | None:
        """The source of a conclusion that the fact's session is."""
        return dict(paired(row) or ()).get(self.row["session_id"])

    def bears_out(self, row: Item) -> bool:
        """Whether a conclusion quotes the fact's words; one by rules must tell its value, too."""
        if row["by"] == "rules" and not (
            row["type"] == "explicit" and tells(f"{row['value']} {row['text']}", self.row["value"])
        ):
            return False
        source, basis = self.source(row), self.row["basis"]
        return any(
            each["source"] == source and (each["text"] in basis or basis in each["text"])
            for each in row["quotes"]
        )


class FactSources:
    """Names facts as sources of conclusions, and fells what rests on deleted and superseded ones alone."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._rows = KnowledgeRows(table)

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        changed = dict.fromkeys(key for key in keys if key.sk == CONSOLIDATION_SK or is_fact(key))
        rows = self._table.get_many(scope, list(changed)) if changed else {}
        facts: defaultdict[str, list[_Fact]] = defaultdict(list)
        read: dict[str, str] = {}
        for key, row in rows.items():
            if is_fact(key):
                facts[row["user_id"]].append(_Fact(row["agent_id"], row))
            elif "ran" in row and row["agent_id"]:
                read[facts_pk(row["agent_id"], row["user_id"])] = row["user_id"]
        for pk, owner in read.items():
            facts[owner] += self._facts(scope, Query(pk, FACT_PREFIX, where=_HOLDS))
        for pk in {key.pk: None for key in changed if is_fact(key) and key not in rows}:
            owner = whole(pk.split("#")[2])
            for fact in self._facts(scope, Query(pk, GONE_PREFIX)):
                if "basis" in fact.row and fact_key(fact.agent, owner, fact.row["id"]) in changed:
                    facts[owner].append(fact)
        for owner, some in facts.items():
            self._settle(scope, owner, some)

    def _facts(self, scope: Scope, query: Query) -> list[_Fact]:
        agent = whole(query.pk.split("#")[1])
        return [_Fact(agent, row.item) for row in every_row(self._table, scope, query)]

    def _settle(self, scope: Scope, owner: str, facts: Sequence[_Fact]) -> None:
        gone = [each for each in facts if each.gone]
        unerased = Check(tombstone_key(owner), Absent())

        def attempt(refused: Refused | None) -> bool:
            if refused is not None and "unerased" in refused:
                return False
            known = self._rows.read(scope, owner, runs=bool(gone), sightings=False)
            waiting = self._waiting(scope, owner, gone)
            due = [each for each in facts if (each.agent, each.id) not in waiting]
            actions = [*_marks(known, gone, self._clock.now_us()), *_changed(known, due), *_past(known, gone)]
            if actions:
                changed = actions[:AT_ONCE]
                transact(self._table, scope, {"unerased": unerased, "head": known.head, "changed": changed})
            return len(actions) > AT_ONCE

        while settled(self._clock, "the knowledge about a person", attempt):
            pass

    def _waiting(self, scope: Scope, owner: str, gone: Sequence[_Fact]) -> set[tuple[str, str]]:
        """The superseded facts whose newer value waits for the dreamer, whose run replaces the conclusion."""
        newer = {
            (each.agent, each.id): fact_key(each.agent, owner, each.row["superseded_by"])
            for each in gone
            if each.replaced
        }
        rows = self._table.get_many(scope, list(newer.values())) if newer else {}
        places = {key: consolidation_order_key(row["session_id"]) for key, row in rows.items()}
        orders = self._table.get_many(scope, list({*places.values()})) if places else {}
        return {
            name
            for name, key in newer.items()
            if (order := orders.get(places.get(key, key))) and order["state"] != "done" and "ran" not in order
        }


def _marks(known: Knowledge, gone: Sequence[_Fact], now: int) -> list[Action]:
    """Keep conclusions from being drawn again from the words of these facts."""
    marks: list[Action] = []
    for fact in gone:
        name = digest(fact.agent, fact.id)
        row: Item = {"id": name, "subject": "", "value_key": fact.row["value"], "at": now}
        row |= {"sessions": [fact.row["session_id"]], "replaced": fact.replaced} | known.listed
        if name not in known.declined:
            marks.append(Put(declined_key(known.owner, name), row))
    return marks


def _changed(known: Knowledge, facts: Sequence[_Fact]) -> list[Action]:
    """Write the conclusions that rest on the words of these facts."""
    actions: list[Action] = []
    for name, row in known.conclusions.items():
        left: Item | None = row
        for fact in facts:
            source = fact.source(left) if left is not None else None
            if left is not None and fact.gone and paired(left) is None:
                left = without(left, {fact.row["session_id"]}, set())
            if left is None or source is None or not fact.bears_out(left):
                continue
            named = [each for each in left.get("facts", ()) if each != fact.id]
            if fact.gone:
                left = without(left | {"facts": named}, {fact.row["session_id"]}, {source})
            elif fact.id not in left.get("facts", ()):
                left = left | {"facts": [*named, fact.id]}
        if left != row:
            actions.append(known.conclusion(name, left))
    return actions


def _past(known: Knowledge, gone: Sequence[_Fact]) -> list[Action]:
    """Let no undo give back what rests on deleted facts."""
    deleted = [each for each in gone if not each.replaced]
    actions: list[Action] = []
    for run in known.runs:
        changes = [
            each
            for each in run["changes"]
            if not any(row and fact.bears_out(row) for row in each["before"].values() for fact in deleted)
        ]
        if len(changes) < len(run["changes"]):
            key = consolidation_key(known.owner, run["id"])
            actions.append(Update(key, set={"changes": changes}, condition=Present()))
    return actions
