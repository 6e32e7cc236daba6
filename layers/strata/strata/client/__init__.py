"""The Python client:  `from strata.client import Client`.

Names are loaded at their first use, so that importing this package costs nothing by itself.
"""

from typing import TYPE_CHECKING

from strata.client.lazy import lazily

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

__getattr__ = lazily(
    __name__,
    {
        "client": "AsyncClient Client",
        "errors": "StrataClientError",
        "hooks.tool_hooks": "ToolHooks",
        "retries": "RetryPolicy",
        "session": "AsyncClientSession ClientSession",
        "working_memory.fields": "AsyncCheckpointField CheckpointField",
        "working_memory.memory": "WorkingMemory",
    },
)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
