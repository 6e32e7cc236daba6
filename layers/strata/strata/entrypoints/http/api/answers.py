"""Answers that a serverless function can give: at most 6 MB, counted as its response holds them."""

import json
from collections.abc import Callable, Iterable
from typing import Any

MOST = 5_800_000
"""Bytes of a body inside a function's response, which escapes what is not ASCII (AWS Lambda quotas: 6 MB)."""

_SAFE = MOST // 6
"""No text of so many bytes can come to more than `MOST`: one byte is escaped by six at most."""

_AROUND = 10_000
"""Bytes for what stands round a list."""

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


def newest_fitting(newest: Iterable[str]) -> tuple[list[str], int]:
    """Of JSON texts that come newest first those that an answer holds, oldest first; how many it does not."""
    kept, size, left_out = [], _AROUND, 0
    for text in newest:
        size += len(json.dumps(text))
        if size > MOST:
            left_out += 1
        else:
            kept.append(text)
    return kept[::-1], left_out


def _weight(body: bytes) -> int:
    """What a body comes to in a function's response."""
    return len(json.dumps(body.decode()))
