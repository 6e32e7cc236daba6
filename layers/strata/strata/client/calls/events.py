"""Sessions and their events: messages and actions of users, agents and tools, in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from strata.client.call import Call, any_json, member, model
from strata.client.calls.parts import Later, fields, params, path

if TYPE_CHECKING:
    from strata.domain.wire import events
else:
    events = Later("strata.domain.wire.events")


def create_event_session(
    session_id: str | None = None, *, app_name: str | None = None, user_id: str | None = None
) -> Call[str]:
    """Get or create a session for events and get its id; a new id is generated when none is given.

    `POST /memory/sessions`.
    """
    body = fields(session_id=session_id or _new("session"), app_name=app_name, user_id=user_id)
    return Call("POST", "/memory/sessions", member("session_id", lambda: str), body=body)


def event_sessions(user_id: str | None = None) -> Call[events.SessionPage]:
    """The ids of the sessions that have events, or of one user's. `GET /memory/sessions`."""
    return Call("GET", "/memory/sessions", model(lambda: events.SessionPage), params(user_id=user_id))


def get_event_session(session_id: str, *, user_id: str | None = None) -> Call[events.EventSession]:
    """One session with its events, oldest first; one of another user than `user_id` is not found.

    `GET /memory/sessions/{id}`.
    """
    where = path("/memory/sessions/{}", session_id)
    return Call("GET", where, any_json(lambda: events.EventSession), params(user_id=user_id))


def delete_event_session(session_id: str) -> Call[bool]:
    """Delete a session's events and its entry in the list; False when there was nothing to delete.

    `DELETE /memory/sessions/{id}`.
    """
    return Call("DELETE", path("/memory/sessions/{}", session_id), member("deleted", lambda: bool))


def add_event(
    session_id: str,
    event_type: str,
    content: Any,
    *,
    metadata: Mapping[str, Any] | None = None,
    event_id: str | None = None,
    timestamp: str | None = None,
    user_id: str | None = None,
) -> Call[str]:
    """Add an event to an existing session and get its id.

    `POST /memory/sessions/{id}/events`. A known id adds nothing; the client generates one, so that the call
    can be retried. `timestamp` is the time of the event, RFC 3339, by default now.
    """
    body = fields(event_id=event_id, metadata=metadata, timestamp=timestamp, user_id=user_id)
    event = _identified({**body, "event_type": event_type, "content": content})
    return Call("POST", _events_of(session_id), member("event_id", lambda: str), body=event)


def add_events(session_id: str, new: Iterable[Mapping[str, Any]]) -> Call[list[str]]:
    """Add up to 100 events, all or none, and get their ids.

    `POST /memory/sessions/{id}/events`. Each is `{"event_type", "content"}` and what else `add_event` takes.
    """
    body = [_identified(event) for event in new]
    return Call("POST", _events_of(session_id), member("event_ids", lambda: list[str]), body=body)


def session_events(
    session_id: str,
    *,
    event_types: Sequence[str] | None = None,
    limit: int | None = None,
    user_id: str | None = None,
) -> Call[events.EventPage]:
    """The newest events of a session, of all types or of these, oldest first.

    `GET /memory/sessions/{id}/events`. A session of another user than `user_id` is not found.
    """
    given = params(event_types=event_types, limit=limit, user_id=user_id)
    return Call("GET", _events_of(session_id), any_json(lambda: events.EventPage), given)


def recent_events(
    session_id: str | None = None, *, limit: int | None = None, user_id: str | None = None
) -> Call[events.EventPage]:
    """The newest events, oldest first: of one session, or of those that were updated most recently.

    `GET /memory/events`. With `user_id`, those of that user's sessions.
    """
    given = params(session_id=session_id, limit=limit, user_id=user_id)
    return Call("GET", "/memory/events", any_json(lambda: events.EventPage), given)


def conversation_text(
    session_id: str, *, max_events: int | None = None, user_id: str | None = None
) -> Call[str]:
    """The last messages of user and agent, a line each: `User: …`, `Assistant: …`.

    `GET /memory/sessions/{id}/context`. A session of another user than `user_id` is not found.
    """
    where = path("/memory/sessions/{}/context", session_id)
    given = params(max_events=max_events, user_id=user_id)
    return Call("GET", where, member("context", lambda: str), given)


def event_stats() -> Call[events.EventStats]:
    """The number of sessions and events. `GET /memory/stats`."""
    return Call("GET", "/memory/stats", model(lambda: events.EventStats))


def clean_up_events(max_age_hours: float | None = None) -> Call[int]:
    """Delete the events of sessions without a new event for a day or this long; the number of sessions.

    `POST /memory/cleanup`.
    """
    body = fields(max_age_hours=max_age_hours)
    return Call("POST", "/memory/cleanup", member("cleaned", lambda: int), body=body)


def _events_of(session_id: str) -> str:
    return path("/memory/sessions/{}/events", session_id)


def _identified(event: Mapping[str, Any]) -> dict[str, Any]:
    return {**event, "event_id": event.get("event_id") or _new("event")}


def _new(kind: str) -> str:
    """An id of the form that KAOS gives."""
    return f"{kind}_{uuid4().hex[:12]}"
