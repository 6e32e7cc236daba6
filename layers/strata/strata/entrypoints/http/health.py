"""Health, totals and the OpenAPI document."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import Response
from pydantic import TypeAdapter

from strata.domain.scope import ADMIN, READ, Scope
from strata.domain.wire.base import Wire
from strata.domain.wire.service import Health, Healthy, ServiceAnswer, Stats, Unhealthy
from strata.entrypoints.http.api.answers import Reply
from strata.entrypoints.http.api.api import TEXT, Caller, Handler
from strata.entrypoints.http.api.fallback import FallbackApi
from strata.entrypoints.http.api.parameters import IdentPath, ProjectQuery
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.services.health import HealthCheck
from strata.services.maintenance.guard import ResourceGuard
from strata.services.stream.current_totals import CurrentTotals


def schema_of(model: type[Wire]) -> dict[str, Any]:
    """The schema of an answer with another status."""
    return TypeAdapter(model).json_schema(mode="serialization", ref_template="#/components/schemas/{model}")


def health_handler(
    identify: Caller,
    observing: Observing,
    check: HealthCheck,
    guard: ResourceGuard,
    totals: CurrentTotals,
    openapi: Callable[[], str],
) -> Handler:
    """Routes for health, totals and the OpenAPI document, and answers to what has no route."""
    api = FallbackApi(identify, observing, openapi)

    @api.route("GET", "/health", None, answer=Health)
    def health(caller: Scope) -> Health:
        """The health of the service and its dependencies; the status is always 200."""
        return check.check()

    @api.route("GET", "/api/health", None, answer=Healthy, also={503: schema_of(Unhealthy)})
    def health_or_503(caller: Scope) -> Response[Any]:
        """The same in agtOS's words: 503 while something is not well."""
        found = check.answer()
        return _answered(found, well=isinstance(found, Healthy))

    @api.route(
        "GET",
        "/health/<service>",
        None,
        answer=ServiceAnswer,
        also={503: schema_of(ServiceAnswer)},
        errors=(404,),
    )
    def service_health(caller: Scope, service: IdentPath) -> Response[Any]:
        """The health of one service: ours, `memory-maintenance`, `memory-semantic` or `resource-guard`."""
        found = check.service(service)
        return _answered(found, well=found.status == "healthy")

    @api.route("GET", "/metrics", ADMIN, media=TEXT)
    def metrics(caller: Scope) -> Response[str]:
        """Whether background work may be done now, and how often it had to wait, for Prometheus."""
        return Response(200, f"{TEXT}; version=0.0.4; charset=utf-8", guard.exposition(caller))

    @api.route("GET", "/stats", READ, answer=Stats)
    def stats(caller: Scope, project: ProjectQuery = None) -> Reply:
        """The number of sessions and observations, in one project or in all."""
        return Reply(totals.stats(caller, project), behind=totals.is_behind(caller))

    @api.route("GET", "/openapi.json", None, answer=dict[str, Any])
    def openapi_document(caller: Scope) -> Response[Any]:
        """This API as an OpenAPI 3.1 document."""
        return Response(200, JSON, openapi())

    return api


def _answered(found: Wire, *, well: bool) -> Response[Any]:
    status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(status, JSON, found.model_dump_json(by_alias=True, exclude_none=True))
