"""Declarative memory around tools: AgentOps's `toolHooks`, for any Python callable."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.client.hooks.rules import HookRules, HooksError
    from strata.client.hooks.tool_hooks import ToolHooks

__all__ = ["HookRules", "HooksError", "ToolHooks"]

_HOMES = {
    "HookRules": "strata.client.hooks.rules",
    "HooksError": "strata.client.hooks.rules",
    "ToolHooks": "strata.client.hooks.tool_hooks",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
