"""Step: unfinished erasures go on."""

from strata.domain.scope import Scope
from strata.services.maintenance.step import Swept, Window
from strata.services.privacy.erasure.jobs import Erasures


class ResumeErasures:
    """Sends a message for every unfinished erasure.

    Args:
        erasures: has them.
    """

    name = "erasures"

    def __init__(self, erasures: Erasures) -> None:
        self._erasures = erasures

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        resumed = self._erasures.resume(scope)
        return Swept({"resumed": resumed}, again=resumed > 0)
