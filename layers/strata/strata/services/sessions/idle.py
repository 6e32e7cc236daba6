"""Ending sessions that nobody ends: hours after their last event, for the facts and conclusions in them.

Only a session that has events can be idle; one that is ended with its transcript has nothing before that.
"""

import json
from collections.abc import Iterator
from contextlib import suppress

from strata.domain.errors import Conflict, NotFound
from strata.domain.scope import Scope
from strata.domain.wire.sessions import SessionEnd
from strata.ports.clock import Clock
from strata.ports.rows import Item
from strata.ports.table import Table
from strata.services.events.lists import EventLists
from strata.services.people.agents import config_of
from strata.services.records.events import is_imported
from strata.services.records.parts import numbered
from strata.services.records.people import agent_config_key
from strata.services.records.sessions import session_key
from strata.services.sessions.end import SessionEnder

AT_ONCE = 20
"""Sessions per call: each of them may have to be ended."""


class IdleSessionEnder:
    """Ends idle sessions.

    Args:
        idle_seconds: how long after its last event a session is idle.
    """

    def __init__(
        self, table: Table, clock: Clock, lists: EventLists, ender: SessionEnder, *, idle_seconds: int
    ) -> None:
        self._table = table
        self._clock = clock
        self._lists = lists
        self._ender = ender
        self._idle_us = idle_seconds * 1_000_000

    def end_idle(self, scope: Scope, *, since: int = 0, cursor: str | None = None) -> tuple[int, str | None]:
        """End the sessions that have become idle, but for agents that may not remember them.

        Of nobody's sessions imported chats are left as they are.

        The cost grows with the sessions that became idle since the last call, not with all sessions.

        Args:
            since: the time of the last call (µs); sessions that were idle then are skipped.
            cursor: where to continue, from the call before.

        Returns:
            How many of the next `AT_ONCE` were ended, and where to continue; None after the last.
        """
        ended = 0
        for number, log in enumerate(self._idle(scope, since, cursor), 1):
            if self._is_due(scope, log):
                with suppress(NotFound, Conflict):  # deleted meanwhile, or being ended by somebody
                    self._ender.end(scope, log["session_id"], SessionEnd())
                    ended += 1
            if number == AT_ONCE:
                return ended, json.dumps([log["app"], log["gsi1sk"]])
        return ended, None

    def _idle(self, scope: Scope, since: int, cursor: str | None) -> Iterator[Item]:
        """The logs that have become idle, app by app, after the one that a cursor names."""
        now = self._clock.now_us()
        first, last = numbered(max(0, since - self._idle_us)), numbered(now - self._idle_us) + "~"
        reached, behind = json.loads(cursor) if cursor else ("", first)
        for app in sorted(each["app"] for each in self._lists.apps(scope)):
            if app >= reached:
                begin = behind if app == reached else first
                logs = self._lists.of_app(scope, app, first=begin, last=last)
                yield from (log for log in logs if log["gsi1sk"] != behind or app != reached)

    def _is_due(self, scope: Scope, log: Item) -> bool:
        session = self._table.get(scope, session_key(log["session_id"])) or {}
        if not session.get("persist", True) or (not session.get("user_id") and is_imported(log["app"])):
            return False
        if session.get("ended_at", 0) >= log["updated_at"]:
            return False
        agent = session.get("agent_id") or log["app"]
        config = self._table.get(scope, agent_config_key(agent))
        return config is None or config_of(agent, config).memory_enabled
