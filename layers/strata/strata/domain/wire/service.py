"""The service's own state as it goes over the wire: how much is stored, and how its dependencies answer."""

from typing import Literal

from pydantic import Field, JsonValue

from strata.domain.wire.base import Wire


class Stats(Wire):
    """Numbers of sessions and observations; `projects` lists every project of the tenant by name."""

    total_sessions: int
    total_observations: int
    projects: list[str]


class ServiceHealth(Wire):
    """The state of one dependency; `response_time` is in milliseconds."""

    status: Literal["ok", "degraded", "down"]
    response_time: float = Field(alias="responseTime")


class Health(Wire):
    """The state of the service."""

    status: Literal["ok", "degraded"]
    services: dict[str, ServiceHealth]
    timestamp: str


class ServiceAnswer(Wire):
    """One service in agtOS's words; `error` where it is unhealthy, `details` where it counts something."""

    status: Literal["healthy", "unhealthy"]
    response_time: float | None = Field(None, alias="responseTime")
    error: str | None = None
    details: dict[str, JsonValue] | None = None


class Healthy(Wire):
    """The state of the service in agtOS's words; `timestamp` is in Unix milliseconds."""

    status: Literal["healthy"]
    services: dict[str, ServiceAnswer]
    timestamp: int


class Unhealthy(Wire):
    """Something is not well, and what."""

    error: Literal["Health check failed"]
    message: str
