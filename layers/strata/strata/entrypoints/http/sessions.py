"""Sessions: starting and listing them (`sessions`), ending one (`session_end`)."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.sessions import EndedSession, NewSession, Session, SessionEnd
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import IdentPath, ProjectQuery, RowsQuery
from strata.entrypoints.observing import Observing
from strata.services.sessions.catalog import SessionCatalog
from strata.services.sessions.end import SessionEnder


def sessions_handler(identify: Caller, observing: Observing, sessions: SessionCatalog) -> Handler:
    """Start a session, list the recent ones."""
    api = Api(identify, observing)

    @api.route("POST", "/sessions", WRITE, answer=Session, status=201)
    def start_session(caller: Scope, new: Annotated[NewSession, Body()]) -> Session:
        """Start a session; the same id again returns the existing one, unchanged."""
        with observing.operation("create_session", project=new.project):
            return sessions.start(caller, new)

    @api.route("GET", "/sessions/recent", READ, answer=list[Session])
    def recent_sessions(caller: Scope, project: ProjectQuery = None, limit: RowsQuery = 5) -> list[Session]:
        """The newest sessions, newest first."""
        return sessions.recent(caller, project, limit)

    return api


def session_end_handler(identify: Caller, observing: Observing, ending: SessionEnder) -> Handler:
    """End a session."""
    api = Api(identify, observing)

    @api.route("POST", "/sessions/<id>/end", WRITE, answer=EndedSession)
    def end_session(
        caller: Scope,
        id: IdentPath,
        end: Annotated[SessionEnd | None, Body()] = None,
    ) -> EndedSession:
        """End a session with its transcript: a deterministic summary, and an episode if it is worth one."""
        with observing.operation("end_session"):
            return ending.end(caller, id, end or SessionEnd())

    return api
