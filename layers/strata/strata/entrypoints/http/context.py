"""The context call."""

from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query

from strata.domain.models import Context
from strata.domain.scope import READ, Scope
from strata.entrypoints.http.api import TEXT, Api, Caller, Handler, Reply
from strata.entrypoints.http.parameters import KindQuery, ProjectQuery
from strata.entrypoints.observing import Observing
from strata.services.context import ContextAssembly, as_text

MAX_CONTEXT_OBSERVATIONS = 50


def context_handler(identify: Caller, observing: Observing, assembly: ContextAssembly) -> Handler:
    """What an agent's prompt gets."""
    api = Api(identify, observing)

    @api.route("GET", "/context", READ, answer=Context, or_text=True)
    def fetch_context(
        caller: Scope,
        project: ProjectQuery = None,
        scope: KindQuery = None,
        query: Annotated[str, Query()] = "",
        limit: Annotated[int, Query(ge=0, le=MAX_CONTEXT_OBSERVATIONS)] = 5,
        format: Annotated[Literal["json", "text"], Query()] = "json",
    ) -> Reply | Response[Any]:
        """Recent session summaries and the observations that matter for a query."""
        with observing.operation("fetch_context", project=project, query=query) as operation:
            assembled = assembly.context(caller, project=project, scope_name=scope, query=query, limit=limit)
            operation.found(assembled.found, degraded=assembled.degraded)
        reply = Reply(assembled.context, assembled.degraded)
        if format == "text":
            return Response(200, f"{TEXT}; charset=utf-8", as_text(assembled.context), reply.headers)
        return reply

    return api
