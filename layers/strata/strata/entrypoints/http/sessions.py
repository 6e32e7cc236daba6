"""Start, read and list sessions."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.sessions import NewSession, Session
from strata.entrypoints.http.api.answers import Reply
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import IdentPath, IdentQuery, ProjectQuery, RowsQuery
from strata.entrypoints.observing import Observing
from strata.services.sessions.catalog import SessionCatalog


def sessions_handler(identify: Caller, observing: Observing, catalog: SessionCatalog) -> Handler:
    """Start a session, read one, and list the recent ones."""
    api = Api(identify, observing)

    @api.route("POST", "/sessions", WRITE, answer=Session, status=201)
    def start_session(caller: Scope, new: Annotated[NewSession, Body()]) -> Session:
        """Start a session; an id that exists returns that session, unchanged."""
        with observing.operation("create_session", project=new.project):
            return catalog.start(caller, new)

    @api.route("GET", "/sessions/recent", READ, answer=list[Session])
    def recent_sessions(
        caller: Scope,
        project: ProjectQuery = None,
        limit: RowsQuery = 5,
        user_id: IdentQuery = None,
        agent_id: IdentQuery = None,
    ) -> Reply:
        """List the newest sessions, newest first; a user's or an agent's own when one is named."""
        behind = project is None and catalog.lacks_projects(caller)
        return Reply(
            catalog.recent(caller, project, limit, user_id=user_id, agent_id=agent_id), behind=behind
        )

    @api.route("GET", "/sessions/<id>", READ, answer=Session, errors=(404,))
    def read_session(caller: Scope, id: IdentPath, user_id: IdentQuery = None) -> Session:
        """Read one session; one of another user than the one named is not found."""
        return catalog.get(caller, id, user_id)

    return api
