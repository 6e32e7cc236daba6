"""What the index does not show yet.

Every write of a searched memory leaves a small note in its own transaction; a save that updates its topic
leaves it just behind, before it is acknowledged. The indexer takes the note away once the engine shows what
was written, which is some seconds after it was indexed where the engine refreshes by interval. So the notes
that are there name exactly the memories whose documents may be out of date, however long the indexer has
stood still, and a search reads those from the table instead.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from strata.domain.scope import Scope
from strata.ports import (
    Action,
    AllOf,
    Clock,
    Delete,
    Equals,
    Item,
    Key,
    Present,
    Put,
    Query,
    Table,
    Update,
)
from strata.services.records.parts import CHANGE_PREFIX, numbered
from strata.services.search.kinds import OBSERVATIONS, Kind
from strata.services.table.parallel import Parallel
from strata.services.table.transaction import write_what_holds

NEWEST = 1000
"""How many notes a search follows at most; beyond them an older change waits for the index."""

SHARDS = 4
"""Over how many partitions of the secondary index a tenant's notes are spread."""

_AT_ONCE = 100
_FEW = 16


def noted(observation: Item, at: int) -> list[Action]:
    """The notes of one write of an observation."""
    return noted_as(OBSERVATIONS, observation, at)


def noted_as(kind: Kind, row: Item, at: int) -> list[Action]:
    """The notes of one write of a row: in its place, and where else it may be looked for."""
    note = kind.note(row[kind.place], row["id"], at)
    listed = {
        "gsi2pk": shard_pk(row["id"] % SHARDS, kind),
        "gsi2sk": f"{numbered(at)}#{numbered(row['id'])}",
    }
    return [Put(note, listed), *(Put(Key(pk, note.sk), {}) for pk in kind.beyond(row))]


def shard_pk(shard: int, kind: Kind = OBSERVATIONS) -> str:
    """gsi2: a share of the notes of all places, by time."""
    return f"{kind.shards}{shard}"


class ChangeNotes:
    """Reads and settles the notes.

    Args:
        table: the source of truth.
        clock: the time.
        rounds: asks for several partitions at once.
        refresh_seconds: how long after it was written a document may stay invisible in the engine.
    """

    def __init__(self, table: Table, clock: Clock, rounds: Parallel, *, refresh_seconds: int) -> None:
        self._table = table
        self._rounds = rounds
        self._clock = clock
        self._refresh_seconds = refresh_seconds

    def unsettled(
        self, scope: Scope, partitions: Sequence[str] | None, kind: Kind = OBSERVATIONS
    ) -> list[Key]:
        """The rows of a kind, newest change first, whose documents may be out of date.

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
        pages = self._rounds.each([partial(self._table.query, scope, query) for query in queries])
        notes = [row.key for page in pages for row in page.rows]
        notes.sort(key=lambda key: key.sk, reverse=True)
        found = dict.fromkeys(row for note in notes[:NEWEST] if (row := kind.row_of(note)))
        return list(found)

    def removals(self, keys: Iterable[Key]) -> list[Action]:
        """What takes the notes among these changed rows away, where the engine shows a write at once.

        None where it shows them later, or where they are many: `settle` does those.
        """
        notes = _notes(keys)
        return [] if self._refresh_seconds or len(notes) > _FEW else [Delete(note) for note in notes]

    def settle(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Take away the notes among these changed rows, whose observations have just been indexed."""
        notes = _notes(keys)
        for start in range(0, len(notes), _AT_ONCE):
            chunk = notes[start : start + _AT_ONCE]  # of which others may settle some meanwhile
            write_what_holds(self._table, scope, [self._settled(note) for note in chunk])

    def _settled(self, note: Key) -> Action:
        if not self._refresh_seconds:
            return Delete(note)
        gone = self._clock.now_us() // 1_000_000 + self._refresh_seconds + 1
        # once only: this update is a change of the table too, and must not make the next one
        unmarked = AllOf((Present(), Equals("expires_at", None)))
        return Update(note, set={"expires_at": gone}, condition=unmarked)


def _notes(keys: Iterable[Key]) -> list[Key]:
    return [key for key in dict.fromkeys(keys) if key.sk.startswith(CHANGE_PREFIX)]
