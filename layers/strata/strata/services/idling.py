"""Sessions that nobody ends: after hours without a change they are ended for the facts in them.

Only sessions that only grow by events can lie idle so; one that is ended by its transcript has none before.
"""

from collections.abc import Iterator
from contextlib import suppress

from strata.domain.errors import Conflict, NotFound
from strata.domain.models import SessionEnd
from strata.domain.scope import Scope
from strata.ports import Clock, Item, Table
from strata.services.agent_configs import config_of
from strata.services.ending import Ending
from strata.services.event_lists import EventLists
from strata.services.records import agent_config_key, numbered, session_key


class Idling:
    """Ends idle sessions.

    Args:
        table, clock: where they are, and the time.
        lists: which sessions have events.
        ending: ends them.
        idle_seconds: without a change, after which a session is idle.
    """

    def __init__(
        self, table: Table, clock: Clock, lists: EventLists, ending: Ending, *, idle_seconds: int
    ) -> None:
        self._table = table
        self._clock = clock
        self._lists = lists
        self._ending = ending
        self._idle_us = idle_seconds * 1_000_000

    def end_idle(self, scope: Scope, *, since: int = 0) -> int:
        """End the sessions of known users, with agents that may remember them, that have become idle.

        It costs what has become idle since the last time, not what there is.

        Args:
            scope: the tenant.
            since: when this was last done (µs): sessions that were idle then are not looked at.

        Returns:
            How many were ended.
        """
        ended = 0
        for session_id in self._due(scope, since):
            with suppress(NotFound, Conflict):  # gone meanwhile, or somebody ends it just now
                self._ending.end(scope, session_id, SessionEnd())
                ended += 1
        return ended

    def _due(self, scope: Scope, since: int) -> Iterator[str]:
        now = self._clock.now_us()
        first, last = numbered(max(0, since - self._idle_us)), numbered(now - self._idle_us) + "~"
        for app in self._lists.apps(scope):
            for log in self._lists.of_app(scope, app["app"], first=first, last=last):
                session = self._table.get(scope, session_key(log["session_id"])) or {}
                if self._is_due(scope, log, session):
                    yield log["session_id"]

    def _is_due(self, scope: Scope, log: Item, session: Item) -> bool:
        if not session.get("user_id") or not session.get("persist", True):
            return False
        if session.get("ended_at", 0) >= log["updated_at"]:
            return False
        agent = session.get("agent_id") or log["app"]
        return config_of(agent, self._table.get(scope, agent_config_key(agent))).memory_enabled
