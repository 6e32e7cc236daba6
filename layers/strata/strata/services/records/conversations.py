"""Rows of conversations: the head, which holds working memory, and the items of the injection ledger.

A conversation is the session of the same id, and these rows lie in that session's partition.
"""

import zlib
from collections.abc import Iterable

from strata.ports.rows import Item, Key
from strata.services.records.parts import part
from strata.services.records.sessions import session_key

LEDGER_PREFIX = "LEDGER#"
SHARDS = 16
"""Attributes of a head over which the fields are spread, each with a mark that changes with every write.

A write's condition covers only the marks of its own shards, so writes of different fields seldom conflict.
However many fields there are, its expressions stay far below DynamoDB's 4 KB.
"""


def head_key(conversation_id: str) -> Key:
    """The head: `{life, ttl_seconds, kept_until, size}`, and the shards with their marks."""
    return Key(session_key(conversation_id).pk, "WORKING")


def ledger_key(conversation_id: str, item: str) -> Key:
    """An item of the ledger, `{item, value, life, marked_at}`; it counts while the head has its `life`."""
    return Key(session_key(conversation_id).pk, LEDGER_PREFIX + part(item))


def fields_of(head: Item | None) -> dict[str, str]:
    """All fields of a conversation, each as its JSON text."""
    shards = (head.get(shard_name(number), {}) for number in range(SHARDS)) if head else ()
    return {name: text for shard in shards for name, text in shard.items()}


def sharded(names: Iterable[str]) -> dict[int, list[str]]:
    """Fields by the shard that holds them."""
    found: dict[int, list[str]] = {}
    for name in names:
        found.setdefault(zlib.crc32(name.encode()) % SHARDS, []).append(name)
    return found


def shard_name(number: int) -> str:
    """The attribute that holds a shard: `{field: JSON text}`."""
    return f"s{number}"


def mark_name(number: int) -> str:
    """The attribute that holds a shard's mark, a random number that each write draws anew."""
    return f"w{number}"
