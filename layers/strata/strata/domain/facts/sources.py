"""The user's own words in a transcript: the only text that may be read for facts about them.

Text that tries to give instructions is kept: it is data, and every reader treats it as data.
"""

import re
import unicodedata
from collections.abc import Iterable

from strata.domain.text.recalled import without_recalled
from strata.domain.wire.messages import Message
from strata.domain.worth import speaker

_RESULTS = re.compile(
    r"<((?:tool|function|mcp)[_-]?(?:result|results|response|output|call|calls)s?)\b[^<>]{0,400}>.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""A tool result in tags, which some agents paste into the user's turn; without an end tag, to the end of the text."""
_RECALLED = re.compile(
    r"^(?:[ \t>*`_-]{0,8}(?:\[?tool\]?:? ?)?mem_[a-z_]{1,40}|[^\n]*\bmem_(?:save|search|context|get|timeline))\b"
    r"[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*",
    re.M | re.I,
)
"""A call or a result of a `mem_…` tool of Strata, up to the next empty line."""


def own_words(messages: Iterable[Message]) -> list[str]:
    """The user's own text of each turn, without the turns that have none.

    Removed are recalled memory (`<memory:…>` blocks), tool results of every shape, attached documents, and the
    messages of other speakers.
    """
    return [words for _, words in own_turns(messages)]


def own_turns(messages: Iterable[Message]) -> list[tuple[Message, str]]:
    """The same, each with the message that it is of."""
    turns = ((each, _said(each)) for each in messages if speaker(each) == "user")
    return [(message, words) for message, words in turns if words]


def _said(message: Message) -> str:
    said = _RECALLED.sub("", _RESULTS.sub("", without_recalled(message.written))).strip()
    # a letter and its accent become one character: no word ends between them
    return unicodedata.normalize("NFC", said)
