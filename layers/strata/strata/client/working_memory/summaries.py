"""The deterministic summary of older turns: requests, tools, outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from strata.client.working_memory.digest import Digest, ToolUse
from strata.client.working_memory.messages import Message

LONGEST_TOLD = 4_000
"""Longest text that is kept of a language model's summary, in characters."""
LONGEST_SUMMARY = 4_200
"""Longest rendered summary in characters."""

_FIRST_REQUESTS, _LAST_REQUESTS = 2, 4
_LATEST_REQUEST, _REQUEST, _OUTCOME, _TOLD, _NAME = 1_000, 160, 300, 1_000, 60
_TOOLS_KEPT, _TOOLS_TOLD = 32, 8


def folded(messages: Sequence[Message]) -> Digest:
    """The digest of these messages. An earlier summary among them is merged, not quoted."""
    count, unquoted = 0, 0
    asked: list[str] = []
    calls: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    names: dict[str, str] = {}
    outcome = told = ""
    for message in messages:
        if earlier := message.digest:
            count += earlier.messages
            unquoted += earlier.unquoted
            asked += earlier.asked
            for tool in earlier.tools:
                calls[tool.name] += tool.calls
                errors[tool.name] += tool.errors
            outcome = earlier.outcome or outcome
            told = clipped(earlier.told, _TOLD) or told
            continue
        count += 1
        if message.is_request and (request := clipped(message.text, _LATEST_REQUEST)):
            asked.append(request)
        elif message.role == "assistant":
            outcome = clipped(message.text, _OUTCOME) or outcome
        for call in message.calls:
            names[call.id] = clipped(call.name, _NAME)
            calls[names[call.id]] += 1
        for result in message.results:
            if result.is_error and result.call_id in names:
                errors[names[result.call_id]] += 1
    if (extra := len(asked) - _FIRST_REQUESTS - _LAST_REQUESTS) > 0:
        unquoted += extra
        del asked[_FIRST_REQUESTS : _FIRST_REQUESTS + extra]
    asked[:-1] = [clipped(request, _REQUEST) for request in asked[:-1]]  # the last is what is worked on
    tools = tuple(ToolUse(name, times, errors[name]) for name, times in calls.most_common(_TOOLS_KEPT))
    return Digest(count, tuple(asked), unquoted, tools, outcome, told)


def rendered(digest: Digest) -> str:
    """The digest for a model to read: at most `LONGEST_SUMMARY` characters, a line for each thing."""
    lines = [f"Summary of the conversation so far ({digest.messages} messages):"]
    if digest.told:
        lines.append(digest.told)
    if digest.asked:
        quoted = [f'"{request}"' for request in digest.asked]
        if digest.unquoted:
            quoted.insert(_FIRST_REQUESTS, f"({digest.unquoted} more)")
        lines.append(f"- The user asked, in this order: {'; '.join(quoted)}")
    if digest.tools:
        used = [_used(tool) for tool in digest.tools[:_TOOLS_TOLD]]
        if len(digest.tools) > _TOOLS_TOLD:
            used.append(f"and {len(digest.tools) - _TOOLS_TOLD} other tools")
        lines.append(f"- Tools called: {', '.join(used)}")
    if digest.outcome:
        lines.append(f'- The last answer: "{digest.outcome}"')
    return "\n".join(lines)


def clipped(text: str, longest: int) -> str:
    """The text on one line, truncated to this many characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def _used(tool: ToolUse) -> str:
    return (
        f"{tool.name} ({tool.calls}, {tool.errors} failed)" if tool.errors else f"{tool.name} ({tool.calls})"
    )
