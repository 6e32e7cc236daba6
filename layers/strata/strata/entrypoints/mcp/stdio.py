"""The protocol over standard streams: one message a line, until the input ends."""

import json
import logging
from typing import BinaryIO

from strata.domain.errors import InvalidRequest
from strata.entrypoints.http.api.requests import parse_json
from strata.entrypoints.mcp import negotiation
from strata.entrypoints.mcp.messages import INVALID_REQUEST, PARSE_ERROR, ProtocolError, Reply, id_of
from strata.entrypoints.mcp.protocol import Toolbox, respond
from strata.entrypoints.mcp.revisions import HANDSHAKE, Revision, agreed

MAX_LINE = 1024 * 1024
"""Largest message in bytes, as of a body over HTTP."""

_log = logging.getLogger("strata.mcp")


def serve(lines: BinaryIO, out: BinaryIO, toolbox: Toolbox) -> None:
    """Reply to every message of `lines` on `out` until the lines end or nobody reads any more."""
    revision = Revision(HANDSHAKE[0])
    while line := lines.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            _skip(lines)
            too_long = ProtocolError(INVALID_REQUEST, f"a message may have at most {MAX_LINE} bytes")
            reply: Reply | list[Reply] | None = too_long.reply()
        elif not line.strip():
            continue
        else:
            reply, revision = _answered(line, revision, toolbox)
        if reply is not None:
            try:
                out.write(json.dumps(reply, separators=(",", ":")).encode() + b"\n")
                out.flush()
            except BrokenPipeError:
                return


def _answered(
    line: bytes, revision: Revision, toolbox: Toolbox
) -> tuple[Reply | list[Reply] | None, Revision]:
    """The reply to a line, and the revision of later messages that do not state one."""
    try:
        value = parse_json(line.decode())
    except (InvalidRequest, UnicodeDecodeError) as error:
        message = error.message if isinstance(error, InvalidRequest) else "the message is not UTF-8 text"
        return ProtocolError(PARSE_ERROR, message).reply(), revision
    try:
        reply = respond(value, negotiation.of_line(value, revision), toolbox)
    except ProtocolError as error:
        return error.reply(id_of(value)), revision
    if isinstance(value, dict) and value.get("method") == "initialize" and isinstance(reply, dict):
        opened = reply.get("result") or {}
        revision = agreed(opened.get("protocolVersion")) if opened else revision
    return reply, revision


def _skip(lines: BinaryIO) -> None:
    """Skip the rest of a line that is too long."""
    while (rest := lines.readline(MAX_LINE)) and not rest.endswith(b"\n"):
        pass
