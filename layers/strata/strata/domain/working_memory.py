"""The rules of working memory (AEGIS): 64 KB for all fields of a conversation, and its time to live.

Reading and writing start the time to live anew. Values are held as JSON texts (`domain/wire/exact_json.py`).
"""

from collections.abc import Mapping

from strata.domain.wire.exact_json import size, to_text

MAX_BYTES = 65_536
"""Limit of all fields as one compact JSON object in UTF-8."""
NOTICEABLE = 24
"""A read renews the time to live only after this fraction (1/24) of it has passed."""


def as_member(name: str, text: str) -> str:
    """A field as a member of a JSON object."""
    return f"{to_text(name)}:{text}"


def as_object(texts: Mapping[str, str]) -> str:
    """All fields as one JSON object."""
    return "{" + ",".join(as_member(name, text) for name, text in texts.items()) + "}"


def size_of(texts: Mapping[str, str]) -> int:
    """Bytes that these fields add to the object: each as a member with a comma."""
    return sum(size(as_member(name, text)) + 1 for name, text in texts.items())


MAX_SIZE = MAX_BYTES - 1
"""Limit in the bytes of `size_of`: the object has two braces more and one comma less."""


def expiry(now_us: int, ttl_seconds: int) -> int:
    """The expiry of fields that are renewed now, in seconds since 1970, rounded up."""
    return -(-now_us // 1_000_000) + ttl_seconds


def noticeable(before: int, after: int, ttl_seconds: int) -> bool:
    """Whether the expiry moves far enough that a read should write it."""
    return after > before and (after - before) * NOTICEABLE >= ttl_seconds
