"""The rules of working memory: what a field is, how large the whole may be, how long it lives.

The rules are AEGIS's: 64 KB for all fields of a conversation, and a time to live that reading and writing
put off. Values are held as JSON texts (`domain/wire/exact_json.py`).
"""

from collections.abc import Mapping

from strata.domain.wire.exact_json import size, to_text

MAX_BYTES = 65_536
"""Of all fields as one JSON object, compact, in UTF-8."""
NOTICEABLE = 24
"""Reading alone puts the end off only when it would move by one part in so many of the time to live."""


def as_member(name: str, text: str) -> str:
    """A field as a member of a JSON object."""
    return f"{to_text(name)}:{text}"


def as_object(texts: Mapping[str, str]) -> str:
    """All fields as one JSON object."""
    return "{" + ",".join(as_member(name, text) for name, text in texts.items()) + "}"


def size_of(texts: Mapping[str, str]) -> int:
    """Bytes that these fields add to the whole: each as a member, and a comma."""
    return sum(size(as_member(name, text)) + 1 for name, text in texts.items())


MAX_SIZE = MAX_BYTES - 1
"""Of what `size_of` counts: the whole has two braces more, and one comma less."""


def expiry(now_us: int, ttl_seconds: int) -> int:
    """When a life that is put off now ends, in seconds since 1970: never before its time to live is over."""
    return -(-now_us // 1_000_000) + ttl_seconds


def noticeable(before: int, after: int, ttl_seconds: int) -> bool:
    """Whether an end that moves so is worth a write to somebody who only reads."""
    return after > before and (after - before) * NOTICEABLE >= ttl_seconds
