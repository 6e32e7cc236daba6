"""What an agent imports to speak to Strata: `from strata.client import Client`.

Names are loaded at their first use, so that importing this package costs nothing by itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.client.client import AsyncClient, Client
    from strata.client.errors import StrataClientError
    from strata.client.hooks.tool_hooks import ToolHooks
    from strata.client.retries import RetryPolicy
    from strata.client.session import AsyncClientSession, ClientSession
    from strata.client.working_memory.fields import AsyncCheckpointField, CheckpointField
    from strata.client.working_memory.memory import WorkingMemory

__all__ = [
    "AsyncCheckpointField",
    "AsyncClient",
    "AsyncClientSession",
    "CheckpointField",
    "Client",
    "ClientSession",
    "RetryPolicy",
    "StrataClientError",
    "ToolHooks",
    "WorkingMemory",
]

_HOMES = {
    "AsyncCheckpointField": "strata.client.working_memory.fields",
    "AsyncClient": "strata.client.client",
    "AsyncClientSession": "strata.client.session",
    "CheckpointField": "strata.client.working_memory.fields",
    "Client": "strata.client.client",
    "ClientSession": "strata.client.session",
    "RetryPolicy": "strata.client.retries",
    "StrataClientError": "strata.client.errors",
    "ToolHooks": "strata.client.hooks.tool_hooks",
    "WorkingMemory": "strata.client.working_memory.memory",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
