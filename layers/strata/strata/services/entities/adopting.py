"""Gives the entities that one owner's memories name to another."""

from collections import defaultdict

from strata.domain.entities.shapes import SPEAKER, Mention, Relationship
from strata.domain.scope import Scope
from strata.ports.rows import Delete, Item
from strata.ports.table import Query, Table
from strata.services.entities.edges import USER
from strata.services.entities.recording import Recorder, Source
from strata.services.records.entities import ENTITY_PREFIX, MENTION_PREFIX, entities_pk
from strata.services.table.pages import every_row
from strata.services.table.transaction import write_what_holds

_AT_ONCE = 100


class EntityAdoption:
    """Records again for another owner what the memories of one name."""

    def __init__(self, table: Table, recorder: Recorder) -> None:
        self._table = table
        self._recorder = recorder

    def adopt(self, scope: Scope, owner: str, heir: str) -> None:
        """Move all mentions, and with them entities and relationships; the owner's changes of them end.

        Raises:
            Conflict: concurrent writers of an entity did not let this one settle.
        """
        place = entities_pk(owner)
        named = every_row(self._table, scope, Query(place, prefix=ENTITY_PREFIX))
        types = {row.item["id"]: row.item["type"] for row in named}
        sources: defaultdict[str, list[Item]] = defaultdict(list)
        for row in every_row(self._table, scope, Query(place, prefix=MENTION_PREFIX)):
            sources[row.item["source"]].append(row.item)
        for rows in sources.values():
            self._record(scope, heir, rows, types)
        left = [Delete(row.key) for row in every_row(self._table, scope, Query(place))]
        for start in range(0, len(left), _AT_ONCE):
            write_what_holds(self._table, scope, left[start : start + _AT_ONCE])

    def _record(self, scope: Scope, heir: str, rows: list[Item], types: dict[str, str]) -> None:
        one = rows[0]
        source = Source(
            one["source"],
            heir,
            *(one[name] for name in ("session_id", "agent_id", "project", "confined", "at")),
        )
        mentions = [
            Mention(
                row["text"],
                types[row["entity"]],  # type: ignore[arg-type]
                0,
                0,
                tuple(row["also"]),
                next(iter(row["roles"]), ""),
                row["confidence"],
            )
            for row in rows
            if row["entity"] in types
        ]
        texts = {row["entity"]: row["text"] for row in rows} | {USER: SPEAKER}
        related = [
            Relationship(texts[subject], kind, texts[target], "", sure)
            for row in rows
            for subject, kind, target, sure in row["edges"]
            if subject in texts and target in texts
        ]
        self._recorder.record(scope, source, mentions, related)
