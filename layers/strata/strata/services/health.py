"""Checks whether the stores answer, and how fast."""

from collections.abc import Callable, Mapping

from strata.domain.errors import Late, StrataError
from strata.domain.times import rfc3339
from strata.domain.wire.service import Health, ServiceHealth
from strata.ports.clock import Clock
from strata.ports.search import NoIndex

Probe = Callable[[], object]


class HealthCheck:
    """Asks each dependency a cheap question."""

    def __init__(self, probes: Mapping[str, Probe], clock: Clock) -> None:
        self._probes = probes
        self._clock = clock

    def check(self) -> Health:
        """The state of every dependency; `degraded` as soon as one is down, late, or an index not whole."""
        services = {name: self._ask(probe) for name, probe in self._probes.items()}
        healthy = all(service.status == "ok" for service in services.values())
        return Health(
            status="ok" if healthy else "degraded", services=services, timestamp=rfc3339(self._clock.now_us())
        )

    def _ask(self, probe: Probe) -> ServiceHealth:
        started = self._clock.monotonic()
        try:
            probe()
            status = "ok"
        except (Late, NoIndex):
            status = "degraded"
        except StrataError:
            status = "down"
        elapsed = round((self._clock.monotonic() - started) * 1000, 3)
        return ServiceHealth.model_validate({"status": status, "responseTime": elapsed})
