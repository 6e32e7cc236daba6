"""Asks whether background work may be done now, and counts how often it had to wait."""

from collections.abc import Callable

from strata.domain.guarding import Verdict
from strata.domain.scope import Scope
from strata.ports.rows import Update
from strata.ports.table import Table
from strata.services.maintenance.runs import Runs
from strata.services.records.maintenance import maintenance_key

_SERVICE = Scope.maintenance()
_DEFERRED = "deferred_"


class ResourceGuard:
    """Guards the models of one machine.

    Args:
        table, runs: hold the counts, which every process of the machine adds to.
        decide: the decision for a tenant, from the state of the machine.
    """

    def __init__(self, table: Table, runs: Runs, decide: Callable[[Scope], Verdict]) -> None:
        self._table = table
        self._runs = runs
        self.verdict = decide

    def deferral(self, scope: Scope) -> str:
        """The reason for which the work has to wait; empty when it may be done. A wait is counted."""
        verdict = self.verdict(scope)
        if verdict.safe:
            return ""
        self._table.update(_SERVICE, Update(maintenance_key(), add={_DEFERRED + verdict.reason: 1}))
        return verdict.reason

    def deferrals(self) -> dict[str, int]:
        """The number of times that work had to wait, by reason."""
        state = self._runs.state(_SERVICE)
        return {
            name.removeprefix(_DEFERRED): count
            for name, count in sorted(state.items())
            if name.startswith(_DEFERRED)
        }

    def exposition(self, scope: Scope) -> str:
        """The gauge and the counter in the text format of Prometheus, under agtOS's names."""
        lines = [
            "# TYPE agtos_background_work_safe gauge",
            f"agtos_background_work_safe {int(self.verdict(scope).safe)}",
            "# TYPE agtos_resource_guard_defer_count_total counter",
        ]
        for why, count in self.deferrals().items():
            lines.append(f'agtos_resource_guard_defer_count_total{{reason="{why}"}} {count}')
        return "\n".join(lines) + "\n"
