"""The memory as a model's tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strata.client.call import Call, member
from strata.client.calls.parts import params

REVISION = "2025-11-25"
"""Of the Model Context Protocol: the newest one whose requests say nothing of the client."""


def call_tool(
    name: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    project: str | None = None,
    session_id: str | None = None,
    user_id: str | None = None,
) -> Call[dict[str, Any]]:
    """Use one of the tools that models are given: `mem_search`, `mem_save`, …, with a model's arguments.

    `POST /mcp`. The value is the tool's result as the Model Context Protocol has it: `content`, whose texts
    are for the model, and `isError`. A tool that fails is a result, too. What the keywords say holds where
    the arguments don't.
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
        params(project=project, session_id=session_id, user_id=user_id),
        body,
        idempotent=name != "mem_save",
        headers={"mcp-protocol-version": REVISION},
    )
