"""Imports the rows that are written as they are: of every kind but sessions and observations.

Many go in one transaction. Where one of them is refused, each is written by itself, to tell which.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from strata.domain.imports import NotTaken
from strata.domain.scope import Scope
from strata.domain.wire.transfer import Skipped
from strata.ports.clock import Clock
from strata.ports.rows import Action, Check, Key
from strata.ports.table import Table
from strata.services.people.audit import AuditLog
from strata.services.table.transaction import Refused, transact
from strata.services.transfer.plan import Plan
from strata.services.transfer.plans import Planner
from strata.services.transfer.seen import Seen

_ACTIONS = 90


class RowImport:
    """Adds rows that are not there yet."""

    def __init__(
        self, table: Table, clock: Clock, audit: AuditLog, *, redacting: bool, max_events: int
    ) -> None:
        self._table = table
        self._planner = Planner(table, clock, audit, redacting=redacting, max_events=max_events)

    def add(
        self, scope: Scope, rows: Sequence[Seen], skipped: list[Skipped], *, resurrect: bool, by: str
    ) -> Counter[str]:
        """Add rows of one place in the order, which the caller `by` reports; how many of each kind."""
        added = Counter[str]()
        if not rows:
            return added
        self._planner.prepare(scope, rows, by)
        plans: list[tuple[Seen, Plan]] = []
        for seen in rows:
            try:
                plans.append((seen, self._planner.plan(seen, resurrect=resurrect)))
            except NotTaken as refusal:
                skipped.append(seen.skipped(refusal.reason))
        there = self._table.get_many(scope, list(dict.fromkeys(plan.row.key for _, plan in plans)))
        new = [(seen, plan) for seen, plan in plans if not plan.stands(there.get(plan.row.key))]
        for batch in _batches(new):
            added.update(seen.kind.name for seen in self._written(scope, batch, skipped))
        return added

    def _written(
        self, scope: Scope, batch: Sequence[tuple[Seen, Plan]], skipped: list[Skipped]
    ) -> Iterator[Seen]:
        """Write a batch; those of it that are new."""
        try:
            actions = {action.key: action for _, plan in batch for action in plan.actions}
            transact(self._table, scope, {"all": list(actions.values())})
        except Refused:
            for seen, plan in batch:
                try:
                    transact(
                        self._table,
                        scope,
                        {"row": plan.row, **plan.guards, "beside": [*plan.beside, *plan.head]},
                    )
                    yield seen
                except Refused as refused:
                    reason = next((name for name in plan.guards if name in refused), None)
                    if reason is not None and "row" not in refused:
                        skipped.append(seen.skipped(reason))
        else:
            yield from (seen for seen, _ in batch)


def _is_shared(action: Action, plan: Plan, taken: Mapping[Key, Action]) -> bool:
    """Whether this is a check, or a change of a head, that the batch makes already."""
    return (isinstance(action, Check) or action in plan.head) and taken[action.key] == action


def _batches(plans: Sequence[tuple[Seen, Plan]]) -> Iterator[list[tuple[Seen, Plan]]]:
    """The plans in batches in which no two write one row."""
    batch: list[tuple[Seen, Plan]] = []
    taken: dict[Key, Action] = {}
    for seen, plan in plans:
        clashes = any(action.key in taken and not _is_shared(action, plan, taken) for action in plan.actions)
        if batch and (clashes or len(taken) + len(plan.actions) > _ACTIONS):
            yield batch
            batch, taken = [], {}
        batch.append((seen, plan))
        taken |= {action.key: action for action in plan.actions}
    if batch:
        yield batch
