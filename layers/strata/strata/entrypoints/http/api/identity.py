"""From an API Gateway event to a `Scope`: tenancy comes from the authorizer's answer and nowhere else."""

from strata.domain.errors import Unauthenticated
from strata.domain.scope import Scope
from strata.entrypoints.http.api.api import Caller
from strata.entrypoints.http.api.requests import Event


def keyless(tenant: str) -> Caller:
    """Every call is the one tenant's: for one machine, whose server lets in its own user only."""
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
    """Who calls, for a record of who said what: the identity, else the key by its id, else this machine."""
    context = ((event.get("requestContext") or {}).get("authorizer") or {}).get("lambda") or {}
    key = context.get("key_id")
    return caller.identity or (f"key:{key}" if key else "this machine")
