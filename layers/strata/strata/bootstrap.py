"""The one place where things are wired: settings choose the adapters, services get them passed in."""

from functools import cache, cached_property
from typing import TYPE_CHECKING

from strata import settings as settings_module
from strata.settings import Settings

if TYPE_CHECKING:
    from strata.adapters.sqlite import SqliteDatabase
    from strata.ports import ChangeLog, Clock, Embedder, Lexicon, SearchIndex, Table


class Application:
    """Adapters and services of one process, each made at its first use so that a cold start pays for no more.

    Tests pass their own adapters by keyword; everything that is not passed follows the settings.
    """

    def __init__(self, settings: Settings, **adapters: object) -> None:
        self.settings = settings
        self.__dict__.update(adapters)


@cache
def application() -> Application:
    """The application of this process, wired by its environment."""
    return Application(settings_module.load())
