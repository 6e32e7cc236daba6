"""Reads transcripts: a JSON list, JSON lines, or lines that start with the speaker."""

import json
import re
from typing import Any

from strata.cli.failures import CommandError

Messages = list[dict[str, Any]]

_SPEAKERS = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "agent": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
_TURN = re.compile(rf"({'|'.join(_SPEAKERS)})\s*:\s?", re.IGNORECASE)


def parse(text: str) -> Messages:
    """Parse the messages of a transcript; an empty one has none.

    Raises:
        CommandError: it has none of the three forms; the sentence names the line.
    """
    text = text.removeprefix("\ufeff").strip()
    if text.startswith("["):
        return _checked(_json(text))
    if text.startswith("{"):
        return _json_lines(text)
    return _turns(text)


def _json(text: str, line: int = 1) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise CommandError("the transcript is nested too deeply") from None
    except ValueError as error:
        at = line + getattr(error, "lineno", 1) - 1
        raise CommandError(
            f"the transcript is not valid JSON in line {at}: {getattr(error, 'msg', error)}"
        ) from None


def _json_lines(text: str) -> Messages:
    """One message a line, or one object with a list of `messages`."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        lines = [(number, line) for number, line in enumerate(_lines(text), 1) if line.strip()]
        return _checked([_json(line, number) for number, line in lines])
    return _checked(whole["messages"] if isinstance(whole.get("messages"), list) else [whole])


def _checked(messages: list[Any]) -> Messages:
    for number, message in enumerate(messages, 1):
        if (
            not isinstance(message, dict)
            or not isinstance(message.get("role"), str)
            or "content" not in message
        ):
            raise CommandError(f"message {number} of the transcript is not an object with role and content")
    return messages


def _turns(text: str) -> Messages:
    messages: Messages = []
    for number, line in enumerate(_lines(text), 1):
        turn = _TURN.match(line)
        if turn:
            messages.append({"role": _SPEAKERS[turn[1].lower()], "content": line[turn.end() :]})
        elif messages:
            messages[-1]["content"] += f"\n{line}"
        elif line.strip():
            raise CommandError(
                f"line {number} of the transcript does not begin with who speaks, as in 'user: …'; "
                "a JSON list of {role, content} or JSON lines of these are read too"
            )
    return [message | {"content": message["content"].strip()} for message in messages]


def _lines(text: str) -> list[str]:
    """The lines, separated by newlines only: other Unicode line separators may be part of a text."""
    return text.replace("\r\n", "\n").split("\n")
