"""Maintenance on demand, and the reports of all runs (agtOS)."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import TypeAdapter

from strata.domain.scope import ADMIN, READ, Scope
from strata.domain.wire.fields import MAX_NUMBER, Clamped
from strata.domain.wire.maintenance import Report, Reports
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.services.maintenance.runs import Runs
from strata.services.maintenance.sweep import Sweeper

ANSWER_WITHIN = 10
"""Seconds; work that takes longer continues after the response."""

TimestampPath = Annotated[int, Path(ge=0, le=MAX_NUMBER)]
DryQuery = Annotated[bool, Query()]
CountQuery = Annotated[int, Clamped(100), Query()]


def maintenance_handler(identify: Caller, observing: Observing, sweeper: Sweeper, runs: Runs) -> Handler:
    """Routes to run maintenance and to read its reports."""
    api = Api(identify, observing)
    schema = TypeAdapter(Report).json_schema(
        mode="serialization", ref_template="#/components/schemas/{model}"
    )

    @api.route("POST", "/api/memory/maintain", ADMIN, answer=Report, also={202: schema})
    def maintain(caller: Scope, dry_run: DryQuery = False) -> Report | Response[str]:
        """Run maintenance now; after ten seconds the response is 202 and the run continues.

        With `dry_run` it only counts what it would do to what is known of people: conclusions, episodes and
        entities.
        """
        report = sweeper.run_now(caller, sweeper.for_seconds(ANSWER_WITHIN), dry=dry_run)
        if report.status == "running":
            return Response(202, JSON, report.model_dump_json(by_alias=True))
        return report

    @api.route("GET", "/api/memory/maintain/history", READ, answer=Reports)
    def maintenance_history(caller: Scope, limit: CountQuery = 20) -> Reports:
        """The newest reports of 90 days, newest first."""
        return Reports(reports=runs.newest(caller, limit))

    @api.route("GET", "/api/memory/maintain/history/<timestamp>", READ, answer=Report, errors=(404,))
    def maintenance_report(caller: Scope, timestamp: TimestampPath) -> Report:
        """The report of one run."""
        return runs.report(caller, timestamp)

    return api
