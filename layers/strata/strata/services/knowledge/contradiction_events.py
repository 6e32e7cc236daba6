"""Sends an event for each conclusion that was superseded because another one contradicts it.

The sweep writes the events with the run that supersedes (`unsent`), so that none is lost.
"""

from collections.abc import Mapping

from strata.domain.scope import Scope
from strata.ports.announcements import Announcement, Announcer
from strata.ports.clock import Clock
from strata.ports.rows import Equals, Item, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.records.knowledge import consolidation_key, newest_consolidations

EVENT = "memory.contradiction.detected"
_SENDING = 60_000_000
"""Microseconds for which one worker has an event to send."""
_LATEST = 20


def unsent(rows: Mapping[str, Item | None]) -> Item:
    """The supersessions that are still to be announced, with the newer conclusion and the reason of each."""
    hidden = {name: row["hidden"] for name, row in rows.items() if row is not None}
    return {name: {"conclusionId": each["by"], "reason": each["reason"]} for name, each in hidden.items()}


class ContradictionEvents:
    """Sends the events that runs of the sweep wrote.

    Args:
        table, clock: the store and the time.
        announcer: takes the events.
    """

    def __init__(self, table: Table, clock: Clock, announcer: Announcer) -> None:
        self._table = table
        self._clock = clock
        self._announcer = announcer

    def send(self, scope: Scope, owner: str) -> int:
        """Send the events of the latest runs that were not sent yet, one by one; how many were."""
        sent = 0
        for row in self._table.query(scope, newest_consolidations(owner, _LATEST)).rows:
            run = row.item
            left, until = dict(run.get("unsent") or {}), run.get("announcing")
            while left and (until or 0) <= self._clock.now_us():
                name, mine = min(left), self._clock.now_us() + _SENDING
                if not self._mark(scope, owner, run["id"], until, {"announcing": mine}):
                    break  # another worker sends them
                about = {"userId": owner, "supersededId": name} | left.pop(name)
                self._announcer.announce(
                    Announcement(f"{run['id']}-{name}", EVENT, scope.tenant, run["at"], about)
                )
                sent, until = sent + 1, 0
                if not self._mark(scope, owner, run["id"], mine, {"announcing": 0, "unsent": left}):
                    break
        return sent

    def _mark(self, scope: Scope, owner: str, run: int, until: int | None, values: Item) -> bool:
        """Note how far the events of a run are sent; false where another worker noted something since."""
        change = Update(consolidation_key(owner, run), set=values, condition=Equals("announcing", until))
        try:
            self._table.update(scope, change)
        except ConditionFailed:
            return False
        return True
