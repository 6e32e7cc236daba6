"""Keys, tokens, and the admission of callers."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.installation import adding
from strata.settings import SettingsError

if TYPE_CHECKING:
    from strata.ports.credentials import TokenVerifier
    from strata.services.credentials.admission import Admission
    from strata.services.credentials.keys import ApiKeys


class Credentials(Room):
    """API keys, tokens of a trusted issuer, and the admission of callers by either."""

    @cached_property
    def keys(self) -> "ApiKeys":
        from strata.services.credentials.keys import ApiKeys

        return ApiKeys(self._app.stores.table, self._app.clock)

    @cached_property
    def tokens(self) -> "TokenVerifier | None":
        chosen = self._settings.tokens
        issuer, audience = chosen.jwt_issuer, chosen.jwt_audience
        if issuer is None or audience is None:
            return None
        try:
            from strata.adapters.jwks import KeySet
            from strata.adapters.jwt_tokens import JwtVerifier
        except ModuleNotFoundError as missing:
            advice = f"{missing.name} is not installed; {adding('jwt')} brings it"
            raise SettingsError(f"STRATA_JWT_ISSUER: {advice}") from None
        keys = KeySet(chosen.jwks_place, self._app.clock)
        return JwtVerifier(issuer=issuer, audience=audience, keys=keys)

    @cached_property
    def admission(self) -> "Admission":
        from strata.services.credentials.admission import Admission, ClaimNames

        names = self._settings.tokens
        claims = ClaimNames(names.jwt_tenant_claim, names.jwt_scopes_claim, names.jwt_identity_claim)
        return Admission(self.keys, self.tokens, claims)
