"""Reads change notes before a search, and removes them once their memories are indexed."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Item, Key, Put
from strata.ports.table import Table
from strata.services.records.change_notes import (
    APPLIED_PLACE,
    SHARDS,
    notes_of,
    shard_pk,
    unseen_changes,
    unseen_in_shard,
)
from strata.services.records.kinds import OBSERVATIONS, Kind, searched
from strata.services.records.parts import APPLIED_PREFIX, CHANGE_PREFIX, parts_of_note
from strata.services.table.parallel import Parallel

NEWEST = 1000
"""The most changed memories that a search reads from the table, and notes that it reads of a partition."""

FOLLOWED = 200
"""The changed memories that a search reads where there are more: the newest."""

_AT_ONCE = 100
_NAMED = 1000
"""Notes that one row names at most: some 50 KB."""

_FEW = 16


def change_note_time(key: Key) -> int | None:
    """The microsecond of the change that a note tells of; None for other rows, and for a malformed note."""
    if not key.sk.startswith(CHANGE_PREFIX):
        return None
    try:
        return parts_of_note(key.sk)[0]
    except ValueError:
        return None


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
        notes = _notes(keys)
        actions: list[Action] = [*map(Delete, notes), *self._applied_rows(notes)]
        return actions if len(actions) <= _FEW else []

    def remove(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Remove the notes among these changed keys, whose memories have just been indexed.

        The rows that stand for them come first: a search may find both, but never neither.
        """
        notes = sorted(_notes(keys))
        applied = self._applied_rows(notes)
        for start in range(0, len(applied), _AT_ONCE):
            self._table.transact(scope, applied[start : start + _AT_ONCE])
        self._table.delete_many(scope, notes)

    def _applied_rows(self, notes: Sequence[Key]) -> list[Action]:
        """The rows that stand for these notes until the engine shows the writes."""
        if not self._refresh_seconds:
            return []
        by_partition: dict[str, list[Key]] = {}
        for note in notes:
            by_partition.setdefault(note.pk, []).append(note)
        parts = [
            noted[start : start + _NAMED]
            for noted in by_partition.values()
            for start in range(0, len(noted), _NAMED)
        ]
        return [row for part in parts for row in self._applied(part)]

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
            item |= {"gsi2pk": shard, "gsi2sk": key.sk.replace(APPLIED_PREFIX, APPLIED_PLACE, 1)}
        yield Put(key, item)


def _notes(keys: Iterable[Key]) -> list[Key]:
    return [key for key in dict.fromkeys(keys) if key.sk.startswith(CHANGE_PREFIX)]
