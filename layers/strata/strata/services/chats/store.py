"""Takes imported conversations in this process."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from strata.domain.errors import Conflict, InvalidRequest, NotFound, OwnedByAnother
from strata.domain.scope import Scope
from strata.domain.wire.events import NewEvent, NewEventSession
from strata.domain.wire.sessions import NewSession, SessionEnd
from strata.domain.wire.transfer import Import
from strata.services.chats.importer import Begun, ChatRefused, Event
from strata.services.events.append import EventAppender
from strata.services.events.logs import EventLogs
from strata.services.events.read import EventReader
from strata.services.sessions.catalog import SessionCatalog
from strata.services.sessions.end import SessionEnder
from strata.services.transfer.importer import Importer

T = TypeVar("T")


class OwnChats:
    """A `ChatStore` over the services of this process, for one scope."""

    def __init__(
        self,
        scope: Scope,
        sessions: SessionCatalog,
        ender: SessionEnder,
        logs: EventLogs,
        appender: EventAppender,
        reader: EventReader,
        importer: Importer,
    ) -> None:
        self._scope = scope
        self._sessions = sessions
        self._ender = ender
        self._logs = logs
        self._appender = appender
        self._reader = reader
        self._importer = importer

    def begin(self, session: str, project: str, app: str, started: datetime | None) -> Begun:
        """Make the session and its log, or get them."""

        def begin() -> Begun:
            known = self._sessions.start(
                self._scope, NewSession(id=session, project=project, started_at=started)
            )
            self._logs.open(self._scope, NewEventSession(session_id=session, app_name=app))
            newest = next(self._reader.newest_of(self._scope, session, limit=1), None)
            ended = datetime.fromisoformat(known.ended_at) if known.ended_at else None
            return Begun(ended, newest.event_id if newest else None)

        return _taken(begin)

    def append(self, session: str, events: Sequence[Event]) -> None:
        """Append those of up to 100 events that are not there yet."""
        _taken(
            lambda: self._appender.append(self._scope, session, list(map(NewEvent.model_validate, events)))
        )

    def end(self, session: str, ended: datetime | None) -> None:
        """End the session with what its events say."""
        _taken(lambda: self._ender.end(self._scope, session, SessionEnd(ended_at=ended)))

    def keep(self, notes: Sequence[dict[str, Any]]) -> int:
        """Keep those observations that are not there yet; return how many."""
        rows = Import.model_validate({"observations": list(notes)})
        return self._importer.load(self._scope, rows).imported_observations


def _taken(call: Callable[[], T]) -> T:
    try:
        return call()
    except (Conflict, InvalidRequest, NotFound, OwnedByAnother, ValueError) as error:
        raise ChatRefused(str(error)) from error
