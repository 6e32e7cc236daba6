"""Notes that nobody has settled yet: what the index is known not to show."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from strata.domain.scope import Scope
from strata.ports import Census, Clock, Item, Key, Query, Table
from strata.services.records.parts import CHANGE_PREFIX, numbered
from strata.services.search.kinds import Kind
from strata.services.table.batches import batches
from strata.services.table.pages import every_page

OVERDUE_SECONDS = 600
"""From this age on a note is taken for forgotten by the stream, and not for on its way."""

MANY = 100_000
"""Of one place. Above it the indexer is simply behind, and no single note is looked for any more."""

_PLACES = 16


def notes(census: Census, table: Table) -> Iterator[tuple[Scope, list[Key]]]:
    """Every tenant's notes whose memories were not indexed, a few at a time."""
    for scope, keys in batches(census.keys(CHANGE_PREFIX)):
        # one that has an end was settled: it only waits for the engine's next refresh
        open_ones = [key for key, item in table.get_many(scope, keys).items() if "expires_at" not in item]
        if open_ones:
            yield scope, open_ones


def overdue(keys: Iterable[Key], clock: Clock) -> list[Key]:
    """Those of these notes that are older than `OVERDUE_SECONDS`."""
    before = CHANGE_PREFIX + numbered(clock.now_us() - OVERDUE_SECONDS * 1_000_000)
    return [key for key in keys if key.sk < before]


class OpenNotes:
    """Tells for single memories whether a note names them. Remembers some places' notes for a while."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known: OrderedDict[tuple[Scope, str, str], set[int] | None] = OrderedDict()

    def changed(self, scope: Scope, kind: Kind, rows: Iterable[Item]) -> set[int]:
        """The ids of those of these rows that a note names."""
        wanted = list(rows)
        latest = {kind.note(row[kind.place], row["id"], row["updated_at"]): row["id"] for row in wanted}
        found = {latest[key] for key in self._table.get_many(scope, list(latest))}
        rest = [(row[kind.place], row["id"]) for row in wanted if row["id"] not in found]
        return found | self.removed(scope, kind, rest)

    def removed(self, scope: Scope, kind: Kind, memories: Iterable[tuple[str, int]]) -> set[int]:
        """The ids of those of these (place, id) that a note names."""
        found = set()
        for place, identifier in memories:
            named = self._named(scope, kind, place)
            if named is None or identifier in named:
                found.add(identifier)
        return found

    def _named(self, scope: Scope, kind: Kind, place: str) -> set[int] | None:
        """Which memories the place's notes name; None when there are too many to say."""
        known = (scope, kind.name, place)
        if known not in self._known:
            self._known[known] = self._read(scope, kind, place)
            if len(self._known) > _PLACES:
                self._known.popitem(last=False)
        return self._known[known]

    def _read(self, scope: Scope, kind: Kind, place: str) -> set[int] | None:
        found: set[int] = set()
        query = Query(kind.partition(place), prefix=CHANGE_PREFIX, limit=1000)
        for rows in every_page(self._table, scope, query):
            found |= {kind.id_of(key) for row in rows if (key := kind.row_of(row.key)) is not None}
            if len(found) > MANY:
                return None
        return found
