"""Checks that maintenance takes place."""

from strata.domain.errors import Late
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.services.maintenance.runs import Runs

LONGEST_SECONDS = 48 * 3600
"""Without a run for this long, health is degraded (agtOS)."""


class Punctuality:
    """Checks when the last run took place, from stored rows, so that a restart does not matter.

    Args:
        runs: the rows of runs.
        enabled: whether maintenance is switched on.
    """

    def __init__(self, runs: Runs, clock: Clock, *, enabled: bool) -> None:
        self._runs = runs
        self._clock = clock
        self._enabled = enabled

    def check(self) -> dict[str, int]:
        """Check that a run took place within 48 hours; a younger or empty store needs none.

        Returns:
            The time of the last run in Unix milliseconds (0 before the first), and their number.

        Raises:
            Late: no run took place.
        """
        state = self._runs.state(Scope.maintenance())
        now = self._clock.now_us()
        latest = max(state.get("last", 0) * 1000, state.get("since", 0)) or now
        if self._enabled and now - latest > LONGEST_SECONDS * 1_000_000:
            raise Late("there was no maintenance for 48 hours")
        return {"lastMaintenanceAt": state.get("last", 0), "totalSweeps": state.get("runs", 0)}
