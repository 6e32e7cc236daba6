"""Whether maintenance takes place."""

from strata.domain.scope import Scope
from strata.ports import Clock
from strata.services.health import Late
from strata.services.maintenance.runs import Runs

LONGEST_SECONDS = 48 * 3600
"""Without a run for so long something is wrong (agtOS)."""


class Punctuality:
    """Looks when the last run was. What it looks at is stored, so that a restart does not mislead.

    Args:
        runs: their rows.
        clock: the time.
        enabled: whether there shall be any.
    """

    def __init__(self, runs: Runs, clock: Clock, *, enabled: bool) -> None:
        self._runs = runs
        self._clock = clock
        self._enabled = enabled

    def check(self) -> None:
        """Say so when none was for 48 hours; a store that is younger, or empty, is in time.

        Raises:
            Late: none was.
        """
        if not self._enabled:
            return
        state = self._runs.state(Scope.upkeep())
        now = self._clock.now_us()
        latest = max(state.get("last", 0) * 1000, state.get("since", 0)) or now
        if now - latest > LONGEST_SECONDS * 1_000_000:
            raise Late("there was no maintenance for 48 hours")
