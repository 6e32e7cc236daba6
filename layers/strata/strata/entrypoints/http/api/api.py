"""Shared by every route: authentication, request bodies, responses and errors.

A route is a function of the caller's `Scope` and of its path, query and body parameters; it returns a value
of its `answer` type:

    api = Api(caller)

    @api.route("GET", "/search", READ, answer=list[SearchHit])
    def search(caller: Scope, q: Annotated[str, Query()]) -> list[SearchHit]: ...
"""

import functools
import inspect
import json
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import ServiceError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from pydantic import TypeAdapter

from strata.domain.errors import FieldProblem, InvalidRequest, NotFound, StrataError, Unavailable
from strata.domain.scope import ADMIN, WRITE, Scope
from strata.domain.text.strings import cut
from strata.domain.wire.envelope import enveloped, has_envelope
from strata.entrypoints.http.api.answers import fitting
from strata.entrypoints.http.api.described import Described
from strata.entrypoints.http.api.devices import Identified, for_owner, knowing_devices
from strata.entrypoints.http.api.errors import error_response
from strata.entrypoints.http.api.ignored import HEADER, Known
from strata.entrypoints.http.api.parameters import FILTERS
from strata.entrypoints.http.api.requests import (
    JSON,
    Event,
    admitted,
    parameters,
    parse_json,
    refuse_list,
    takes_object,
    with_whole_parameters,
)
from strata.entrypoints.observing import Observing

MAX_BODY = 1024 * 1024
MAX_PROBLEMS = 100
"""Problems named in one error: the response to a bad import must not be a hundred times its size."""
MAX_NAME = 200
"""Characters of a field's name in an error: a made-up name may be as long as the body."""
TEXT, MARKDOWN = "text/plain", "text/markdown"
AGTOS_SEARCH = "/api/memory/search"
"""The route whose missing query has agtOS's own words."""
ADMITTED = ""
"""The permission of a route for every authenticated caller; the route checks the rest itself."""

Handler = Callable[[Event, Any], dict[str, Any]]
Caller = Callable[[Event], Scope]
"""Returns the caller's scope from an API Gateway event; raises `Unauthenticated`."""

_log = logging.getLogger("strata.http")


