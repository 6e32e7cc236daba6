"""Estimates a message's tokens in a model's context window, precisely enough for trimming."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from strata.client.working_memory.messages import Message
from strata.client.working_memory.parts import Other, Part, Reasoning, Text, ToolCall, ToolResult

Tokenizer = Callable[[str], int]
"""Counts the tokens of a text."""

FILE_TOKENS = 1_000
"""Tokens of any file, whatever its size: about an image of a million pixels."""


def estimated_tokens(text: str) -> int:
    """A token for every four characters, rounded up: the rule of thumb for English."""
    return (len(text) + 3) // 4


def message_tokens(message: Message, tokenizer: Tokenizer = estimated_tokens) -> int:
    """The tokens of a message as it is sent: texts, reasoning, calls with arguments, results, files."""
    texts: list[str] = []
    files = 0
    for part in message.parts:
        if isinstance(part, Text) and not part.extra:  # nearly all of them
            texts.append(part.text)
        else:
            files += _gather(part, texts)
    if message.extra:
        texts.append(_json(message.extra))
    return tokenizer("".join(texts)) + FILE_TOKENS * files


def _gather(part: Part, texts: list[str]) -> int:
    """Add the part's texts to `texts`; the number of its files."""
    if isinstance(part, Other):
        texts.append(_json(part.value))
        return 0
    if part.extra:
        texts.append(_json(part.extra))
    if isinstance(part, Text | Reasoning):
        texts.append(part.text)
    elif isinstance(part, ToolCall):
        texts += (part.name, part.arguments)
    elif isinstance(part, ToolResult):
        return sum(_gather(each, texts) for each in part.content)
    else:
        texts.append(part.name or "")
        return 1
    return 0


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
