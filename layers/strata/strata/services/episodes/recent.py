"""Reading the newest episodes of an owner, of an agent, or of a conversation."""

from collections.abc import Iterable

from strata.domain.scope import Scope
from strata.ports.rows import AllOf, AnyOf, Condition, Equals, Item
from strata.ports.table import Query, Row, Table
from strata.services.records.episodes import (
    EPISODE_PREFIX,
    NO_PROJECT,
    agent_episodes,
    episodes_pk,
    session_episodes,
)
from strata.services.records.kinds import EPISODES
from strata.services.search.filters import EpisodeFilter


class RecentEpisodes:
    """Reads the newest rows of episodes."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def newest_wanted(self, scope: Scope, wanted: EpisodeFilter, limit: int) -> list[Item]:
        """Return the newest episodes that the filter admits, newest first; an owner's are read consistently.

        A filter without owner and agent admits none: nobody may see all.
        """
        if wanted.owner is not None:
            query = Query(
                episodes_pk(wanted.owner),
                prefix=EPISODE_PREFIX,
                newest_first=True,
                limit=limit,
                where=_admitted(wanted),
                resumable=False,
            )
        elif wanted.agent_id is not None:
            query = Query(
                agent_episodes(wanted.agent_id), index="gsi2", newest_first=True, limit=limit, resumable=False
            )
        else:
            return []
        return _whole(self._table.query(scope, query).rows)

    def of_session(self, scope: Scope, session_id: str, limit: int) -> list[Item]:
        """Return the newest episodes of a conversation, oldest first; they may lag by moments."""
        query = Query(
            session_episodes(session_id), index="gsi1", newest_first=True, limit=limit, resumable=False
        )
        return _whole(reversed(self._table.query(scope, query).rows))


def _whole(rows: Iterable[Row]) -> list[Item]:
    """The rows without malformed ones, so that these hide no other."""
    return [row.item for row in rows if EPISODES.is_whole(row.item)]


def _admitted(wanted: EpisodeFilter) -> Condition | None:
    """The filter's agent and project as a condition on rows; its owner is the partition."""
    conditions: list[Condition] = []
    if wanted.agent_id is not None:
        mine = Equals("agent_id", wanted.agent_id)
        conditions.append(AnyOf((mine, Equals("agent_id", None))) if wanted.or_of_none else mine)
    if wanted.project is not None:
        unnamed = AllOf((Equals("project", None), Equals("derived", False)))  # see `project_of`
        named = (Equals("project", wanted.project), Equals("project", NO_PROJECT))
        conditions.append(AnyOf((*named, unnamed)))
    return AllOf(tuple(conditions)) if conditions else None
