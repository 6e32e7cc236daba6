"""Change notes: rows that name the memories whose documents in the index may be out of date.

Every write of a searched memory adds a small note in its own transaction; a save that updates its topic
adds it right afterwards, before it is acknowledged. The indexer deletes the note once the document is
written. Where the engine shows writes some seconds later, one row for each batch and partition names what
it deleted, until then: the time stands in its key, so that searches read no row past its time, however
many are still stored. So notes and these rows name exactly the memories whose documents may be out of
date, however long the indexer has been down, and a search reads those from the table instead.
"""

from strata.domain.requests import request_id
from strata.ports.rows import Action, Item, Key, Put
from strata.ports.table import Query, Row
from strata.services.records.kinds import OBSERVATIONS, Kind
from strata.services.records.parts import APPLIED_PREFIX, numbered

SHARDS = 4
"""The number of gsi2 partitions that a tenant's notes are spread over."""

_AFTER_NOTES = "CHANGE$"
APPLIED_PLACE = "#"
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


def shard_pk(shard: int, kind: Kind = OBSERVATIONS) -> str:
    """gsi2: one shard of the notes of all places, by time."""
    return f"{kind.shards}{shard}"


def unseen_changes(pk: str, now_us: int, limit: int) -> Query:
    """The notes of a partition, and before them the applied changes that the engine may not show yet."""
    return Query(pk, first=APPLIED_PREFIX + numbered(now_us), last=_AFTER_NOTES, limit=limit)


def unseen_in_shard(shard: int, now_us: int, limit: int, kind: Kind = OBSERVATIONS) -> Query:
    """The same in a shard of all places."""
    return Query(shard_pk(shard, kind), index="gsi2", first=APPLIED_PLACE + numbered(now_us), limit=limit)


def notes_of(row: Row) -> list[Key]:
    """The notes that a row of `unseen_changes` is, or stands for."""
    if not row.key.sk.startswith(APPLIED_PREFIX):
        return [row.key]
    return [Key(row.key.pk, sk) for sk in row.item.get("notes") or ()]
