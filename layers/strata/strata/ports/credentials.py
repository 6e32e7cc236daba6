"""The port of credentials: keys and tokens, and the tenants that they open."""

from collections.abc import Mapping
from typing import Protocol

from strata.ports.rows import Json


class TokenVerifier(Protocol):
    """Checks the tokens of the one issuer that is trusted."""

    def claims(self, token: str) -> Mapping[str, Json]:
        """The claims of a token that is signed by the issuer, meant for this service, and valid now.

        Raises:
            Unauthenticated: it is not; the message does not hold the token.
            Unavailable: the issuer's keys are not known and cannot be fetched.
        """
