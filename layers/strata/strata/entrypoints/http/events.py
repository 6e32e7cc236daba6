"""Sessions and their events, in the shapes of KAOS's servers.

Responses are composed from the stored JSON texts, so that content and metadata are returned exactly as sent.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import Field, PlainValidator, RootModel, TypeAdapter

from strata.domain.errors import InvalidRequest
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.times import iso_time
from strata.domain.wire.events import (
    MAX_BATCH,
    Appended,
    CleanedUp,
    CleanUp,
    ConversationText,
    EventPage,
    EventSession,
    EventStats,
    NewEvent,
    NewEventSession,
    OpenedSession,
    SessionDeleted,
    SessionPage,
    StoredEvent,
)
from strata.domain.wire.exact_json import to_text
from strata.domain.wire.fields import MAX_LABEL
from strata.entrypoints.http.api.answers import newest_fitting
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import (
    IdentPath,
    IdentQuery,
    NewIdentPath,
    NewIdentQuery,
    RowsQuery,
)
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.services.events.append import EventAppender
from strata.services.events.lists import EventLists
from strata.services.events.logs import EventLogs
from strata.services.events.read import EventReader
from strata.services.events.remove import LogRemover

MAX_TYPES = 20

Batch = Annotated[list[NewEvent], Field(min_length=1, max_length=MAX_BATCH)]
_BATCH: TypeAdapter[list[NewEvent]] = TypeAdapter(Batch)


def _one_or_many(value: Any) -> NewEvent | list[NewEvent]:
    """Validate the form that was sent, so that errors refer to that form."""
    return _BATCH.validate_python(value) if isinstance(value, list) else NewEvent.model_validate(value)


class NewEvents(RootModel[NewEvent | list[NewEvent]]):
    """An event, or a list of at most 100."""

    root: Annotated[
        NewEvent | list[NewEvent],
        PlainValidator(_one_or_many, json_schema_input_type=NewEvent | Batch),
    ]


Type = Annotated[str, Field(json_schema_extra={"maxLength": MAX_LABEL})]
TypesQuery = Annotated[
    list[Type] | None,
    Query(
        description="Names, repeated or with commas between them.", json_schema_extra={"maxItems": MAX_TYPES}
    ),
]


def events_handler(
    identify: Caller,
    observing: Observing,
    logs: EventLogs,
    remover: LogRemover,
    lists: EventLists,
    appender: EventAppender,
    reader: EventReader,
    *,
    agent: str,
) -> Handler:
    """Routes under /memory; responses name the server `agent`."""
    api = Api(identify, observing)

    def page(newest: Iterable[StoredEvent]) -> Response[str]:
        return _listed({"agent": agent}, "events", (event.text for event in newest))

    @api.route("GET", "/memory/events", READ, answer=EventPage, errors=(404,))
    def list_events(
        caller: Scope, limit: RowsQuery = 100, session_id: IdentQuery = None, user_id: IdentQuery = None
    ) -> Response[str]:
        """List the newest events of one session or of all, oldest first; of one user's when one is named."""
        if session_id is not None and user_id is not None:
            return page(reader.newest(caller, reader.log(caller, session_id, user_id), limit=limit))
        if session_id is not None:
            return page(reader.newest_of(caller, session_id, limit=limit))
        return page(reader.newest_of_all(caller, limit, user_id))

    @api.route("GET", "/memory/sessions", READ, answer=SessionPage)
    def list_sessions(caller: Scope, user_id: IdentQuery = None) -> Response[str]:
        """List the sessions that were made for events or have some, oldest first; one user's when named."""
        ids = lists.session_ids(caller, user_id)
        return _listed({"agent": agent}, "sessions", map(to_text, ids))

    @api.route("POST", "/memory/sessions", WRITE, answer=OpenedSession, status=201)
    def open_session(caller: Scope, new: Annotated[NewEventSession | None, Body()] = None) -> OpenedSession:
        """Create a session for events, or get the existing one with this id.

        It takes no project: a session has the one that `POST /sessions` starts it in, else its app's name.
        """
        return OpenedSession(session_id=logs.open(caller, new or NewEventSession()))

    @api.route("GET", "/memory/sessions/<id>", READ, answer=EventSession, errors=(404,))
    def get_session(caller: Scope, id: IdentPath, user_id: IdentQuery = None) -> Response[str]:
        """Get a session with its events, oldest first; not found if it is another user's."""
        log = reader.log(caller, id, user_id)
        about = {
            "session_id": id,
            "user_id": log.user_id or "",
            "app_name": log.app,
            "created_at": iso_time(log.created_at),
            "updated_at": iso_time(log.updated_at),
        }
        newest = reader.newest(caller, log, limit=log.next)
        return _listed(about, "events", (event.text for event in newest), total=False)

    @api.route("DELETE", "/memory/sessions/<id>", WRITE, answer=SessionDeleted)
    def delete_session(caller: Scope, id: IdentPath, user_id: IdentQuery = None) -> SessionDeleted:
        """Delete a session's events and its entry in the list; its project, summary and owner stay."""
        return SessionDeleted(deleted=remover.delete(caller, id, user_id))

    @api.route("POST", "/memory/sessions/<id>/events", WRITE, answer=Appended, status=201, errors=(404,))
    def append_events(
        caller: Scope, id: NewIdentPath, new: Annotated[NewEvents, Body()], user_id: NewIdentQuery = None
    ) -> Appended:
        """Append an event, or a list of at most 100, all of them or none."""
        if isinstance(new.root, NewEvent):
            (event_id,) = appender.append(caller, id, [new.root], user_id)
            return Appended(event_id=event_id)
        _distinct(new.root)
        ids = appender.append(caller, id, new.root, user_id)
        return Appended(event_id=ids[-1], event_ids=ids)

    @api.route("GET", "/memory/sessions/<id>/events", READ, answer=EventPage, errors=(404,))
    def list_session_events(
        caller: Scope,
        id: IdentPath,
        event_types: TypesQuery = None,
        limit: RowsQuery = 100,
        user_id: IdentQuery = None,
    ) -> Response[str]:
        """List a session's newest events, oldest first; only those of the named types, if any."""
        log = reader.log(caller, id, user_id)
        return page(reader.newest(caller, log, limit=limit, types=_types(event_types)))

    @api.route("GET", "/memory/sessions/<id>/context", READ, answer=ConversationText, errors=(404,))
    def conversation(
        caller: Scope, id: IdentPath, max_events: RowsQuery = 20, user_id: IdentQuery = None
    ) -> Response[str]:
        """Get the last messages of user and agent as text."""
        newest = reader.lines(caller, id, max_events, user_id)
        lines, left_out = newest_fitting(to_text(line)[1:-1] for line in newest)
        return _answer('{"context":"' + "\\n".join(lines) + '"}', left_out)

    @api.route("GET", "/memory/stats", READ, answer=EventStats)
    def event_stats(caller: Scope) -> EventStats:
        """Count the sessions and the events in them."""
        return lists.stats(caller)

    @api.route("POST", "/memory/cleanup", WRITE, answer=CleanedUp)
    def clean_up(caller: Scope, asked: Annotated[CleanUp | None, Body()] = None) -> CleanedUp:
        """Delete the events of sessions that had none for `max_age_hours`."""
        return CleanedUp(cleaned=remover.clean_up(caller, (asked or CleanUp()).max_age_hours))

    return api


