"""The queues that the settings choose, and the times at which schedules fired."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.settings import queue_setting

if TYPE_CHECKING:
    from strata.adapters.sqlite.firings import SqliteFirings
    from strata.ports.queue import Queue


class Queues(Room):
    """Queues of work in the background."""

    def named(self, name: str, *, max_deliveries: int | None = None) -> "Queue":
        """The queue of this name: `extraction` is what the template calls `ExtractionQueue`.

        SQS where the settings name an address, else a queue in this machine's own store, which delivers a
        message at most `max_deliveries` times.
        """
        if self._app.overrides.queues is not None:
            return self._app.overrides.queues(name, max_deliveries)
        url = self._settings.queue_urls.get(queue_setting(name))
        if url is not None:
            return self._sqs_queue(url)
        from strata.adapters.sqlite.queue import SqliteQueue

        return SqliteQueue(self._app.stores.database, name, self._app.clock, max_deliveries=max_deliveries)

    @cached_property
    def _sqs_queues(self) -> "dict[str, Queue]":
        return {}

    def _sqs_queue(self, url: str) -> "Queue":
        """One for each address: its client is slow to make."""
        from strata.adapters.sqs import SqsQueue

        if url not in self._sqs_queues:
            self._sqs_queues[url] = SqsQueue(url)
        return self._sqs_queues[url]

    @cached_property
    def redrive(self) -> "Queue":
        """Takes the changes that the indexer could not process."""
        return self.named("redrive")

    @cached_property
    def firings(self) -> "SqliteFirings":
        """The times at which the schedules of this machine fired last."""
        from strata.adapters.sqlite.firings import SqliteFirings

        return SqliteFirings(self._app.stores.database, self._app.clock)
