"""Query-as-Ingest (agtOS): keep an agent's answer as an episode where it is a synthesis.

A session keeps at most five of them, and the same answer once in five seconds. One row of the session counts
them and holds when each was kept. It changes under conditions in the episode's own transaction, so both
limits are exact however many answers arrive at once.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from strata.domain.dedup import normalized_hash
from strata.domain.scope import Scope
from strata.domain.text.recalled import without_recalled
from strata.domain.text.strings import cut
from strata.domain.wire.episodes import DEFAULT_OWNER, RESPONSE_INGEST, Ingested, NewIngest
from strata.domain.wire.events import AGENT_RESPONSE, NewEvent
from strata.domain.wire.fields import MAX_SUMMARY
from strata.domain.wire.messages import said
from strata.domain.worth.ingest_score import KEPT_FROM, importance, points
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, AnyOf, AtMost, Condition, Equals, Item, Update
from strata.ports.table import Table
from strata.services.episodes.derived import DerivedEpisodes
from strata.services.episodes.rows import episode_row, insertion
from strata.services.people.consent import refusing
from strata.services.people.ownership import Ownership
from strata.services.people.permission import learning_check
from strata.services.people.session_consent import refused_in
from strata.services.records.episodes import episode_id, ingests_key
from strata.services.records.parts import digest
from strata.services.records.sessions import session_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

WINDOW_US = 5_000_000
"""The same answer is not kept again for so long."""


@dataclass(frozen=True, slots=True)
class Ingester:
    """Keeps answers that are worth keeping, at most `most` of a session."""

    table: Table
    clock: Clock
    ownership: Ownership
    episodes: DerivedEpisodes
    most: int

    def ingest(self, scope: Scope, new: NewIngest, *, user: str, event_id: str | None = None) -> Ingested:
        """Score an answer, and keep it if it has six points or more. Recalled memory in it does not count.

        Args:
            scope: the caller's.
            new: the answer.
            user: the owner where neither the answer nor its session names one.
            event_id: of the event that brought it, so that an event sent again is not counted twice.

        Raises:
            OwnedByAnother: the session belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        response = without_recalled(new.response).strip()
        scored = points(response, tools=bool(new.tool_calls), steps=new.steps or 0)
        kept = None
        if response and scored >= KEPT_FROM:
            kept = self._keep(scope, new, self.episodes.clean(response), scored, user, event_id)
        return Ingested(
            ingested=kept is not None,
            importance=importance(scored),
            id=None if kept is None else episode_id(kept),
        )

    def follow(self, scope: Scope, session_id: str, owner: str | None, events: Sequence[NewEvent]) -> None:
        """Ingest the agent's answers among appended events, provided their metadata names tools and steps."""
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
        """The number of the episode; None at a limit, in a session that keeps nothing, or of who refuses."""
        words = self.episodes.words(cut(response, MAX_SUMMARY), [response])

        def attempt(_: Refused | None) -> int | None:
            session = self.table.get(scope, session_key(new.session_id)) or {}
            admitted = self.ownership.admit(scope, new.session_id, session, new.user_id)
            owner = admitted.owner
            if (
                not admitted.kept
                or refused_in(session)
                or refusing(self.table, scope, [owner or otherwise])
                or (not owner and self.ownership.unkept(scope, [otherwise]))
            ):
                return None
            now = self.episodes.now()
            row = episode_row(
                now,
                session_id=new.session_id,
                project=session.get("project"),
                owner=owner or otherwise,
                user_id=owner or (otherwise if otherwise != DEFAULT_OWNER else None),
                agent_id=session.get("agent_id"),
                words=words,
                importance=importance(scored),
                kind=RESPONSE_INGEST,
                now=now,
                derived=True,
                ttl_seconds=self.episodes.ttl_seconds,
            )
            count = self._count(new.session_id, response, now, event_id)
            try:
                # of nobody in particular it was read: a check of that one row by all would make them conflict
                consent = [learning_check(owner)] if owner else []
                actions = {"count": count, **insertion(row), "session": admitted.claim, "consent": consent}
                transact(self.table, scope, actions)
            except Refused as refused:
                if "count" in refused:
                    return None
                raise
            return now

        return settled(self.clock, "the session", attempt)

    def _count(self, session_id: str, response: str, now: int, event_id: str | None) -> Update:
        """Count this answer; fails where the session is full or has just kept the same one."""
        seen = f"at_{normalized_hash(response)[:32]}"
        fields: Item = {seen: now, "expires_at": now // 1_000_000 + self.episodes.ttl_seconds}
        conditions: list[Condition] = [
            AtMost("count", self.most - 1),
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
    """A number as it is; of a list or an object its length."""
    if isinstance(value, list | dict):
        return len(value)
    return int(value) if isinstance(value, int | float) and abs(value) < 2**31 else int(bool(value))