def _types(named: Sequence[str] | None) -> list[str]:
    """The types of a filter; the gateway joins repeated parameters with commas."""
    types = list(dict.fromkeys(name.strip() for name in named or () if name.strip()))
    if len(types) > MAX_TYPES or any(len(name) > MAX_LABEL for name in types):
        sentence = f"should name at most {MAX_TYPES} types of at most {MAX_LABEL} characters"
        raise InvalidRequest.of("event_types", sentence)
    return types


def _distinct(events: Sequence[NewEvent]) -> None:
    ids = Counter(event.event_id for event in events if event.event_id)
    if twice := [each for each, times in ids.items() if times > 1]:
        raise InvalidRequest.of("event_id", f"stands more than once in the list: {twice[0]}")


def _listed(about: dict[str, str], name: str, newest: Iterable[str], *, total: bool = True) -> Response[str]:
    """JSON texts, newest first, as a list that starts with the oldest."""
    kept, left_out = newest_fitting(newest)
    number = f',"total":{len(kept)}' if total else ""
    return _answer(f'{to_text(about)[:-1]},"{name}":[{",".join(kept)}]{number}}}', left_out)


def _answer(body: str, left_out: int) -> Response[str]:
    return Response(200, JSON, body, {"Strata-Left-Out": str(left_out)} if left_out else {})
