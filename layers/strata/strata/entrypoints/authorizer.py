"""The HTTP API's Lambda authorizer: payload format 2.0, simple responses.

See "Control access to HTTP APIs with AWS Lambda authorizers" in the API Gateway developer guide. The answer
is kept by the gateway, for up to 60 s, by the Authorization header alone; so it may depend on nothing else.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from strata.domain.errors import Unauthenticated, Unavailable
from strata.services.admission import Admission

Authorizer = Callable[[Mapping[str, Any], Any], dict[str, Any]]

_log = logging.getLogger("strata.authorizer")


def authorizer_handler(admission: Admission) -> Authorizer:
    """A Lambda handler that grants `{tenant, scopes, identity, key_id}`.

    What opens nothing raises an exception that says `Unauthorized`, which the gateway answers with 401.
    `Unavailable` goes through: the gateway answers 5xx, which a client tries again. Neither answer is kept.
    """

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        try:
            grant = admission.admit(_credential(event))
        except Unauthenticated as refusal:
            _log.info("refused: %s", refusal.message)
            # Nothing else: the gateway compares the whole message.
            raise Exception("Unauthorized") from None
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
    """The Authorization header, as the gateway's identity source gives it."""
    source = event.get("identitySource")
    return source[0] if isinstance(source, list) and source and isinstance(source[0], str) else ""
