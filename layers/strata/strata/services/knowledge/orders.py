"""Orders the consolidation of a session when it ends: the person's words with their times, and the order.

Both are written in the transaction that ends the session, as the order for facts is (`facts/orders`).
Whether conclusions may be drawn is looked at when the order is carried out.
"""

import hashlib
import json
from itertools import accumulate

from strata.domain.facts.sources import own_turns
from strata.domain.redaction.texts import redacted_text
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.messages import DatedMessage, Message
from strata.ports.rows import Action, Put
from strata.ports.table import Table
from strata.services.orders.ended import Ended
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
LONGEST = 100_000
"""The characters of a session that are read, the last ones: they take the sentence model up to a minute."""


class ConsolidationOrders:
    """Keeps what is needed to consolidate an ended session.

    Args:
        table: the store.
        redacting: whether secrets are taken out of the words.
    """

    def __init__(self, table: Table, *, redacting: bool = True) -> None:
        self._table = table
        self._redacting = redacting

    def actions(self, scope: Scope, ended: Ended) -> list[Action]:
        """The order and the person's words, as `EndOrders` says; none where the person said nothing.

        What nobody owns is the `default` user's, as episodes are.
        """
        turns = [
            (self._kept(words), _at(message, ended.began)) for message, words in own_turns(ended.messages)
        ]
        sizes = accumulate(len(words) for words, _ in reversed(turns))
        turns = turns[len(turns) - sum(size <= LONGEST for size in sizes) :]
        if not turns:
            return []
        key = consolidation_order_key(ended.session_id)
        person = ended.owner or DEFAULT_OWNER
        about = {"user_id": person} | {
            name: getattr(ended, name) for name in ("agent_id", "by_app", "project", "source")
        }
        digest = hashlib.sha256(json.dumps([about, turns], sort_keys=True).encode()).hexdigest()
        seconds = ended.now // 1_000_000
        listed = {} if ended.owner else owned(person, ORDER_KIND)
        fields = (
            {"session_id": ended.session_id}
            | about
            | {"line_by_rules": ended.line_by_rules}
            | listed
            | {"expires_at": seconds + REMEMBERED_SECONDS}
        )
        order = placed(key, self._table.get(scope, key), digest, fields)
        if order is None:
            return []
        words = {"turns": json.dumps(turns, ensure_ascii=False), "expires_at": seconds + WAITS_SECONDS}
        return [order, Put(words_key(ended.session_id), words | listed)]

    def _kept(self, words: str) -> str:
        return redacted_text(words) if self._redacting else words


def _at(message: Message, began: int) -> int:
    return message.at if isinstance(message, DatedMessage) else began
