"""What of a transcript may be read for facts about its user: their own words, and nothing they were given.

A text that tries to give orders is left in: it is data like any other, and who reads it treats it so.
"""

import re
from collections.abc import Iterable

from strata.domain.text.recalled import without_recalled
from strata.domain.wire.messages import Message
from strata.domain.worth import speaker

_RESULTS = re.compile(
    r"<((?:tool|function|mcp)[_-]?(?:result|results|response|output|call|calls)s?)\b[^<>]{0,400}>.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""A tool's result between marks, as some agents paste it into the user's turn; an open one ends with the text."""
_RECALLED = re.compile(
    r"^(?:[ \t>*`_-]{0,8}(?:\[?tool\]?:? ?)?mem_[a-z_]{1,40}|[^\n]*\bmem_(?:save|search|context|get|timeline))\b"
    r"[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*",
    re.M | re.I,
)
"""What a `mem_…` tool of Strata gave, or was asked, up to the next empty line."""


def own_words(messages: Iterable[Message]) -> list[str]:
    """What the user said, a text for each turn; a turn of nothing else is left out.

    Left out: recalled memory (`<memory:…>` blocks), the results of tools in whatever shape, attached
    documents, what was said by anybody else.
    """
    turns = (_said(each) for each in messages if speaker(each) == "user")
    return [turn for turn in turns if turn]


def _said(message: Message) -> str:
    return _RECALLED.sub("", _RESULTS.sub("", without_recalled(message.written))).strip()
