"""Sessions that nobody ends: after hours without a change they are ended for the facts in them.

Only sessions that only grow by events can lie idle so; one that is ended by its transcript has none before.
"""

import json
from collections.abc import Iterator
from contextlib import suppress

from strata.domain.errors import Conflict, NotFound
from strata.domain.scope import Scope
from strata.domain.wire.sessions import SessionEnd
from strata.ports import Clock, Item, Table
from strata.services.events.lists import EventLists
from strata.services.people.agents import config_of
from strata.services.records.parts import numbered
from strata.services.records.people import agent_config_key
from strata.services.records.sessions import session_key
from strata.services.sessions.end import SessionEnder

AT_ONCE = 20
"""Sessions of a piece: each may have to be ended."""


class IdleSessionEnder:
    """Ends idle sessions.

    Args:
        table, clock: where they are, and the time.
        lists: which sessions have events.
        ending: ends them.
        idle_seconds: without a change, after which a session is idle.
    """

    def __init__(
        self, table: Table, clock: Clock, lists: EventLists, ending: SessionEnder, *, idle_seconds: int
    ) -> None:
        self._table = table
        self._clock = clock
        self._lists = lists
        self._ending = ending
        self._idle_us = idle_seconds * 1_000_000

    def end_idle(self, scope: Scope, *, since: int = 0, cursor: str | None = None) -> tuple[int, str | None]:
        """End the sessions of known users, with agents that may remember them, that have become idle.

        It costs what has become idle since the last time, not what there is.

        Args:
            scope: the tenant.
            since: when this was last done (µs): sessions that were idle then are not looked at.
            cursor: where to go on, as the piece before said.

        Returns:
            How many of the next `AT_ONCE` were ended, and where to go on; None behind the last.
        """
        ended = 0
        for number, log in enumerate(self._idle(scope, since, cursor), 1):
            if self._is_due(scope, log):
                with suppress(NotFound, Conflict):  # gone meanwhile, or somebody ends it just now
                    self._ending.end(scope, log["session_id"], SessionEnd())
                    ended += 1
            if number == AT_ONCE:
                return ended, json.dumps([log["app"], log["gsi1sk"]])
        return ended, None

    def _idle(self, scope: Scope, since: int, cursor: str | None) -> Iterator[Item]:
        """The logs that have become idle, app by app, behind the one that a cursor names."""
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
        if not session.get("user_id") or not session.get("persist", True):
            return False
        if session.get("ended_at", 0) >= log["updated_at"]:
            return False
        agent = session.get("agent_id") or log["app"]
        return config_of(agent, self._table.get(scope, agent_config_key(agent))).memory_enabled
