"""Determines the protocol revision of a message."""

from collections.abc import Mapping
from typing import Any

from strata.entrypoints.mcp.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_REVISION,
    ProtocolError,
)
from strata.entrypoints.mcp.protocol import META
from strata.entrypoints.mcp.revisions import STATELESS, SUPPORTED, UNNAMED, Revision

Headers = Mapping[str, str]
"""Headers of an HTTP request by their names in lower case."""

_REVISION, _CAPABILITIES = f"{META}protocolVersion", f"{META}clientCapabilities"


def of_line(value: object, agreed: Revision) -> Revision:
    """The revision of a message on a standard stream; `agreed` is the result of the handshake.

    Raises:
        ProtocolError: its revision is not supported, or it lacks what its revision requires.
    """
    meta = _meta(value)
    return _stateless(meta) if _REVISION in meta else agreed


def of_request(value: object, headers: Headers) -> Revision:
    """The revision of a message over HTTP, whose headers must match its body.

    Raises:
        ProtocolError: they differ, the revision is not supported, or the message lacks what it requires.
    """
    named, meta = headers.get("mcp-protocol-version"), _meta(value)
    if isinstance(value, dict) and "id" not in value and named in SUPPORTED:
        return Revision(str(named))  # a notification is taken note of, whatever else it says
    if _REVISION not in meta and named not in STATELESS:
        return UNNAMED if named is None else _spoken(named)
    if named is not None and named == meta.get(_REVISION) and named in SUPPORTED and named not in STATELESS:
        return Revision(named)
    _complete(meta)
    if named != meta[_REVISION]:
        raise ProtocolError(
            HEADER_MISMATCH, f"the header MCP-Protocol-Version must say what {_REVISION} says"
        )
    revision = _stateless(meta)
    if isinstance(value, dict):
        _mirrored(value, headers)
    return revision


def _meta(value: object) -> Mapping[str, Any]:
    params = value.get("params") if isinstance(value, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


def _complete(meta: Mapping[str, Any]) -> None:
    missing = [name for name in (_REVISION, _CAPABILITIES) if name not in meta]
    if missing:
        raise ProtocolError(INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}")


def _stateless(meta: Mapping[str, Any]) -> Revision:
    _complete(meta)
    name = meta[_REVISION]
    if not isinstance(name, str):
        raise ProtocolError(INVALID_PARAMS, f"{_REVISION} must be a text")
    if name not in STATELESS:
        raise _unsupported(name)
    return Revision(name)


def _spoken(name: str) -> Revision:
    if name not in SUPPORTED:
        raise _unsupported(name)
    return Revision(name)


def _unsupported(name: str) -> ProtocolError:
    known = {"supported": list(SUPPORTED), "requested": name[:100]}
    return ProtocolError(UNSUPPORTED_REVISION, "Unsupported protocol version", data=known)


def _mirrored(value: Mapping[str, Any], headers: Headers) -> None:
    """Reject headers that differ from the body: a gateway routes by the headers alone."""
    if headers.get("mcp-method") != value.get("method"):
        raise ProtocolError(HEADER_MISMATCH, "the header Mcp-Method must say what method says")
    # Our tools' names are plain, so that the encoded form of this header names none of them.
    if value.get("method") == "tools/call" and headers.get("mcp-name") != value["params"].get("name"):
        raise ProtocolError(HEADER_MISMATCH, "the header Mcp-Name must say what params.name says")
