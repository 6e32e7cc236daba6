"""Sessions and their events as they go over the wire, in the shapes of KAOS's own documents.

An event's content and metadata are any JSON; they are held as JSON texts (`domain/wire/exact_json.py`).
Source: KAOS, "Memory System", and the `to_dict` of its MemoryEvent and SessionMemory.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, Field, FiniteFloat, PlainValidator, WithJsonSchema
from pydantic.config import JsonDict

from strata.domain.times import iso_time
from strata.domain.wire.base import Wire
from strata.domain.wire.exact_json import ExactJson, size, to_text
from strata.domain.wire.fields import Ident, Label, Moment, OptionalNewIdent

MAX_EVENT_BYTES = 256 * 1024
"""Limit of an event's content as compact JSON, and of its metadata."""
MAX_BATCH = 100
MAX_AGE_HOURS = 1_000_000.0

USER_MESSAGE = "user_message"
AGENT_RESPONSE = "agent_response"
TOOL_CALL = "tool_call"
TOOL_RESULT = "tool_result"

NO_METADATA = "{}"


def _small(text: str) -> str:
    if size(text) > MAX_EVENT_BYTES:
        raise ValueError(f"should have at most {MAX_EVENT_BYTES} bytes as JSON")
    return text


def _metadata_text(value: Any) -> str:
    if value is None:
        return NO_METADATA
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    return to_text(value)


def _without_default(schema: JsonDict) -> None:
    """The default is a text here, and an object for clients."""
    schema.pop("default", None)


class NewEvent(Wire):
    """An event of a session.

    `event_type` is one of KAOS's seven (user_message, agent_response, tool_call, tool_result,
    delegation_request, delegation_response, error) or a client's own. `event_id` makes a retry idempotent: an
    event with a known id is not added again. `timestamp` is the time of the event, by default now.
    """

    event_type: Label
    content: Annotated[ExactJson, AfterValidator(_small)]
    metadata: Annotated[
        str,
        PlainValidator(_metadata_text),
        AfterValidator(_small),
        WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "null"}]}),
        Field(json_schema_extra=_without_default),
    ] = NO_METADATA
    event_id: OptionalNewIdent = None
    timestamp: Moment | None = None
    user_id: OptionalNewIdent = None


class NewEventSession(Wire):
    """A request to open a session for events, or to create it. Every field is optional."""

    session_id: OptionalNewIdent = None
    app_name: OptionalNewIdent = None
    user_id: OptionalNewIdent = None


class OpenedSession(Wire):
    """The id of the session that was opened or created."""

    session_id: Ident


class Appended(Wire):
    """The id of the appended event. For a list, `event_id` is the last one's and `event_ids` holds all."""

    event_id: str
    event_ids: list[str] | None = None


class Event(Wire):
    """An event; `timestamp` is ISO 8601 in UTC."""

    event_id: str
    timestamp: str
    event_type: str
    content: Any
    metadata: dict[str, Any]


class EventPage(Wire):
    """Events, oldest first; `total` counts them."""

    agent: str
    events: list[Event]
    total: int


class EventSession(Wire):
    """A session with its events, oldest first; `user_id` is empty if the session has no owner."""

    session_id: str
    user_id: str
    app_name: str
    events: list[Event]
    created_at: str
    updated_at: str


class SessionPage(Wire):
    """Ids of sessions, oldest first; `total` counts them."""

    agent: str
    sessions: list[str]
    total: int


class SessionDeleted(Wire):
    """Whether a session was deleted; false if it did not exist."""

    deleted: bool


class ConversationText(Wire):
    """The last messages of a conversation, one line each."""

    context: str


class EventStats(Wire):
    """Numbers of sessions and events; the average is rounded down."""

    total_sessions: int
    total_events: int
    avg_events_per_session: int


class CleanUp(Wire):
    """A request to delete sessions that had no event for `max_age_hours`."""

    max_age_hours: Annotated[FiniteFloat, Field(gt=0, le=MAX_AGE_HOURS, strict=True)] = 24.0


class CleanedUp(Wire):
    """The number of deleted sessions."""

    cleaned: int


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event of a log.

    Attributes:
        event_id: its id.
        event_type: its type.
        at: when it was appended (µs).
        timestamp: when it happened (µs).
        content, metadata: the JSON texts that were sent.
    """

    event_id: str
    event_type: str
    at: int
    timestamp: int
    content: str
    metadata: str

    @property
    def text(self) -> str:
        """The event as JSON, its content and metadata as they came in."""
        about = {
            "event_id": self.event_id,
            "event_type": self.event_type,
            "timestamp": iso_time(self.timestamp),
        }
        return f'{to_text(about)[:-1]},"content":{self.content},"metadata":{self.metadata}}}'
