"""Orders the consolidation of a session when it ends: the person's words with their times, and the order.

Both are written in the transaction that ends the session, as the order for facts is (`facts/orders`).
Whether conclusions may be drawn is looked at when the order is carried out.
"""

import hashlib
import json
from collections.abc import Sequence

from strata.domain.facts.sources import own_turns
from strata.domain.redaction.texts import redacted_text
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.messages import DatedMessage, Message
from strata.ports.rows import Action, Put
from strata.ports.table import Table
from strata.services.orders.order import OrderKind, placed
from strata.services.records.knowledge import CONSOLIDATION_SK, consolidation_order_key, words_key
from strata.services.records.owners import owned

CONSOLIDATION = OrderKind("consolidation", CONSOLIDATION_SK, ("session_id",), lease_seconds=330)

ORDER_KIND = "consolidation"
"""Lists a session's order and words under their person, who may own no session: `default`."""
WAITS_SECONDS = 14 * DAY
"""Seconds that words wait for the consolidation: as long as a queue keeps a message."""
REMEMBERED_SECONDS = 30 * DAY
"""Seconds for which an order is kept, so that the same end sent again does not order it again."""
LONGEST = 500_000
"""The characters of a session that are read, the last ones."""


class ConsolidationOrders:
    """Keeps what is needed to consolidate an ended session.

    Args:
        table: the store.
        redacting: whether secrets are taken out of the words.
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
        app: bool,
        owner: str | None,
        project: str,
        source: str,
        began: int,
        line_by_rules: bool,
        messages: Sequence[Message],
        now: int,
    ) -> list[Action]:
        """The actions to write with a session's end (µs `now`); none where the person said nothing.

        Args:
            scope: the tenant.
            session_id: the session.
            agent_id: its agent, if it has one.
            app: whether only its app is known, which is an agent where one of that name is configured.
            owner: its owner; what nobody owns is the `default` user's, as episodes are.
            project: its project.
            source: the id of its episode, or its own.
            began: when it began (µs), the time of messages that tell none.
            line_by_rules: whether rules made the session's line, so that a model may make a better one.
            messages: what was said.
            now: the time (µs).

        They fail where another end of the session was written since this was asked.
        """
        turns = [(self._kept(words), _at(message, began)) for message, words in own_turns(messages)]
        while turns and sum(len(words) for words, _ in turns) > LONGEST:
            del turns[0]
        if not turns:
            return []
        key = consolidation_order_key(session_id)
        person = owner or DEFAULT_OWNER
        about = {"user_id": person, "agent_id": agent_id, "by_app": app, "project": project, "source": source}
        digest = hashlib.sha256(json.dumps([about, turns], sort_keys=True).encode()).hexdigest()
        seconds = now // 1_000_000
        listed = {} if owner else owned(person, ORDER_KIND)
        fields = (
            {"session_id": session_id}
            | about
            | {"line_by_rules": line_by_rules}
            | listed
            | {"expires_at": seconds + REMEMBERED_SECONDS}
        )
        order = placed(key, self._table.get(scope, key), digest, fields)
        if order is None:
            return []
        words = {"turns": json.dumps(turns, ensure_ascii=False), "expires_at": seconds + WAITS_SECONDS}
        return [order, Put(words_key(session_id), words | listed)]

    def _kept(self, words: str) -> str:
        return redacted_text(words) if self._redacting else words


def _at(message: Message, began: int) -> int:
    return message.at if isinstance(message, DatedMessage) else began
