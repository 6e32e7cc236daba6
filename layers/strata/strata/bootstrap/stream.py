"""The consumers of the table's change stream."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.stream.current_totals import CurrentTotals
from strata.services.stream.totals import Totals

if TYPE_CHECKING:
    from strata.services.orders.dispatch import Dispatch
    from strata.services.stream.consumers import Consumer
    from strata.services.stream.follow_up import FollowUp
    from strata.services.stream.indexer import Indexer
    from strata.services.table.parallel import Parallel

_CALLS_AT_ONCE = 8


class Stream(Room):
    """Everything that follows the stream behind a write."""

    @cached_property
    def totals(self) -> Totals:
        return Totals(self._app.stores.table)

    @cached_property
    def current_totals(self) -> CurrentTotals:
        return CurrentTotals(self._app.stores.table, self._app.stores.backlog)

    @cached_property
    def indexer(self) -> "Indexer":
        from strata.services.stream.indexer import Indexer

        stores = self._app.stores
        return Indexer(stores.table, stores.index, self._app.models.embedder, self._parallel)

    @cached_property
    def _parallel(self) -> "Parallel":
        """Threads of its own: a server that indexes beside its requests must not keep these waiting."""
        return self._app.stores.parallel_of(_CALLS_AT_ONCE, self._settings.store == "dynamodb")

    def _follow_up(self, index: "Consumer") -> "FollowUp":
        from strata.services.stream.follow_up import FollowUp

        return FollowUp(index, self.totals, self._app.search.change_notes, self._parallel)

    @cached_property
    def _extractions(self) -> "Dispatch":
        from strata.services.facts.orders import EXTRACTION
        from strata.services.orders.dispatch import Dispatch

        return Dispatch(self._app.stores.table, EXTRACTION, self._app.queues.named("extraction"))

    @cached_property
    def _consolidations(self) -> "Dispatch":
        from strata.services.knowledge.orders import CONSOLIDATION
        from strata.services.orders.dispatch import Dispatch

        return Dispatch(self._app.stores.table, CONSOLIDATION, self._app.queues.named("consolidation"))

    @cached_property
    def consumers(self) -> list["Consumer"]:
        """The consumers of the stream, in their order.

        Those that only send come first: they need not wait for an index or an embedder that is away.
        """
        return self._all(self.indexer.follow)

    @cached_property
    def consumers_beside(self) -> list["Consumer"]:
        """The same consumers for a repair, whose writes of the index must bear a stream beside them."""
        return self._all(self.indexer.follow_beside)

    def _all(self, index: "Consumer") -> list["Consumer"]:
        return [
            self._app.privacy.erasures.follow,
            self._extractions.follow,
            self._consolidations.follow,
            self._app.people.consents.follow,
            self._app.knowledge.felling.follow,
            self._app.privacy.refused_sessions.follow,
            self._app.knowledge.claimed.follow,  # before what moves with a project: that looks at the owner
            self._app.knowledge.moved.follow,
            self._app.knowledge.fact_learning.follow,
            self._app.knowledge.fact_sources.follow,
            self._app.entities.following.follow,
            *self._first_index(),
            self._follow_up(index).follow,
            self._app.events.totals.follow,
            self._app.maintenance.marks.follow,
            *([self._app.observations.supersession.follow] if self._settings.supersede else []),
        ]

    def _first_index(self) -> list["Consumer"]:
        """The one that makes a new table's index; none where a test passes an index of its own."""
        from strata.services.search.marked_index import MarkedIndex

        index = self._app.stores.index
        return [index.follow] if isinstance(index, MarkedIndex) else []
