"""Step: idle sessions end."""

from dataclasses import dataclass

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.services.events.lists import EventLists
from strata.services.maintenance.step import Swept, Window
from strata.services.sessions.idle import IdleSessionEnder


@dataclass(frozen=True, slots=True)
class IdleSessions:
    """Ends the sessions that have become idle since the last run.

    Attributes:
        ender: ends them.
        lists, clock: tell whether others will become idle.
        idle_seconds: a session is idle after as many seconds without a change.
    """

    name = "idle_sessions"

    ender: IdleSessionEnder
    lists: EventLists
    clock: Clock
    idle_seconds: int

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        ended, after = self.ender.end_idle(scope, since=window.since, cursor=cursor)
        newest = next(self.lists.newest(scope), None)
        before = self.clock.now_us() - self.idle_seconds * 1_000_000
        return Swept({"ended": ended}, after, again=newest is not None and newest["updated_at"] > before)
