"""Change notes that are not settled yet: they name the memories whose documents may be out of date."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Item, Key
from strata.ports.table import Census, Table
from strata.services.records.change_notes import notes_of, unseen_changes
from strata.services.records.kinds import Kind
from strata.services.records.parts import CHANGE_PREFIX, numbered
from strata.services.repair.batches import batches
from strata.services.table.pages import every_page

OVERDUE_SECONDS = 600
"""An older note counts as forgotten by the stream, a younger one as on its way."""

MANY = 100_000
"""Notes of one partition. With more the indexer is simply behind, and they are not read one by one."""

_PARTITIONS = 16
_REMEMBERED_US = 60_000_000


def overdue_notes(census: Census, table: Table, clock: Clock) -> Iterator[tuple[Scope, list[Key], int]]:
    """Every tenant's open notes, in batches: those that the stream forgot, and the number on their way."""
    for scope, keys in batches(census.keys(CHANGE_PREFIX)):
        # a note that expires was left by an earlier version, once it was indexed
        open_notes = [key for key, item in table.get_many(scope, keys).items() if "expires_at" not in item]
        before = CHANGE_PREFIX + numbered(clock.now_us() - OVERDUE_SECONDS * 1_000_000)
        overdue = [key for key in open_notes if key.sk < before]
        if open_notes:
            yield scope, overdue, len(open_notes) - len(overdue)


class OpenNotes:
    """Finds out whether a note names a memory. The notes of some partitions are remembered for a minute."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._known: OrderedDict[tuple[Scope, str, str], tuple[int, set[int] | None]] = OrderedDict()

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
        known, now = (scope, kind.name, place), self._clock.now_us()
        read_at, named = self._known.get(known, (0, None))
        if read_at < now - _REMEMBERED_US:
            named = self._read(scope, kind, place)
            self._known[known] = now, named
            if len(self._known) > _PARTITIONS:
                self._known.popitem(last=False)
        return named

    def _read(self, scope: Scope, kind: Kind, place: str) -> set[int] | None:
        found: set[int] = set()
        for rows in every_page(
            self._table, scope, unseen_changes(kind.partition(place), self._clock.now_us(), 1000)
        ):
            noted = (kind.noted_row(note) for row in rows for note in notes_of(row))
            found |= {kind.id_of(key) for key in noted if key is not None}
            if len(found) > MANY:
                return None
        return found
