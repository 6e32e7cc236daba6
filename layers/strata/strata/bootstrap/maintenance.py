"""Maintenance over the services: its steps, in their order, and what begins and reports them."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.erasure import ErasureServices
from strata.settings import queue_setting

if TYPE_CHECKING:
    from strata.ports import Leftovers
    from strata.services.maintenance.marks import Marks
    from strata.services.maintenance.punctuality import Punctuality
    from strata.services.maintenance.runs import Runs
    from strata.services.maintenance.step import Step
    from strata.services.maintenance.sweep import Sweeper
    from strata.services.repair.repair import Repair

QUEUES = ("redrive", "extraction", "erasure", "maintenance")
"""Where something may be given up on one machine."""


class MaintenanceServices(ErasureServices):
    """What keeps the stores clean."""

    @cached_property
    def marks(self) -> "Marks":
        """What changed."""
        from strata.services.maintenance.marks import Marks

        return Marks(self.table, self.clock)

    @cached_property
    def runs(self) -> "Runs":
        """Runs and their reports."""
        from strata.services.maintenance.runs import Runs

        return Runs(self.table, self.clock)

    @cached_property
    def punctuality(self) -> "Punctuality":
        """Whether maintenance takes place."""
        from strata.services.maintenance.punctuality import Punctuality

        return Punctuality(self.runs, self.clock, enabled=self.settings.maintenance_enabled)

    @cached_property
    def leftovers(self) -> "Leftovers":
        """What the store leaves behind."""
        if self.settings.store == "dynamodb":
            from strata.adapters.dynamodb.leftovers import DynamoLeftovers

            name = self.settings.dynamodb.table
            return DynamoLeftovers(self._dynamodb, name, self.bodies, self.clock)
        from strata.adapters.sqlite.leftovers import SqliteLeftovers

        return SqliteLeftovers(self._sqlite_table)

    @cached_property
    def sweeping(self) -> "Sweeper":
        """Runs maintenance."""
        from strata.services.maintenance.steps import CallTenants, DeadLetters
        from strata.services.maintenance.sweep import Sweeper

        queue, alone = self.queue("maintenance"), self.settings.auth == "none"
        dead_letters = DeadLetters(self._dead_letters)
        return Sweeper(
            self.runs,
            self.marks,
            [*self._steps(), *([dead_letters] if alone else [])],
            [CallTenants(self.marks, queue), dead_letters],
            queue,
            enabled=self.settings.maintenance_enabled,
            alone=alone,
        )

    def _steps(self) -> "list[Step]":
        """The steps of a tenant's run."""
        from strata.services.maintenance.steps import (
            ClearLeftovers,
            Counters,
            EventLogLimits,
            ForgottenNotes,
            IdleSessions,
            IndexSample,
            ResumeErasures,
        )
        from strata.services.repair.compare import Comparison
        from strata.services.repair.open_notes import OpenNotes

        table, clock = self.table, self.clock
        idle = self.settings.idle_session
        return [
            ResumeErasures(self.erasures),
            IdleSessions(self.idling, self.event_lists, clock, idle_seconds=idle),
            ClearLeftovers(self.leftovers, table),
            EventLogLimits(self.event_logs, self.event_lists, self.event_totals),
            ForgottenNotes(table, clock),
            IndexSample(table, clock, Comparison(table, self.index, OpenNotes(table)), self.marks),
            Counters(table, clock, self.totals, self.marks),
        ]

    def _dead_letters(self) -> dict[str, int]:
        """How much lies among the dead letters: of AWS's one queue for all, or of each on one machine."""
        if queue_setting("dead_letters") in self.settings.queue_urls:
            return {"all": self.queue("dead_letters").depth()}
        return {name: self.queue(name).counts().dead for name in QUEUES}

    @cached_property
    def upkeep(self) -> "Repair":
        """Rebuilds, redrives, checks."""
        from strata.services.repair.repair import Repair

        return Repair(
            self.census,
            self.table,
            self.index,
            self.redrive_queue,
            self.clock,
            self.indexing,
            self.totals,
            self.freshness,
            self.event_totals,
            shown=lambda: self.clock.sleep(self.settings.index_refresh_seconds),
        )
