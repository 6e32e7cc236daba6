"""Working memory: the fields of a conversation."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import Field

from strata.domain.errors import InvalidRequest
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.working_memory import MAX_NAME, Deleted, WorkingMemoryChange
from strata.domain.working_memory import as_object
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import IdentPath, IdentQuery, NewIdentPath, NewIdentQuery
from strata.entrypoints.http.api.requests import JSON, Event, parameters, parse_json, repeated
from strata.entrypoints.observing import Observing
from strata.services.conversations.working_memory import WorkingMemory


def working_memory_handler(identify: Caller, observing: Observing, memory: WorkingMemory) -> Handler:
    """Get, set and delete fields. Values are sent as the exact JSON text that is stored."""
    api = Api(identify, observing)

    @api.route("GET", "/working-memory/<conversation_id>", READ, answer=dict[str, Any])
    def get_working_memory(caller: Scope, conversation_id: IdentPath) -> Response[Any]:
        """Get all fields of a conversation; extends its time to live."""
        return Response(200, JSON, as_object(memory.get(caller, conversation_id)))

    @api.route("PUT", "/working-memory/<conversation_id>", WRITE, answer=dict[str, Any])
    def put_working_memory(
        caller: Scope,
        conversation_id: NewIdentPath,
        change: Annotated[WorkingMemoryChange, Body()],
        user_id: NewIdentQuery = None,
    ) -> Response[Any]:
        """Set fields and get all of them; fields that are not named stay."""
        return Response(200, JSON, as_object(memory.put(caller, conversation_id, change, user_id)))

    @api.route("DELETE", "/working-memory/<conversation_id>", WRITE, answer=Deleted)
    def delete_working_memory(
        caller: Scope,
        conversation_id: IdentPath,
        fields: Annotated[
            list[Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": MAX_NAME})]] | None,
            Query(
                description="The fields, repeated or with commas between; or `{fields: [...]}` as the body."
            ),
        ] = None,
        user_id: IdentQuery = None,
    ) -> Deleted:
        """Delete the named fields; all of them where neither the query nor the body says anything."""
        names = _names(api.resolver.current_event.raw_event)
        return Deleted(deleted=memory.delete(caller, conversation_id, names, user_id))

    return api


def _names(event: Event) -> list[str] | None:
    """The fields that a request names; None where it says nothing, which means all.

    A deletion that is not understood must not become one of everything.

    Raises:
        InvalidRequest: another parameter or body, or one of the names is not a valid field name.
    """
    unknown = parameters(event) - {"fields", "fields[]", "user_id"}
    if unknown:
        raise InvalidRequest.of(min(unknown), "is no parameter of a deletion; `fields` names what to delete")
    names = repeated(event, "fields") + repeated(event, "fields[]")
    body = event.get("body")
    if body:
        given = parse_json(body)
        told = given.get("fields") if isinstance(given, dict) and set(given) == {"fields"} else None
        if not isinstance(told, list) or not all(isinstance(name, str) for name in told):
            raise InvalidRequest.of("body", 'should be empty, or {"fields": [names]}')
        if not told:
            raise InvalidRequest.of("fields", "names no field; leave the body out to delete all")
        names += told
    if any(not 1 <= len(name) <= MAX_NAME for name in names):
        raise InvalidRequest.of("fields", f"a field's name has 1 to {MAX_NAME} characters")
    return names or None
