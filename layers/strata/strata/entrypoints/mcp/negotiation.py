"""Which revision a message is of, by what it says of itself."""

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
"""Of a request over HTTP, by their names in lower case."""

_REVISION, _CAPABILITIES = f"{META}protocolVersion", f"{META}clientCapabilities"


def of_line(value: object, agreed: Revision) -> Revision:
    """The revision of a message on a standard stream, where `agreed` is what the handshake ended with.

    Raises:
        ProtocolError: it is of a revision that is not spoken here, or lacks what its own asks for.
    """
    meta = _meta(value)
    return _stateless(meta) if _REVISION in meta else agreed


def of_request(value: object, headers: Headers) -> Revision:
    """The revision of a message over HTTP, whose headers must tell the same as its body.

    Raises:
        ProtocolError: they differ, the revision is not spoken here, or the message lacks what it asks for.
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
    """Refuse headers that lead a gateway, which reads nothing else, where the body does not lead."""
    if headers.get("mcp-method") != value.get("method"):
        raise ProtocolError(HEADER_MISMATCH, "the header Mcp-Method must say what method says")
    # Our tools' names are plain, so that the encoded form of this header names none of them.
    if value.get("method") == "tools/call" and headers.get("mcp-name") != value["params"].get("name"):
        raise ProtocolError(HEADER_MISMATCH, "the header Mcp-Name must say what params.name says")
