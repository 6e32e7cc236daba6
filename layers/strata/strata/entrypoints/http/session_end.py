"""End sessions."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.scope import WRITE, Scope
from strata.domain.wire.sessions import EndedSession, SessionEnd
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import NewIdentPath
from strata.entrypoints.observing import Observing
from strata.services.sessions.end import SessionEnder


def session_end_handler(identify: Caller, observing: Observing, ender: SessionEnder) -> Handler:
    """The route to end a session."""
    api = Api(identify, observing)

    @api.route("POST", "/sessions/<id>/end", WRITE, answer=EndedSession, errors=(404,))
    def end_session(
        caller: Scope, id: NewIdentPath, end: Annotated[SessionEnd | None, Body()] = None
    ) -> EndedSession:
        """End a session: it gets the given or a deterministic summary, and may become an episode."""
        with observing.operation("end_session"):
            return ender.end(caller, id, end or SessionEnd())

    return api
