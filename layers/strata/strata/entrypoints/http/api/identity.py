"""The caller's `Scope` from an API Gateway event: the tenant comes only from the authorizer's response."""

from strata.domain.errors import Unauthenticated
from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.entrypoints.http.api.api import Caller
from strata.entrypoints.http.api.requests import Event


def keyless(tenant: str) -> Caller:
    """Assign every call to one tenant: for a server that only its own user can reach."""
    scope = Scope(tenant)
    return lambda event: scope


def authorized(event: Event) -> Scope:
    """The scope that the authorizer granted.

    Its context holds `tenant`, `scopes` (space separated) and `identity`.

    Raises:
        Unauthenticated: no authorizer has let this call in.
    """
    context = ((event.get("requestContext") or {}).get("authorizer") or {}).get("lambda") or {}
    if not context.get("tenant"):
        raise Unauthenticated("a key or token is needed")
    return Scope(
        context["tenant"],
        frozenset(str(context.get("scopes") or "").split()),
        context.get("identity") or None,
    )


def named_by(caller: Scope, event: Event) -> str:
    """The caller's name for records: the identity, else the id of the key, else this machine."""
    context = ((event.get("requestContext") or {}).get("authorizer") or {}).get("lambda") or {}
    key = context.get("key_id")
    return caller.identity or (f"key:{key}" if key else "this machine")


def owner_of(caller: Scope, named: str | None = None) -> str:
    """The person that a call means: the one that it names, else the caller, else nobody in particular."""
    return named or caller.identity or DEFAULT_OWNER
