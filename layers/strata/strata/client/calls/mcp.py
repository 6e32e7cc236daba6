"""The memory as tools for a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strata.client.call import Call, member
from strata.client.calls.parts import params

REVISION = "2025-11-25"
"""The newest revision of the Model Context Protocol whose requests do not describe the client."""


def call_tool(
    name: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    project: str | None = None,
    session_id: str | None = None,
    user_id: str | None = None,
    tools: str | None = None,
) -> Call[dict[str, Any]]:
    """Call one of the model's tools (`mem_search`, `mem_save`, …) with the model's arguments.

    `POST /mcp`. Returns the tool result of the Model Context Protocol: `content`, whose texts are for the
    model, and `isError`; a failed tool returns a result, too. The keywords are defaults for the arguments;
    `tools` names the optional tools that may be called, with commas between.
    """
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": dict(arguments or {})},
    }
    return Call(
        "POST",
        "/mcp",
        member("result", lambda: dict[str, Any]),
        params(project=project, session_id=session_id, user_id=user_id, tools=tools),
        body,
        idempotent=name not in ("mem_save", "mem_update", "mem_delete"),
        headers={"mcp-protocol-version": REVISION},
    )
