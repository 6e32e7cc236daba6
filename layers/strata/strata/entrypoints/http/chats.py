"""Imports of other tools' chats, in agtOS's shapes."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.chats import ChatImport, ImportedChats, Sources
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.observing import Observing
from strata.services.chats.imports import ChatImports


def chats_handler(identify: Caller, observing: Observing, imports: ChatImports) -> Handler:
    """Routes to list and import what other tools keep on this machine."""
    api = Api(identify, observing)

    @api.route("GET", "/api/memory/sources", READ, answer=Sources)
    def list_sources(caller: Scope) -> Sources:
        """List the tools whose conversations can be imported; none where the service is not on a machine."""
        return imports.available()

    @api.route("POST", "/api/memory/import", WRITE, answer=ImportedChats)
    def import_chats(caller: Scope, asked: Annotated[ChatImport | None, Body()] = None) -> ImportedChats:
        """Import from the named tools, or all, for some seconds; what is there already is left as it is."""
        return imports.run(caller, asked.sources if asked else None)

    return api
