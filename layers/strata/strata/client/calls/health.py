"""Health of the service, and its totals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.client.call import Call, model
from strata.client.calls.parts import Later, params

if TYPE_CHECKING:
    from strata.domain.wire import service
else:
    service = Later("strata.domain.wire.service")


def health() -> Call[service.Health]:
    """The health of the server and of the services it depends on. `GET /health`."""
    return Call("GET", "/health", model(lambda: service.Health))


def stats(project: str | None = None) -> Call[service.Stats]:
    """The number of sessions and observations. `GET /stats`."""
    return Call("GET", "/stats", model(lambda: service.Stats), params(project=project))
