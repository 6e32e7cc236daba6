"""Settings of the issuer whose tokens are accepted beside API keys."""

from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

_LOOPBACK = {("http", "localhost"), ("http", "127.0.0.1"), ("http", "::1")}


class TokenSettings(BaseModel):
    """Settings of the issuer; without one no tokens are accepted."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    jwt_issuer: str | None = Field(None, validation_alias="STRATA_JWT_ISSUER")
    """The issuer whose tokens are accepted beside API keys; `iss` must be exactly this."""
    jwt_audience: str | None = Field(None, validation_alias="STRATA_JWT_AUDIENCE")
    """A value that a token's `aud` must contain; required with an issuer."""
    jwt_tenant_claim: str = Field("tenant", validation_alias="STRATA_JWT_TENANT_CLAIM")
    jwt_scopes_claim: str = Field("scope", validation_alias="STRATA_JWT_SCOPES_CLAIM")
    jwt_identity_claim: str = Field("sub", validation_alias="STRATA_JWT_IDENTITY_CLAIM")
    jwks_url: str | None = Field(None, validation_alias="STRATA_JWKS_URL")
    """URL of the issuer's keys; by default `<issuer>/.well-known/jwks.json`."""

    @model_validator(mode="after")
    def _issuer(self) -> Self:
        if self.jwt_issuer is None:
            return self
        if self.jwt_audience is None:
            raise ValueError("STRATA_JWT_ISSUER needs STRATA_JWT_AUDIENCE: else tokens for others open this")
        place = urlsplit(self.jwks_place)
        if place.scheme != "https" and (place.scheme, place.hostname) not in _LOOPBACK:
            raise ValueError(f"the issuer's keys must come over https, not from {self.jwks_place}")
        return self

    @property
    def jwks_place(self) -> str:
        """The URL of the issuer's keys."""
        return self.jwks_url or f"{(self.jwt_issuer or '').rstrip('/')}/.well-known/jwks.json"
