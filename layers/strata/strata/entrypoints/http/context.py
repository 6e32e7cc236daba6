"""The context route: AgentOps's plain context, and the one assembled from every layer."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import AfterValidator

from strata.domain.assembly.prompt import LAYERS
from strata.domain.errors import InvalidRequest
from strata.domain.retrieval import Method
from strata.domain.scope import READ, Scope
from strata.domain.text.strings import both_ends, cut
from strata.domain.wire.contexts import (
    CONTEXT_CONTENT_RUNES,
    CONTEXT_QUERY_RUNES,
    AssembledContext,
    Context,
    ContextItem,
    ContextObservation,
    ContextSession,
)
from strata.domain.wire.fields import Clamped, matching
from strata.entrypoints.http.api.answers import Reply
from strata.entrypoints.http.api.api import TEXT, Api, Caller, Handler
from strata.entrypoints.http.api.parameters import (
    AcrossQuery,
    FilterQuery,
    IdentQuery,
    KindQuery,
    NewIdentQuery,
    ProjectQuery,
    RelevanceQuery,
)
from strata.entrypoints.observing import Observing
from strata.ports.clock import Clock
from strata.services.context.assemble import Assembly, ContextAssembler, ContextOptions
from strata.services.context.layers.layer import ContextQuery
from strata.services.context.plain import PlainAssembler

MAX_CONTEXT_OBSERVATIONS = 50
CONTEXT_OBSERVATIONS = 5
MAX_TOKEN_BUDGET = 1_000_000

Fill = Literal["recent", "none"]


def _layer_names(text: str) -> frozenset[str]:
    names = frozenset(name.strip() for name in text.split(",")) - {""}
    unknown = sorted(names - set(LAYERS))
    if unknown:
        raise ValueError(
            f"should be some of {', '.join(LAYERS)}, with commas between; not {', '.join(unknown)}"
        )
    return names


def _known_layers(text: str | None) -> str | None:
    """The names unchanged, once each is known to be a layer."""
    return text if text and _layer_names(text) else None


_ONE_LAYER = rf"\s*({'|'.join(LAYERS)})?\s*"
LayersQuery = Annotated[
    Annotated[str, matching(f"^{_ONE_LAYER}(,{_ONE_LAYER})*$")] | None, AfterValidator(_known_layers), Query()
]


def context_handler(
    identify: Caller,
    observing: Observing,
    plain: PlainAssembler,
    assembler: ContextAssembler,
    clock: Clock,
    *,
    floor: float,
    default_fill: Fill,
) -> Handler:
    """The route for context in prompts."""
    api = Api(identify, observing)

    @api.route("GET", "/context", READ, answer=Context | AssembledContext, media=TEXT, errors=(409,))
    def fetch_context(
        caller: Scope,
        filters: FilterQuery,
        project: ProjectQuery = None,
        across_projects: AcrossQuery = False,
        scope: KindQuery = None,
        query: Annotated[str, Query()] = "",
        limit: Annotated[int | None, Clamped(MAX_CONTEXT_OBSERVATIONS, least=0), Query()] = None,
        format: Annotated[Literal["json", "text"], Query()] = "json",
        agent_id: IdentQuery = None,
        user_id: IdentQuery = None,
        conversation_id: NewIdentQuery = None,
        token_budget: Annotated[int | None, Query(ge=1, le=MAX_TOKEN_BUDGET)] = None,
        layers: LayersQuery = None,
        turn_id: NewIdentQuery = None,
        min_relevance: RelevanceQuery = None,
        fill: Annotated[Fill | None, Query()] = None,
    ) -> Reply | Response[Any]:
        """Context for an agent: session summaries and observations, or the best items of every layer.

        What is not relevant to the query is no hit. A plain context is then filled up with the newest
        memories, unless `fill` is `none`. With a token budget, `limit` is 50 unless it is given.
        """
        if turn_id is not None and conversation_id is None:
            raise InvalidRequest.of("turn_id", "needs the conversation_id of its conversation")
        if across_projects:
            project = None
        only = filters.at(clock.now_us())
        least = floor if min_relevance is None else min_relevance
        most = limit if limit is not None else CONTEXT_OBSERVATIONS
        with observing.operation("fetch_context", project=project, query=query) as operation:
            if (agent_id, user_id, conversation_id, token_budget, layers) == (None,) * 5:
                asked = (
                    query if format == "text" else cut(query, CONTEXT_QUERY_RUNES)
                )  # as AgentOps documents
                context = plain.assemble(
                    caller,
                    project=project,
                    scope_name=scope,
                    query=asked,
                    limit=most,
                    min_relevance=least,
                    fill=(fill or default_fill) == "recent",
                    only=only,
                )
                operation.found(context.hits, degraded=context.degraded)
                text = plain.text(context.items, asked, project)
                answer = context.context.model_copy(update={"context": text or None})
                return _answer(answer, text, format, degraded=context.degraded)
            if limit is None and token_budget is not None:
                most = MAX_CONTEXT_OBSERVATIONS
            wanted = ContextQuery(
                both_ends(query, CONTEXT_QUERY_RUNES),
                project,
                scope,
                agent_id,
                user_id,
                limit=most,
                min_relevance=least,
                fill=fill == "recent",
                only=only,
            )
            named = None if layers is None else _layer_names(layers)
            options = ContextOptions(named, token_budget, conversation_id, turn_id)
            assembled = assembler.assemble(caller, wanted, options)
            operation.found(_retrieved(assembled), degraded=assembled.degraded)
        return _answer(_context(assembled), assembled.text, format, degraded=assembled.degraded)

    return api


def _answer(
    context: Context, text: str, format: Literal["json", "text"], *, degraded: bool
) -> Reply | Response[Any]:
    reply = Reply(context, degraded)
    if format == "text":
        return Response(200, f"{TEXT}; charset=utf-8", text, reply.headers)
    return reply


def _context(assembled: Assembly) -> AssembledContext:
    items = [each.item for each in assembled.fitting]
    return AssembledContext(
        recent_sessions=[ContextSession(summary=item.text) for item in items if item.layer == "sessions"],
        recent_observations=[
            ContextObservation(
                type=item.type, title=item.title, content=cut(item.content, CONTEXT_CONTENT_RUNES)
            )
            for item in items
            if item.layer == "observations"
        ],
        items=[
            ContextItem(
                layer=each.item.layer,
                id=each.item.id,
                content=each.item.text,
                rank=rank,
                score=round(each.value, 6),
                method=each.item.method,
                relevance=each.item.relevance,
                tokens=each.tokens,
                project=each.item.project,
            )
            for rank, each in enumerate(assembled.fitting, start=1)
        ],
        tokens=assembled.tokens,
        unavailable=assembled.unavailable or None,
    )


@dataclass(frozen=True, slots=True)
class _Retrieved:
    """An item as spans name it."""

    id: int | str
    type: str
    title: str
    score: float
    method: Method


def _retrieved(assembled: Assembly) -> list[_Retrieved]:
    return [
        _Retrieved(each.item.id, each.item.type, each.item.title, each.value, each.item.method)
        for each in assembled.fitting
    ]
