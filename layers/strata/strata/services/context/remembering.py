"""Rows and hits as items of a context."""

from collections.abc import Iterable

from strata.domain.assembly.items import Remembered
from strata.domain.dedup import normalized
from strata.domain.retrieval import Method, Ranked
from strata.ports.rows import Item
from strata.services.records.episodes import episode_id
from strata.services.records.sessions import line_of
from strata.services.search.hits import ObservationHit


def of_observation(hit: ObservationHit) -> Remembered:
    """An observation; its content is whole."""
    return Remembered(
        layer="observations",
        id=hit.id,
        content=hit.content,
        order=hit.updated_at,
        relevance=hit.relevance,
        method=hit.method,
        type=hit.type,
        title=hit.title,
        project=hit.project,
        superseded_by=hit.superseded_by,
    )


def with_lines(rows: Iterable[Item]) -> list[Item]:
    """The sessions that have a line, without those that say what an earlier one says."""
    lines: dict[str, Item] = {}
    for row in rows:
        lines.setdefault(normalized(line_of(row)), row)
    return [row for line, row in lines.items() if line]


def of_session(row: Item, found: Ranked | None) -> Remembered:
    """A session that has a line, as a query found it, or for its recency."""
    return Remembered(
        layer="sessions",
        id=row["id"],
        content=line_of(row),
        order=row.get("ended_at") or row["started_at"],
        relevance=found.relevance if found else 0.0,
        method=found.method if found else Method.RECENCY,
        source=f"session:{row['id']}",
        twin=f"episodes:{episode_id(row['episode'])}" if row.get("episode") else None,
        session_id=row["id"],
        type="session",
        title=row["id"],
        project=row.get("project") or "",
    )
