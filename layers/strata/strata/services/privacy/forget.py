"""Deletes what was derived from a person's words: facts, conclusions, entities, episodes, lines."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.clock import Clock
from strata.ports.rows import Delete, Equals, Item, Key, Present, Update
from strata.ports.table import ConditionFailed, Query, Table
from strata.services.episodes.rows import removal
from strata.services.knowledge.claimed import ClaimedKnowledge
from strata.services.people.consent import Forgetter
from strata.services.people.holdings import owned_sessions
from strata.services.records.entities import entities_pk
from strata.services.records.episodes import EPISODE_PREFIX, episode_key, episodes_pk
from strata.services.records.knowledge import knowledge_pk
from strata.services.records.owners import owner_pk
from strata.services.records.people import FACT_KIND, FACT_PREFIX, GONE_PREFIX
from strata.services.records.sessions import SESSION_KIND
from strata.services.table.pages import every_page, every_row

_PAGE = 100
_EPISODES_AT_ONCE = 25


class DerivedDataForgetter:
    """Deletes facts, conclusions, entities and derived episodes of a person; others forget theirs."""

    def __init__(self, table: Table, clock: Clock, others: Sequence[Forgetter] = ()) -> None:
        self._table = table
        self._clock = clock
        self._others = others
        self._claimed = ClaimedKnowledge(table, clock)

    def forget(self, scope: Scope, owner: str) -> None:
        """Delete a person's facts, conclusions, entities, derived episodes, and lines of sessions.

        Nothing new may be derived meanwhile: the refusal has to be written first.
        """
        for other in self._others:
            other.forget(scope, owner)
        for pk in self._partitions(scope, owner):
            self._delete_partition(scope, pk)
        self._claimed.take_over(scope, owner)
        self._delete_partition(scope, knowledge_pk(owner))
        self._delete_partition(scope, entities_pk(owner))
        while rows := self._table.query(scope, _derived(owner, _EPISODES_AT_ONCE)).rows:
            self._remove(scope, [row.item for row in rows])
        if owner != DEFAULT_OWNER:
            self._remove_made_before(scope, owner)
        for key in self._told_sessions(scope, owner):
            with suppress(ConditionFailed):  # erased meanwhile
                self._table.update(scope, Update(key, set={"about": ""}, condition=Present()))

    def _remove_made_before(self, scope: Scope, owner: str) -> None:
        """Remove the derived episodes of the person's sessions that nobody owned when they were made."""
        for rows in every_page(self._table, scope, owned_sessions(owner)):
            sessions = self._table.get_many(scope, [row.key for row in rows])
            made = [
                episode_key(DEFAULT_OWNER, each["episode"])
                for each in sessions.values()
                if each.get("episode") and each.get("episode_owner") == DEFAULT_OWNER
            ]
            found = self._table.get_many(scope, made) if made else {}
            self._remove(scope, [each for each in found.values() if each["derived"]])

    def _remove(self, scope: Scope, episodes: Sequence[Item]) -> None:
        now = self._clock.now_us()
        removals = [
            removal(each["owner"], each["id"], each["session_id"], now, if_there=True) for each in episodes
        ]
        for start in range(0, len(removals), _EPISODES_AT_ONCE):
            several = removals[start : start + _EPISODES_AT_ONCE]
            self._table.transact(scope, [action for each in several for action in each])

    def _told_sessions(self, scope: Scope, owner: str) -> Iterator[Key]:
        """The person's sessions that have a line."""
        query = Query(owner_pk(owner), index="gsi3", first=SESSION_KIND, last=SESSION_KIND, limit=_PAGE)
        for rows in every_page(self._table, scope, query):
            found = self._table.get_many(scope, [row.key for row in rows])
            yield from [key for key, item in found.items() if item.get("about")]

    def _partitions(self, scope: Scope, owner: str) -> Iterator[str]:
        """The partitions of facts about the person, one for each agent."""
        query = Query(owner_pk(owner), index="gsi3", first=FACT_KIND, last=FACT_KIND, limit=_PAGE)
        found = every_row(self._table, scope, query)
        yield from dict.fromkeys(
            row.key.pk for row in found if row.key.sk.startswith((FACT_PREFIX, GONE_PREFIX))
        )

    def _delete_partition(self, scope: Scope, pk: str) -> None:
        keys: list[Key] = [row.key for row in every_row(self._table, scope, Query(pk, limit=_PAGE))]
        for start in range(0, len(keys), _PAGE):
            self._table.transact(scope, [Delete(key) for key in keys[start : start + _PAGE]])


def _derived(owner: str, limit: int) -> Query:
    return Query(episodes_pk(owner), prefix=EPISODE_PREFIX, where=Equals("derived", True), limit=limit)
