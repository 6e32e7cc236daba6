"""Export and import of sessions and observations."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.transfer import Export, Import, Imported
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import ProjectQuery
from strata.entrypoints.observing import Observing
from strata.services.transfer.exporter import Exporter
from strata.services.transfer.importer import Importer

MAX_IMPORT_BODY = 5_000_000


def transfer_handler(
    identify: Caller, observing: Observing, exporter: Exporter, importer: Importer
) -> Handler:
    """Routes for export, in pages, and import."""
    api = Api(identify, observing, max_body=MAX_IMPORT_BODY)

    @api.route("GET", "/export", READ, answer=Export)
    def export_memories(
        caller: Scope,
        project: ProjectQuery = None,
        cursor: Annotated[str | None, Query(max_length=4000)] = None,
    ) -> Export:
        """One page of sessions and observations; `next` is the cursor of the following page."""
        return exporter.page(caller, project, cursor)

    @api.route("POST", "/import", WRITE, answer=Imported)
    def import_memories(caller: Scope, data: Annotated[Import, Body()]) -> Imported:
        """Import a page of an export; a second import adds nothing."""
        return importer.load(caller, data)

    return api
