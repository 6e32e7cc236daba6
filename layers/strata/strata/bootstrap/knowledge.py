"""Knowledge about people."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.knowledge.orders import ConsolidationOrders

if TYPE_CHECKING:
    from strata.services.knowledge.conclusions import ConclusionCatalog
    from strata.services.knowledge.dreamer import Dreamer
    from strata.services.knowledge.profile import Profiles


class Knowledge(Room):
    """Profiles of people, and conclusions about them."""

    @cached_property
    def profiles(self) -> "Profiles":
        from strata.services.knowledge.profile import Profiles
        from strata.services.redaction import redacted_text

        app = self._app
        clean = redacted_text if self._settings.redact else str
        return Profiles(app.stores.table, app.clock, app.people.ownership, clean)

    @cached_property
    def orders(self) -> ConsolidationOrders:
        return ConsolidationOrders(self._app.stores.table, redacting=self._settings.redact)

    @cached_property
    def conclusions(self) -> "ConclusionCatalog":
        from strata.services.knowledge.conclusions import ConclusionCatalog

        return ConclusionCatalog(self._app.stores.table, self._app.clock)

    @cached_property
    def dreamer(self) -> "Dreamer":
        from strata.domain.knowledge.induction import conclude
        from strata.domain.knowledge.reading import sightings
        from strata.services.knowledge.dreamer import Dreamer

        return Dreamer(self._app.stores.table, self._app.clock, sightings, conclude)
