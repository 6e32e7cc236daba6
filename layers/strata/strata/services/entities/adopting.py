"""Gives the entities that one owner's memories name to another."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from strata.domain.entities.shapes import ENTITY_TYPES, SPEAKER, Mention, Relationship
from strata.domain.entities.spelling import name_key
from strata.domain.errors import Conflict
from strata.domain.scope import Scope
from strata.ports.rows import AllOf, Check, Condition, Delete, Equals, Item, Key
from strata.ports.table import Query, Row, Table
from strata.services.entities.edges import USER
from strata.services.entities.recording import Recorder, Source
from strata.services.records.entities import (
    ENTITY_PREFIX,
    MENTION_PREFIX,
    entities_head_key,
    entities_pk,
    mention_key,
    mentions_prefix,
)
from strata.services.table.pages import every_row
from strata.services.table.retry import ATTEMPTS
from strata.services.table.transaction import write_what_holds

_AT_ONCE = 100


class EntityAdoption:
    """Records again for another owner what the memories of one name."""

    def __init__(self, table: Table, recorder: Recorder) -> None:
        self._table = table
        self._recorder = recorder

    def adopt(self, scope: Scope, owner: str, heir: str, checks: Sequence[Check] = ()) -> None:
        """Move all mentions, and with them entities and relationships; the owner's changes of them end.

        What others write for the owner meanwhile is moved, too: a row goes only as it was when it was read.

        Raises:
            Conflict: a check does not hold, or concurrent writers of an entity did not let this one settle.
        """
        types: dict[str, str] = {}
        sources: defaultdict[str, dict[Key, Item]] = defaultdict(dict)
        for _ in range(ATTEMPTS):
            rows = list(every_row(self._table, scope, Query(entities_pk(owner))))
            if not rows:
                return
            types |= {
                row.item["id"]: row.item["type"] for row in rows if row.key.sk.startswith(ENTITY_PREFIX)
            }
            mentions = [row for row in rows if row.key.sk.startswith(MENTION_PREFIX)]
            for row in mentions:
                sources[row.item["source"]][row.key] = row.item
            for source in dict.fromkeys(row.item["source"] for row in mentions):
                # what an adoption that died has moved already is the heir's only
                moved = Query(entities_pk(heir), prefix=mentions_prefix(source))
                there = {row.key: row.item for row in every_row(self._table, scope, moved)}
                self._record(scope, heir, sources[source] | there, types, checks)
            self._delete(scope, owner, rows)
        raise Conflict("the entities of a person are being written by others; try again")

    def _delete(self, scope: Scope, owner: str, rows: Iterable[Row]) -> None:
        """Delete rows that nobody changed; entities last, for mentions that are left need their types."""
        head = entities_head_key(owner)
        ordered = sorted(rows, key=lambda row: row.key == head or row.key.sk.startswith(ENTITY_PREFIX))
        left = [Delete(row.key, _unchanged(row.item)) for row in ordered]
        for start in range(0, len(left), _AT_ONCE):
            write_what_holds(self._table, scope, left[start : start + _AT_ONCE])

    def _record(
        self,
        scope: Scope,
        heir: str,
        named: dict[Key, Item],
        types: dict[str, str],
        checks: Sequence[Check],
    ) -> None:
        rows = list(named.values())
        one = rows[0]
        source = Source(
            one["source"],
            heir,
            one["session_id"],
            one["agent_id"],
            one["project"],
            one["confined"],
            one["at"],
            checks,
        )
        mentions = [
            Mention(
                row["text"],
                kind,  # type: ignore[arg-type]
                0,
                0,
                tuple(row["also"]),
                next(iter(row["roles"]), ""),
                row["confidence"],
                next(iter(row.get("hints", ())), ""),
            )
            for key, row in named.items()
            if (kind := _type(key, row) or types.get(row["entity"]))
        ]
        texts = {row["entity"]: row["text"] for row in rows} | {USER: SPEAKER}
        related = [
            Relationship(texts[subject], kind, texts[target], "", sure)
            for row in rows
            for subject, kind, target, sure in row["edges"]
            if subject in texts and target in texts
        ]
        if not self._recorder.record(scope, source, mentions, related):
            raise Conflict("nothing may be learnt about a person")  # before the owner's rows are deleted


def _type(key: Key, row: Item) -> str | None:
    """The type that a mention was recorded with; its entity may have got another one, or not been read."""
    keys = {
        mention_key(row["owner"], row["source"], kind, name_key(row["text"])): kind for kind in ENTITY_TYPES
    }
    return keys.get(key)


def _unchanged(row: Item) -> Condition:
    """Holds of a row that is still what was read."""
    return AllOf(tuple(Equals(name, row.get(name)) for name in ("version", "entity", "related")))
