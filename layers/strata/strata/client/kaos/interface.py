"""The methods that every memory of KAOS has.

Source: KAOS, "Memory System"; defaults and return values are those of its Python classes.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from strata.client.kaos.documents import MemoryEvent, SessionMemory
from strata.domain.wire.exact_json import to_text

ANYBODY = "user"
"""The user of a program that names none."""
DEFAULT_APP = "agent"
CONTEXT_LIMIT = 6

_SPEAKERS = {"user_message": "User", "agent_response": "Assistant"}


class Memory(ABC):
    """Sessions and their events.

    `context_limit` is how many messages a program hands on when it delegates; it is carried here, as in
    KAOS, and used by the program.
    """

    context_limit: int = CONTEXT_LIMIT

    @abstractmethod
    async def create_session(self, app_name: str, user_id: str, session_id: str | None = None) -> str:
        """Begin a session, or get the one that has this id; its id, `session_…` when none is given."""

    @abstractmethod
    async def get_session(self, session_id: str) -> SessionMemory | None:
        """The session with its events; None for an unknown one."""

    @abstractmethod
    async def get_or_create_session(
        self, session_id: str, app_name: str = DEFAULT_APP, user_id: str = ANYBODY
    ) -> str:
        """Begin a session of this id unless there is one; the id."""

    @abstractmethod
    async def add_event(
        self,
        session_id: str,
        event: MemoryEvent | str,
        content: Any = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> bool:
        """Add an event, or make one of a type and content and add that; False for an unknown session.

        An event of another class is taken where it has the attributes of `MemoryEvent`.

        Raises:
            TypeError: it is neither an event nor a type.
        """

    @abstractmethod
    async def get_session_events(
        self, session_id: str, event_types: Sequence[str] | None = None
    ) -> list[MemoryEvent]:
        """The events of a session, of all types or of these, oldest first; none for an unknown one."""

    @abstractmethod
    async def list_sessions(self, user_id: str | None = None) -> list[str]:
        """The ids of all sessions, or of one user's."""

    @abstractmethod
    async def delete_session(self, session_id: str) -> bool:
        """Delete a session with its events; whether there was one."""

    @abstractmethod
    async def get_memory_stats(self) -> dict[str, int]:
        """`total_sessions`, `total_events` and `avg_events_per_session`, rounded down."""

    @abstractmethod
    async def cleanup_old_sessions(self, max_age_hours: float = 24) -> int:
        """Delete the sessions that nobody added to for so long; how many."""

    async def build_conversation_context(self, session_id: str, max_events: int = 20) -> str:
        """The last messages of user and agent, a line each: `User: …`, `Assistant: …`.

        A content that is no string stands there as JSON.
        """
        if max_events < 1:
            return ""
        events = await self.get_session_events(session_id, list(_SPEAKERS))
        return "\n".join(
            f"{_SPEAKERS[event.event_type]}: {_plain(event.content)}" for event in events[-max_events:]
        )

    def create_event(
        self, event_type: str, content: Any, metadata: Mapping[str, Any] | None = None
    ) -> MemoryEvent:
        """An event of now, not added anywhere; in a traced program it carries `trace_id` and `span_id`."""
        return MemoryEvent(
            event_id=f"event_{uuid4().hex}",
            timestamp=datetime.now(UTC),
            event_type=event_type,
            content=content,
            metadata={**(metadata or {}), **_current_trace()},
        )

    def _event(self, event: object, content: Any, metadata: Mapping[str, Any] | None) -> MemoryEvent:
        """The event that `add_event` was given, or told to make."""
        if isinstance(event, MemoryEvent):
            return event
        if isinstance(event, str):
            return self.create_event(event, content, metadata)
        return MemoryEvent.of(event)

    async def close(self) -> None:
        """Let go of connections."""
        return


def new_session_id() -> str:
    """An id of the form that KAOS gives."""
    return f"session_{uuid4().hex[:12]}"


def _plain(content: object) -> str:
    if isinstance(content, str):
        return content
    try:
        return to_text(content)
    except (TypeError, ValueError):  # what only a local memory holds
        return str(content)


def _current_trace() -> dict[str, str]:
    if "opentelemetry.trace" not in sys.modules:  # nobody can have begun a span
        return {}
    from opentelemetry import trace  # noqa: PLC0415 - see above

    span = trace.get_current_span().get_span_context()
    if not span.is_valid:
        return {}
    return {"trace_id": f"{span.trace_id:032x}", "span_id": f"{span.span_id:016x}"}
