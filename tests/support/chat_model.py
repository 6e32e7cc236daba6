"""A model that talks by simple rules: what it says shows what it was given, and nothing else.

It has no memory of its own. A question is answered with the line that fits best, of what was recalled
into the prompt or found by a tool. Told to remember or to look something up, it uses the tools that it has.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from support.model_server import Asked, Told, as_json

UNKNOWN = "I don't know."
NOTED = "Noted."
_REMEMBER = re.compile(r"Remember that (.+)", re.DOTALL)
_RECALLED = re.compile(r"<memory:(\w+)>\n(.*?)</memory:\1>", re.DOTALL)


def talk(asked: Asked) -> Told:
    """The answer to `POST /v1/chat/completions`; anything else is not found."""
    if not asked.path.endswith("/v1/chat/completions"):
        return Told(404)
    messages = asked.body["messages"]
    tools = {each["function"]["name"] for each in asked.body.get("tools", [])}
    request = next(each["content"] for each in reversed(messages) if each["role"] == "user")
    if messages[-1]["role"] == "tool":
        found = recalled(messages[-1]["content"])
        return _says(best(request, found) if found else messages[-1]["content"])
    call = _called_for(request, tools)
    if call is not None:
        return _calls(*call)
    if request.startswith("What of this conversation"):
        return _says("\n".join(_told(messages)))
    if request.endswith("?"):
        return _says(best(request, recalled(messages[0]["content"])))
    return _says(NOTED)


def recalled(text: str) -> list[str]:
    """The lines of the blocks that memory puts into a text."""
    return [line.removeprefix("- ") for _, block in _RECALLED.findall(text) for line in block.splitlines()]


def best(question: str, lines: Sequence[str]) -> str:
    """The line that shares most words with a question, if it shares two."""
    shared = {line: len(_words(question) & _words(line)) for line in lines}
    line = max(lines, key=lambda each: shared[each], default="")
    return line if shared.get(line, 0) >= 2 else UNKNOWN


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


def _called_for(request: str, tools: set[str]) -> tuple[str, dict[str, Any]] | None:
    told = _REMEMBER.match(request)
    if told and "mem_save" in tools:
        return "mem_save", {"type": "learning", "title": told[1][:60], "content": told[1]}
    if request.startswith("Look up") and "mem_search" in tools:
        return "mem_search", {"query": request}
    if request.startswith("Deploy the ") and "deploy" in tools:
        return "deploy", {"service": request.removeprefix("Deploy the ").rstrip(".")}
    return None


def _told(messages: Sequence[dict[str, Any]]) -> list[str]:
    """The sentences that users told it to remember."""
    told = (_REMEMBER.match(each["content"]) for each in messages if each["role"] == "user")
    return [match[1] for match in told if match]


def _says(text: str) -> Told:
    return _completion({"role": "assistant", "content": text}, "stop")


def _calls(name: str, arguments: dict[str, Any]) -> Told:
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{name}", "type": "function", "function": function}
    return _completion({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls")


def _completion(message: dict[str, Any], why: str) -> Told:
    return as_json(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_767_225_600,
            "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": why}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }
    )
