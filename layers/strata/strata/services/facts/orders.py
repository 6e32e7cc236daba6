"""What an ended session leaves for the finding of facts: what its user said, and the order to look at it.

Both are written in the transaction that ends the session, so that neither an end without its facts nor facts
of a session that did not end can come of a crash. Only the user's own words are kept: what an assistant says
may repeat what it was told from memory.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Protocol

from strata.domain.facts.sources import own_words
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.messages import Message
from strata.ports import Absent, Action, Equals, Item, Put, Table
from strata.services.people.agents import config_of
from strata.services.people.consent import refused
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import agent_config_key, consent_key, extraction_key, transcript_key
from strata.services.redaction import redacted_text

MIN_TURNS = 3
"""A conversation with fewer turns of its user is not looked at (Fyso)."""
WAITS_SECONDS = 14 * DAY
"""How long a transcript waits for its facts to be found: as long as a queue keeps a message."""
REMEMBERED_SECONDS = 30 * DAY
"""How long it is known that a session's facts were found, so that an end that is sent again finds none."""


class Transcripts(Protocol):
    """What the events of a session tell of it."""

    def transcript(self, scope: Scope, session_id: str) -> Sequence[Message]:
        """Its events as messages; none when it has none."""

    def app_of(self, scope: Scope, session_id: str) -> str | None:
        """The app that its events belong to; None when it has no log of events."""


class ExtractionOrders:
    """Decides whether an ended session is looked at for facts, and what is kept of it till then.

    Args:
        table: tells what agents may remember and what people agree to.
        redacting: whether secrets are taken out.
    """

    def __init__(self, table: Table, *, redacting: bool = True) -> None:
        self._table = table
        self._redacting = redacting

    def actions(
        self,
        scope: Scope,
        session_id: str,
        *,
        agent_id: str | None,
        owner: str | None,
        messages: Sequence[Message],
        now: int,
    ) -> list[Action]:
        """What is written with a session's end (µs `now`); nothing where no facts are to be found.

        They fail where another end of the session was written since this was asked.
        """
        if agent_id is None or owner is None or not messages:
            return []
        turns = own_words(messages)
        if len(turns) < MIN_TURNS:
            return []
        keys = (
            agent_config_key(agent_id),
            consent_key(owner),
            extraction_key(session_id),
            tombstone_key(owner),
        )
        rows = self._table.get_many(scope, keys)
        config = config_of(agent_id, rows.get(keys[0]))
        if not config.memory_enabled or refused(rows.get(keys[1])) or keys[3] in rows:
            return []
        if self._redacting and config.redact:
            turns = [redacted_text(turn) for turn in turns]
        text = json.dumps(turns, ensure_ascii=False)
        digest = hashlib.sha256(json.dumps([agent_id, owner, turns]).encode()).hexdigest()
        before = rows.get(keys[2])
        if before is not None and before["digest"] == digest:
            return []
        seconds = now // 1_000_000
        order: Item = {
            "session_id": session_id,
            "agent_id": agent_id,
            "user_id": owner,
            "digest": digest,
            "state": "due",
            "window": 0,
            "facts": 0,
            "left_out": 0,
            "expires_at": seconds + REMEMBERED_SECONDS,
        }
        seen = Absent() if before is None else Equals("digest", before["digest"])
        return [
            Put(keys[2], order, seen),
            Put(transcript_key(session_id), {"turns": text, "expires_at": seconds + WAITS_SECONDS}),
        ]
