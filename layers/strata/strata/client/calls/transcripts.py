"""Transcripts that one request takes, however long the conversation was."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]
"""`{"role": …, "content": …}`."""

ROOM = 1_000_000
"""Bytes of messages: a body may have 1 MiB."""

_LONGEST, _SHORTEST = 100_000, 200
"""Characters of a message's words. A summary quotes no more than the shortest."""


def fitting(messages: Sequence[Message]) -> list[Message]:
    """The messages as they are where they fit; else the words alone, of each no more than all have room for.

    No message is left out, for they are counted. What can't be JSON comes back as it is.
    """
    whole = list(messages)
    try:
        if _size(whole) <= ROOM:
            return whole
        texts = [_words(message) for message in whole]
    except (LookupError, TypeError, ValueError, RecursionError):
        return whole
    most = _LONGEST
    while True:
        told: list[Message] = [{**message, "content": text[:most]} for message, text in texts]
        if most == _SHORTEST or _size(told) <= ROOM:
            return told
        most = max(_SHORTEST, most // 2)


def _words(message: Message) -> tuple[Message, str]:
    """A message's role, and its words as the service reads them."""
    from strata.domain.messages import Message as Told  # noqa: PLC0415 - few transcripts are so long

    role = message["role"]
    return {"role": role}, Told.model_construct(role=role, content=message.get("content")).text


def _size(messages: Sequence[Message]) -> int:
    text = json.dumps(messages, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return len(text.encode(errors="surrogatepass"))
