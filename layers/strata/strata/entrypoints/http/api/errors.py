"""Maps our errors to HTTP: the only table of statuses, and the only shape of error bodies."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response

from strata.domain import errors

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
