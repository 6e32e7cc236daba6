"""KAOS's own memory interface: a program written for it changes this import alone.

`from strata.client.kaos import LocalMemory, NullMemory, RemoteMemory, MemoryEvent, SessionMemory`
"""

from typing import TYPE_CHECKING

from strata.client.lazy import lazily

if TYPE_CHECKING:
    from strata.client.kaos.choosing import memory_from_env
    from strata.client.kaos.documents import MemoryEvent, SessionMemory
    from strata.client.kaos.interface import Memory
    from strata.client.kaos.local import InMemorySessionService, LocalMemory
    from strata.client.kaos.null import NullMemory
    from strata.client.kaos.remote import RemoteMemory

__all__ = [
    "InMemorySessionService",
    "LocalMemory",
    "Memory",
    "MemoryEvent",
    "NullMemory",
    "RemoteMemory",
    "SessionMemory",
    "memory_from_env",
]

__getattr__ = lazily(
    __name__,
    {
        "choosing": "memory_from_env",
        "documents": "MemoryEvent SessionMemory",
        "interface": "Memory",
        "local": "InMemorySessionService LocalMemory",
        "null": "NullMemory",
        "remote": "RemoteMemory",
    },
)
