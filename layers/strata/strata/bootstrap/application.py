"""An application: its settings, its clock, and one lazy property a room."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.bootstrap.overrides import Overrides
from strata.settings import Settings

if TYPE_CHECKING:
    from strata.bootstrap.context import Context
    from strata.bootstrap.conversations import Conversations
    from strata.bootstrap.credentials import Credentials
    from strata.bootstrap.episodes import Episodes
    from strata.bootstrap.events import Events
    from strata.bootstrap.facts import Facts
    from strata.bootstrap.handlers import Handlers
    from strata.bootstrap.maintenance import Maintenance
    from strata.bootstrap.models import Models
    from strata.bootstrap.observations import Observations
    from strata.bootstrap.people import People
    from strata.bootstrap.privacy import Privacy
    from strata.bootstrap.repair import Repair
    from strata.bootstrap.search import Search
    from strata.bootstrap.sessions import Sessions
    from strata.bootstrap.stores import Stores
    from strata.bootstrap.stream import Stream
    from strata.bootstrap.transfer import Transfer
    from strata.ports import Clock


class Application:
    """Adapters, services and handlers of one process.

    Args:
        settings: choose the adapters.
        overrides: adapters to use instead.
    """

    def __init__(self, settings: Settings, overrides: Overrides | None = None) -> None:
        self.settings = settings
        self.overrides = overrides or Overrides()

    def with_overrides(self, **adapters: Any) -> "Application":
        """An application over the same database and clock, with these adapters instead of its own.

        Raises:
            TypeError: `Overrides` has no field of such a name.
        """
        shared = {"clock": self.clock, "database": self.stores.made_database}
        return Application(self.settings, replace(self.overrides, **(shared | adapters)))

    @cached_property
    def clock(self) -> "Clock":
        from strata.adapters.clock import SystemClock

        return self.overrides.clock or SystemClock()

    @cached_property
    def stores(self) -> "Stores":
        from strata.bootstrap.stores import Stores

        return Stores(self)

    @cached_property
    def models(self) -> "Models":
        from strata.bootstrap.models import Models

        return Models(self)

    @cached_property
    def credentials(self) -> "Credentials":
        from strata.bootstrap.credentials import Credentials

        return Credentials(self)

    @cached_property
    def people(self) -> "People":
        from strata.bootstrap.people import People

        return People(self)

    @cached_property
    def search(self) -> "Search":
        from strata.bootstrap.search import Search

        return Search(self)

    @cached_property
    def conversations(self) -> "Conversations":
        from strata.bootstrap.conversations import Conversations

        return Conversations(self)

    @cached_property
    def stream(self) -> "Stream":
        from strata.bootstrap.stream import Stream

        return Stream(self)

    @cached_property
    def observations(self) -> "Observations":
        from strata.bootstrap.observations import Observations

        return Observations(self)

    @cached_property
    def episodes(self) -> "Episodes":
        from strata.bootstrap.episodes import Episodes

        return Episodes(self)

    @cached_property
    def events(self) -> "Events":
        from strata.bootstrap.events import Events

        return Events(self)

    @cached_property
    def facts(self) -> "Facts":
        from strata.bootstrap.facts import Facts

        return Facts(self)

    @cached_property
    def sessions(self) -> "Sessions":
        from strata.bootstrap.sessions import Sessions

        return Sessions(self)

    @cached_property
    def transfer(self) -> "Transfer":
        from strata.bootstrap.transfer import Transfer

        return Transfer(self)

    @cached_property
    def context(self) -> "Context":
        from strata.bootstrap.context import Context

        return Context(self)

    @cached_property
    def privacy(self) -> "Privacy":
        from strata.bootstrap.privacy import Privacy

        return Privacy(self)

    @cached_property
    def repair(self) -> "Repair":
        from strata.bootstrap.repair import Repair

        return Repair(self)

    @cached_property
    def maintenance(self) -> "Maintenance":
        from strata.bootstrap.maintenance import Maintenance

        return Maintenance(self)

    @cached_property
    def handlers(self) -> "Handlers":
        from strata.bootstrap.handlers import Handlers

        return Handlers(self)

    def close(self) -> None:
        """Close this process's connections, for good; a process that is forked later opens its own."""
        self.stores.close()
