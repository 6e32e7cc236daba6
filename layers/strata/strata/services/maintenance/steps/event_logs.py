"""Step: event logs keep to their limits and their totals."""

from itertools import islice, takewhile

from strata.domain.scope import Scope
from strata.services.events.lists import EventLists
from strata.services.events.remove import LogRemover
from strata.services.events.totals import EventTotals
from strata.services.maintenance.step import Swept, Window
from strata.services.records.events import log_key

AT_ONCE = 200
"""Logs of an app."""


class EventLogLimits:
    """Evicts the oldest logs of apps that have too many, and counts those again that changed.

    Every write keeps to the limits; they may have been lowered since.

    Args:
        remover, lists, totals: of sessions' events.
    """

    name = "events"

    def __init__(self, remover: LogRemover, lists: EventLists, totals: EventTotals) -> None:
        self._remover = remover
        self._lists = lists
        self._totals = totals

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        evicted = self._remover.evict(scope, AT_ONCE)
        if evicted:
            return Swept({"evicted": evicted}, cursor="more")
        recounted = 0
        for app in self._lists.apps(scope):
            newest = self._lists.of_app(scope, app["app"], newest_first=True)
            changed = islice(takewhile(lambda log: log["updated_at"] >= window.since, newest), AT_ONCE)
            keys = [log_key(log["session_id"]) for log in changed]
            self._totals.follow(scope, keys)
            recounted += len(keys)
        return Swept({"evicted": 0, "recounted": recounted})
