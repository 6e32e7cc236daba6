"""Chats of other tools."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.domain.scope import Scope
from strata.ports.chats import ChatSource
from strata.services.chats.store import OwnChats

if TYPE_CHECKING:
    from strata.services.chats.captures import Captures
    from strata.services.chats.imports import ChatImports


class Chats(Room):
    """Imports what other tools keep on this machine."""

    @property
    def _own_machine(self) -> bool:
        """Whether only those who run this machine may call."""
        return self._settings.auth == "none"

    @cached_property
    def sources(self) -> Callable[[], list[ChatSource]] | None:
        """Makes the sources of whoever runs this machine; None where others than they may call."""
        if not self._own_machine:
            return None
        from strata.adapters.chats.sources import sources_of

        home = self._settings.chats_home or Path.home()
        return lambda: sources_of(home)

    def store(self, scope: Scope) -> OwnChats:
        app = self._app
        rooms = app.sessions.catalog, app.sessions.ender, app.events.logs, app.events.appender
        return OwnChats(scope, *rooms, app.events.reader, app.transfer.importer)

    @cached_property
    def imports(self) -> "ChatImports":
        from strata.services.chats.imports import ChatImports

        return ChatImports(self.sources, self.store, self._app.clock)

    @cached_property
    def checkout(self) -> Callable[[Path], Path | None]:
        """Finds the root of a folder's checkout; finds none where others may call."""
        from strata.adapters.chats.files import checkout

        return checkout if self._own_machine else lambda _: None

    @cached_property
    def captures(self) -> "Captures":
        from strata.services.chats.captures import Captures

        app = self._app
        return Captures(app.sessions.catalog, app.events.logs, app.events.appender, app.transfer.importer)
