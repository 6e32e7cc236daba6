"""The service's own state as it goes over the wire: how much is stored, and how its dependencies answer."""

from typing import Literal

from pydantic import ConfigDict, Field

from strata.domain.wire.base import Wire


class Stats(Wire):
    """Numbers of sessions and observations; `projects` lists every project of the tenant by name."""

    total_sessions: int
    total_observations: int
    projects: list[str]


class ServiceHealth(Wire):
    """The state of one dependency; `response_time` is in milliseconds."""

    model_config = ConfigDict(serialize_by_alias=True)

    status: Literal["ok", "degraded", "down"]
    response_time: float = Field(alias="responseTime")


class Health(Wire):
    """The state of the service."""

    status: Literal["ok", "degraded"]
    services: dict[str, ServiceHealth]
    timestamp: str
