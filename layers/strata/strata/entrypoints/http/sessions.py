"""Sessions: starting and listing them (`sessions`), ending one (`session_end`)."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.models import EndedSession, NewSession, Session, SessionEnd
from strata.domain.scope import READ, WRITE, Scope
from strata.entrypoints.http.api import Api, Caller, Handler
from strata.entrypoints.http.parameters import ProjectQuery, RowsQuery, SessionPath
from strata.services.sessions import Sessions


def sessions_handler(caller: Caller, sessions: Sessions) -> Handler:
    """Start a session, list the recent ones."""
    api = Api(caller)

    @api.route("POST", "/sessions", WRITE, answer=Session, status=201)
    def start_session(scope: Scope, new: Annotated[NewSession, Body()]) -> Session:
        """Start a session; the same id again returns the existing one, unchanged."""
        return sessions.start(scope, new)

    @api.route("GET", "/sessions/recent", READ, answer=list[Session])
    def recent_sessions(scope: Scope, project: ProjectQuery = None, limit: RowsQuery = 5) -> list[Session]:
        """The newest sessions, newest first."""
        return sessions.recent(scope, project, limit)

    return api


def session_end_handler(caller: Caller, sessions: Sessions) -> Handler:
    """End a session."""
    api = Api(caller)

    @api.route("POST", "/sessions/<id>/end", WRITE, answer=EndedSession)
    def end_session(
        scope: Scope, id: SessionPath, end: Annotated[SessionEnd | None, Body()] = None  # noqa: A002
    ) -> EndedSession:
        """End a session with its transcript; its summary is deterministic."""
        return sessions.end(scope, id, end or SessionEnd())

    return api
