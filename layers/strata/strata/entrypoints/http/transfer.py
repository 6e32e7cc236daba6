"""Export and import: sessions and observations as JSON, every kind as JSON lines."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.errors import InvalidRequest
from strata.domain.scope import ADMIN, READ, WRITE, Scope
from strata.domain.wire.fields import matching
from strata.domain.wire.transfer import Export, Import, Imported, Unreadable
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.identity import named_by
from strata.entrypoints.http.api.parameters import IdentQuery, ProjectQuery
from strata.entrypoints.http.api.requests import LINES, parse_json
from strata.entrypoints.observing import Observing
from strata.services.transfer.exporter import Exporter
from strata.services.transfer.importer import Importer
from strata.services.transfer.line_exporter import LineExporter

MAX_IMPORT_BODY = 5_000_000
JSONL = "jsonl"


def transfer_handler(
    identify: Caller, observing: Observing, exporter: Exporter, lines: LineExporter, importer: Importer
) -> Handler:
    """Routes for export, in pages, and import."""
    api = Api(identify, observing, max_body=MAX_IMPORT_BODY, parse=parse_import)

    @api.route("GET", "/export", READ, answer=Export, media=LINES)
    def export_memories(
        caller: Scope,
        project: ProjectQuery = None,
        cursor: Annotated[str | None, Query(max_length=8000)] = None,
        format: Annotated[Annotated[str, matching("^(jsonl?)?$")] | None, Query()] = None,
        kinds: Annotated[str | None, Query(max_length=1000)] = None,
        user_id: IdentQuery = None,
    ) -> Export | Response[Any]:
        """A page of an export: sessions and observations, or with `format=jsonl` rows of every kind as lines.

        `next` is the cursor of the following page; among lines the last one holds it. Lines need the scope
        `admin`, because they hold everything about everybody.
        """
        if format in (None, "", "json"):
            if kinds or user_id:
                raise InvalidRequest.of("format", "should be jsonl where kinds or user_id are named")
            return exporter.page(caller, project, cursor)
        if format != JSONL:
            raise InvalidRequest.of("format", "should be json or jsonl")
        caller.require(ADMIN)
        if project:
            raise InvalidRequest.of("project", "goes with the format json only")
        return Response(200, LINES, lines.page(caller, kinds, user_id, cursor))

    @api.route("POST", "/import", WRITE, answer=Imported)
    def import_memories(
        caller: Scope, data: Annotated[Import, Body()], resurrect: Annotated[bool, Query()] = False
    ) -> Imported:
        """Import a page of an export, as JSON or as JSON lines; a second import adds nothing.

        What was deleted here, and what is about people who were erased here, is not brought back but named in
        `skipped`; `resurrect=true` brings it back and needs the scope `admin`.
        """
        by = named_by(caller, api.resolver.current_event.raw_event)
        return importer.load(caller, data, resurrect=resurrect, by=by)

    return api


def parse_import(body: str | None) -> Any:
    """Parse the body of an import: one JSON document, or JSON lines that name their kinds.

    Raises:
        InvalidRequest: it is neither.
    """
    first, _, rest = (body or "").strip().partition("\n")
    if not rest:
        found = parse_json(first)
        return {"lines": [found]} if _is_line(found) else found
    try:
        begins = _is_line(parse_json(first))
    except InvalidRequest:
        begins = False
    if not begins:
        return parse_json(body)
    return {"lines": [_parsed(line) for line in (body or "").strip().split("\n") if line.strip()]}


def _is_line(found: Any) -> bool:
    return isinstance(found, dict) and isinstance(found.get("kind"), str)


def _parsed(line: str) -> Any:
    try:
        return parse_json(line)
    except InvalidRequest as error:
        return Unreadable(error.message.replace("the body", "the line"))
