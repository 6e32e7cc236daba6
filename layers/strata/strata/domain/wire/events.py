"""Sessions and their events as they go over the wire, in the shapes of KAOS's own documents.

An event's content and metadata are any JSON; they are held as JSON texts (`domain/wire/exact_json.py`).
Source: KAOS, "Memory System", and the `to_dict` of its MemoryEvent and SessionMemory.
"""

from typing import Annotated, Any

from pydantic import AfterValidator, Field, FiniteFloat, PlainValidator, WithJsonSchema

from strata.domain.wire.base import Wire
from strata.domain.wire.exact_json import ExactJson, size, to_text
from strata.domain.wire.fields import Ident, Kind, OptionalIdent, OptionalMoment

MAX_EVENT_BYTES = 256 * 1024
"""Of an event's content as compact JSON; of its metadata as well."""
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


class NewEvent(Wire):
    """Something that happened in a session.

    `event_type` is one of KAOS's seven (user_message, agent_response, tool_call, tool_result,
    delegation_request, delegation_response, error) or a client's own. A caller who sends an event again
    after a lost answer gives it an `event_id`: a repeat adds nothing. `timestamp` is when it happened, by
    default now.
    """

    event_type: Kind
    content: Annotated[ExactJson, AfterValidator(_small)]
    metadata: Annotated[
        str,
        PlainValidator(_metadata_text),
        AfterValidator(_small),
        WithJsonSchema({"type": "object"}),
    ] = NO_METADATA
    event_id: OptionalIdent = None
    timestamp: OptionalMoment = None
    user_id: OptionalIdent = None


class NewEventSession(Wire):
    """Get or make a session for events; all is optional."""

    session_id: OptionalIdent = None
    app_name: OptionalIdent = None
    user_id: OptionalIdent = None


class OpenedSession(Wire):
    """The session that was there or was made."""

    session_id: Ident


class Appended(Wire):
    """The id of the event, of a list's last one; a list is also answered with all of its ids, in order."""

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
    """Events, oldest first; `total` is their number."""

    agent: str
    events: list[Event]
    total: int


class EventSession(Wire):
    """A session with its events, oldest first; `user_id` is empty when it has no owner."""

    session_id: str
    user_id: str
    app_name: str
    events: list[Event]
    created_at: str
    updated_at: str


class SessionPage(Wire):
    """Ids of sessions, oldest first; `total` is their number."""

    agent: str
    sessions: list[str]
    total: int


class SessionDeleted(Wire):
    """Whether there was anything to delete."""

    deleted: bool


class ConversationText(Wire):
    """The last messages, a line each."""

    context: str


class EventStats(Wire):
    """How much there is; the average is rounded down."""

    total_sessions: int
    total_events: int
    avg_events_per_session: int


class CleanUp(Wire):
    """How long a session may be left alone, in hours."""

    max_age_hours: Annotated[FiniteFloat, Field(gt=0, le=MAX_AGE_HOURS, strict=True)] = 24.0


class CleanedUp(Wire):
    """How many sessions went."""

    cleaned: int
