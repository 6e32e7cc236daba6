"""The protocol over HTTP, stateless: the response to every request is one JSON document."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import AfterValidator, WithJsonSchema

from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.domain.wire.fields import matching
from strata.entrypoints.http.api.api import ADMITTED, Api, Caller, Handler
from strata.entrypoints.http.api.parameters import IdentQuery, ProjectQuery
from strata.entrypoints.http.api.requests import JSON, parse_json
from strata.entrypoints.mcp import messages, negotiation
from strata.entrypoints.mcp.messages import ProtocolError, Reply
from strata.entrypoints.mcp.negotiation import Headers
from strata.entrypoints.mcp.protocol import MAX_BATCH, Toolbox, respond
from strata.entrypoints.mcp.revisions import Revision
from strata.entrypoints.mcp.shelf import Shelf
from strata.entrypoints.mcp.toolbox import MemoryToolbox
from strata.entrypoints.mcp.tools import OPTIONAL, Preset, optional_tools
from strata.entrypoints.observing import Observing

_REFUSED: dict[str, Any] = {
    "type": "object",
    "description": "What is wrong, as JSON-RPC says it, or as every other route does.",
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": ["string", "integer", "null"]},
        "error": {"type": ["object", "string"]},
        "code": {"type": "string"},
    },
    "required": ["error"],
}
_REPLY: dict[str, Any] = {
    "anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}],
    "description": "The JSON-RPC reply; a list of them to a batch.",
}
_MESSAGE: dict[str, Any] = {
    "description": "A JSON-RPC message; in revision 2025-03-26 also a list of them.",
    "anyOf": [
        {
            "type": "object",
            "properties": {
                "jsonrpc": {"const": "2.0"},
                "id": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "method": {"type": "string"},
                "params": {"type": "object"},
            },
            "required": ["jsonrpc", "method"],
        },
        {"type": "array", "items": {}, "minItems": 1, "maxItems": MAX_BATCH},
    ],
}


def _known_tools(text: str) -> str:
    """The names unchanged, once each is known to be an optional tool."""
    optional_tools(text)
    return text


_ONE_TOOL = rf"\s*({'|'.join(OPTIONAL)})?\s*"
ToolsQuery = Annotated[
    Annotated[str, matching(f"^{_ONE_TOOL}(,{_ONE_TOOL})*$")], AfterValidator(_known_tools), Query()
]
_ALLOW = {"Allow": "POST"}


@dataclass(frozen=True, slots=True)
class _Sent:
    """Any JSON body; if not `readable`, `value` is the reason."""

    value: Any
    readable: bool = True


def mcp_handler(identify: Caller, observing: Observing, shelf: Shelf) -> Handler:
    """Routes for messages; GET and DELETE are refused, because there is no stream and no session."""
    api = Api(identify, observing, parse=_parsed)

    @api.route("POST", "/mcp", ADMITTED, schema=_REPLY, also={202: None, 400: _REFUSED, 404: _REFUSED})
    def exchange_messages(
        caller: Scope,
        message: Annotated[Any, WithJsonSchema(_MESSAGE), Body()] = None,
        project: ProjectQuery = None,
        session_id: IdentQuery = None,
        user_id: IdentQuery = None,
        auto_save: Annotated[bool, Query(alias="autoSave")] = True,
        auto_search: Annotated[bool, Query(alias="autoSearch")] = True,
        tools: ToolsQuery = "",
    ) -> Response[Any]:
        """The memory as tools of the Model Context Protocol (streamable HTTP)."""
        preset = Preset(project, session_id, user_id, auto_save, auto_search, optional_tools(tools))
        toolbox = MemoryToolbox(shelf, caller, preset, api.owner_naming)
        headers = api.resolver.current_event.raw_event.get("headers") or {}
        status, reply = _answered(message or _parsed(None), headers, toolbox)
        return Response(int(status)) if reply is None else Response(int(status), JSON, json.dumps(reply))

    @api.route("GET", "/mcp", ADMITTED, status=405, schema={"$ref": "#/components/schemas/Error"})
    def listen_for_messages(caller: Scope) -> Response[Any]:
        """Refused: the server never sends unrequested messages."""
        return _not_allowed("nothing is sent unasked here, so there is no stream to listen to; use POST")

    @api.route("DELETE", "/mcp", ADMITTED, status=405, schema={"$ref": "#/components/schemas/Error"})
    def end_protocol_session(caller: Scope) -> Response[Any]:
        """Refused: the server has no protocol sessions."""
        return _not_allowed("the protocol is served without sessions, so there is none to end; use POST")

    return api


def _parsed(body: str | None) -> _Sent:
    if not body:
        return _Sent("the body is empty", readable=False)
    try:
        return _Sent(parse_json(body))
    except InvalidRequest as error:
        return _Sent(error.message, readable=False)


def _answered(sent: _Sent, headers: Headers, toolbox: Toolbox) -> tuple[int, Reply | list[Reply] | None]:
    """Status and body of the response."""
    if not sent.readable:
        return HTTPStatus.BAD_REQUEST, ProtocolError(messages.PARSE_ERROR, sent.value).reply()
    try:
        revision = negotiation.of_request(sent.value, headers)
    except ProtocolError as error:
        return HTTPStatus.BAD_REQUEST, error.reply(messages.id_of(sent.value))
    reply = respond(sent.value, revision, toolbox)
    return HTTPStatus.ACCEPTED if reply is None else _status(reply, revision), reply


def _status(reply: Reply | list[Reply], revision: Revision) -> int:
    """The HTTP status: in revisions with a handshake only malformed messages have an error status."""
    code = reply["error"]["code"] if isinstance(reply, dict) and "error" in reply else None
    if code is None:
        return HTTPStatus.OK
    if code == messages.METHOD_NOT_FOUND and revision.stateless:
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.BAD_REQUEST if revision.stateless or code == messages.INVALID_REQUEST else HTTPStatus.OK


def _not_allowed(sentence: str) -> Response[Any]:
    body = json.dumps({"error": sentence, "code": "method_not_allowed"})
    return Response(HTTPStatus.METHOD_NOT_ALLOWED, JSON, body, dict(_ALLOW))
