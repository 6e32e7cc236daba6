"""KAOS's own memory interface: a program written for it changes this import alone.

`from strata.client.kaos import LocalMemory, NullMemory, RemoteMemory, MemoryEvent, SessionMemory`
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.client.kaos.choosing import memory_from_env
    from strata.client.kaos.documents import MemoryEvent, SessionMemory
    from strata.client.kaos.interface import Memory
    from strata.client.kaos.local import LocalMemory
    from strata.client.kaos.null import NullMemory
    from strata.client.kaos.remote import RemoteMemory

__all__ = [
    "LocalMemory",
    "Memory",
    "MemoryEvent",
    "NullMemory",
    "RemoteMemory",
    "SessionMemory",
    "memory_from_env",
]

_HOMES = {
    "LocalMemory": "strata.client.kaos.local",
    "Memory": "strata.client.kaos.interface",
    "MemoryEvent": "strata.client.kaos.documents",
    "NullMemory": "strata.client.kaos.null",
    "RemoteMemory": "strata.client.kaos.remote",
    "SessionMemory": "strata.client.kaos.documents",
    "memory_from_env": "strata.client.kaos.choosing",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
