"""Observations: saved, changed, read."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.domain.ids import IdSource
from strata.services.observations.change import Editor
from strata.services.observations.read import Reader
from strata.services.observations.save import Saver

if TYPE_CHECKING:
    from strata.services.observations.supersession import Supersession


class Observations(Room):
    """Saves, changes, deletes and reads observations."""

    @cached_property
    def saver(self) -> Saver:
        return Saver(
            self._app.stores.table,
            self._app.clock,
            IdSource(),
            self._app.people.ownership,
            self._app.tenants.stored.admit,
            dedupe_window=self._settings.dedupe_window,
            redacting=self._settings.redact,
        )

    @cached_property
    def editor(self) -> Editor:
        window, redacting = self._settings.dedupe_window, self._settings.redact
        return Editor(self._app.stores.table, self._app.clock, dedupe_window=window, redacting=redacting)

    @cached_property
    def supersession(self) -> "Supersession":
        from strata.services.observations.supersession import Supersession

        return Supersession(self._app.stores.table, self._app.clock, lambda: self._app.search.observations)

    @cached_property
    def reader(self) -> Reader:
        stores = self._app.stores
        return Reader(stores.table, self._app.stream.current_totals, stores.parallel)
