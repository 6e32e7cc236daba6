"""Settings of DynamoDB and OpenSearch."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class DynamoSettings(BaseModel):
    """Settings of the DynamoDB table. Credentials come from the usual AWS chain."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    table: str = Field("", pattern="^([a-zA-Z0-9_.-]{3,255})?$", validation_alias="STRATA_TABLE")
    endpoint: str | None = Field(None, pattern="^https?://.+$", validation_alias="STRATA_DYNAMODB_ENDPOINT")
    """URL of a store that speaks DynamoDB's protocol; by default AWS's own."""
    region: str | None = Field(None, validation_alias="STRATA_DYNAMODB_REGION")
    """By default from the process's AWS configuration."""
    connect_timeout: float = Field(1.0, gt=0, le=60, validation_alias="STRATA_DYNAMODB_CONNECT_TIMEOUT")
    read_timeout: float = Field(5.0, gt=0, le=60, validation_alias="STRATA_DYNAMODB_READ_TIMEOUT")
    patience: float = Field(6.0, gt=0, le=600, validation_alias="STRATA_DYNAMODB_PATIENCE")
    """Seconds for which one call is retried while it is throttled or in conflict."""
    throttled_patience: float | None = Field(
        None, gt=0, le=600, validation_alias="STRATA_DYNAMODB_THROTTLED_PATIENCE"
    )
    """The same while it is throttled, if less: a request need not wait as long as a queue may."""
    pause: float = Field(3.0, ge=0, le=600, validation_alias="STRATA_DYNAMODB_PAUSE")
    """Seconds without requests after the table did not respond."""
    bodies_bucket: str = Field(
        "", pattern="^([a-zA-Z0-9_.-]{3,255})?$", validation_alias="STRATA_BODIES_BUCKET"
    )
    """The S3 bucket for values too large for a row; by default a folder, if the store is on this machine."""
    bodies_endpoint: str | None = Field(
        None, pattern="^https?://.+$", validation_alias="STRATA_BODIES_ENDPOINT"
    )
    """URL of a store that speaks S3's protocol; by default AWS's own."""


class OpenSearchSettings(BaseModel):
    """Settings of the search engine; unset ones are those of its dialect."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    url: str = Field("", pattern="^(https?://.+)?$", validation_alias="STRATA_OPENSEARCH_URL")
    """A name and password in it, `https://name:password@host`, are sent as basic authentication."""
    service: Literal["none", "es", "aoss"] = Field("none", validation_alias="STRATA_OPENSEARCH_SERVICE")
    """A self-hosted server, a managed domain, or a serverless collection."""
    region: str | None = Field(None, validation_alias="STRATA_OPENSEARCH_REGION")
    """By default from the process's AWS configuration."""
    alias: str = Field(
        "strata", pattern="^[a-z0-9][a-z0-9_-]{0,99}$", validation_alias="STRATA_OPENSEARCH_ALIAS"
    )
    timeout: float = Field(1.0, gt=0, le=60, validation_alias="STRATA_OPENSEARCH_TIMEOUT")
    """Seconds to wait for a search before the newest rows are ranked instead."""
    write_timeout: float = Field(10.0, gt=0, le=600, validation_alias="STRATA_OPENSEARCH_WRITE_TIMEOUT")
    pause: float = Field(3.0, ge=0, le=600, validation_alias="STRATA_OPENSEARCH_PAUSE")
    """Seconds without requests after the engine did not respond."""

    engine: Literal["lucene", "faiss", "nmslib"] | None = Field(
        None, validation_alias="STRATA_OPENSEARCH_ENGINE"
    )
    space: Literal["cosinesimil", "innerproduct"] | None = Field(
        None, validation_alias="STRATA_OPENSEARCH_SPACE"
    )
    compression: str | None = Field(None, validation_alias="STRATA_OPENSEARCH_COMPRESSION")
    m: int | None = Field(None, ge=2, le=100, validation_alias="STRATA_OPENSEARCH_M")
    ef_construction: int | None = Field(None, ge=2, validation_alias="STRATA_OPENSEARCH_EF_CONSTRUCTION")
    ef_search: int | None = Field(None, ge=2, validation_alias="STRATA_OPENSEARCH_EF_SEARCH")
    routing: bool | None = Field(None, validation_alias="STRATA_OPENSEARCH_ROUTING")
    refresh: Literal["true", "wait_for"] | None = Field(None, validation_alias="STRATA_OPENSEARCH_REFRESH")
    """Make a write wait until it is visible; expensive except for a single user."""
    shards: int | None = Field(None, ge=1, validation_alias="STRATA_OPENSEARCH_SHARDS")
    replicas: int | None = Field(None, ge=0, validation_alias="STRATA_OPENSEARCH_REPLICAS")
    k1: float | None = Field(None, ge=0, validation_alias="STRATA_OPENSEARCH_K1")
    b: float | None = Field(None, ge=0, le=1, validation_alias="STRATA_OPENSEARCH_B")

    @property
    def refresh_seconds(self) -> int:
        """Seconds until the engine shows a write: twice its refresh interval."""
        if self.refresh is not None:
            return 0
        return 60 if self.service == "aoss" else 2
