"""The stream consumer of sessions' events: it counts them and deletes unreachable ones.

Beside every log lies a count row that holds how many of its events are in the tenant's total. Where the log
itself differs by now, count and total change in one transaction, so repeated, late and reordered records do
no harm. When a log is gone or was replaced, the rows of its events are deleted; an event that was written too
late is found by its own record.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from strata.domain.errors import Conflict, Unavailable
from strata.domain.scope import Scope
from strata.ports.changes import Backlog
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AllOf, Condition, Delete, Equals, Item, Key, Put, Update
from strata.ports.table import Query, Table
from strata.services.records.events import (
    EVENT_PREFIX,
    LOG_SK,
    event_prefix,
    event_total_key,
    life_and_place,
    log_and_count_of,
    oldest_place,
)
from strata.services.table.pages import every_row
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused

_PER_TRANSACTION = 90
_PAGE = 100
_UNCOUNTED = 1000
_ATTEMPTS = 3


class EventTotals:
    """Counts the events that logs show, at most `max_events` of each, and deletes unreachable ones.

    Args:
        backlog: names the changes that `follow` has not seen yet.
        max_events: how many events a log shows.
    """

    def __init__(self, table: Table, clock: Clock, backlog: Backlog, *, max_events: int) -> None:
        self._table = table
        self._clock = clock
        self._backlog = backlog
        self._max_events = max_events

    def total(self, scope: Scope) -> int:
        """The number of a tenant's events, with those of the newest changes that were not counted yet."""
        keys = self._backlog.waiting(scope, (EVENT_PREFIX, LOG_SK), _UNCOUNTED)
        logs = list(dict.fromkeys(pair for pair in map(log_and_count_of, keys) if pair is not None))
        for _ in range(_ATTEMPTS):
            uncounted = self._uncounted(scope, logs)
            counted = (self._table.get(scope, event_total_key()) or {}).get("events", 0)
            # what `follow` has counted in between would be counted twice
            if not uncounted or self._uncounted(scope, logs) == uncounted:
                break
        return int(counted + sum(each.by for each in uncounted))

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Bring total and rows up to date with these logs and events; keys of other rows are ignored."""
        logs = list(dict.fromkeys(pair for pair in map(log_and_count_of, keys) if pair is not None))
        if not logs:
            return
        rows = self._table.get_many(scope, [key for pair in logs for key in pair])
        for log, count in logs:
            if log not in rows or _life(rows[log]) != _life(rows.get(count)):
                self._sweep(scope, log)
        late = [key for key in keys if key.sk.startswith(EVENT_PREFIX)]
        self._delete(scope, [key for key in late if self._is_lost(key, rows)])
        for start in range(0, len(logs), _PER_TRANSACTION // 2):
            self._fold(scope, logs[start : start + _PER_TRANSACTION // 2])

    def _is_lost(self, event: Key, rows: dict[Key, Item]) -> bool:
        """Whether the event was written after its log was deleted or the window had passed its place."""
        life, place = life_and_place(event)
        pair = log_and_count_of(event)
        log = rows.get(pair[0]) if pair else None
        return (
            log is None
            or log["life"] != life
            or place < oldest_place(log["app"], log["next"], self._max_events)
        )

    def _sweep(self, scope: Scope, log: Key) -> None:
        """Delete the events of a session's earlier lives.

        Read the rows first: a log is made before its first event and no life comes twice, so a life that has
        rows now and is not the log's life afterwards has ended for good.
        """
        living = self._table.get(scope, log)
        found = list(self._events(scope, log, _life(living)))
        if found:
            life = _life(self._table.get(scope, log))
            self._delete(scope, [key for key in found if life_and_place(key)[0] != life])

    def _events(self, scope: Scope, log: Key, but: str | None) -> Iterator[Key]:
        """The keys of a session's events, except those of one life."""
        whole = Query(log.pk, prefix=EVENT_PREFIX, limit=_PAGE, keys_only=True)
        parts = [whole]
        if but is not None:
            skipped = event_prefix(but)
            parts = [replace(whole, last=skipped), replace(whole, first=skipped + "~")]
        for part in parts:
            yield from (row.key for row in every_row(self._table, scope, part))

    def _delete(self, scope: Scope, events: Sequence[Key]) -> None:
        for start in range(0, len(events), _PER_TRANSACTION):
            self._table.transact(scope, [Delete(key) for key in events[start : start + _PER_TRANSACTION]])

    def _fold(self, scope: Scope, logs: Sequence[tuple[Key, Key]]) -> None:
        """Count the events that these logs show now.

        Of concurrent folds the second one reads again, so that no older count stands.
        """

        def attempt(_: Refused | None) -> None:
            uncounted = self._uncounted(scope, logs)
            actions = [each.mark for each in uncounted]
            by = sum(each.by for each in uncounted)
            if by:
                actions.append(Update(event_total_key(), add={"events": by}))
            if actions:
                self._table.transact(scope, actions)

        try:
            settled(self._clock, "the total of events", attempt)
        except Conflict:
            raise Unavailable("the total of events is being written by others") from None

    def _uncounted(self, scope: Scope, logs: Sequence[tuple[Key, Key]]) -> list["_Uncounted"]:
        """The changes of the total that these logs and their counts still make."""
        rows = self._table.get_many(scope, [key for pair in logs for key in pair]) if logs else {}
        found = []
        for log, count in logs:
            head, counted = rows.get(log), rows.get(count)
            shown = head["next"] - oldest_place(head["app"], head["next"], self._max_events) if head else 0
            before = counted["events"] if counted else 0
            if (_life(head), shown) == (_life(counted), before):
                continue
            same = _same(counted)
            mark: Action = (
                Delete(count, same)
                if head is None
                else Put(count, {"life": head["life"], "events": shown}, same)
            )
            found.append(_Uncounted(mark, shown - before))
        return found


@dataclass(frozen=True, slots=True)
class _Uncounted:
    """A log whose count differs by now: the action that corrects the count, and the difference."""

    mark: Action
    by: int


def _life(row: Item | None) -> str | None:
    return row["life"] if row else None


def _same(count: Item | None) -> Condition:
    if count is None:
        return Absent()
    return AllOf((Equals("life", count["life"]), Equals("events", count["events"])))
