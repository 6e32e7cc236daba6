"""Settings of the server on one machine."""

from collections.abc import Mapping

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator

from strata.settings.values import Origins


class ServerSettings(BaseModel):
    """Settings of the server on one machine."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    host: str = Field("127.0.0.1", validation_alias=AliasChoices("STRATA_HOST", "MEMORY_HOST"))
    port: int = Field(7437, ge=0, le=65535, validation_alias=AliasChoices("STRATA_PORT", "MEMORY_PORT"))
    workers: int = Field(0, ge=0, le=64, validation_alias="STRATA_WORKERS")
    """Server processes on one machine; 0 means one per processor, at least two."""
    allowed_hosts: str = Field("", validation_alias="STRATA_ALLOWED_HOSTS")
    """Additional names, comma separated, that the Host header may have."""
    allowed_origins: Origins = Field((), validation_alias="STRATA_ALLOWED_ORIGINS")
    """Origins of web pages that may call the local server, comma separated, as browsers send them."""

    @model_validator(mode="before")
    @classmethod
    def _listen(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        """AgentOps gives host and port as one address, `:7437` or `0.0.0.0:7437`."""
        listen = values.get("MEMORY_LISTEN")
        if not isinstance(listen, str):
            return values
        host, _, port = listen.rpartition(":")
        return {"MEMORY_PORT": port, "MEMORY_HOST": host or "0.0.0.0"} | dict(values)  # noqa: S104
