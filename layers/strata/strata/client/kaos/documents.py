"""An event and a session as KAOS's programs use them, and as documents.

Source: KAOS, "Memory System": the fields of MemoryEvent, and the `to_dict` of both.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Self


@dataclass
class MemoryEvent:
    """Something that happened in a session.

    Attributes:
        event_id: unique in its session.
        timestamp: when it happened.
        event_type: `user_message`, `agent_response`, `tool_call`, `tool_result`, `delegation_request`,
            `delegation_response`, `error`, or a program's own.
        content: anything; to be kept by a server, anything that JSON holds.
        metadata: what else belongs to it.
    """

    event_id: str
    timestamp: datetime
    event_type: str
    content: Any
    metadata: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The event as a document; its time in ISO 8601."""
        return {
            "event_id": self.event_id,
            "timestamp": self.timestamp.isoformat(),
            "event_type": self.event_type,
            "content": self.content,
            "metadata": self.metadata,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The event of a document; a time without a zone is UTC, and metadata may be left out.

        Raises:
            KeyError: a field is missing.
            ValueError: the time is none.
        """
        return cls(
            event_id=data["event_id"],
            timestamp=_moment(data["timestamp"]),
            event_type=data["event_type"],
            content=data["content"],
            metadata=dict(data.get("metadata") or {}),
        )

    @classmethod
    def of(cls, event: object) -> Self:
        """The same event, given as an object of another class with these attributes, such as KAOS's own.

        Raises:
            TypeError: it is no event.
        """
        named = {each.name: getattr(event, each.name, None) for each in fields(cls)}
        match named:
            case {"event_id": str(), "event_type": str(), "timestamp": datetime() as moment}:
                return cls.from_dict(named | {"timestamp": moment.isoformat()})
        kind = type(event).__name__
        raise TypeError(f"event must be a MemoryEvent, or a type such as 'user_message', not {kind}")


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass
class SessionMemory:
    """A session with its events, oldest first."""

    session_id: str
    user_id: str
    app_name: str
    events: deque[MemoryEvent] = field(default_factory=deque)
    created_at: datetime = field(default_factory=_now)
    updated_at: datetime = field(default_factory=_now)

    def to_dict(self) -> dict[str, Any]:
        """The session as a document; its times in ISO 8601."""
        return {
            "session_id": self.session_id,
            "user_id": self.user_id,
            "app_name": self.app_name,
            "events": [event.to_dict() for event in self.events],
            "created_at": self.created_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The session of a document.

        Raises:
            KeyError: a field is missing.
            ValueError: a time is none.
        """
        return cls(
            session_id=data["session_id"],
            user_id=data["user_id"],
            app_name=data["app_name"],
            events=deque(MemoryEvent.from_dict(event) for event in data["events"]),
            created_at=_moment(data["created_at"]),
            updated_at=_moment(data["updated_at"]),
        )


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
