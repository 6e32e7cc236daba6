"""Change notes: the memories whose documents in the index may be out of date.

Every write of a searched memory adds a small note in its own transaction; a save that updates its topic adds
it right afterwards, before it is acknowledged. The indexer removes the note once the engine shows the write,
which is some seconds after indexing where the engine refreshes by interval. So the notes name exactly the
memories whose documents may be out of date, however long the indexer has been down, and a search reads those
from the table instead.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Action, AllOf, Delete, Equals, Item, Key, Present, Put, Update
from strata.ports.table import Query, Table
from strata.services.records.parts import CHANGE_PREFIX, numbered, parts_of_note
from strata.services.search.kinds import OBSERVATIONS, Kind
from strata.services.table.parallel import Parallel
from strata.services.table.transaction import write_what_holds

NEWEST = 1000
"""The most notes that a search follows; changes beyond them become visible with the index."""

SHARDS = 4
"""The number of gsi2 partitions that a tenant's notes are spread over."""

_AT_ONCE = 100
_FEW = 16


def change_notes(kind: Kind, row: Item, at: int) -> list[Action]:
    """The actions that note one write of a row, in every partition where a search looks for it."""
    note = kind.change_note_key(row[kind.place], row["id"], at)
    listed = {
        "gsi2pk": shard_pk(row["id"] % SHARDS, kind),
        "gsi2sk": f"{numbered(at)}#{numbered(row['id'])}",
    }
    return [Put(note, listed), *(Put(Key(pk, note.sk), {}) for pk in kind.other_partitions(row))]


def change_note_time(key: Key) -> int | None:
    """The microsecond of the change that a note tells of; None for other rows, and for a malformed note."""
    if not key.sk.startswith(CHANGE_PREFIX):
        return None
    try:
        return parts_of_note(key.sk)[0]
    except ValueError:
        return None


def shard_pk(shard: int, kind: Kind = OBSERVATIONS) -> str:
    """gsi2: one shard of the notes of all places, by time."""
    return f"{kind.shards}{shard}"


class ChangeNotes:
    """Reads and removes change notes.

    Args:
        table: the source of truth.
        clock: the time.
        parallel: queries several partitions at once.
        refresh_seconds: how long an indexed document may stay invisible in the engine.
    """

    def __init__(self, table: Table, clock: Clock, parallel: Parallel, *, refresh_seconds: int) -> None:
        self._table = table
        self._clock = clock
        self._parallel = parallel
        self._refresh_seconds = refresh_seconds

    def changed(self, scope: Scope, partitions: Sequence[str] | None, kind: Kind = OBSERVATIONS) -> list[Key]:
        """The rows of a kind that have change notes, newest change first.

        With partitions: those noted there, read consistently. Without: those of all places, from an index
        that may lag by moments.
        """
        if partitions is not None:
            queries = [
                Query(pk, prefix=CHANGE_PREFIX, newest_first=True, limit=NEWEST, resumable=False)
                for pk in partitions
            ]
        else:
            queries = [
                Query(shard_pk(shard, kind), index="gsi2", newest_first=True, limit=NEWEST, resumable=False)
                for shard in range(SHARDS)
            ]
        pages = self._parallel.each([partial(self._table.query, scope, query) for query in queries])
        notes = [row.key for page in pages for row in page.rows]
        notes.sort(key=lambda key: key.sk, reverse=True)
        return list(dict.fromkeys(row for note in notes[:NEWEST] if (row := kind.noted_row(note))))

    def removals(self, keys: Iterable[Key]) -> list[Action]:
        """The actions that remove the notes among these changed keys, for a transaction of the caller's.

        Empty where the engine shows writes later, or where the notes are many: `remove` handles those.
        """
        notes = _notes(keys)
        return [] if self._refresh_seconds or len(notes) > _FEW else [Delete(note) for note in notes]

    def remove(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Remove the notes among these changed keys, whose memories have just been indexed."""
        notes = _notes(keys)
        for start in range(0, len(notes), _AT_ONCE):
            chunk = notes[start : start + _AT_ONCE]  # others may remove some of them meanwhile
            write_what_holds(self._table, scope, [self._removal(note) for note in chunk])

    def _removal(self, note: Key) -> Action:
        if not self._refresh_seconds:
            return Delete(note)
        gone = self._clock.now_us() // 1_000_000 + self._refresh_seconds + 1
        # only once: this update is itself a change of the table and must not cause the next one
        unmarked = AllOf((Present(), Equals("expires_at", None)))
        return Update(note, set={"expires_at": gone}, condition=unmarked)


def _notes(keys: Iterable[Key]) -> list[Key]:
    return [key for key in dict.fromkeys(keys) if key.sk.startswith(CHANGE_PREFIX)]
