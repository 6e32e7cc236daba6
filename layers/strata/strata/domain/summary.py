"""The deterministic summary of an ended session (AgentOps, layer 2), in quotations."""

import re
from collections.abc import Callable, Sequence

from strata.domain.text.strings import cut
from strata.domain.wire.messages import Message

QUOTE_RUNES = 200

_COUNTED = re.compile(r"Session with \d+ messages\.")


def summarize(messages: Sequence[Message], cleaned: Callable[[str], str] = str) -> str:
    """One line: the number of messages, and the first and the last message of the user.

    Only user and assistant messages count. Each quotation is cut to 200 runes. With one user message there is
    no `Ended`; with none there is only the count. `cleaned` is applied before the cut, because half a secret
    is no longer recognised.
    """
    count = counted(messages)
    asked = [message.text for message in messages if message.role == "user"]
    line = f"Session with {count} messages."
    if asked:
        line += f' Started: "{cut(cleaned(asked[0]), QUOTE_RUNES)}"'
    if len(asked) > 1:
        line += f' — Ended: "{cut(cleaned(asked[-1]), QUOTE_RUNES)}"'
    return line


def only_counts(summary: str) -> bool:
    """Whether a summary is one of these, and says nothing about what became of the session."""
    return _COUNTED.match(summary) is not None


def unquoted(summary: str) -> str:
    """One of these summaries without its quotations; any other as it is."""
    counts = _COUNTED.match(summary)
    return counts[0] if counts else summary


def counted(messages: Sequence[Message]) -> int:
    """The number of messages of the user and the assistant."""
    return sum(message.role in ("user", "assistant") for message in messages)
