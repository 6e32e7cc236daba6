"""The Model Context Protocol between transports and tools: the methods of each revision.

It serves tools only. It keeps no state between requests and sends nothing unrequested, so there are no
subscriptions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from strata import __version__
from strata.entrypoints.mcp import messages
from strata.entrypoints.mcp.messages import ProtocolError, Reply, RpcMessage
from strata.entrypoints.mcp.revisions import SUPPORTED, Revision, agreed

META = "io.modelcontextprotocol/"
"""Prefix of the protocol's own names in `_meta`."""

FRESH_MS = 3_600_000
"""Milliseconds that a client may cache the list of tools, which changes with a release."""

MAX_BATCH = 8
"""Messages in a batch: this many of the longest memories fit into a response of 6 MB in any script."""

SERVER_INFO: dict[str, Any] = {"name": "strata", "title": "Strata", "version": __version__}
_CAPABILITIES: dict[str, Any] = {"tools": {}}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool's description: `input_schema` and `output_schema` are JSON Schemas, `hints` annotations."""

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    hints: Mapping[str, bool]
    output_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A tool's result: text for a model, and optionally the same data for a program."""

    text: str
    structured: Mapping[str, Any] | None = None
    failed: bool = False


class Toolbox(Protocol):
    """The tools behind the protocol."""

    @property
    def instructions(self) -> str:
        """Instructions for a model about the tools as a whole."""

    def offered(self) -> Sequence[Tool]:
        """The tools, always in the same order."""

    def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """Call an offered tool; a failure is an outcome, too."""


def respond(value: object, revision: Revision, toolbox: Toolbox) -> Reply | list[Reply] | None:
    """The reply to a client's decoded JSON; None where none is due."""
    if isinstance(value, list) and revision.batches:
        if not 0 < len(value) <= MAX_BATCH:
            wrong = f"a batch must hold 1 to {MAX_BATCH} messages"
            return ProtocolError(messages.INVALID_REQUEST, wrong).reply()
        return [reply for each in value if (reply := _reply(each, revision, toolbox)) is not None] or None
    return _reply(value, revision, toolbox)


def _reply(value: object, revision: Revision, toolbox: Toolbox) -> Reply | None:
    try:
        message = messages.read(value)
    except ProtocolError as error:
        return error.reply()
    if message is None or message.id is None:
        return None
    try:
        return messages.result(message, _result(message, revision, toolbox))
    except ProtocolError as error:
        return error.reply(message.id)


def _result(message: RpcMessage, revision: Revision, toolbox: Toolbox) -> dict[str, Any]:
    match message.method, revision.stateless:
        case "initialize", False:
            return _initialized(message, toolbox)
        case "ping", False:
            return {}
        case "server/discover", True:
            answer = {"supportedVersions": list(SUPPORTED), "capabilities": _CAPABILITIES}
            return _complete(answer | {"instructions": toolbox.instructions}, kept=True)
        case "tools/list", stateless:
            if message.params.get("cursor") is not None:
                raise ProtocolError(messages.INVALID_PARAMS, "there is one page of tools, so no such cursor")
            listed = {"tools": [_described(tool, revision) for tool in toolbox.offered()]}
            return _complete(listed, kept=True) if stateless else listed
        case "tools/call", stateless:
            called = _called(message, revision, toolbox)
            return _complete(called) if stateless else called
        case method, _:
            raise ProtocolError(messages.METHOD_NOT_FOUND, f"there is no method {method[:100]!r} here")


def _initialized(message: RpcMessage, toolbox: Toolbox) -> dict[str, Any]:
    revision = agreed(message.params.get("protocolVersion"))
    info = SERVER_INFO if revision.structured else {n: v for n, v in SERVER_INFO.items() if n != "title"}
    return {
        "protocolVersion": revision.name,
        "capabilities": _CAPABILITIES,
        "serverInfo": info,
        "instructions": toolbox.instructions,
    }


def _complete(answer: dict[str, Any], *, kept: bool = False) -> dict[str, Any]:
    """A result for revisions without a handshake; `kept` marks results that a client may cache."""
    answer |= {"resultType": "complete", "_meta": {f"{META}serverInfo": SERVER_INFO}}
    return answer | ({"ttlMs": FRESH_MS, "cacheScope": "private"} if kept else {})


def _described(tool: Tool, revision: Revision) -> dict[str, Any]:
    described: dict[str, Any] = {"name": tool.name}
    if revision.structured:
        described["title"] = tool.title
    described |= {"description": tool.description, "inputSchema": tool.input_schema}
    if revision.structured and tool.output_schema is not None:
        described["outputSchema"] = tool.output_schema
    if revision.annotated:
        described["annotations"] = {"title": tool.title, **tool.hints}
    return described


_DOTTED = {"memory.ask_about_user": "memory_ask_about_user"}
"""agtOS's names of tools: understood, never listed, since clients refuse a list with a dot in a name."""


def _called(message: RpcMessage, revision: Revision, toolbox: Toolbox) -> dict[str, Any]:
    name, arguments = message.params.get("name"), message.params.get("arguments")
    if not isinstance(name, str) or not isinstance(arguments, dict | None):
        raise ProtocolError(messages.INVALID_PARAMS, "a call needs a name, and arguments that are an object")
    name = _DOTTED.get(name, name)
    if name not in {tool.name for tool in toolbox.offered()}:
        raise ProtocolError(messages.INVALID_PARAMS, f"Unknown tool: {name[:100]}")
    outcome = toolbox.call(name, arguments or {})
    called: dict[str, Any] = {"content": [{"type": "text", "text": outcome.text}], "isError": outcome.failed}
    if revision.structured and outcome.structured is not None:
        called["structuredContent"] = outcome.structured
    return called
