"""Orders the extraction of facts when a session ends: a transcript of what its user said, and the order.

Both are written in the transaction that ends the session, so a crash leaves neither an ended session without
its order nor an order for a session that did not end. The transcript holds the user's words only, because an
assistant may repeat what it was told from memory.
"""

import hashlib
import json

from strata.domain.facts.sources import own_words
from strata.domain.redaction.texts import redacted_text
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports.rows import Action, Put
from strata.ports.table import Table
from strata.services.orders.ended import Ended
from strata.services.orders.order import OrderKind, placed
from strata.services.people.permission import permission_keys, permitted
from strata.services.records.people import EXTRACTION_SK, extraction_key, transcript_key

EXTRACTION = OrderKind("extraction", EXTRACTION_SK, ("session_id",), lease_seconds=330)

MIN_TURNS = 3
"""Conversations with fewer turns of their user are not searched for facts (Fyso)."""
WAITS_SECONDS = 14 * DAY
"""A transcript waits so long for its extraction: as long as a queue keeps a message."""
REMEMBERED_SECONDS = 30 * DAY
"""An order is kept so long, so that the same end sent again does not order the extraction again."""


class ExtractionOrders:
    """Decides whether facts are extracted from an ended session, and what is kept of it until then.

    Args:
        table: holds agents' configurations and people's consent.
        redacting: whether secrets are taken out of transcripts.
    """

    def __init__(self, table: Table, *, redacting: bool = True) -> None:
        self._table = table
        self._redacting = redacting

    def actions(self, scope: Scope, ended: Ended) -> list[Action]:
        """The order and the transcript, as `EndOrders` says."""
        session_id, agent_id, owner = ended.session_id, ended.agent_id, ended.owner
        if agent_id is None or owner is None or not ended.messages:
            return []
        turns = own_words(ended.messages)
        if len(turns) < MIN_TURNS:
            return []
        key = extraction_key(session_id)
        rows = self._table.get_many(scope, (key, *permission_keys(agent_id, owner, session_id)))
        config = permitted(agent_id, owner, session_id, rows)
        if config is None:
            return []
        if self._redacting and config.redact:
            turns = [redacted_text(turn) for turn in turns]
        digest = hashlib.sha256(json.dumps([agent_id, owner, turns]).encode()).hexdigest()
        seconds = ended.now // 1_000_000
        fields = {
            "session_id": session_id,
            "agent_id": agent_id,
            "user_id": owner,
            "window": 0,
            "facts": 0,
            "left_out": 0,
            "expires_at": seconds + REMEMBERED_SECONDS,
        }
        if ended.at < ended.now:
            fields["said_at"] = ended.at
        order = placed(key, rows.get(key), digest, fields)
        if order is None:
            return []
        text = json.dumps(turns, ensure_ascii=False)
        transcript = {"turns": text, "expires_at": seconds + WAITS_SECONDS}
        return [order, Put(transcript_key(session_id), transcript)]
