"""Checks whether the stores answer, and how fast.

They are asked side by side, and none is waited for longer than `MOST_SECONDS`: who asks for the health of a
service does not wait long, and one store that hangs would hide how the others are.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

from strata.domain.errors import Late, NotFound, StrataError
from strata.domain.times import rfc3339
from strata.domain.wire.service import Health, Healthy, ServiceAnswer, ServiceHealth, Unhealthy
from strata.ports.clock import Clock
from strata.ports.search import NoIndex

MOST_SECONDS = 2.0

T = TypeVar("T")

Probe = Callable[[], object]
"""Asks a service; raises where it is not well. A mapping is what it counts."""

Limit = Callable[[float, Probe], object]
"""Gives what a probe tells within so many seconds; raises `TimeoutError` when they are over."""


class SideBySide(Protocol):
    """Makes calls that do not depend on each other."""

    def each(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """The results of the calls, in their order."""


def unlimited(_: float, probe: Probe) -> object:
    """Wait for the probe as long as it takes."""
    return probe()


class HealthCheck:
    """Asks each dependency a cheap question.

    Args:
        probes: by the service's name.
        named_probes: those that are asked by agtOS's names only.
        parallel: asks them.
        limit: keeps one that hangs from being waited for.
    """

    def __init__(
        self,
        probes: Mapping[str, Probe],
        named_probes: Mapping[str, Probe],
        clock: Clock,
        parallel: SideBySide,
        limit: Limit = unlimited,
    ) -> None:
        self._parallel = parallel
        self._limit = limit
        self._probes = probes
        self._named = {**probes, **named_probes}
        self._clock = clock

    def check(self) -> Health:
        """The state of every dependency; `degraded` as soon as one is down, late, or an index not whole."""
        answers = self._parallel.each([partial(self._ask, probe) for probe in self._probes.values()])
        services = {name: service for name, (service, _, _) in zip(self._probes, answers, strict=True)}
        healthy = all(service.status == "ok" for service in services.values())
        return Health(
            status="ok" if healthy else "degraded", services=services, timestamp=rfc3339(self._clock.now_us())
        )

    def answer(self) -> Healthy | Unhealthy:
        """The same in agtOS's words."""
        answers = self._parallel.each([partial(self.service, name) for name in self._named])
        services = dict(zip(self._named, answers, strict=True))
        ill = [f"{name}: {found.error}" for name, found in services.items() if found.error]
        if ill:
            return Unhealthy(error="Health check failed", message="; ".join(ill))
        return Healthy(status="healthy", services=services, timestamp=self._clock.now_us() // 1000)

    def service(self, name: str) -> ServiceAnswer:
        """The state of one service in agtOS's words.

        Raises:
            NotFound: no service has this name.
        """
        if name not in self._named:
            raise NotFound(f"Unknown service: {name}")
        found, told, why = self._ask(self._named[name])
        if found.status != "ok":
            return ServiceAnswer(status="unhealthy", error=why)
        details = dict(told) if isinstance(told, Mapping) else None
        return ServiceAnswer.model_validate(
            {"status": "healthy", "responseTime": found.response_time, "details": details}
        )

    def _ask(self, probe: Probe) -> tuple[ServiceHealth, object, str]:
        started = self._clock.monotonic()
        told: object = None
        why = ""
        try:
            told = self._limit(MOST_SECONDS, probe)
            status = "ok"
        except TimeoutError:
            status, why = "down", f"it did not answer within {MOST_SECONDS:g} s"
        except (Late, NoIndex) as error:
            status, why = "degraded", str(error)
        except StrataError as error:
            status, why = "down", error.message
        elapsed = round((self._clock.monotonic() - started) * 1000, 3)
        return ServiceHealth.model_validate({"status": status, "responseTime": elapsed}), told, why
