"""Health, totals and the OpenAPI document."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import Response

from strata.domain.scope import READ, Scope
from strata.domain.wire.service import Health, Stats
from strata.entrypoints.http.api.api import Caller, Handler, Reply
from strata.entrypoints.http.api.fallback import FallbackApi
from strata.entrypoints.http.api.parameters import ProjectQuery
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.services.health import HealthCheck
from strata.services.stream.current_totals import CurrentTotals

HEALTH_SCHEMA = {"$ref": "#/components/schemas/Health"}


def health_handler(
    identify: Caller,
    observing: Observing,
    check: HealthCheck,
    totals: CurrentTotals,
    openapi: Callable[[], str],
) -> Handler:
    """Routes for health, totals and the OpenAPI document, and answers to what has no route."""
    api = FallbackApi(identify, observing, openapi)

    @api.route("GET", "/health", None, answer=Health)
    def health(caller: Scope) -> Health:
        """The health of the service and its dependencies; the status is always 200."""
        return check.check()

    @api.route("GET", "/api/health", None, answer=Health, also={503: HEALTH_SCHEMA})
    def health_or_503(caller: Scope) -> Response[Any]:
        """The same for monitors that read the status only: 503 while something is degraded."""
        found = check.check()
        status = HTTPStatus.OK if found.status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
        return Response(status, JSON, found.model_dump_json(by_alias=True, exclude_none=True))

    @api.route("GET", "/stats", READ, answer=Stats)
    def stats(caller: Scope, project: ProjectQuery = None) -> Reply:
        """The number of sessions and observations, in one project or in all."""
        return Reply(totals.stats(caller, project), behind=totals.is_behind(caller))

    @api.route("GET", "/openapi.json", None, answer=dict[str, Any])
    def openapi_document(caller: Scope) -> Response[Any]:
        """This API as an OpenAPI 3.1 document."""
        return Response(200, JSON, openapi())

    return api
