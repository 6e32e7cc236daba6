"""Export and import."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.transfer.exporter import Exporter
from strata.services.transfer.importer import Importer
from strata.services.transfer.line_exporter import LineExporter

if TYPE_CHECKING:
    from strata.services.transfer.moving import ProjectMover


class Transfer(Room):
    """Exports and imports a tenant's memories."""

    @cached_property
    def exporter(self) -> Exporter:
        return Exporter(self._app.stores.table, self._app.clock, self._app.stream.current_totals)

    @cached_property
    def line_exporter(self) -> LineExporter:
        stores = self._app.stores
        return LineExporter(stores.table, stores.inventory, self._app.clock)

    @cached_property
    def importer(self) -> Importer:
        return Importer(
            self._app.stores.table,
            self._app.clock,
            self._app.people.ownership,
            self._app.tenants.stored.admit,
            self._app.entities.importing.add,
            self._app.people.audit,
            dedupe_window=self._settings.dedupe_window,
            redacting=self._settings.redact,
            max_events=self._settings.max_session_events,
        )

    @cached_property
    def mover(self) -> "ProjectMover":
        from strata.services.transfer.moving import ProjectMover

        window = self._settings.dedupe_window
        return ProjectMover(self._app.stores.table, self._app.clock, dedupe_window=window)
