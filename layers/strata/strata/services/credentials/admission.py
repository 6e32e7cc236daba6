"""API keys and tokens: an `Authorization` header becomes a `Scope`, or is refused.

Both kinds of credentials are sent as `Bearer` (RFC 6750): API keys of the directory, and tokens of the one
issuer that the settings trust. Tenant, scopes and identity come from the key's row or the token's verified
claims.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from strata.domain.api_keys import PREFIX
from strata.domain.errors import InvalidRequest, Unauthenticated
from strata.domain.scope import PERMISSIONS, Scope
from strata.ports.credentials import TokenVerifier
from strata.ports.rows import Json
from strata.services.credentials.keys import ApiKeys

LONGEST_CREDENTIAL = 8192
LONGEST_IDENTITY = 200


@dataclass(frozen=True, slots=True)
class ClaimNames:
    """The claims of a token that name its tenant, its scopes and the end user it speaks for."""

    tenant: str = "tenant"
    scopes: str = "scope"
    identity: str = "sub"


@dataclass(frozen=True, slots=True)
class Grant:
    """The scope that a credential was granted; `key_id` when it is an API key."""

    scope: Scope
    key_id: str | None = None


class Admission:
    """Checks credentials.

    Args:
        keys: the directory of API keys.
        tokens: verifies tokens; None when no issuer is trusted.
        claims: the names of the claims to read.
    """

    def __init__(self, keys: ApiKeys, tokens: TokenVerifier | None, claims: ClaimNames) -> None:
        self._keys = keys
        self._tokens = tokens
        self._claims = claims

    def admit(self, authorization: str) -> Grant:
        """The scope that the header's credential grants.

        Raises:
            Unauthenticated: it grants nothing; the message says why and never holds the credential.
            Unavailable: the directory or the issuer does not answer.
        """
        scheme, _, credential = authorization.strip().partition(" ")
        credential = credential.strip()
        if scheme.lower() != "bearer" or not credential:
            raise Unauthenticated("the Authorization header must be 'Bearer <key or token>'")
        if len(credential) > LONGEST_CREDENTIAL or not credential.isascii():
            raise Unauthenticated("this is neither an API key nor a token")
        if credential.startswith(PREFIX):
            key = self._keys.verify(credential)
            return Grant(Scope(key.tenant, frozenset(key.scopes), key.identity), key.id)
        if self._tokens is None:
            raise Unauthenticated("this is not an API key, and no token issuer is configured")
        return Grant(self._scope(self._tokens.claims(credential)))

    def _scope(self, claims: Mapping[str, Json]) -> Scope:
        tenant, identity = claims.get(self._claims.tenant), claims.get(self._claims.identity)
        if not isinstance(tenant, str):
            raise Unauthenticated(f"the token has no claim '{self._claims.tenant}' that names a tenant")
        if identity is not None and not _is_identity(identity):
            raise Unauthenticated(f"the token's claim '{self._claims.identity}' cannot be an identity")
        try:
            return Scope(tenant, _permissions(claims.get(self._claims.scopes)), identity)
        except InvalidRequest:
            raise Unauthenticated(f"the token's claim '{self._claims.tenant}' cannot be a tenant") from None


def _permissions(claim: Json) -> frozenset[str]:
    """Strata's scopes among those of the token: words of a string (RFC 8693, 4.2), or a list."""
    words = claim.split() if isinstance(claim, str) else claim if isinstance(claim, list) else []
    return PERMISSIONS & {word for word in words if isinstance(word, str)}


def _is_identity(value: Json) -> bool:
    """Whether this can be a user's id: a string of 1 to 200 characters without half surrogate pairs."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= LONGEST_IDENTITY
        and not any("\ud800" <= letter <= "\udfff" for letter in value)
    )
