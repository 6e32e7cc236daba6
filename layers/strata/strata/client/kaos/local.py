"""`LocalMemory`: sessions and events in this process, up to limits."""

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from heapq import nsmallest
from typing import Any

from strata.client.kaos.documents import MemoryEvent, SessionMemory
from strata.client.kaos.interface import ANYBODY, DEFAULT_APP, Memory, new_session_id

MAX_SESSIONS = 1000
MAX_EVENTS_PER_SESSION = 500


class LocalMemory(Memory):
    """Keeps everything in the memory of this process.

    A session holds the newest `max_events_per_session` events. Starting one more session than `max_sessions`
    first removes the tenth that was unused longest. Returned sessions are the stored objects, not copies.

    Raises:
        ValueError: a limit below 1.
    """

    def __init__(
        self, max_sessions: int = MAX_SESSIONS, max_events_per_session: int = MAX_EVENTS_PER_SESSION
    ) -> None:
        for name, limit in (
            ("max_sessions", max_sessions),
            ("max_events_per_session", max_events_per_session),
        ):
            if limit < 1:
                raise ValueError(f"{name} must be at least 1, not {limit}")
        self.max_sessions = max_sessions
        self.max_events_per_session = max_events_per_session
        self._sessions: dict[str, SessionMemory] = {}

    async def create_session(self, app_name: str, user_id: str, session_id: str | None = None) -> str:
        identity = session_id or new_session_id()
        if identity not in self._sessions:
            self._make_room()
            events: deque[MemoryEvent] = deque(maxlen=self.max_events_per_session)
            now = datetime.now(UTC)
            self._sessions[identity] = SessionMemory(identity, user_id, app_name, events, now, now)
        return identity

    def _make_room(self) -> None:
        if len(self._sessions) < self.max_sessions:
            return
        for old in nsmallest(
            max(1, self.max_sessions // 10), self._sessions.values(), key=lambda session: session.updated_at
        ):
            del self._sessions[old.session_id]

    async def get_or_create_session(
        self, session_id: str, app_name: str = DEFAULT_APP, user_id: str = ANYBODY
    ) -> str:
        return await self.create_session(app_name, user_id, session_id)

    async def get_session(self, session_id: str) -> SessionMemory | None:
        return self._sessions.get(session_id)

    async def add_event(
        self,
        session_id: str,
        event: MemoryEvent | str,
        content: Any = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> bool:
        added = self._event(event, content, metadata)
        session = self._sessions.get(session_id)
        if session is None:
            return False
        session.events.append(added)
        session.updated_at = datetime.now(UTC)
        return True

    async def get_session_events(
        self, session_id: str, event_types: Sequence[str] | None = None
    ) -> list[MemoryEvent]:
        session = self._sessions.get(session_id)
        events = () if session is None else session.events
        return [event for event in events if not event_types or event.event_type in event_types]

    async def list_sessions(self, user_id: str | None = None) -> list[str]:
        return [
            identity
            for identity, session in self._sessions.items()
            if not user_id or session.user_id == user_id
        ]

    async def delete_session(self, session_id: str) -> bool:
        return self._sessions.pop(session_id, None) is not None

    async def get_memory_stats(self) -> dict[str, int]:
        """The number of sessions and events."""
        sessions = len(self._sessions)
        events = sum(len(session.events) for session in self._sessions.values())
        average = events // sessions if sessions else 0
        return {"total_sessions": sessions, "total_events": events, "avg_events_per_session": average}

    async def cleanup_old_sessions(self, max_age_hours: float = 24) -> int:
        since = datetime.now(UTC) - timedelta(hours=max_age_hours)
        old = [identity for identity, session in self._sessions.items() if session.updated_at < since]
        for identity in old:
            del self._sessions[identity]
        return len(old)


InMemorySessionService = LocalMemory
"""The name that KAOS's own programs import."""
