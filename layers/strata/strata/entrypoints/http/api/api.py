"""Shared by every route: authentication, request bodies, responses and errors.

A route is a function of the caller's `Scope` and of its path, query and body parameters; it returns a value
of its `answer` type:

    api = Api(caller)

    @api.route("GET", "/search", READ, answer=list[SearchHit])
    def search(caller: Scope, q: Annotated[str, Query()]) -> list[SearchHit]: ...
"""

import functools
import inspect
import logging
from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import ServiceError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from pydantic import TypeAdapter

from strata.domain.errors import StrataError, Unavailable
from strata.domain.scope import ADMIN, WRITE, Scope
from strata.domain.wire.envelope import enveloped, has_envelope
from strata.entrypoints.http.api.answers import Reply, fitting
from strata.entrypoints.http.api.described import Described, response
from strata.entrypoints.http.api.devices import Identified, for_owner, knowing_devices
from strata.entrypoints.http.api.errors import error_response, invalid, refused, unavailable, unexpected
from strata.entrypoints.http.api.ignored import HEADER, Known
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
TEXT, MARKDOWN = "text/plain", "text/markdown"
ADMITTED = ""
"""The permission of a route for every authenticated caller; the route checks the rest itself."""

Handler = Callable[[Event, Any], dict[str, Any]]
Caller = Callable[[Event], Scope]
"""Returns the caller's scope from an API Gateway event; raises `Unauthenticated`."""

_SAFE = {"X-Content-Type-Options": "nosniff"}
"""Headers of every answer: no browser takes one for anything else than what it declares."""

_log = logging.getLogger("strata.http")


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
        self._device: str | None = None

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
        self.resolver.exception_handler(Unavailable)(unavailable)
        self.resolver.exception_handler(RequestValidationError)(
            lambda error: invalid(error, self.resolver.current_event.path)
        )
        self.resolver.exception_handler(ServiceError)(refused)
        self.resolver.exception_handler(Exception)(unexpected)

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
            described: Any = response(status, schema)
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
                | {each: response(each, body) for each, body in (also or {}).items()},
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
        self._of_device, self._device, key = {}, None, event.get("routeKey", "")
        if scope is None or key not in self._owning or not isinstance(self._caller, Identified):
            return event
        sent = for_owner(event, scope, self._known[key], self._caller.owner_of_device)
        self._of_device, self._device = sent.fields, sent.device
        return sent.event

    def owner_naming(self, scope: Scope, user: str) -> str:
        """The owner of what the request asks for where a part of it that only its route reads names a user.

        Raises:
            OwnedByAnother: it is another user than that of the device which the request names.
        """
        if self._device is None or not isinstance(self._caller, Identified):
            return user
        return self._caller.owner_of_device(scope, self._device, user)

    def __call__(self, event: Event, context: Any) -> dict[str, Any]:
        """The Lambda handler: an API Gateway event (payload 2.0) in, its response out."""
        with self._observing.invocation(event, context):
            answer = self._enveloped(event, self._answered(event, context))
            answer["headers"] = {**(answer.get("headers") or {}), **_SAFE}
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
