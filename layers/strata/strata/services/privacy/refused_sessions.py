"""Takes away what was learnt from a session before its person refused that: facts, its episode and its line.

Conclusions and entities fall by consumers of their own. What an agent stored about the session stays.
"""

from collections.abc import Sequence
from contextlib import suppress

from strata.domain.errors import NotFound
from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.rows import Item, Key, Present, Update
from strata.ports.table import Table
from strata.services.episodes.catalog import EpisodeCatalog
from strata.services.facts.catalog import FactCatalog
from strata.services.people.holdings import owned_facts
from strata.services.people.session_consent import refused_in
from strata.services.records.episodes import episode_id
from strata.services.records.people import fact_id, is_fact
from strata.services.records.sessions import SESSION_SK, session_around, session_key
from strata.services.table.pages import every_row
from strata.services.table.transaction import write_what_holds


class RefusedSessions:
    """Follows refusals of single sessions, behind the stream.

    Args:
        table: the store.
        facts, episodes: delete these.
    """

    def __init__(self, table: Table, facts: FactCatalog, episodes: EpisodeCatalog) -> None:
        self._table = table
        self._facts = facts
        self._episodes = episodes

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream.

        Facts are looked at as they come, too: the list of a person's facts may lag behind a refusal.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        changed = [key for key in dict.fromkeys(keys) if key.sk == SESSION_SK or is_fact(key)]
        rows = self._table.get_many(scope, changed) if changed else {}
        for key, row in rows.items():
            if key.sk == SESSION_SK and refused_in(row):
                self._forget(scope, key, row)
        facts = [row for key, row in rows.items() if is_fact(key)]
        places = list({session_key(fact["session_id"]) for fact in facts})
        sessions = self._table.get_many(scope, places) if places else {}
        self._delete(
            scope, [each for each in facts if refused_in(sessions.get(session_key(each["session_id"])))]
        )

    def _forget(self, scope: Scope, key: Key, session: Item) -> None:
        owner = session.get("user_id") or DEFAULT_OWNER
        self._delete(scope, self._facts_of(scope, owner, session_around(key)))
        if session.get("episode"):
            made_for = (
                session.get("episode_owner") or owner
            )  # the session may have got its owner after its end
            with suppress(NotFound):
                self._episodes.forget(scope, made_for, episode_id(session["episode"]))
        if session.get("about"):
            write_what_holds(self._table, scope, [Update(key, set={"about": ""}, condition=Present())])

    def _facts_of(self, scope: Scope, owner: str, session_id: str) -> list[Item]:
        listed = every_row(self._table, scope, owned_facts(owner))
        keys = [row.key for row in listed if is_fact(row.key)]
        rows = self._table.get_many(scope, keys) if keys else {}
        return [row for row in rows.values() if row["session_id"] == session_id]

    def _delete(self, scope: Scope, facts: Sequence[Item]) -> None:
        for fact in facts:
            with suppress(NotFound):
                self._facts.delete(scope, fact["agent_id"], fact["user_id"], fact_id(fact["id"]))
