"""Change notes that are not settled yet: they name the memories whose documents may be out of date."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Item, Key
from strata.ports.table import Census, Query, Table
from strata.services.records.parts import CHANGE_PREFIX, numbered
from strata.services.repair.batches import batches
from strata.services.search.kinds import Kind
from strata.services.table.pages import every_page

OVERDUE_SECONDS = 600
"""An older note counts as forgotten by the stream, a younger one as on its way."""

MANY = 100_000
"""Notes of one partition. With more the indexer is simply behind, and they are not read one by one."""

_PARTITIONS = 16


def overdue_notes(census: Census, table: Table, clock: Clock) -> Iterator[tuple[Scope, list[Key], int]]:
    """Every tenant's open notes, in batches: those that the stream forgot, and the number on their way."""
    for scope, keys in batches(census.keys(CHANGE_PREFIX)):
        # a note that expires is settled: it only waits for the engine's next refresh
        open_notes = [key for key, item in table.get_many(scope, keys).items() if "expires_at" not in item]
        before = CHANGE_PREFIX + numbered(clock.now_us() - OVERDUE_SECONDS * 1_000_000)
        overdue = [key for key in open_notes if key.sk < before]
        if open_notes:
            yield scope, overdue, len(open_notes) - len(overdue)


class OpenNotes:
    """Finds out whether a note names a memory. The notes of some partitions are remembered for a while."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known: OrderedDict[tuple[Scope, str, str], set[int] | None] = OrderedDict()

    def changed(self, scope: Scope, kind: Kind, rows: Iterable[Item]) -> set[int]:
        """The ids of those of these rows that a note names."""
        wanted = list(rows)
        latest = {
            kind.change_note_key(row[kind.place], row["id"], row["updated_at"]): row["id"] for row in wanted
        }
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
        """The memories that the notes of a place name; None when there are too many notes."""
        known = (scope, kind.name, place)
        if known not in self._known:
            self._known[known] = self._read(scope, kind, place)
            if len(self._known) > _PARTITIONS:
                self._known.popitem(last=False)
        return self._known[known]

    def _read(self, scope: Scope, kind: Kind, place: str) -> set[int] | None:
        found: set[int] = set()
        query = Query(kind.partition(place), prefix=CHANGE_PREFIX, limit=1000)
        for rows in every_page(self._table, scope, query):
            found |= {kind.id_of(key) for row in rows if (key := kind.noted_row(row.key)) is not None}
            if len(found) > MANY:
                return None
        return found
