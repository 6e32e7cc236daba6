"""Facts about people: found, written, listed."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.domain.ids import IdSource
from strata.services.facts.catalog import FactCatalog
from strata.services.facts.orders import ExtractionOrders

if TYPE_CHECKING:
    from strata.services.facts.extraction import Extraction
    from strata.services.facts.finders import FactFinder
    from strata.services.facts.writer import FactWriter


class Facts(Room):
    """Finds, writes, lists and deletes facts about people."""

    @cached_property
    def catalog(self) -> FactCatalog:
        return FactCatalog(self._app.stores.table, self._app.clock)

    @cached_property
    def writer(self) -> "FactWriter":
        from strata.services.facts.writer import FactWriter

        return FactWriter(self._app.stores.table, self._app.clock, IdSource())

    @cached_property
    def fact_finder(self) -> "FactFinder":
        from strata.services.facts.finders import FactsByModel, FactsByRules

        model = self._app.models.budgeted
        return FactsByRules() if model is None else FactsByModel(model, FactsByRules())

    @cached_property
    def orders(self) -> ExtractionOrders:
        return ExtractionOrders(self._app.stores.table, redacting=self._settings.redact)

    @cached_property
    def extraction(self) -> "Extraction":
        from strata.services.facts.extraction import Extraction

        return Extraction(self._app.stores.table, self._app.clock, self.fact_finder, self.writer)
