"""Working memory: the fields of a conversation."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.errors import InvalidRequest
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.working_memory import MAX_NAME, Deleted, WorkingMemoryChange
from strata.domain.working_memory import as_object
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import IdentPath, IdentQuery
from strata.entrypoints.http.api.requests import JSON, repeated
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
        conversation_id: IdentPath,
        change: Annotated[WorkingMemoryChange, Body()],
        user_id: IdentQuery = None,
    ) -> Response[Any]:
        """Set fields and get all of them; fields that are not named stay."""
        return Response(200, JSON, as_object(memory.put(caller, conversation_id, change, user_id)))

    @api.route("DELETE", "/working-memory/<conversation_id>", WRITE, answer=Deleted)
    def delete_working_memory(
        caller: Scope,
        conversation_id: IdentPath,
        fields: Annotated[list[str] | None, Query(description="Repeated: one field each.")] = None,
        user_id: IdentQuery = None,
    ) -> Deleted:
        """Delete the named fields, or all of them."""
        names = _names(repeated(api.resolver.current_event.raw_event, "fields"))
        return Deleted(deleted=memory.delete(caller, conversation_id, names, user_id))

    return api


def _names(given: list[str]) -> list[str] | None:
    """The fields named by a query; None where it names none, which means all.

    Raises:
        InvalidRequest: one of them is not a valid field name.
    """
    if any(not 1 <= len(name) <= MAX_NAME for name in given):
        raise InvalidRequest.of("fields", f"a field's name has 1 to {MAX_NAME} characters")
    return given or None
