"""Projects of episodes that were derived before their rows named one."""

from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.ports.rows import AllOf, Equals, Item, Key, Present, Update
from strata.ports.table import Table
from strata.services.records.episodes import NO_PROJECT, project_of
from strata.services.records.sessions import session_key
from strata.services.table.transaction import write_what_holds

_AT_ONCE = 100


class EpisodeProjects:
    """Names the projects of old episodes, which no call for a project is given before."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def fill(self, scope: Scope, keys: Sequence[Key]) -> int:
        """Give each of these episodes that names no project the one of its session; how many there were."""
        rows = {key: row for key, row in self._table.get_many(scope, keys).items() if project_of(row) is None}
        if not rows:
            return 0
        sessions = {row["session_id"]: session_key(row["session_id"]) for row in rows.values()}
        found = self._table.get_many(scope, list(sessions.values()))
        named = [_named(key, found.get(sessions[row["session_id"]], {})) for key, row in rows.items()]
        for start in range(0, len(named), _AT_ONCE):
            write_what_holds(self._table, scope, named[start : start + _AT_ONCE])
        return len(named)


def _named(key: Key, session: Item) -> Update:
    project = session.get("project") or NO_PROJECT
    return Update(key, set={"project": project}, condition=AllOf((Present(), Equals("project", None))))
