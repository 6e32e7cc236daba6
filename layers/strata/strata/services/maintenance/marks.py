"""Marks of changes, day by day, so that a run costs as much as has changed, however much is stored.

A consumer of the stream marks each partition of memories that changed, and each tenant, once a day. Marks
expire. A run reads the marks from the day of the last run on, that day included, so that a change that is
marked during a run is found by the next one.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports.clock import Clock
from strata.ports.rows import Action, Item, Key, Put, Update
from strata.ports.table import Query, Table
from strata.services.records.kinds import KINDS, searched
from strata.services.records.maintenance import (
    PARTITION_PREFIX,
    TENANT_PREFIX,
    changes_pk,
    maintenance_key,
    partition_mark_key,
    tenant_mark_key,
)

KEPT_DAYS = 14
"""The life of a mark. After a longer pause of maintenance, `strata verify` checks the rest."""

_REMEMBERED = 10_000
_AT_ONCE = 100
_SERVICE = Scope.maintenance()
KINDS_BY_NAME = {kind.name: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class MarkedPartition:
    """A partition in which memories of a kind changed; `number` is the id of one."""

    kind: str
    key: str
    number: int


class Marks:
    """Writes and reads the marks.

    Args:
        clock: tells the day.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._written: OrderedDict[tuple[str, Key], None] = OrderedDict()
        self._is_dated = False

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Mark the partitions of these changed rows of a tenant, unless this process did so today."""
        day, ends = self._today()
        changed = {(found[0], found[1].pk): found[1] for found in map(searched, keys) if found is not None}
        marks: dict[Key, Action] = {}
        for (kind, pk), row in changed.items():
            mark = partition_mark_key(day, kind.name, pk)
            marks[mark] = Put(mark, {"kind": kind.name, "number": kind.id_of(row), "expires_at": ends})
        new = [action for key, action in marks.items() if (scope.tenant, key) not in self._written]
        for start in range(0, len(new), _AT_ONCE):
            self._table.transact(scope, new[start : start + _AT_ONCE])
        self._remember(scope, marks)
        if keys:
            self.note(scope)

    def note(self, scope: Scope, at: int | None = None) -> None:
        """Mark a tenant, so that the next run covers it, or the first one after `at` (µs)."""
        day, ends = self._today() if at is None else self._day(at // 1_000_000)
        mark = tenant_mark_key(day, scope.tenant)
        if (scope.tenant, mark) in self._written:
            return
        self._table.transact(_SERVICE, [Put(mark, {"tenant": scope.tenant, "expires_at": ends})])
        if not self._is_dated:
            now = self._clock.now_us()
            self._table.update(_SERVICE, Update(maintenance_key(), default={"since": now}))
            self._is_dated = True
        self._remember(scope, [mark])

    def tenants(self, days: Sequence[str], cursor: str | None, limit: int) -> tuple[list[str], str | None]:
        """Tenants that changed on one of these days, and the cursor of the next page; None at the end."""
        rows, after = self._page(_SERVICE, TENANT_PREFIX, days, cursor, limit)
        return [row["tenant"] for row in rows], after

    def partitions(
        self, scope: Scope, days: Sequence[str], cursor: str | None, limit: int
    ) -> tuple[list[MarkedPartition], str | None]:
        """Partitions that changed on one of these days, and the cursor of the next page; None at the end.

        A partition is left out where the memory that marks it left no pointer, as an erased person's.
        """
        rows, after = self._page(scope, PARTITION_PREFIX, days, cursor, limit)
        marked = [(kind, row["number"]) for row in rows if (kind := KINDS_BY_NAME.get(row["kind"]))]
        pointers = self._table.get_many(scope, [kind.pointer(number) for kind, number in marked])
        return [
            MarkedPartition(kind.name, kind.partition(pointer[kind.place]), number)
            for kind, number in marked
            if (pointer := pointers.get(kind.pointer(number))) is not None
        ], after

    def _page(
        self, scope: Scope, prefix: str, days: Sequence[str], cursor: str | None, limit: int
    ) -> tuple[list[Item], str | None]:
        """Up to `limit` marks. A mark that a later one of the days has, too, is left to that day."""
        day, _, within = (cursor or f"{days[0]} ").partition(" ")
        found: list[Item] = []
        for each in (each for each in days if each >= day):
            query = Query(changes_pk(each), prefix=prefix, limit=limit - len(found), cursor=within or None)
            page, within = self._table.query(scope, query), ""
            later = [changes_pk(another) for another in days if another > each]
            keys = [Key(pk, row.key.sk) for pk in later for row in page.rows]
            again = {key.sk for key in self._table.get_many(scope, keys)} if keys else set()
            found += [row.item for row in page.rows if row.key.sk not in again]
            if page.cursor is not None:
                return found, f"{each} {page.cursor}"
            if later and len(found) == limit:
                return found, f"{days[days.index(each) + 1]} "
        return found, None

    def _today(self) -> tuple[str, int]:
        """The day, and the second at which its marks expire."""
        return self._day(self._clock.now_us() // 1_000_000)

    def _day(self, seconds: int) -> tuple[str, int]:
        return day_of(seconds), seconds + KEPT_DAYS * DAY

    def _remember(self, scope: Scope, marks: Iterable[Key]) -> None:
        for mark in marks:
            self._written[scope.tenant, mark] = None
        while len(self._written) > _REMEMBERED:
            self._written.popitem(last=False)


def day_of(seconds: float) -> str:
    """The day of a moment, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def days_from(first: str | None, now_us: int) -> list[str]:
    """The days from the first one, or as far back as marks are kept, up to today; at least today.

    Around midnight the first day may be tomorrow, by another machine's clock.
    """
    today = datetime.fromtimestamp(now_us // 1_000_000, UTC).date()
    days = [(today - timedelta(days=back)).isoformat() for back in range(KEPT_DAYS, -1, -1)]
    return [day for day in days if first is None or day >= first] or days[-1:]


def day_start(day: str) -> int:
    """The start of a day, in microseconds."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1_000_000
