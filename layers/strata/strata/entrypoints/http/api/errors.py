"""Maps our errors to HTTP: the only table of statuses, and the only shape of error bodies."""

import json
import logging
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.exceptions import ServiceError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError

from strata.domain import errors
from strata.domain.text.strings import cut
from strata.domain.wire.fields import plain
from strata.entrypoints.http.api.parameters import FILTERS

MAX_PROBLEMS = 100
"""Problems named in one error: the response to a bad import must not be a hundred times its size."""
MAX_NAME = 200
"""Characters of a field's name in an error: a made-up name may be as long as the body."""
AGTOS_SEARCH = "/api/memory/search"
"""The route whose missing query has agtOS's own words."""

_log = logging.getLogger("strata.http")

STATUS: dict[type[errors.StrataError], int] = {
    errors.InvalidRequest: 400,
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.TooLarge: 413,
    errors.UnsupportedMedia: 415,
    errors.ModelFailed: 502,
    errors.Throttled: 429,
    errors.Unavailable: 503,
}


def status_of(error: errors.StrataError) -> int:
    """The HTTP status of the error's nearest listed class, else 500."""
    return next((STATUS[cls] for cls in type(error).__mro__ if cls in STATUS), 500)


def error_response(error: errors.StrataError) -> Response[Any]:
    """`{"error", "code"}`, with `details` for invalid fields and `Retry-After` where a retry may help."""
    body: dict[str, Any] = {"error": error.message, "code": error.code}
    if isinstance(error, errors.InvalidRequest) and error.details:
        body["details"] = [{"field": found.field, "message": found.message} for found in error.details]
    headers: dict[str, Any] = {}
    if isinstance(error, errors.Unavailable):
        headers["Retry-After"] = str(error.retry_after)
    return Response(status_of(error), "application/json", json.dumps(body), headers)


def invalid(error: RequestValidationError, path: str) -> Response[Any]:
    """All problems, up to `MAX_PROBLEMS`, each under the name that the caller used."""
    problems, failures = [], error.errors()
    for found in failures[:MAX_PROBLEMS]:
        where, *names = found["loc"]
        if names[:1] == [FILTERS] and names[1:]:
            names = names[1:2]
        field = cut(".".join(str(name) for name in names), MAX_NAME) or str(where)
        problems.append(errors.FieldProblem(field, plain(found["msg"])))
    sentence = "; ".join(f"{problem.field}: {problem.message}" for problem in problems)
    if len(failures) > MAX_PROBLEMS:
        sentence += f"; and {len(failures) - MAX_PROBLEMS} more"
    if path == AGTOS_SEARCH and any(
        found["loc"] == ("query", "q") and found["type"] != "string_too_long" for found in failures
    ):
        sentence = "Missing required query parameter: q"
    return error_response(errors.InvalidRequest(sentence, problems))


def refused(error: ServiceError) -> Response[Any]:
    """An error of powertools itself; only an unknown path can cause one."""
    return error_response(errors.NotFound("no such route"))


def unavailable(error: errors.Unavailable) -> Response[Any]:
    """Logged without a stack: a store is down."""
    _log.warning("%s: %s", error.code, error.message)
    return error_response(error)


def unexpected(error: Exception) -> Response[Any]:
    """Logged with its stack, of which the client reads nothing."""
    _log.exception("unexpected error", exc_info=error)
    return error_response(errors.StrataError("something went wrong on our side"))
