"""Limits of what a client may send before it is answered, for how long, and over how many connections."""

import resource
from dataclasses import dataclass, field
from functools import cache

_MOST = 2048
_RESERVED = 128  # descriptors for the stores, the logs and the process itself


@cache
def capacity() -> int:
    """The most connections of a process: half of its descriptors, since as many may arrive at once."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if descriptors == resource.RLIM_INFINITY:
        return _MOST
    return min(max((descriptors - _RESERVED) // 2, 16), _MOST)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one connection."""

    head_bytes: int = 64 * 1024
    """Of a request's head, the request line included."""
    head_seconds: float = 10
    """From a head's first byte, or the connection's start, to its end."""
    body_seconds: float = 30
    """From the end of a head to the end of the body."""
    linger_seconds: float = 5
    """For how long a refused client may go on sending, so that it reads the refusal instead of a reset."""
    unread_seconds: float = 75
    """For how long a closed connection waits for a client that does not read its response."""
    connections: int = field(default_factory=capacity)
    """Of the whole process."""
