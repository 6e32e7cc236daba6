"""The service's own state as it goes over the wire: how much is stored, and how its dependencies answer."""

from typing import Literal

from pydantic import ConfigDict, Field

from strata.domain.wire.base import Wire


class Stats(Wire):
    """How much there is; `projects` lists every project of the tenant by name."""

    total_sessions: int
    total_observations: int
    projects: list[str]


class ServiceHealth(Wire):
    """How one dependency answers; `response_time` in milliseconds."""

    model_config = ConfigDict(serialize_by_alias=True)

    status: Literal["ok", "degraded", "down"]
    response_time: float = Field(alias="responseTime")


class Health(Wire):
    """The service's own state."""

    status: Literal["ok", "degraded"]
    services: dict[str, ServiceHealth]
    timestamp: str
