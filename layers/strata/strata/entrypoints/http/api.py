"""What every route shares: who calls, which bodies are taken, how an answer and an error look.

A route is a function whose first argument is the caller's `Scope` and whose others are what it takes from
path, query and body; it returns what its `answer` type says:

    api = Api(caller)

    @api.route("GET", "/search", READ, answer=list[SearchHit])
    def search(caller: Scope, q: Annotated[str, Query()]) -> list[SearchHit]: ...
"""

import base64
import binascii
import functools
import inspect
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NoReturn
from urllib.parse import quote

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import ServiceError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from pydantic import TypeAdapter

from strata.domain.errors import (
    FieldProblem,
    InvalidRequest,
    NotFound,
    StrataError,
    TooLarge,
    Unavailable,
    UnsupportedMedia,
)
from strata.domain.scope import Scope
from strata.entrypoints.http.errors import error_response
from strata.entrypoints.observing import Observing

MAX_BODY = 1024 * 1024
JSON, TEXT = "application/json", "text/plain"

Event = Mapping[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]
Caller = Callable[[Event], Scope]
"""From an API Gateway event to the scope of whoever called; raises `Unauthenticated`."""

_log = logging.getLogger("strata.http")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with what a client should know of how it came about."""

    answer: Any
    degraded: bool = False
    """The search index was away: only the newest rows were ranked. Shows as `Strata-Degraded: index`."""

    @property
    def headers(self) -> dict[str, Any]:
        """The same as response headers."""
        return {"Strata-Degraded": "index"} if self.degraded else {}


class Api:
    """The routes of one function, and the Lambda handler that serves them."""

    def __init__(self, caller: Caller, observing: Observing, *, max_body: int = MAX_BODY) -> None:
        self._caller = caller
        self._observing = observing
        self._max_body = max_body
        self._permissions: dict[str, str | None] = {}
        self.resolver = APIGatewayHttpResolver(
            enable_validation=True,
            json_body_deserializer=parse_json,
            response_validation_error_http_code=HTTPStatus.INTERNAL_SERVER_ERROR,
        )
        self.resolver.exception_handler(StrataError)(error_response)
        self.resolver.exception_handler(Unavailable)(_unavailable)
        self.resolver.exception_handler(RequestValidationError)(_invalid)
        self.resolver.exception_handler(ServiceError)(_refused)
        self.resolver.exception_handler(Exception)(_unexpected)

    @property
    def permissions(self) -> Mapping[str, str | None]:
        """What a caller must hold, by route key (`GET /search`); None where nothing is needed."""
        return self._permissions

    def route(
        self,
        method: str,
        path: str,
        permission: str | None,
        *,
        answer: Any = None,
        status: int = 200,
        or_text: bool = False,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a route.

        Args:
            method: GET, POST, PUT, PATCH or DELETE.
            path: as in the template, with `<name>` for a part that varies.
            permission: what the caller must hold; None for what anyone may see.
            answer: the type of the JSON answer; None for an answer without a body. A route may return a
                powertools `Response` instead, which goes out as it is.
            status: of a success.
            or_text: whether it may answer with plain text instead, for the API's description.
        """
        dump = TypeAdapter(answer).dump_json if answer is not None else None

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
                body = dump(reply.answer, exclude_none=True, by_alias=True).decode()
                return Response(status, JSON, body, reply.headers)

            self._permissions[f"{method} {path.replace('<', '{').replace('>', '}')}"] = permission
            signature = inspect.signature(function)
            _, *taken = signature.parameters.values()
            call.__signature__ = signature.replace(  # type: ignore[attr-defined]
                parameters=taken, return_annotation=inspect.Signature.empty
            )
            del call.__wrapped__
            summary = inspect.cleandoc(function.__doc__ or "").splitlines()[0]
            described: Any = {"description": HTTPStatus(status).phrase, "content": {}}
            if answer is not None:
                described["content"][JSON] = {"model": answer}
            if or_text:
                described["content"][TEXT] = {"schema": {"type": "string"}}
            self.resolver.route(
                path,
                method=[method],
                summary=summary,
                operation_id=function.__name__,
                responses={status: described},
            )(call)
            return function

        return register

    def _scope(self, permission: str | None) -> Scope:
        if permission is None:
            return Scope("anyone", frozenset())
        scope = self._caller(self.resolver.current_event.raw_event)
        scope.require(permission)
        return scope

    def __call__(self, event: Event, context: Any) -> dict[str, Any]:
        """The Lambda handler: an API Gateway event (payload 2.0) in, its response out."""
        with self._observing.invocation(event, context):
            answer = self._answered(event, context)
            _log.debug("%s answered %d", event.get("routeKey"), answer["statusCode"])
        return answer

    def _answered(self, event: Event, context: Any) -> dict[str, Any]:
        try:
            permission = self._permissions.get(event.get("routeKey", ""))
            if permission is not None:  # before anything is said about what was sent
                self._caller(event).require(permission)
            event = self._admitted(_with_whole_parameters(event))
        except StrataError as error:
            response = error_response(error)
            return {
                "statusCode": response.status_code,
                "headers": {"Content-Type": JSON},
                "body": response.body,
                "isBase64Encoded": False,
            }
        return self.resolver.resolve(event, context)

    def _admitted(self, event: Event) -> Event:
        """The event with a body that is plain text, small enough and declared as JSON."""
        body = event.get("body")
        if not body:
            return event
        if event.get("isBase64Encoded"):
            try:
                body = base64.b64decode(body, validate=True).decode()
            except (binascii.Error, UnicodeDecodeError):
                raise InvalidRequest("the body is not UTF-8 text") from None
            event = {**event, "body": body, "isBase64Encoded": False}
        if len(body) > self._max_body or len(body.encode("utf-8", "surrogatepass")) > self._max_body:
            raise TooLarge(f"the request body is over {self._max_body} bytes")
        media = next((v for k, v in (event.get("headers") or {}).items() if k.lower() == "content-type"), "")
        kind = media.partition(";")[0].strip().lower()
        if kind and kind != JSON and not kind.endswith("+json"):
            raise UnsupportedMedia(f"the body must be {JSON}, not {kind}")
        if media != JSON:
            event = {**event, "headers": {**event["headers"], "content-type": JSON}}
        return event


