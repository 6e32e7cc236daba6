"""Tokens of one issuer: JSON Web Tokens (RFC 7519) checked as RFC 8725 asks, by PyJWT."""

from collections.abc import Mapping
from typing import Any

import jwt

from strata.adapters.jwks import ALGORITHMS, KeySet
from strata.domain.errors import Unauthenticated
from strata.ports.rows import Json

LEEWAY_SECONDS = 30
"""Allowed difference between the issuer's clock and ours."""

_REQUIRED = ("exp", "iss", "aud")


class JwtVerifier:
    """The port `TokenVerifier` over an issuer's published keys.

    Args:
        issuer: the `iss` that a token must have, exactly.
        audience: a value that its `aud` must contain.
        keys: the issuer's.
    """

    def __init__(self, *, issuer: str, audience: str, keys: KeySet) -> None:
        self._issuer = issuer
        self._audience = audience
        self._keys = keys

    def claims(self, token: str) -> Mapping[str, Json]:
        """The claims of a valid token."""
        try:
            return self._checked(token)
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
            # The error's own message may quote the token, its name never does.
            raise Unauthenticated(f"the token is refused: {type(error).__name__}") from None

    def _checked(self, token: str) -> dict[str, Any]:
        if "=" in token:
            raise Unauthenticated("the token has padding, which RFC 7515 leaves out")
        header = jwt.get_unverified_header(token)
        algorithm, key_id = header.get("alg"), header.get("kid")
        if algorithm not in ALGORITHMS:
            raise Unauthenticated(f"tokens must be signed with {' or '.join(ALGORITHMS)}")
        if "crit" in header:
            raise Unauthenticated("the token asks for an extension that is not known here")
        key = self._keys.find(key_id if isinstance(key_id, str) else None)
        if key.algorithm_name != algorithm:
            raise Unauthenticated("the token's algorithm is not its key's")
        return jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            issuer=self._issuer,
            audience=self._audience,
            leeway=LEEWAY_SECONDS,
            options={"require": list(_REQUIRED)},
        )