@dataclass(frozen=True, slots=True)
class Reply:
    """A response with notes for the client, sent as headers."""

    answer: Any
    degraded: bool = False
    """Only the newest rows were ranked, or words alone found them. Shows as `Strata-Degraded: index`."""
    behind: bool = False
    """Totals, or the projects by them, lack changes that wait to be counted: `Strata-Degraded: totals`."""
    unwritten: bool = False
    """A language model that is set did not answer, and rules did: `Strata-Degraded: model`."""
    left_out: int = 0
    """Rows that did not fit into the answer. Shows as `Strata-Left-Out`."""

    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Other projects in which a search that found nothing would find something: `Strata-Elsewhere`."""

    @property
    def headers(self) -> dict[str, Any]:
        """The notes as response headers."""
        away = ("index", self.degraded), ("totals", self.behind), ("model", self.unwritten)
        parts = [name for name, late in away if late]
        degraded = {"Strata-Degraded": ", ".join(parts)} if parts else {}
        if self.elsewhere:
            degraded["Strata-Elsewhere"] = json.dumps(dict(self.elsewhere))
        return degraded | ({"Strata-Left-Out": str(self.left_out)} if self.left_out else {})


class Api:
    """The routes of one function, and the Lambda handler that serves them."""

    def __init__(
        self,
        caller: Caller,
        observing: Observing,
        *,
        max_body: int = MAX_BODY,
        parse: Callable[[str | None], Any] = parse_json,
    ) -> None:
        self._caller = caller
        self._observing = observing
        self._max_body = max_body
        self._described: dict[str, Described] = {}
        self._objects: set[str] = set()
        self._owning: set[str] = set()
        self._known: dict[str, Known] = {}
        self._fields: Collection[str] = ()
        self._of_device: Mapping[str, str] = {}

        def parsed(body: str | None) -> Any:
            value = parse(body)
            self._fields = value if isinstance(value, dict) else ()
            return {**value, **self._of_device} if isinstance(value, dict) else value

        self.resolver = APIGatewayHttpResolver(
            enable_validation=True,
            json_body_deserializer=parsed,
            response_validation_error_http_code=HTTPStatus.INTERNAL_SERVER_ERROR,
        )
        self.resolver.exception_handler(StrataError)(error_response)
        self.resolver.exception_handler(Unavailable)(_unavailable)
        self.resolver.exception_handler(RequestValidationError)(
            lambda error: _invalid(error, self.resolver.current_event.path)
        )
        self.resolver.exception_handler(ServiceError)(_refused)
        self.resolver.exception_handler(Exception)(_unexpected)

    @property
    def described(self) -> Mapping[str, Described]:
        """Every route by its key (`GET /search`), for the OpenAPI document."""
        return self._described

    def route(
        self,
        method: str,
        path: str,
        permission: str | None,
        *,
        answer: Any = None,
        status: int = 200,
        media: str | None = None,
        schema: Mapping[str, Any] | None = None,
        also: Mapping[int, Mapping[str, Any] | None] | None = None,
        errors: Collection[int] = (),
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a route.

        Args:
            method: GET, POST, PUT, PATCH or DELETE.
            path: as in the template, with `<name>` for a part that varies.
            permission: the required permission, or `ADMITTED`; None for a public route.
            answer: the type of the JSON response; None for a response without a body. A route may return a
                powertools `Response` instead, which is sent unchanged.
            status: of a success.
            media: the media type of the text that it responds with, instead of JSON where it has an `answer`.
            schema: of a `Response` of JSON that the route makes itself, for the OpenAPI document.
            also: further statuses for the OpenAPI document, with their schemas; None for no body.
            errors: statuses of errors that the document does not derive from permission, parameters and body.
        """
        dump = (
            functools.partial(TypeAdapter(answer).dump_json, exclude_none=True, by_alias=True)
            if answer is not None
            else None
        )

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def call(**arguments: Any) -> Response[Any]:
                scope = self._scope(permission)
                result = function(scope, **arguments)
                if isinstance(result, Response):
                    return result
                if dump is None:
                    return Response(status_code=status)
                reply = result if isinstance(result, Reply) else Reply(result)
                body, left_out = fitting(reply.answer, dump)
                headers = reply.headers | ({"Strata-Left-Out": str(left_out)} if left_out else {})
                return Response(status, JSON, body.decode(), headers)

            route_key = f"{method} {path.replace('<', '{').replace('>', '}')}"
            module = function.__module__.partition("entrypoints.")[2]
            self._described[route_key] = Described(method, module, permission, tuple(errors))
            signature = inspect.signature(function)
            _, *taken = signature.parameters.values()
            self._known[route_key] = Known.of(taken)
            if _owns(method, path, permission):
                self._owning.add(route_key)
                self._known[route_key] = knowing_devices(self._known[route_key])
            if any(takes_object(parameter.annotation) for parameter in taken):
                self._objects.add(route_key)
            call.__signature__ = signature.replace(  # type: ignore[attr-defined]
                parameters=taken, return_annotation=inspect.Signature.empty
            )
            del call.__wrapped__
            told = inspect.cleandoc(function.__doc__ or "")
            described: Any = _described(status, schema)
            if answer is not None:
                described["content"][JSON] = {"model": answer}
            if media is not None:
                described["content"][media] = {"schema": {"type": "string"}}
            self.resolver.route(
                path,
                method=[method],
                summary=told.partition("\n")[0],
                description="\n\n".join(part.replace("\n", " ") for part in told.split("\n\n")),
                operation_id=function.__name__,
                responses={status: described}
                | {each: _described(each, body) for each, body in (also or {}).items()},
            )(call)
            return function

        return register

    def _scope(self, permission: str | None) -> Scope:
        if permission is None:
            return Scope("anyone", frozenset())
        return self._permitted(self.resolver.current_event.raw_event, permission)

    def _permitted(self, event: Event, permission: str) -> Scope:
        scope = self._caller(event)
        if permission != ADMITTED:
            scope.require(permission)
        return scope

    def _for_owner(self, event: Event, scope: Scope | None) -> Event:
        """The request with the owner of the device that it names, on the routes that write."""
        self._of_device, key = {}, event.get("routeKey", "")
        if scope is None or key not in self._owning or not isinstance(self._caller, Identified):
            return event
        sent = for_owner(event, scope, self._known[key], self._caller.owner_of_device)
        self._of_device = sent.fields
        return sent.event

    def __call__(self, event: Event, context: Any) -> dict[str, Any]:
        """The Lambda handler: an API Gateway event (payload 2.0) in, its response out."""
        with self._observing.invocation(event, context):
            answer = self._enveloped(event, self._answered(event, context))
            _log.debug("%s answered %d", event.get("routeKey"), answer["statusCode"])
        return answer

    def _enveloped(self, event: Event, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer in Fyso's envelope, on Fyso's routes."""
        if not answer.get("body") or not has_envelope(event.get("routeKey", "").partition(" ")[2]):
            return answer
        return answer | {"body": enveloped(answer["statusCode"], answer["body"])}

    def _answered(self, event: Event, context: Any) -> dict[str, Any]:
        try:
            route = self._described.get(event.get("routeKey", ""))
            scope = None
            if route is not None and route.permission is not None:  # before anything is said of what was sent
                if isinstance(self._caller, Identified):
                    self._caller.count(self._caller(event))
                scope = self._permitted(event, route.permission)
            event = admitted(with_whole_parameters(event), self._max_body)
            event = self._for_owner(event, scope)
            if event.get("routeKey") in self._objects:
                refuse_list(event)
        except StrataError as error:
            response = error_response(error)
            return {
                "statusCode": response.status_code,
                "headers": {"Content-Type": JSON, **response.headers},
                "body": response.body,
                "isBase64Encoded": False,
            }
        self._fields = ()
        answer = self.resolver.resolve(event, context)
        known = self._known.get(event.get("routeKey", ""))
        if known and answer["statusCode"] < HTTPStatus.BAD_REQUEST:
            ignored = known.ignored(parameters(event), self._fields)
            answer["headers"] |= {HEADER: ignored} if ignored else {}
        return answer


def _owns(method: str, path: str, permission: str | None) -> bool:
    """Whether a route may write something that is somebody's; devices are mapped by name."""
    return permission in (WRITE, ADMIN, ADMITTED) and method != "GET" and not path.startswith("/api/devices/")


def _described(status: int, schema: Mapping[str, Any] | None) -> dict[str, Any]:
    content = {} if schema is None else {JSON: {"schema": schema}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _invalid(error: RequestValidationError, path: str) -> Response[Any]:
    """All problems, up to `MAX_PROBLEMS`, each under the name that the caller used."""
    problems, errors = [], error.errors()
    for found in errors[:MAX_PROBLEMS]:
        where, *names = found["loc"]
        if names[:1] == [FILTERS] and names[1:]:
            names = names[1:2]
        field = cut(".".join(str(name) for name in names), MAX_NAME) or str(where)
        problems.append(FieldProblem(field, found["msg"].removeprefix("Value error, ")))
    sentence = "; ".join(f"{problem.field}: {problem.message}" for problem in problems)
    if len(errors) > MAX_PROBLEMS:
        sentence += f"; and {len(errors) - MAX_PROBLEMS} more"
    if path == AGTOS_SEARCH and any(
        found["loc"] == ("query", "q") and found["type"] != "string_too_long" for found in errors
    ):
        sentence = "Missing required query parameter: q"
    return error_response(InvalidRequest(sentence, problems))


def _refused(error: ServiceError) -> Response[Any]:
    """An error of powertools itself; only an unknown path can cause one."""
    return error_response(NotFound("no such route"))


def _unavailable(error: Unavailable) -> Response[Any]:
    _log.warning("%s: %s", error.code, error.message)
    return error_response(error)


def _unexpected(error: Exception) -> Response[Any]:
    _log.exception("unexpected error", exc_info=error)
    return error_response(StrataError("something went wrong on our side"))
