"""Declarative memory around tools: AgentOps's `toolHooks`, for any Python callable."""

from typing import TYPE_CHECKING

from strata.client.lazy import lazily

if TYPE_CHECKING:
    from strata.client.hooks.rules import HookRules, HooksError
    from strata.client.hooks.tool_hooks import ToolHooks

__all__ = ["HookRules", "HooksError", "ToolHooks"]

__getattr__ = lazily(__name__, {"rules": "HookRules HooksError", "tool_hooks": "ToolHooks"})
