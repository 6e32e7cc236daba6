"""Sessions that nobody ends."""

from strata.domain.scope import Scope
from strata.ports import Clock
from strata.services.events.lists import EventLists
from strata.services.maintenance.step import Swept, Window
from strata.services.sessions.idle import IdleSessionEnder


class IdleSessions:
    """Ends the sessions that have become idle since the last run.

    Args:
        idling: ends them.
        lists, clock: say whether there are some that will become idle.
        idle_seconds: without a change, after which a session is idle.
    """

    name = "idle_sessions"

    def __init__(
        self, idling: IdleSessionEnder, lists: EventLists, clock: Clock, *, idle_seconds: int
    ) -> None:
        self._idling = idling
        self._lists = lists
        self._clock = clock
        self._idle_seconds = idle_seconds

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """End those that are due among the next ones."""
        ended, after = self._idling.end_idle(scope, since=window.since, cursor=cursor)
        newest = next(self._lists.newest(scope), None)
        before = self._clock.now_us() - self._idle_seconds * 1_000_000
        return Swept({"ended": ended}, after, again=newest is not None and newest["updated_at"] > before)
