"""Authorizes requests with the template's authorizer function, as an HTTP API does.

Payload format 2.0 with simple responses; see "Control access to HTTP APIs with AWS Lambda authorizers" in the
API Gateway developer guide.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from strata.domain.errors import Unavailable
from strata.local.http.messages import Response, problem
from strata.local.template.declarations import AuthorizerSpec
from strata.local.template.functions import Function

_log = logging.getLogger(__name__)

_KEPT = 1000
"""Cached responses; the oldest are dropped first."""

_MISSING = "this route needs credentials: Authorization: Bearer <API key>; 'strata keys create' makes one"
_INVALID = "these credentials are not valid: mistyped, expired, revoked, or of another server"


class Authorizer:
    """Calls the authorizer and caches its responses by the identity headers alone, for its time to live."""

    def __init__(
        self, spec: AuthorizerSpec, function: Function, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._spec = spec
        self._function = function
        self._monotonic = monotonic
        self._answers: dict[tuple[str, ...], tuple[float, dict[str, Any]]] = {}

    def admit(self, event: dict[str, Any], request_id: str) -> Response | None:
        """Put the caller's claims into `requestContext.authorizer.lambda`, or return an error response."""
        identity = tuple(event["headers"].get(name, "") for name in self._spec.headers)
        if not all(identity):
            return _unknown(_MISSING)
        now = self._monotonic()
        until, answer = self._answers.get(identity, (0.0, {}))
        if until <= now:
            try:
                answer = self._function(_question(event, identity), request_id)
            except Unavailable as error:
                return _later(error)
            except Exception:
                _log.exception("the authorizer failed")
                return problem(500, "the authorizer failed", "internal_error")
            self._keep(identity, now, answer)
        if not isinstance(answer, dict) or answer.get("isAuthorized") is not True:
            # API Gateway says 403 here, in a body of its own
            return _unknown(_INVALID if any(identity) else _MISSING)
        event["requestContext"]["authorizer"] = {"lambda": dict(answer.get("context") or {})}
        return None

    def _keep(self, identity: tuple[str, ...], now: float, answer: dict[str, Any]) -> None:
        if not self._spec.ttl:
            return
        self._answers.pop(identity, None)
        while len(self._answers) >= _KEPT:
            del self._answers[next(iter(self._answers))]
        self._answers[identity] = (now + self._spec.ttl, answer)


def _unknown(why: str) -> Response:
    response = problem(401, why, "unauthenticated")
    response.headers.append(("www-authenticate", "Bearer"))  # RFC 6750, 3
    return response


def _later(error: Unavailable) -> Response:
    response = problem(503, "nobody can be let in at the moment; try again", error.code)
    response.headers.append(("retry-after", str(error.retry_after)))
    return response


def _question(event: dict[str, Any], identity: tuple[str, ...]) -> dict[str, Any]:
    asked = {name: value for name, value in event.items() if name not in ("body", "isBase64Encoded")}
    route = event["routeKey"].replace(" ", "")
    return asked | {
        "type": "REQUEST",
        "routeArn": f"arn:aws:execute-api:local:000000000000:local/$default/{route}",
        "identitySource": list(identity),
    }
