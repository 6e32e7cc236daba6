"""Answers that a serverless function can give: at most 6 MB, counted as its response holds them."""

import json
from collections.abc import Callable
from typing import Any

MOST = 5_800_000
"""Bytes of a body inside a function's response, which escapes what is not ASCII (AWS Lambda quotas: 6 MB)."""

_SAFE = MOST // 6
"""No text of so many bytes can come to more than `MOST`: one byte is escaped by six at most."""

Dump = Callable[[Any], bytes]


def fitting(answer: Any, dump: Dump) -> tuple[bytes, int]:
    """The answer as JSON, and how many of a list's last rows had to be left out for it to fit.

    Lists come with what matters most first, so their ends can be missed best.
    """
    body = dump(answer)
    if not isinstance(answer, list) or len(body) <= _SAFE or _weight(body) <= MOST:
        return body, 0
    kept, size = 0, 2
    for row in answer:
        size += _weight(dump([row]))
        if size > MOST:
            break
        kept += 1
    return dump(answer[:kept]), len(answer) - kept


def _weight(body: bytes) -> int:
    """What a body comes to in a function's response."""
    return len(json.dumps(body.decode()))
