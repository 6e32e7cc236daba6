"""Rights of people: access and erasure."""

from functools import cached_property

from strata.bootstrap.room import Room
from strata.services.privacy.access import Access
from strata.services.privacy.erasure.jobs import Erasures
from strata.services.privacy.erasure.work import Eraser
from strata.services.privacy.forget import DerivedDataForgetter


class Privacy(Room):
    """Access to and erasure of what is stored about a person."""

    @cached_property
    def erasures(self) -> Erasures:
        stores = self._app.stores
        return Erasures(stores.table, self._app.clock, stores.queue("erasure"), self._app.people.audit)

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
        return DerivedDataForgetter(self._app.stores.table, self._app.clock)
