"""Saving an observation: redaction, ownership and the three tiers of dedup, without a read-then-write.

The tiers (AgentOps): the same topic key updates in place; the same content of the same type within the
window only counts; everything else is a new row. Two guard rows make them atomic: a topic's and a
content's, each naming the observation that holds it, written in the observation's own transaction under a
condition. Whoever loses that race is handed the winner's guard and settles with it.

A content's guard outlives its window (`window_until` ends it for saves), so that a later change can still
tell that another row has the same content. A guard may be stale, naming a row that has changed or gone
since: whoever meets it checks the row itself and takes the guard over.
"""

import math
from collections.abc import Callable
from contextlib import suppress

from strata.domain.dedup import normalized_hash
from strata.domain.errors import LimitReached
from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.domain.wire.observations import NewObservation, SavedObservation
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, AnyOf, AtMost, Condition, Equals, Item, Present, Put, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.observations.merge import gain, merging
from strata.services.observations.rows import insertion, new_row, redacted
from strata.services.people.ownership import Admitted, Ownership
from strata.services.records.change_notes import change_notes
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import (
    content_guards,
    has_content_of,
    observation_key,
    topic_guard_key,
    untyped_hash_key,
)
from strata.services.records.sessions import session_key
from strata.services.table.retry import Overtaken, settled
from strata.services.table.transaction import Refused, transact


