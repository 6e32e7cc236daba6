"""`RemoteMemory`: sessions and events in Strata, shared by every process that speaks to it."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, TypeVar

from strata.client.client import AsyncClient
from strata.client.errors import StrataClientError
from strata.client.kaos.documents import MemoryEvent, SessionMemory
from strata.client.kaos.interface import ANYBODY, DEFAULT_APP, Memory

T = TypeVar("T")

_NOT_FOUND = 404
_CONFLICT = 409
_MOST_EVENTS = 1000
_HOURS = (1e-9, 1e6)
"""The span of ages that the service takes: of 0 hours every session is too old, as in KAOS."""


class RemoteMemory(Memory):
    """Keeps everything in Strata, within the limits that the server is set to.

    `url` and `key` default to `STRATA_URL` and `STRATA_API_KEY`. What may be sent twice is tried again, and
    every event goes with an id, so that a repeat adds nothing. Sessions that are handed out are copies.

    The first user that a session is given owns it; a session of another's is refused, unless the program
    names no user.

    Every method raises `StrataClientError` when the server is away or refuses.
    """

    def __init__(
        self, url: str | None = None, *, key: str | None = None, client: AsyncClient | None = None
    ) -> None:
        self._own = client is None
        self._client = client or AsyncClient(url, key=key)

    async def create_session(self, app_name: str, user_id: str, session_id: str | None = None) -> str:
        return await self._client.create_event_session(
            session_id or None, app_name=app_name or None, user_id=user_id or None
        )

    async def get_or_create_session(
        self, session_id: str, app_name: str = DEFAULT_APP, user_id: str = ANYBODY
    ) -> str:
        try:
            return await self.create_session(app_name, user_id, session_id)
        except StrataClientError as error:
            if error.status == _CONFLICT and user_id == ANYBODY:
                return session_id  # it is there, and whose it is was not asked
            raise

    async def get_session(self, session_id: str) -> SessionMemory | None:
        found = await _unless_unknown(self._client.get_event_session(session_id))
        return SessionMemory.from_dict(found.model_dump()) if found else None

    async def add_event(
        self,
        session_id: str,
        event: MemoryEvent | str,
        content: Any = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> bool:
        added = self._event(event, content, metadata)
        adding = self._client.add_event(
            session_id,
            added.event_type,
            added.content,
            metadata=added.metadata,
            event_id=added.event_id,
            timestamp=added.timestamp.isoformat(),
        )
        return await _unless_unknown(adding) is not None

    async def get_session_events(
        self, session_id: str, event_types: Sequence[str] | None = None
    ) -> list[MemoryEvent]:
        asking = self._client.session_events(session_id, event_types=event_types or None, limit=_MOST_EVENTS)
        page = await _unless_unknown(asking)
        return [MemoryEvent.from_dict(event.model_dump()) for event in page.events] if page else []

    async def build_conversation_context(self, session_id: str, max_events: int = 20) -> str:
        if max_events < 1:
            return ""
        most = min(max_events, _MOST_EVENTS)
        return await _unless_unknown(self._client.conversation_text(session_id, max_events=most)) or ""

    async def list_sessions(self, user_id: str | None = None) -> list[str]:
        return (await self._client.event_sessions(user_id or None)).sessions

    async def delete_session(self, session_id: str) -> bool:
        return await self._client.delete_event_session(session_id)

    async def get_memory_stats(self) -> dict[str, int]:
        """The number of sessions and events; the newest may not be counted yet."""
        return (await self._client.event_stats()).model_dump()

    async def cleanup_old_sessions(self, max_age_hours: float = 24) -> int:
        least, most = _HOURS
        return await self._client.clean_up_events(min(max(max_age_hours, least), most))

    async def close(self) -> None:
        """Close the connections, unless they are a given client's."""
        if self._own:
            await self._client.close()


async def _unless_unknown(call: Awaitable[T]) -> T | None:
    """The answer; None where the server does not know the session."""
    try:
        return await call
    except StrataClientError as error:
        if error.status == _NOT_FOUND:
            return None
        raise
