"""Brings what earlier versions stored to the shapes of this one. Reads know old shapes, too.

A row is only added to, so the version before goes on reading it; and only where something is missing, so a
migration that was interrupted goes on when it is called again.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, AllOf, Equals, Key, Present, Put, Update
from strata.ports.table import Census, Query, Table
from strata.services.episodes.projects import EpisodeProjects
from strata.services.records.episodes import EPISODE_PREFIX
from strata.services.records.knowledge import (
    CONCLUSION_PREFIX,
    DUE_PK,
    KNOWLEDGE_HEAD_SK,
    KNOWLEDGE_PREFIX,
)
from strata.services.records.observations import OBSERVATION_PREFIX, content_guards
from strata.services.records.parts import numbered
from strata.services.records.sessions import SESSION_SK, line_of
from strata.services.repair.batches import Exclusively, Progress, batches, unwatched
from strata.services.repair.reindex import Reindexed, Reindexer
from strata.services.table.transaction import write_what_holds

_AT_ONCE = 100


@dataclass(slots=True)
class Migrated:
    """The result of a migration.

    Attributes:
        rows: how many of each kind were brought to today's shape.
        index: the rebuild of the search index; None where its documents have today's shape.
    """

    rows: dict[str, int] = field(default_factory=dict)
    index: Reindexed | None = None


class Migrator:
    """Migrates the rows of every tenant, then the search index.

    Args:
        is_index_old: whether the index's documents have an earlier shape.
        reindexer: rebuilds it.
    """

    def __init__(
        self, census: Census, table: Table, is_index_old: Callable[[], bool], reindexer: Reindexer
    ) -> None:
        self._census = census
        self._table = table
        self._is_index_old = is_index_old
        self._reindexer = reindexer
        self._projects = EpisodeProjects(table)

    def migrate(self, on_progress: Progress = unwatched, exclusively: Exclusively = nullcontext) -> Migrated:
        """Migrate what has an earlier shape.

        Raises:
            Unavailable: a store does not answer. What was done stays done.
        """
        steps = {
            "projects of episodes": (EPISODE_PREFIX, self._projects.fill),
            "lines of sessions": (SESSION_SK, self._tell_lines),
            "guards of contents": (OBSERVATION_PREFIX, self._guard_types),
            "people to sweep": (KNOWLEDGE_HEAD_SK, self._list_people),
        }
        result = Migrated()
        for name, (prefix, fill) in steps.items():
            result.rows[name] = done = 0
            for scope, keys in batches(self._census.keys(prefix), _AT_ONCE):
                result.rows[name] += fill(scope, keys)
                done += len(keys)
                on_progress(name, done, done)
        if self._is_index_old():
            result.index = self._reindexer.reindex(on_progress, exclusively, resume=True)
        return result

    def _tell_lines(self, scope: Scope, keys: Sequence[Key]) -> int:
        """Give sessions with a summary the line that prompts are told of them."""
        rows = self._table.get_many(scope, keys)
        lines: list[Action] = [
            Update(
                key,
                set={"about": line_of(row)},
                condition=AllOf((Present(), Equals("about", None), Equals("summary", row["summary"]))),
            )
            for key, row in rows.items()
            if row.get("summary") and row.get("about") is None
        ]
        write_what_holds(self._table, scope, lines)
        return len(lines)

    def _list_people(self, scope: Scope, keys: Sequence[Key]) -> int:
        """List people for the sweep whose conclusions are older than it is."""
        heads = [key for key in keys if key.pk.startswith(KNOWLEDGE_PREFIX)]
        rows = self._table.get_many(scope, heads) if heads else {}
        fresh = AllOf((Equals("stale", None), Equals("hidden", None)))
        listed: list[Action] = []
        for key, row in rows.items():
            standing = Query(key.pk, prefix=CONCLUSION_PREFIX, limit=1, where=fresh, resumable=False)
            if "gsi2pk" not in row and self._table.query(scope, standing).rows:
                same = AllOf((Present(), Equals("version", row["version"])))
                listed.append(Update(key, set={"gsi2pk": DUE_PK, "gsi2sk": numbered(0)}, condition=same))
        write_what_holds(self._table, scope, listed)
        return len(listed)

    def _guard_types(self, scope: Scope, keys: Sequence[Key]) -> int:
        """Give observations whose content a guard without its type guards one of its type beside it."""
        rows = self._table.get_many(scope, keys).values()
        guards = {old: (new, row["id"]) for row in rows for new, old in (content_guards(row),)}
        there = self._table.get_many(scope, [*guards, *(new for new, _ in guards.values())])
        missing: list[Action] = [
            Put(new, there[old], Absent())
            for old, (new, number) in guards.items()
            if old in there and there[old]["observation_id"] == number and new not in there
        ]
        write_what_holds(self._table, scope, missing)
        return len(missing)
