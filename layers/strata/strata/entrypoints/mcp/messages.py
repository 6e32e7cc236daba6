"""JSON-RPC 2.0 as the protocol uses it: messages, replies and errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
HEADER_MISMATCH = -32020
UNSUPPORTED_REVISION = -32022

Id = str | int
Reply = dict[str, Any]


class ProtocolError(Exception):
    """A message that violates the protocol; `id` is its own, if it could be read."""

    def __init__(self, code: int, message: str, *, id: Id | None = None, data: object = None) -> None:  # noqa: A002
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id
        self.data = data

    def reply(self, id: Id | None = None) -> Reply:  # noqa: A002 - JSON-RPC's own name
        """The error reply to its own request, else to the request with this id."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return {"jsonrpc": "2.0", "id": id if self.id is None else self.id, "error": error}


@dataclass(frozen=True, slots=True)
class RpcMessage:
    """A request, or without an id a notification, which gets no reply."""

    method: str
    params: Mapping[str, Any]
    id: Id | None = None

    @property
    def meta(self) -> Mapping[str, Any]:
        """The request's `_meta`, beside its own parameters."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, Mapping) else {}


def id_of(value: object) -> Id | None:
    """The id of a possible request, for the reply; None without a valid one."""
    given = value.get("id") if isinstance(value, dict) else None
    return given if isinstance(given, Id) and not isinstance(given, bool) else None


def read(value: object) -> RpcMessage | None:
    """Read a JSON value as a message; None for a response, which is ignored.

    Raises:
        ProtocolError: it is not a message (`INVALID_REQUEST`).
    """
    if not isinstance(value, dict):
        raise ProtocolError(INVALID_REQUEST, "a message must be a JSON object")
    known = id_of(value)
    if value.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'a message must say "jsonrpc": "2.0"', id=known)
    if "method" not in value and ("result" in value or "error" in value):
        return None
    if "id" in value and known is None:
        raise ProtocolError(INVALID_REQUEST, "an id must be a text or a whole number")
    method, params = value.get("method"), value.get("params", {})
    if not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, "a message must name its method", id=known)
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_REQUEST, "params must be a JSON object", id=known)
    return RpcMessage(method, params, known)


def result(message: RpcMessage, value: Mapping[str, Any]) -> Reply:
    """The reply to a successful request."""
    return {"jsonrpc": "2.0", "id": message.id, "result": dict(value)}
