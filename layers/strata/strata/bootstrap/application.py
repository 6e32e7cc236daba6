"""An application: its settings, its clock, and one lazy property a room."""

from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from strata.bootstrap.overrides import Overrides
from strata.settings import Settings

if TYPE_CHECKING:
    from strata.bootstrap.chats import Chats
    from strata.bootstrap.context import Context
    from strata.bootstrap.conversations import Conversations
    from strata.bootstrap.credentials import Credentials
    from strata.bootstrap.entities import Entities
    from strata.bootstrap.episodes import Episodes
    from strata.bootstrap.events import Events
    from strata.bootstrap.facts import Facts
    from strata.bootstrap.handlers import Handlers
    from strata.bootstrap.health import Health
    from strata.bootstrap.knowledge import Knowledge
    from strata.bootstrap.maintenance import Maintenance
    from strata.bootstrap.models import Models
    from strata.bootstrap.observations import Observations
    from strata.bootstrap.people import People
    from strata.bootstrap.privacy import Privacy
    from strata.bootstrap.queues import Queues
    from strata.bootstrap.repair import Repair
    from strata.bootstrap.search import Search
    from strata.bootstrap.sessions import Sessions
    from strata.bootstrap.stores import Stores
    from strata.bootstrap.stream import Stream
    from strata.bootstrap.tenants import Tenants
    from strata.bootstrap.transfer import Transfer
    from strata.ports.clock import Clock


R = TypeVar("R")


class LazyRoom(Generic[R]):
    """A room of the wiring: its module is imported, and the room made, at its first use."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, app: "Application", owner: type) -> R:
        module = import_module(f"strata.bootstrap.{self._name}")
        made: R = getattr(module, self._name.capitalize())(app)
        vars(app)[self._name] = made  # from now on it is found there, and this is not asked again
        return made


class Application:
    """Adapters, services and handlers of one process.

    Args:
        settings: choose the adapters.
        overrides: adapters to use instead.
    """

    stores: "LazyRoom[Stores]" = LazyRoom()
    queues: "LazyRoom[Queues]" = LazyRoom()
    models: "LazyRoom[Models]" = LazyRoom()
    credentials: "LazyRoom[Credentials]" = LazyRoom()
    tenants: "LazyRoom[Tenants]" = LazyRoom()
    people: "LazyRoom[People]" = LazyRoom()
    search: "LazyRoom[Search]" = LazyRoom()
    conversations: "LazyRoom[Conversations]" = LazyRoom()
    stream: "LazyRoom[Stream]" = LazyRoom()
    observations: "LazyRoom[Observations]" = LazyRoom()
    episodes: "LazyRoom[Episodes]" = LazyRoom()
    events: "LazyRoom[Events]" = LazyRoom()
    facts: "LazyRoom[Facts]" = LazyRoom()
    knowledge: "LazyRoom[Knowledge]" = LazyRoom()
    entities: "LazyRoom[Entities]" = LazyRoom()
    sessions: "LazyRoom[Sessions]" = LazyRoom()
    transfer: "LazyRoom[Transfer]" = LazyRoom()
    chats: "LazyRoom[Chats]" = LazyRoom()
    context: "LazyRoom[Context]" = LazyRoom()
    privacy: "LazyRoom[Privacy]" = LazyRoom()
    repair: "LazyRoom[Repair]" = LazyRoom()
    maintenance: "LazyRoom[Maintenance]" = LazyRoom()
    health: "LazyRoom[Health]" = LazyRoom()
    handlers: "LazyRoom[Handlers]" = LazyRoom()

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

    def close(self) -> None:
        """Close this process's connections, for good; a process that is forked later opens its own."""
        self.stores.close()
