"""Scheduled maintenance: its steps, in their order."""

import os
from functools import cached_property
from urllib.parse import urlsplit

from strata.bootstrap.room import Room
from strata.domain.guarding import Readings, Verdict, decide
from strata.domain.scope import Scope
from strata.services.knowledge.sweeping import CONTRADICTIONS
from strata.services.maintenance.guard import ResourceGuard
from strata.services.maintenance.marks import Marks
from strata.services.maintenance.punctuality import Punctuality
from strata.services.maintenance.runs import Runs
from strata.services.maintenance.step import Step
from strata.services.maintenance.steps.counters import Counters
from strata.services.maintenance.steps.dead_letters import DeadLetters
from strata.services.maintenance.steps.entities import TendEntities
from strata.services.maintenance.steps.erasures import ResumeErasures
from strata.services.maintenance.steps.event_logs import EventLogLimits
from strata.services.maintenance.steps.idle import IdleSessions
from strata.services.maintenance.steps.index import IndexSample
from strata.services.maintenance.steps.leftovers import ClearLeftovers
from strata.services.maintenance.steps.notes import ForgottenNotes
from strata.services.maintenance.steps.orphans import OrphanEpisodes
from strata.services.maintenance.steps.people import AT_ONCE, CHAIN, PeopleStep, Work
from strata.services.maintenance.steps.tenants import CallTenants
from strata.services.maintenance.steps.wiki import WIKI, WikiStep
from strata.services.maintenance.sweep import Sweeper
from strata.settings import queue_setting

QUEUES = ("redrive", "extraction", "consolidation", "erasure", "maintenance")
"""Queues that may have dead letters on one machine."""


class Maintenance(Room):
    """Runs of maintenance, their steps and their reports."""

    @cached_property
    def marks(self) -> Marks:
        return Marks(self._app.stores.table, self._app.clock)

    @cached_property
    def runs(self) -> Runs:
        return Runs(self._app.stores.table, self._app.clock)

    @cached_property
    def punctuality(self) -> Punctuality:
        return Punctuality(self.runs, self._app.clock, enabled=self._settings.maintenance_enabled)

    @cached_property
    def guard(self) -> ResourceGuard:
        asked = (self._settings.consolidation, self._settings.judge)
        chosen = next((each for each in asked if each.provider == "ollama"), asked[0])
        host = (urlsplit(chosen.place).hostname or "") if chosen.provider == "ollama" else ""

        def decided(scope: Scope) -> Verdict:
            return decide(
                self._settings.background_work_policy,
                chosen.provider,
                host,
                lambda: self._readings(scope, chosen.place),
            )

        return ResourceGuard(self._app.stores.table, self.runs, decided)

    def _readings(self, scope: Scope, server: str) -> Readings:
        from strata.adapters.models.ollama import pinned_models

        now = self._app.clock.now_us()
        active, since_end = self._app.sessions.catalog.activity(scope, now)
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        pinned = pinned_models(server, now / 1_000_000)
        return Readings(active, since_end, load, os.cpu_count() or 1, pinned)

    @cached_property
    def sweeper(self) -> Sweeper:
        queue, alone = self._app.queues.named("maintenance"), self._settings.auth == "none"
        dead_letters = DeadLetters(self._dead_letters)
        of_people = self._people_steps()
        return Sweeper(
            self.runs,
            self.marks,
            [*self._steps(), *([dead_letters] if alone else [])],
            of_people,
            [CallTenants(self.marks, queue), dead_letters],
            queue,
            self._app.clock,
            enabled=self._settings.maintenance_enabled,
            alone=alone,
            slow={
                step.name: step.due
                for step in of_people
                if isinstance(step, PeopleStep | WikiStep) and step.name in self._slow
            },
        )

    @cached_property
    def _slow(self) -> frozenset[str]:
        """The steps in which a model reads, so that no request waits for them."""
        models = self._app.models
        wiki = {WIKI} if models.consolidating else set[str]()
        return frozenset(wiki | ({CONTRADICTIONS} if models.reads_pairs else set()))

    def _steps(self) -> list[Step]:
        """The steps of a tenant's run."""
        app, table, clock = self._app, self._app.stores.table, self._app.clock
        events, idle = app.events, self._settings.idle_session
        return [
            ResumeErasures(app.privacy.erasures),
            IdleSessions(app.sessions.idle_ender, events.lists, clock, idle_seconds=idle),
            ClearLeftovers(app.stores.leftovers, table),
            EventLogLimits(events.remover, events.lists, events.totals),
            ForgottenNotes(table, clock, app.stream.totals),
            IndexSample(table, clock, app.repair.comparison, self.marks),
            Counters(table, clock, app.stream.totals, self.marks),
        ]

    def _people_steps(self) -> list[Step]:
        """The steps over what is known of people."""
        sweep = self._app.knowledge.sweep

        def work(step: str) -> Work:
            if step == CONTRADICTIONS:
                return lambda scope, owner, window: self._app.knowledge.contradictions.run(
                    scope, owner, window.run * 1000, dry=window.dry
                )
            return lambda scope, owner, window: sweep.tend(
                scope, owner, step, window.run * 1000, dry=window.dry
            )

        orphans = OrphanEpisodes(
            self._app.stores.table, self.marks, self._settings.knowledge.orphan_importance
        )
        steps: list[Step] = [
            # a model takes minutes for one person: none is done twice because another took too long
            PeopleStep(
                name, sweep, work(name), self.marks, self.guard.deferral, 1 if name in self._slow else AT_ONCE
            )
            for name in CHAIN
        ]
        upkeep, wiki = self._app.entities.upkeep, self._app.entities.wiki
        tend = TendEntities(upkeep.due, lambda scope, owner, dry: upkeep.tend(scope, owner, dry=dry))
        read = [WikiStep(self.marks, wiki, self.guard.deferral)] if wiki else []
        return [*steps[:-2], orphans, *steps[-2:], tend, *read]

    def _dead_letters(self) -> dict[str, int]:
        """The number of dead letters: in AWS's one queue for all, or of each queue on one machine."""
        queues = self._app.queues
        if queue_setting("dead_letters") in self._settings.queue_urls:
            return {"all": queues.named("dead_letters").depth()}
        return {name: queues.named(name).counts().dead for name in QUEUES}