class Saver:
    """Saves observations; safe under any number of concurrent callers."""

    def __init__(
        self,
        table: Table,
        clock: Clock,
        ids: IdSource,
        ownership: Ownership,
        make_room: Callable[[Scope], None],
        *,
        dedupe_window: int,
        redacting: bool = True,
    ) -> None:
        self._table = table
        self._make_room = make_room
        self._clock = clock
        self._ids = ids
        self._ownership = ownership
        self._window_us = dedupe_window * 1_000_000
        self._redacting = redacting

    def save(self, scope: Scope, new: NewObservation) -> SavedObservation:
        """Save, update or count an observation.

        Raises:
            OwnedByAnother: the session belongs to another user.
            LimitReached: a new row would be one too many for the tenant.
            Conflict: concurrent writers did not let this one settle.
        """
        wanted = redacted(new) if self._redacting else new
        return settled(self._clock, "the observation", lambda _: self._attempt(scope, wanted))

    def _attempt(self, scope: Scope, new: NewObservation) -> SavedObservation:
        key = session_key(new.session_id)
        older = untyped_hash_key(new.project, new.user_id, normalized_hash(new.content))
        read = self._table.get_many(scope, (key, older))
        session = read.get(key)
        admitted = self._ownership.admit(scope, new.session_id, session, new.user_id)
        if not admitted.kept:
            return SavedObservation(id=0, action="skipped", revision_count=0, duplicate_count=0)
        agent = new.agent_id or (session or {}).get("agent_id")
        observation = new_row(new, admitted.owner, agent, self._ids.next(self._clock.now_us()))
        _, theirs = content_guards(observation)  # the session may have another owner than the call names
        guard = read.get(older) if theirs == older else self._table.get(scope, theirs)
        if guard is not None and self._is_known(scope, observation, guard):
            for claim in admitted.claim:
                self._table.update(scope, claim)
            return self._count(scope, observation, guard["observation_id"])
        try:
            self._make_room(scope)
        except LimitReached:
            if self._is_addition(scope, observation):
                raise
        try:
            self._insert(scope, observation, admitted)
        except Refused as refused:
            if _is_ours(observation, refused):
                return _saved(observation, "created")
            for claim in admitted.claim:  # the session gets its owner also where the save adds no row
                self._table.update(scope, claim)
            return self._settle(scope, observation, refused)
        return _saved(observation, "created")

    def _is_known(self, scope: Scope, observation: Item, guard: Item) -> bool:
        """Whether the guard of an earlier version, which knows no type, counts this content."""
        if guard["window_until"] <= observation["created_at"]:
            return False
        project, topic = observation["project"], observation["topic_key"]
        holder = self._table.get(scope, observation_key(project, guard["observation_id"]))
        if not has_content_of(holder, observation) or not topic:
            return has_content_of(holder, observation)
        topics = topic_guard_key(project, observation["scope"], observation["user_id"], topic)
        return self._table.get(scope, topics) is None  # the topic goes before the content

    def _is_addition(self, scope: Scope, observation: Item) -> bool:
        """Whether no guard makes it an update or a duplicate of what is stored."""
        keys = [content_guards(observation)[0]]
        if topic := observation["topic_key"]:
            project, scope_name, owner = (observation[name] for name in ("project", "scope", "user_id"))
            keys.append(topic_guard_key(project, scope_name, owner, topic))
        guards, now = self._table.get_many(scope, keys).values(), observation["created_at"]
        return all(guard.get("window_until", math.inf) <= now for guard in guards)

    def _insert(self, scope: Scope, observation: Item, admitted: Admitted) -> None:
        """Write the row, its pointer, its guards and its change notes."""
        made = insertion(
            observation,
            window_us=self._window_us,
            content_free=AnyOf((Absent(), AtMost("window_until", observation["created_at"]))),
            noted_at=observation["created_at"],
        )
        notes = change_notes(OBSERVATIONS, observation, observation["created_at"])
        transact(self._table, scope, {**made, "notes": notes, "session": admitted.claim})

    def _settle(self, scope: Scope, observation: Item, refused: Refused) -> SavedObservation:
        """Update or count, as the guards that refused the row say."""
        content, topic = refused.row("content"), refused.row("topic")
        if topic is not None:
            return self._update(scope, observation, topic["observation_id"])
        if content is not None:
            return self._count(scope, observation, content["observation_id"])
        raise Overtaken  # the id was taken, or the session's owner changed meanwhile

    def _update(self, scope: Scope, observation: Item, holder: int) -> SavedObservation:
        """Tier 1: the topic's row takes the new words."""
        key = observation_key(observation["project"], holder)
        before = self._table.get(scope, key)
        if before is None:
            raise Overtaken
        content_hash, now = observation["normalized_hash"], observation["created_at"]
        if not has_content_of(before, observation):
            # First the guard: if we die in between it is stale, which whoever meets it will notice.
            free = AnyOf((Absent(), AtMost("window_until", now), Equals("observation_id", holder)))
            with suppress(ConditionFailed):  # another row has this content; the topic's takes it all the same
                self._put_guard(scope, observation, holder, before["created_at"], free)
        row = self._table.update(
            scope,
            Update(
                key,
                set={name: observation[name] for name in ("type", "title", "content", "tags", "metadata")}
                | {"normalized_hash": content_hash, "updated_at": now, "last_seen_at": now},
                add={"revision_count": 1},
                condition=Present(),
            ),
        )
        self._table.transact(scope, change_notes(OBSERVATIONS, row, now))
        return _saved(row, "updated")

    def _put_guard(
        self, scope: Scope, observation: Item, holder: int, created_at: int, condition: Condition
    ) -> None:
        guard = {"observation_id": holder, "window_until": created_at + self._window_us}
        self._table.transact(scope, [Put(content_guards(observation)[0], guard, condition)])

    def _count(self, scope: Scope, observation: Item, holder: int) -> SavedObservation:
        """Tier 2: the row that has this content is seen once more, and takes what this save adds to it."""
        key = observation_key(observation["project"], holder)
        before = self._table.get(scope, key)
        if before is None or not has_content_of(before, observation):
            # A stale guard: end its window, so that the next attempt takes it over.
            guard, _ = content_guards(observation)
            expire = Update(guard, set={"window_until": 0}, condition=Equals("observation_id", holder))
            with suppress(ConditionFailed):
                self._table.transact(scope, [expire])
            raise Overtaken
        gained = gain(before, observation)
        if gained:
            return self._merge(scope, before, gained, observation["created_at"])
        again = Update(
            key,
            set={"last_seen_at": observation["created_at"]},
            add={"duplicate_count": 1},
            condition=AllOf(
                (Present(), *(Equals(name, observation[name]) for name in ("normalized_hash", "type")))
            ),
        )
        try:
            return _saved(self._table.update(scope, again), "deduplicated")
        except ConditionFailed:
            raise Overtaken from None

    def _merge(self, scope: Scope, before: Item, gained: Item, now: int) -> SavedObservation:
        """Count the content once more, and write what its row gains; without a topic that another row has."""
        try:
            transact(self._table, scope, merging(before, gained, now))
        except Refused as refused:
            if "row" in refused:
                raise
            gained = {name: value for name, value in gained.items() if name != "topic_key"}
            transact(self._table, scope, merging(before, gained, now, keeping_topic=True))
        return _saved(before | {"duplicate_count": before["duplicate_count"] + 1}, "deduplicated")


def _is_ours(observation: Item, refused: Refused) -> bool:
    """Whether what stood in the way is this very write, whose answer was lost.

    The id alone does not tell: two processes may take the same microsecond.
    """
    there = refused.row("row")
    return there is not None and there.get("write") == observation["write"]


def _saved(row: Item, action: str) -> SavedObservation:
    return SavedObservation.model_validate(
        {
            "id": row["id"],
            "action": action,
            "revision_count": row["revision_count"],
            "duplicate_count": row["duplicate_count"],
        }
    )
