"""Erasures that have come to a halt."""

from strata.domain.scope import Scope
from strata.services.maintenance.step import Swept, Window
from strata.services.privacy.erasure.jobs import Erasures


class ResumeErasures:
    """Sends for every erasure once more that is not done.

    Args:
        erasures: knows them.
    """

    name = "erasures"

    def __init__(self, erasures: Erasures) -> None:
        self._erasures = erasures

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """Send for them; the next run looks whether they are done."""
        resumed = self._erasures.resume(scope)
        return Swept({"resumed": resumed}, again=resumed > 0)
