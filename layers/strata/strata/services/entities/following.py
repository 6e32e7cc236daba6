"""Entities follow the episodes and facts that name them, behind the stream.

Each is looked at as it is now, so a change that comes twice, late or out of turn changes nothing more. What
expired stays known; what was deleted, superseded or refused is taken away.
"""

from collections.abc import Callable, Mapping, Sequence

from strata.domain.entities.shapes import Mention, Relationship
from strata.domain.scope import Scope
from strata.ports.entities import EntityRecognizer
from strata.ports.rows import AllOf, Check, Equals, Item, Key, Present
from strata.ports.table import Query, Table
from strata.services.entities.recording import Recorder, Source
from strata.services.entities.sources import related_by_model, text_of
from strata.services.people.permission import conclusion_checks
from strata.services.people.session_consent import refused_in
from strata.services.records.entities import mentioned_in
from strata.services.records.episodes import (
    EPISODE_PREFIX,
    EPISODES_PREFIX,
    episode_id,
    episode_place_key,
)
from strata.services.records.parts import whole
from strata.services.records.people import agent_config_key, fact_id, is_fact
from strata.services.records.sessions import SESSION_SK, session_around, session_key
from strata.services.table.pages import every_row

Relate = Callable[[str, Sequence[Mention]], Sequence[Relationship]]
"""Finds the relationships between the mentions of a text."""


class EntityFollowing:
    """Recognizes entities in what was written.

    Args:
        table, recorder: the store, and what records mentions in it.
        recognizer, relate: find entities and their relationships in texts.
    """

    def __init__(
        self, table: Table, recorder: Recorder, recognizer: EntityRecognizer, relate: Relate
    ) -> None:
        self._table = table
        self._recorder = recorder
        self._recognizer = recognizer
        self._relate = relate

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream: record what episodes and facts name, take away what no longer holds.

        Raises:
            Conflict: concurrent writers of an entity did not let this one settle.
        """
        changed = list(dict.fromkeys(keys))
        memories = [key for key in changed if _is_episode(key) or is_fact(key)]
        sessions = [key for key in changed if key.sk == SESSION_SK]
        rows = self._table.get_many(scope, [*memories, *sessions]) if memories or sessions else {}
        for key in sessions:
            if refused_in(rows.get(key)):
                for owner, source, _ in self._named_in(scope, session_around(key)):
                    self._recorder.remove(scope, owner, source)
            elif rows.get(key, {}).get("moved_at"):
                self._moved(scope, session_around(key), rows[key]["project"])
        self._record(scope, {key: rows[key] for key in memories if _holds(rows.get(key))})
        self._remove(scope, [key for key in memories if not _holds(rows.get(key))])

    def _record(self, scope: Scope, rows: Mapping[Key, Item]) -> None:
        beside = [session_key(row["session_id"]) for key, row in rows.items() if is_fact(key)]
        agents = [agent_config_key(row["agent_id"]) for row in rows.values() if row.get("agent_id")]
        found = self._table.get_many(scope, list(dict.fromkeys([*beside, *agents]))) if rows else {}
        for key, row in rows.items():
            agent = row.get("agent_id")
            if is_fact(key):
                owner, identity = row["user_id"], fact_id(row["id"])
                project = found.get(session_key(row["session_id"]), {}).get("project")
            else:
                owner, identity, project = row["owner"], episode_id(row["id"]), row.get("project")
            text = text_of(row)
            checks = [
                *conclusion_checks(agent, owner, row["session_id"]),
                Check(key, AllOf((Present(), Equals("superseded_by", None)))),
            ]
            confined = agent is not None and agent_config_key(agent) in found
            source = Source(
                identity, owner, row["session_id"], agent, project, confined, row["created_at"], checks
            )
            mentions = self._recognizer.recognize(text)
            related = (
                [*related_by_model(row, text, mentions), *self._relate(text, mentions)] if mentions else []
            )
            self._recorder.record(scope, source, mentions, related)

    def _remove(self, scope: Scope, keys: Sequence[Key]) -> None:
        places = {key: episode_place_key(_number(key)) for key in keys if _is_episode(key)}
        found = self._table.get_many(scope, list(places.values())) if places else {}
        for key in keys:
            owner = whole(key.pk.rpartition("#")[2])
            if is_fact(key):
                self._recorder.remove(scope, owner, fact_id(_number(key)))
            elif found.get(places[key], {}).get("state") == "gone":
                self._recorder.remove(scope, owner, episode_id(_number(key)))

    def _moved(self, scope: Scope, session_id: str, project: str) -> None:
        for owner, source, named_in in self._named_in(scope, session_id):
            if named_in != project:
                self._recorder.move(scope, owner, source, project)

    def _named_in(self, scope: Scope, session_id: str) -> set[tuple[str, str, str | None]]:
        """The owners and the sources of what a session's memories name, each with its project."""
        query = Query(mentioned_in(session_id), index="gsi2")
        found = (row.item for row in every_row(self._table, scope, query))
        return {(each["owner"], each["source"], each["project"]) for each in found}


def _holds(row: Item | None) -> bool:
    return row is not None and row.get("superseded_by") is None


def _is_episode(key: Key) -> bool:
    return key.pk.startswith(EPISODES_PREFIX) and key.sk.startswith(EPISODE_PREFIX)


def _number(key: Key) -> int:
    return int(key.sk.rpartition("#")[2])
