"""Change notes: the memories whose documents in the index may be out of date.

Every write of a searched memory adds a small note in its own transaction; a save that updates its topic
adds it right afterwards, before it is acknowledged. The indexer deletes the note once the document is
written. Where the engine shows writes some seconds later, one row for each batch and partition names what
it deleted, until then: the time stands in its key, so that searches read no row past its time, however
many are still stored. So notes and these rows name exactly the memories whose documents may be out of
date, however long the indexer has been down, and a search reads those from the table instead.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from strata.domain.requests import request_id
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Item, Key, Put
from strata.ports.table import Query, Row, Table
from strata.services.records.parts import APPLIED_PREFIX, CHANGE_PREFIX, numbered, parts_of_note
from strata.services.search.kinds import OBSERVATIONS, Kind, searched
from strata.services.table.parallel import Parallel

NEWEST = 1000
"""The most changed memories that a search reads from the table, and notes that it reads of a partition."""

FOLLOWED = 200
"""The changed memories that a search reads where there are more: the newest."""

SHARDS = 4
"""The number of gsi2 partitions that a tenant's notes are spread over."""

_AT_ONCE = 100
_FEW = 16
_AFTER_NOTES = "CHANGE$"
_APPLIED_PLACE = "#"
"""Begins the places of applied changes in gsi2, before those of notes, which begin with a digit."""


def change_notes(kind: Kind, row: Item, at: int) -> list[Action]:
    """The actions that note one write of a row, in every partition where a search looks for it."""
    note = kind.change_note_key(row[kind.place], row["id"], at)
    listed = {
        "gsi2pk": shard_pk(row["id"] % SHARDS, kind),
        "gsi2sk": f"{numbered(at)}#{numbered(row['id'])}",
    }
    if request := request_id.get():
        listed["request"] = request
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


def unseen_changes(pk: str, now_us: int, limit: int) -> Query:
    """The notes of a partition, and before them the applied changes that the engine may not show yet."""
    return Query(pk, first=APPLIED_PREFIX + numbered(now_us), last=_AFTER_NOTES, limit=limit)


def unseen_in_shard(shard: int, now_us: int, limit: int, kind: Kind = OBSERVATIONS) -> Query:
    """The same in a shard of all places."""
    return Query(shard_pk(shard, kind), index="gsi2", first=_APPLIED_PLACE + numbered(now_us), limit=limit)


def notes_of(row: Row) -> list[Key]:
    """The notes that a row of `unseen_changes` is, or stands for."""
    if not row.key.sk.startswith(APPLIED_PREFIX):
        return [row.key]
    return [Key(row.key.pk, sk) for sk in row.item.get("notes") or ()]


@dataclass(frozen=True, slots=True)
class Changed:
    """The memories whose documents may be out of date.

    Attributes:
        rows: their keys, newest change first.
        is_whole: whether these are all; otherwise they are the newest `FOLLOWED`.
    """

    rows: list[Key]
    is_whole: bool = True


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

    def changed(self, scope: Scope, partitions: Sequence[str] | None, kind: Kind = OBSERVATIONS) -> Changed:
        """The rows of a kind whose documents may be out of date.

        With partitions: those noted there, read consistently. Without: those of all places, from an index
        that may lag by moments.
        """
        now, limit = self._clock.now_us(), NEWEST + 1
        if partitions is not None:
            queries = [unseen_changes(pk, now, limit) for pk in partitions]
        else:
            queries = [unseen_in_shard(shard, now, limit, kind) for shard in range(SHARDS)]
        newest = [replace(query, newest_first=True, resumable=False) for query in queries]
        pages = self._parallel.each([partial(self._table.query, scope, query) for query in newest])
        notes = [note for page in pages for row in page.rows for note in notes_of(row)]
        notes.sort(key=lambda key: key.sk, reverse=True)
        rows = list(dict.fromkeys(row for note in notes if (row := kind.noted_row(note))))
        if len(rows) > NEWEST or any(len(page.rows) > NEWEST for page in pages):
            return Changed(rows[:FOLLOWED], is_whole=False)
        return Changed(rows)

    def requests(self, scope: Scope, keys: Iterable[Key]) -> dict[Key, str]:
        """The requests that left the notes among these keys, as far as the notes are there and say so."""
        notes = _notes(keys)
        rows = self._table.get_many(scope, notes) if notes else {}
        return {key: request for key, row in rows.items() if (request := row.get("request"))}

    def removals(self, keys: Iterable[Key]) -> list[Action]:
        """The actions that remove the notes among these changed keys, for a transaction of the caller's.

        Empty where the actions are many: `remove` handles those.
        """
        actions = self._removals(_notes(keys))
        return actions if len(actions) <= _FEW else []

    def remove(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Remove the notes among these changed keys, whose memories have just been indexed."""
        for part in _transactions(_notes(keys)):
            self._table.transact(scope, self._removals(part))

    def _removals(self, notes: Sequence[Key]) -> list[Action]:
        """Delete these notes; a row of each partition names them until the engine shows the writes."""
        deletions: list[Action] = [Delete(note) for note in notes]
        if not self._refresh_seconds:
            return deletions
        by_partition: dict[str, list[Key]] = {}
        for note in notes:
            by_partition.setdefault(note.pk, []).append(note)
        return deletions + [row for noted in by_partition.values() for row in self._applied(noted)]

    def _applied(self, notes: Sequence[Key]) -> Iterator[Put]:
        """The row that stands for these notes of a partition until the engine shows the writes."""
        found = searched(notes[0])
        if found is None:
            return
        kind, row = found
        shown_at = self._clock.now_us() // 1_000_000 + self._refresh_seconds + 1
        key = kind.applied_key(notes[0], shown_at * 1_000_000, secrets.randbits(53))
        item: Item = {"notes": [note.sk for note in notes], "expires_at": shown_at}
        if row.pk == key.pk:  # a row's second note, under GLOBAL, is in no shard either
            shard = shard_pk(kind.id_of(row) % SHARDS, kind)
            item |= {"gsi2pk": shard, "gsi2sk": key.sk.replace(APPLIED_PREFIX, _APPLIED_PLACE, 1)}
        yield Put(key, item)


def _notes(keys: Iterable[Key]) -> list[Key]:
    return [key for key in dict.fromkeys(keys) if key.sk.startswith(CHANGE_PREFIX)]


def _transactions(notes: Iterable[Key]) -> Iterator[list[Key]]:
    """The notes in parts whose removal is one transaction each: an action a note, and one a partition."""
    part: list[Key] = []
    partitions: set[str] = set()
    for note in sorted(notes):
        if len(part) + 1 + len(partitions | {note.pk}) > _AT_ONCE:
            yield part
            part, partitions = [], set()
        part.append(note)
        partitions.add(note.pk)
    if part:
        yield part
