"""Parts of the keys of several kinds of rows."""

import hashlib

POINTER_SK = "POINTER"
CHANGE_PREFIX = "CHANGE#"
APPLIED_PREFIX = "APPLIED#"
"""Of the rows that name indexed changes until the engine shows them; it sorts before that of the notes."""
_DIGITS = 16


def part(value: str) -> str:
    """A caller's value as one part of a key."""
    return value.replace("%", "%25").replace("#", "%23")


def whole(key_part: str) -> str:
    """The caller's value in a part of a key: the inverse of `part`."""
    return key_part.replace("%23", "#").replace("%25", "%")


def digest(*values: str) -> str:
    """A SHA-256 as the key part of values that are too long or too private to stand in a key."""
    return hashlib.sha256("\x1f".join(part(value) for value in values).encode()).hexdigest()


def parts_of_note(sk: str) -> tuple[int, str, str]:
    """The parts of a change note's sort key: the time, the id in 16 digits, the key part of the place.

    Raises:
        ValueError: the key is malformed.
    """
    _, at, number, place = sk.split("#", 3)
    if not (_is_numbered(at) and _is_numbered(number)):
        raise ValueError("a change note names no time or no memory")
    return int(at), number, place


def _is_numbered(value: str) -> bool:
    return len(value) >= _DIGITS and value.isascii() and value.isdigit()


def numbered(identifier: int) -> str:
    """An id or time as 16 digits, so that sort keys sort by number."""
    return f"{identifier:0{_DIGITS}d}"
