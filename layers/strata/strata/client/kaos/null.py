"""`NullMemory`: for programs that remember nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

from strata.client.kaos.documents import MemoryEvent, SessionMemory
from strata.client.kaos.interface import ANYBODY, DEFAULT_APP, Memory


class NullMemory(Memory):
    """Everything succeeds and nothing is kept. Takes the arguments of the others, and ignores them."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        pass

    async def create_session(
        self, app_name: str = "", user_id: str = "", session_id: str | None = None
    ) -> str:
        """The id, `null-session` when none is given."""
        return session_id or "null-session"

    async def get_or_create_session(
        self, session_id: str, app_name: str = DEFAULT_APP, user_id: str = ANYBODY
    ) -> str:
        return session_id

    async def get_session(self, session_id: str) -> SessionMemory | None:
        return None

    async def add_event(
        self,
        session_id: str,
        event: MemoryEvent | str = "",
        content: Any = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> bool:
        return True

    async def get_session_events(
        self, session_id: str, event_types: Sequence[str] | None = None
    ) -> list[MemoryEvent]:
        return []

    async def list_sessions(self, user_id: str | None = None) -> list[str]:
        return []

    async def delete_session(self, session_id: str) -> bool:
        return True

    async def get_memory_stats(self) -> dict[str, int]:
        return {"total_sessions": 0, "total_events": 0, "avg_events_per_session": 0}

    async def cleanup_old_sessions(self, max_age_hours: float = 24) -> int:
        return 0
