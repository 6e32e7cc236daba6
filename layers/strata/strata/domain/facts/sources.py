"""What of a transcript may be read for facts about its user: their own words, and nothing they were given.

A text that tries to give orders is left in: it is data like any other, and who reads it treats it so.
"""

import re
from collections.abc import Iterable
from typing import Any

from strata.domain.messages import Message
from strata.domain.recalled import without_recalled
from strata.domain.worth import speaker

_RESULTS = re.compile(
    r"<((?:tool|function|mcp)[_-]?(?:result|results|response|output|call|calls)s?)\b[^<>]{0,400}>.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""A tool's result between marks, as some agents paste it into the user's turn; an open one ends with the text."""
_RECALLED = re.compile(
    r"^[ \t>*`_-]{0,8}(?:\[?tool\]?:? ?)?mem_[a-z_]{1,40}\b[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*", re.M | re.I
)
"""What a `mem_…` tool of Strata gave, or was asked, up to the next empty line."""


def own_words(messages: Iterable[Message]) -> list[str]:
    """What the user said, a text for each turn; a turn of nothing else is left out.

    Left out: recalled memory (`<memory:…>` blocks), the results of tools in whatever shape, what was said by
    anybody else.
    """
    turns = (_said(each) for each in messages if speaker(each) == "user")
    return [turn for turn in turns if turn]


def _said(message: Message) -> str:
    content = message.content
    if isinstance(content, list):
        content = [part for part in content if not _is_tools(part)]
    text = without_recalled(Message(role=message.role, content=content).text)
    return _RECALLED.sub("", _RESULTS.sub("", text)).strip()


def _is_tools(part: Any) -> bool:
    """Whether a part of a message is a tool's call or result (Anthropic's, OpenAI's and MCP's names for them)."""
    kind = str(part.get("type", "")) if isinstance(part, dict) else ""
    return "tool" in kind or "function" in kind or kind == "resource"
