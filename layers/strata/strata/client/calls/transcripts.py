"""Transcripts that one request takes, however long the conversation was."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from strata.client.calls.building import encodable

Message = Mapping[str, Any]
"""`{"role": …, "content": …}`."""

ROOM = 1_000_000
"""Bytes of messages: a body may have 1 MiB."""

_LONGEST, _QUOTED = 100_000, 1_000
"""Characters of a message's words: of any at most, and at least of one that a summary quotes. It quotes less,
but a secret must be whole to be known as one."""


def fitting(messages: Sequence[Message]) -> list[Message]:
    """The messages as they are where they fit; else the words alone, of each no more than all have room for.

    No message is left out, for they are counted. Halves of surrogate pairs, which are left where a text is
    cut at the wrong place, are replaced: for one the service would refuse the whole transcript. What can't be
    JSON comes back as it is.
    """
    whole = list(messages)
    try:
        text = _json(whole)
        if (sendable := encodable(text)) != text:
            whole = json.loads(sendable)
        if len(sendable.encode()) <= ROOM:
            return whole
        texts = [_words(message) for message in whole]
    except (LookupError, TypeError, ValueError, RecursionError):
        return whole
    asked = [place for place, (message, _) in enumerate(texts) if message["role"] == "user"]
    quoted = {*asked[:1], *asked[-1:]}
    most = _LONGEST
    while True:
        told: list[Message] = [
            {**message, "content": text[: max(most, _QUOTED) if place in quoted else most]}
            for place, (message, text) in enumerate(texts)
        ]
        if most == 0 or _size(told) <= ROOM:
            return told
        most //= 2


def _words(message: Message) -> tuple[Message, str]:
    """A message's role, and its words as the service reads them."""
    from strata.domain.wire.messages import Message as Told  # noqa: PLC0415 - few transcripts are so long

    role = message["role"]
    return {"role": role}, Told.model_construct(role=role, content=message.get("content")).text


def _size(messages: Sequence[Message]) -> int:
    return len(_json(messages).encode())


def _json(messages: Sequence[Message]) -> str:
    return json.dumps(messages, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