def _with_whole_parameters(event: Event) -> Event:
    """The event with a path whose varying parts are percent-encoded.

    API Gateway decodes `rawPath`, where a `/` in an id makes one part more, and the resolver's own pattern
    knows no emoji. What the gateway found (`routeKey`, `pathParameters`) is what counts.
    """
    parameters = event.get("pathParameters")
    if not parameters:
        return event
    path = event["routeKey"].partition(" ")[2]
    for name, value in parameters.items():
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return {**event, "rawPath": path}


def parse_json(body: str | None) -> Any:
    """A JSON body, or a clear refusal; NaN and infinities are not JSON.

    Raises:
        InvalidRequest: the body is no JSON, or nested too deeply.
    """
    if not body:
        return None
    try:
        return json.loads(body, parse_constant=_no_constant)
    except RecursionError:
        raise InvalidRequest("the body is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"the body is not JSON: {error}") from None
    except ValueError:  # Python's own limit for the digits of an integer
        raise InvalidRequest("the body holds a number with too many digits") from None


def _no_constant(name: str) -> NoReturn:
    raise InvalidRequest(f"the body is not JSON: {name} is not a JSON value")


def _invalid(error: RequestValidationError) -> Response[Any]:
    """Every problem at once, each under the name that the caller used."""
    problems = []
    for found in error.errors():
        where, *names = found["loc"]
        field = ".".join(str(name) for name in names) or str(where)
        problems.append(FieldProblem(field, found["msg"].removeprefix("Value error, ")))
    sentence = "; ".join(f"{problem.field}: {problem.message}" for problem in problems)
    return error_response(InvalidRequest(sentence, problems))


def _refused(error: ServiceError) -> Response[Any]:
    """What powertools itself refuses; only an unknown path can reach this."""
    return error_response(NotFound("no such route"))


def _unavailable(error: Unavailable) -> Response[Any]:
    _log.warning("%s: %s", error.code, error.message)
    return error_response(error)


def _unexpected(error: Exception) -> Response[Any]:
    _log.exception("unexpected error", exc_info=error)
    return error_response(StrataError("something went wrong on our side"))
