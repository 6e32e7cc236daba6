"""Carries out the steps of the sweep for people whose conclusions changed, or whose dates have come.

The head of a person's rows is listed by the time from which there is something to do (`knowledge_head_key`).
The first step takes a person up for a run; each step reads the rows and writes under the version of the head,
so that two sweeps, or a sweep and the dreamer, take turns; the last one lists the head under the next date.
Whoever changes the rows meanwhile takes the person out of the run, and the next one begins anew.
"""

from collections.abc import Mapping, Sequence

from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, Item, Put
from strata.ports.table import Query, Table
from strata.services.knowledge.consolidations import RUN_SECONDS, counted, told
from strata.services.knowledge.contradiction_events import unsent
from strata.services.knowledge.drawing import Change
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.knowledge.upkeep import (
    Plan,
    Tended,
    Thresholds,
    fade,
    flag_stale,
    merge_redundant,
    next_due,
    prune,
)
from strata.services.records.knowledge import (
    DUE_PK,
    KNOWLEDGE_PREFIX,
    consolidation_key,
    declined_key,
)
from strata.services.records.parts import numbered, whole
from strata.services.table.retry import settled
from strata.services.table.transaction import transact

CONTRADICTIONS = "contradictionPipeline"
"""This step takes away by more than the rows (`contradictions.py`)."""
PLANS: Mapping[str, Plan] = {
    "stale": flag_stale,
    "decay": fade,
    "redundancy": merge_redundant,
    CONTRADICTIONS: lambda *_: Tended(),
    "pruning": prune,
}
"""The steps that follow from a person's rows alone, in their order."""
UNDOABLE = ("redundancy", CONTRADICTIONS, "pruning")
_AT_ONCE = 45
"""Conclusions that one transaction writes, each perhaps with a mark."""


class KnowledgeSweep:
    """Keeps the conclusions about people healthy.

    Args:
        table, clock: the store and the time.
        by: what it goes by.
    """

    def __init__(self, table: Table, clock: Clock, by: Thresholds) -> None:
        self._table = table
        self._clock = clock
        self._by = by
        self._ids = IdSource()
        self._rows = KnowledgeRows(table)

    def people(
        self, scope: Scope, first: int, last: int, cursor: str | None, limit: int
    ) -> tuple[list[str], str | None]:
        """People who are due from `first` to `last` (µs), and the next page's cursor; None at the end."""
        query = Query(
            DUE_PK, first=numbered(first), last=numbered(last), index="gsi2", cursor=cursor, limit=limit
        )
        page = self._table.query(scope, query)
        return [whole(row.key.pk.removeprefix(KNOWLEDGE_PREFIX)) for row in page.rows], page.cursor

    def take_up(self, scope: Scope, owner: str, run: int) -> bool:
        """Let a run (µs) have this person; whether they are still there."""

        def attempt(_: object) -> bool:
            known = self._rows.head(scope, owner)
            if known.version is None or known.was_due > run:
                return False
            known.due = run
            if known.was_due != run:
                transact(self._table, scope, {"head": known.head})
            return True

        return settled(self._clock, "the knowledge about a person", attempt)

    def tend(
        self,
        scope: Scope,
        owner: str,
        step: str,
        run: int,
        *,
        dry: bool = False,
        plan: Plan | None = None,
    ) -> dict[str, int]:
        """Do one step for a person whom this run (µs) has; the numbers for its report.

        Args:
            scope: the tenant.
            owner: the person.
            step: one of `PLANS`.
            run: the start of the run, which is also the time that dates are compared with.
            dry: only count what would change, the steps before this one included; nothing is written.
            plan: takes the place of the step's own.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        total = {"looked_at": 0, "added": 0, "changed": 0, "removed": 0, "waiting": 0}
        plans = PLANS if plan is None else {**PLANS, step: plan}
        if dry:
            return total | self._foreseen(scope, owner, step, run, plans)

        def attempt(_: object) -> bool:
            known = self._rows.read(scope, owner, sightings=False)
            if known.version is None or known.was_due != run:
                return False
            tended = plans[step](known.conclusions, run, self._by)
            part = _first(tended.changes)
            more = len(part) < len(tended.changes)
            known.due = run
            total["looked_at"] = max(total["looked_at"], len(known.conclusions))
            total["waiting"] = tended.waiting
            if part:
                self._write(scope, known, step, part)
                for name, count in counted(part).items():
                    total[name] += count
            return more

        while settled(self._clock, "the knowledge about a person", attempt):
            pass
        return total

    def _foreseen(
        self, scope: Scope, owner: str, step: str, run: int, plans: Mapping[str, Plan]
    ) -> dict[str, int]:
        rows = dict(self._rows.read(scope, owner, sightings=False).conclusions)
        found = {"looked_at": len(rows)}
        for name, plan in plans.items():
            tended = plan(rows, run, self._by)
            rows |= {name: row for name, row in _after(tended.changes).items() if row is not None}
            if name == step:
                found |= counted(tended.changes) | {"waiting": tended.waiting}
        return found

    def finish(self, scope: Scope, owner: str, run: int) -> int | None:
        """List the person under the next time (µs) at which there is something to do; None for never."""

        def attempt(_: object) -> int | None:
            known = self._rows.read(scope, owner, sightings=False)
            if known.version is None or known.was_due != run:
                return None
            known.due = next_due(known.conclusions, run, self._by)
            transact(self._table, scope, {"head": known.head})
            return known.due

        return settled(self._clock, "the knowledge about a person", attempt)

    def _write(self, scope: Scope, known: Knowledge, step: str, changes: Sequence[Change]) -> None:
        number = self._ids.next(self._clock.now_us())
        stamp = {"run": number, "updated_at": number} if step in UNDOABLE else {}
        rows = _after(changes)
        written: dict[str, Action | Sequence[Action]] = {
            "head": known.head,
            "conclusions": [known.conclusion(name, row and row | stamp) for name, row in rows.items()],
            "marks": [
                _declined(known, each, number) for each in _before(changes) if rows[each["id"]] is None
            ],
        }
        kept = [change for change in changes if not change.removes]
        if stamp and kept:
            report = run_row(step, number, kept)
            if step == CONTRADICTIONS:
                report["unsent"] = unsent(rows)
            written["run"] = Put(consolidation_key(known.owner, number), report | known.listed, Absent())
        transact(self._table, scope, written)


def run_row(step: str, number: int, changes: Sequence[Change]) -> Item:
    """The report of a step over a person's conclusions, with what it takes to undo it."""
    return {
        "id": number,
        "session_id": None,
        "at": number,
        "outcome": step,
        "left_out": 0,
        "refused": [],
        "changes": [told(change) for change in changes],
        "expires_at": number // 1_000_000 + RUN_SECONDS,
    } | counted(changes)


def _first(changes: Sequence[Change]) -> list[Change]:
    """As many changes as one transaction can have, at least one."""
    part: list[Change] = []
    size = 0
    for change in changes:
        size += len(change.after)
        if part and size > _AT_ONCE:
            break
        part.append(change)
    return part


def _before(changes: Sequence[Change]) -> list[Item]:
    return [row for change in changes for row in change.before.values() if row is not None]


def _after(changes: Sequence[Change]) -> dict[str, Item | None]:
    return {name: row for change in changes for name, row in change.after.items()}


def _declined(known: Knowledge, row: Item, at: int) -> Put:
    """Keep what was hidden for long enough from being drawn again from the same sessions."""
    told = {name: row[name] for name in ("id", "subject", "value_key", "sessions")} | {"at": at}
    return Put(declined_key(known.owner, row["id"]), told | known.listed)
