"""The HTTP API's Lambda authorizer: payload format 2.0, simple responses.

See "Control access to HTTP APIs with AWS Lambda authorizers" in the API Gateway developer guide. Where the
gateway names the Authorization header as the identity source, it caches the response for up to 60 s by that
header alone, so it may depend on nothing else. Where it names none, it caches nothing, and the key may come
as `X-API-Key` too.
"""

import logging
from collections.abc import Mapping
from typing import Any

from strata.domain.errors import Unauthenticated, Unavailable
from strata.entrypoints.handler import Handler
from strata.services.credentials.admission import Admission

_log = logging.getLogger("strata.authorizer")


def authorizer_handler(admission: Admission) -> Handler:
    """A Lambda handler that grants `{tenant, scopes, identity, key_id}`.

    Invalid credentials return `isAuthorized: false`, the only refusal that HTTP APIs document; the gateway
    responds with 403, and to a request without the header with 401. `Unavailable` is raised: the gateway
    responds with 5xx, which is not cached and which a client retries.
    """

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        try:
            grant = admission.admit(_credential(event))
        except Unauthenticated as refusal:
            _log.info("refused: %s", refusal.message)
            return {"isAuthorized": False}
        except Unavailable as error:
            _log.error("nobody can be let in or turned away: %s", error.message)
            raise
        scope = grant.scope
        granted = {
            "tenant": scope.tenant,
            "scopes": " ".join(sorted(scope.permissions)),
            "identity": scope.identity,
            "key_id": grant.key_id,
        }
        return {
            "isAuthorized": True,
            "context": {name: value for name, value in granted.items() if value is not None},
        }

    return handle


def _credential(event: Mapping[str, Any]) -> str:
    """The credential, as an Authorization header has it.

    The gateway's identity source decides; where it names none, the headers do, `Authorization` first.
    """
    source = event.get("identitySource")
    if source:
        return source[0] if isinstance(source, list) and isinstance(source[0], str) else ""
    headers = event.get("headers") or {}
    key = headers.get("x-api-key")
    return headers.get("authorization") or (f"Bearer {key}" if key else "")
