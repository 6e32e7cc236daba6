"""Settings of logs, metrics and spans."""

from typing import Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from strata.settings.values import LogLevel


class ObservingSettings(BaseModel):
    """Settings of what the process tells about its work."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    stage: str = Field("local", min_length=1, validation_alias="STRATA_STAGE")
    """Names the deployment in its metrics."""
    log_level: LogLevel = Field("INFO", validation_alias="STRATA_LOG_LEVEL")
    log_format: Literal["text", "json"] = Field("text", validation_alias="STRATA_LOG_FORMAT")
    """Plain lines on stderr for a person, or JSON on stdout for CloudWatch."""
    metrics: Literal["off", "emf"] = Field("off", validation_alias="STRATA_METRICS")
    """Whether metrics are logged in CloudWatch's embedded metric format."""
    trace_text: bool = Field(True, validation_alias="STRATA_TRACE_TEXT")
    """Whether spans carry query texts and titles."""
    otlp_endpoint: str = Field(
        "", validation_alias=AliasChoices("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    )
    """The local server sends spans there; the exporter reads this and the other OTEL_ variables itself."""
