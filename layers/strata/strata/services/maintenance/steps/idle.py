"""Step: idle sessions end."""

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.services.events.lists import EventLists
from strata.services.maintenance.step import Swept, Window
from strata.services.sessions.idle import IdleSessionEnder


class IdleSessions:
    """Ends the sessions that have become idle since the last run.

    Args:
        ender: ends them.
        lists, clock: tell whether others will become idle.
        idle_seconds: a session is idle after as many seconds without a change.
    """

    name = "idle_sessions"

    def __init__(
        self, ender: IdleSessionEnder, lists: EventLists, clock: Clock, *, idle_seconds: int
    ) -> None:
        self._ender = ender
        self._lists = lists
        self._clock = clock
        self._idle_seconds = idle_seconds

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """End a page of them."""
        ended, after = self._ender.end_idle(scope, since=window.since, cursor=cursor)
        newest = next(self._lists.newest(scope), None)
        before = self._clock.now_us() - self._idle_seconds * 1_000_000
        return Swept({"ended": ended}, after, again=newest is not None and newest["updated_at"] > before)
