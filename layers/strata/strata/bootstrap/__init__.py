"""The one place where things are wired: settings choose the adapters, services get them passed in.

Everything is made at its first use and imported there, so that a cold start pays for what its function needs.
"""

from functools import cache

from strata import settings
from strata.bootstrap.handlers import Handlers

__all__ = ["Application", "application"]


class Application(Handlers):
    """Adapters, services and handlers of one process.

    Tests pass their own adapters by keyword (`table=...`, `clock=...`); the rest follows the settings.
    """


@cache
def application() -> Application:
    """The application of this process, wired by its environment."""
    return Application(settings.load())
