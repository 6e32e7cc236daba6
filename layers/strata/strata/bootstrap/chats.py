"""Chats of other tools."""

from strata.bootstrap.room import Room
from strata.domain.scope import Scope
from strata.services.chats.store import OwnChats


class Chats(Room):
    """Takes what other tools keep."""

    def store(self, scope: Scope) -> OwnChats:
        app = self._app
        rooms = app.sessions.catalog, app.sessions.ender, app.events.logs, app.events.appender
        return OwnChats(scope, *rooms, app.events.reader, app.transfer.importer)
