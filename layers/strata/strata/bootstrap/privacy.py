"""Rights of people: access and erasure."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.privacy.access import Access
from strata.services.privacy.erasure.jobs import Erasures
from strata.services.privacy.erasure.work import Eraser
from strata.services.privacy.forget import DerivedDataForgetter

if TYPE_CHECKING:
    from strata.bootstrap.stores import Stores
    from strata.services.privacy.adoption import Adoption
    from strata.services.privacy.carry_over import CarryOver
    from strata.services.privacy.refused_sessions import RefusedSessions


class Privacy(Room):
    """Access to and erasure of what is stored about a person."""

    @cached_property
    def erasures(self) -> Erasures:
        queue = self._app.queues.named("erasure")
        return Erasures(self._app.stores.table, self._app.clock, queue, self._app.people.audit)

    @cached_property
    def eraser(self) -> Eraser:
        stores = self._app.stores
        return Eraser(
            stores.table,
            stores.index,
            self._app.clock,
            stores.remnants,
            settle_seconds=self._settings.erasure_settle,
        )

    @cached_property
    def access(self) -> Access:
        return Access(self._app.stores.table, self._app.clock)

    @cached_property
    def forgetter(self) -> DerivedDataForgetter:
        others = (self._app.knowledge.learning,)
        return DerivedDataForgetter(self._app.stores.table, self._app.clock, others)

    @cached_property
    def refused_sessions(self) -> "RefusedSessions":
        from strata.services.privacy.refused_sessions import RefusedSessions

        app = self._app
        return RefusedSessions(app.stores.table, app.facts.catalog, app.episodes.catalog)

    @cached_property
    def adoption(self) -> "Adoption":
        from strata.services.entities.adopting import EntityAdoption
        from strata.services.facts.adopting import FactAdoption
        from strata.services.privacy.adoption import Adoption

        app, table = self._app, self._app.stores.table
        return Adoption(
            table,
            app.clock,
            app.people.devices,
            app.people.ownership,
            FactAdoption(table, app.clock),
            app.knowledge.adoption,
            EntityAdoption(table, app.entities.recorder).adopt,
            self._settings.dedupe_window,
        )

    def carry_over(self, known: "Stores") -> "CarryOver":
        """Applies to this application's store, a restored one, what another store knows."""
        from strata.services.privacy.carry_over import CarryOver
        from strata.services.privacy.restored import Restored

        app, stores = self._app, self._app.stores
        restored = Restored(
            stores.table,
            stores.census,
            stores.change_log,
            app.observations.editor,
            app.facts.catalog,
            app.entities.editor.bury,
            self.forgetter,
            Eraser(stores.table, stores.index, app.clock, None, settle_seconds=0),
            app.stream.consumers,
            app.clock,
        )
        return CarryOver(known.table, known.census, restored)
