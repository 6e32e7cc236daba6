"""The one place where things are wired: settings choose the adapters, services get them passed in.

Everything is made at its first use and imported there, so that a cold start pays for what its function needs.
A room here has the name of its room in `services/`; a service is reached as `application().episodes.catalog`.
"""

from functools import cache

from strata import settings
from strata.bootstrap.application import Application
from strata.bootstrap.overrides import Overrides

__all__ = ["Application", "Overrides", "application"]


@cache
def application() -> Application:
    """The application of this process, wired by its environment."""
    return Application(settings.load())
