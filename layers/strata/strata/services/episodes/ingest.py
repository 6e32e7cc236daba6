"""Query-as-Ingest (agtOS): an agent's answer that is a synthesis is kept as an episode.

A session keeps five of them at most, and the same answer once in five seconds. One row of the session counts
them and knows when each was kept; it changes in the episode's own transaction, under its conditions, so that
both limits are exact however many answers come at once.
"""

import json
from collections.abc import Sequence
from typing import Any

from strata.domain.dedup import normalized_hash
from strata.domain.errors import Conflict
from strata.domain.scope import Scope
from strata.domain.text.recalled import without_recalled
from strata.domain.text.strings import cut
from strata.domain.wire.episodes import RESPONSE_INGEST, Ingested, NewIngest
from strata.domain.wire.events import AGENT_RESPONSE, NewEvent
from strata.domain.wire.fields import MAX_SUMMARY
from strata.domain.wire.messages import said
from strata.domain.worth.ingest_score import KEPT_FROM, importance, points
from strata.ports import (
    Absent,
    AllOf,
    AnyOf,
    AtMost,
    Condition,
    ConditionFailed,
    Equals,
    Item,
    Table,
    Update,
)
from strata.services.episodes.derived import DerivedEpisodes
from strata.services.episodes.rows import episode_row, making
from strata.services.people.ownership import Ownership, claim, owner_of
from strata.services.records.episodes import DEFAULT_OWNER, episode_id, ingests_key
from strata.services.records.parts import digest
from strata.services.records.sessions import session_key
from strata.services.table.retry import attempts

WINDOW_US = 5_000_000
"""For how long the same answer is not kept again."""


class Ingester:
    """Keeps answers that are worth it.

    Args:
        table: where they are kept.
        ownership: decides what may be kept.
        episodes: what episodes are made with.
        most: answers that are kept of one session.
    """

    def __init__(
        self,
        table: Table,
        ownership: Ownership,
        episodes: DerivedEpisodes,
        *,
        most: int,
    ) -> None:
        self._table = table
        self._ownership = ownership
        self._episodes = episodes
        self._most = most

    def ingest(self, scope: Scope, new: NewIngest, *, user: str, event_id: str | None = None) -> Ingested:
        """Score an answer and keep it from six points on; one that is recalled memory alone says nothing.

        Args:
            scope: the caller's.
            new: the answer.
            user: owns it where neither it nor its session names anybody.
            event_id: of the event that tells it, by which one that is sent again is known.

        Raises:
            OwnedByAnother: the session belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        response = without_recalled(new.response).strip()
        scored = points(response, tools=bool(new.tool_calls), steps=new.steps or 0)
        kept = None
        if response and scored >= KEPT_FROM:
            kept = self._keep(scope, new, self._episodes.cleaned(response), scored, user, event_id)
        return Ingested(
            ingested=kept is not None,
            importance=importance(scored),
            id=None if kept is None else episode_id(kept),
        )

    def follow(self, scope: Scope, session_id: str, owner: str | None, events: Sequence[NewEvent]) -> None:
        """Ingest the agent's answers among events that were added, which tell of tools and steps."""
        for event in events:
            metadata = json.loads(event.metadata) if event.event_type == AGENT_RESPONSE else {}
            if "tools" not in metadata or "steps" not in metadata:
                continue
            new = NewIngest.model_construct(
                session_id=session_id,
                response=said(json.loads(event.content)),
                tool_calls=_number(metadata["tools"]),
                steps=_number(metadata["steps"]),
                user_id=owner,
            )
            self.ingest(scope, new, user=DEFAULT_OWNER, event_id=event.event_id)

    def _keep(
        self, scope: Scope, new: NewIngest, response: str, scored: int, otherwise: str, event_id: str | None
    ) -> int | None:
        """The number of the episode; None where a limit is reached or the session keeps nothing."""
        words = self._episodes.words(cut(response, MAX_SUMMARY), [response])
        for _ in attempts():
            session = self._table.get(scope, session_key(new.session_id)) or {}
            owner = owner_of(session, new.user_id)
            if not self._may_keep(scope, new, session, otherwise):
                return None
            now = self._episodes.now()
            row = episode_row(
                now,
                session_id=new.session_id,
                owner=owner or otherwise,
                user_id=owner or (otherwise if otherwise != DEFAULT_OWNER else None),
                agent_id=session.get("agent_id"),
                words=words,
                importance=importance(scored),
                kind=RESPONSE_INGEST,
                now=now,
                derived=True,
                ttl_seconds=self._episodes.ttl_seconds,
            )
            actions = [self._counted(new.session_id, response, now, event_id), *making(row)]
            if new.user_id and not session.get("user_id"):
                actions.append(claim(new.session_id, new.user_id))
            try:
                self._table.transact(scope, actions)
            except ConditionFailed as failed:
                if 0 in failed.failures:
                    return None
            else:
                return now
        raise Conflict("the session is being written by others; try again")

    def _may_keep(self, scope: Scope, new: NewIngest, session: Item, otherwise: str) -> bool:
        """By whom answer or session names, and where neither does by `otherwise`, who claims nothing."""
        if not self._ownership.keeps(scope, new.session_id, session, new.user_id):
            return False
        named = session.get("user_id") or new.user_id
        return bool(named) or not self._ownership.unkept(scope, [otherwise])

    def _counted(self, session_id: str, response: str, now: int, event_id: str | None) -> Update:
        """Counts this answer, where the session may keep one more and has not just kept the same."""
        seen = f"at_{normalized_hash(response)[:32]}"
        fields: Item = {seen: now, "expires_at": now // 1_000_000 + self._episodes.ttl_seconds}
        conditions: list[Condition] = [
            AtMost("count", self._most - 1),
            AnyOf((Equals(seen, None), AtMost(seen, now - WINDOW_US))),
        ]
        if event_id is not None:
            told = f"event_{digest(event_id)[:32]}"
            fields[told] = now
            conditions.append(Equals(told, None))
        return Update(
            ingests_key(session_id),
            set=fields,
            add={"count": 1},
            condition=AnyOf((Absent(), AllOf(tuple(conditions)))),
        )


def _number(value: Any) -> int:
    """How many: a list or an object by its size, a number as it is."""
    if isinstance(value, list | dict):
        return len(value)
    return int(value) if isinstance(value, int | float) and abs(value) < 2**31 else int(bool(value))
