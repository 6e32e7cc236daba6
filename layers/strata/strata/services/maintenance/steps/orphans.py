"""Step: episodes that matter little and that nothing rests on are flagged, where episodes changed."""

from strata.domain.scope import Scope
from strata.ports.table import Query, Table
from strata.services.maintenance.marks import Marks
from strata.services.maintenance.step import Swept, Window
from strata.services.records.episodes import EPISODE_PREFIX, EPISODES_PREFIX, episode_id
from strata.services.records.kinds import EPISODES
from strata.services.records.knowledge import CONCLUSION_PREFIX, knowledge_pk
from strata.services.records.parts import whole
from strata.services.table.pages import every_row

AT_ONCE = 20
"""Partitions of a piece."""


class OrphanEpisodes:
    """Flags episodes below an importance that are no source of a conclusion. They expire by themselves.

    Args:
        marks: name the people whose episodes changed.
        importance: episodes below it may be orphans, from 0 to 1.
    """

    name = "orphans"

    def __init__(self, table: Table, marks: Marks, importance: float) -> None:
        self._table = table
        self._marks = marks
        self._importance = importance

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        partitions, after = self._marks.partitions(scope, window.days, cursor, AT_ONCE)
        looked_at, flagged = 0, list[str]()
        for partition in (each for each in partitions if each.kind == EPISODES.name):
            rows = [
                row.item for row in every_row(self._table, scope, Query(partition.key, prefix=EPISODE_PREFIX))
            ]
            weak = {episode_id(row["id"]) for row in rows if row.get("importance", 1.0) < self._importance}
            looked_at += len(rows)
            if weak:
                owner = whole(partition.key.removeprefix(EPISODES_PREFIX))
                query = Query(knowledge_pk(owner), prefix=CONCLUSION_PREFIX)
                for row in every_row(self._table, scope, query):
                    weak.difference_update(row.item["sources"])
            flagged += sorted(weak)
        return Swept({"looked_at": looked_at, "flagged": len(flagged)}, after, flagged)
