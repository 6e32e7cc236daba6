"""What changed, day by day: so that a sweep costs what changed and not what is stored.

The stream's consumer marks each partition of memories that changed, and each tenant, once a day. Marks are
not taken away but end by themselves. Who sweeps reads those of the days since it came last, that day's
included: so a change that is marked while a sweep goes on is found by the next one.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports import Action, Clock, Item, Key, Put, Query, Table, Update
from strata.services.records.maintenance import (
    PARTITION_PREFIX,
    TENANT_PREFIX,
    changes_pk,
    maintenance_key,
    partition_mark_key,
    tenant_mark_key,
)
from strata.services.search.kinds import KINDS, searched

KEPT_DAYS = 14
"""For so long a mark is kept; what changed in a longer pause of maintenance is `strata verify`'s to check."""

_REMEMBERED = 10_000
_AT_ONCE = 100
_SERVICE = Scope.maintenance()
KINDS_BY_NAME = {kind.name: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class MarkedPartition:
    """A partition in which memories of a kind changed."""

    kind: str
    key: str


class Marks:
    """Writes and reads the marks.

    Args:
        table: where they are.
        clock: says which day it is.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._written: OrderedDict[tuple[str, Key], None] = OrderedDict()
        self._is_dated = False

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Mark what these changed rows of a tenant are about, unless this process did so today."""
        day, ends = self._today()
        marks: dict[Key, Action] = {}
        for key in keys:
            found = searched(key)
            if found is not None:
                kind, row = found
                mark = partition_mark_key(day, kind.name, row.pk)
                about = {"kind": kind.name, "number": kind.id_of(row)}
                marks[mark] = Put(mark, about | {"expires_at": ends})
        new = [action for key, action in marks.items() if (scope.tenant, key) not in self._written]
        for start in range(0, len(new), _AT_ONCE):
            self._table.transact(scope, new[start : start + _AT_ONCE])
        self._remember(scope, marks)
        if keys:
            self.note(scope)

    def note(self, scope: Scope) -> None:
        """Have the next run come to this tenant."""
        day, ends = self._today()
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
        """Tenants that changed on one of these days, and where to go on; None at the end."""
        rows, after = self._page(_SERVICE, TENANT_PREFIX, days, cursor, limit)
        return [row["tenant"] for row in rows], after

    def partitions(
        self, scope: Scope, days: Sequence[str], cursor: str | None, limit: int
    ) -> tuple[list[MarkedPartition], str | None]:
        """Partitions that changed on one of these days, and where to go on; None at the end.

        One that is known by a memory alone that left nothing behind, as an erased person's, is left out.
        """
        rows, after = self._page(scope, PARTITION_PREFIX, days, cursor, limit)
        marked = [(kind, row["number"]) for row in rows if (kind := KINDS_BY_NAME.get(row["kind"]))]
        pointers = self._table.get_many(scope, [kind.pointer(number) for kind, number in marked])
        return [
            MarkedPartition(kind.name, kind.partition(pointer[kind.place]))
            for kind, number in marked
            if (pointer := pointers.get(kind.pointer(number))) is not None
        ], after

    def _page(
        self, scope: Scope, prefix: str, days: Sequence[str], cursor: str | None, limit: int
    ) -> tuple[list[Item], str | None]:
        """Up to `limit` marks. What was marked on a later one of the days, too, is left to that day."""
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
        """The day, and when its marks end."""
        now = self._clock.now_us() // 1_000_000
        return day_of(now), now + KEPT_DAYS * DAY

    def _remember(self, scope: Scope, marks: Iterable[Key]) -> None:
        for mark in marks:
            self._written[scope.tenant, mark] = None
        while len(self._written) > _REMEMBERED:
            self._written.popitem(last=False)


def day_of(seconds: float) -> str:
    """The day of UTC that a moment is in."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def days_from(first: str | None, now_us: int) -> list[str]:
    """The days from the first one, or as far back as marks are kept, up to today; today in any case.

    Around midnight another machine's clock may have been in the next day already.
    """
    today = datetime.fromtimestamp(now_us // 1_000_000, UTC).date()
    days = [(today - timedelta(days=back)).isoformat() for back in range(KEPT_DAYS, -1, -1)]
    return [day for day in days if first is None or day >= first] or days[-1:]


def day_start(day: str) -> int:
    """When a day begins, in microseconds."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1_000_000
