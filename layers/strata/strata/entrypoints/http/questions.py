"""Questions about people (agtOS's dialectic engine)."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.scope import READ, Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.questions import Answer, Question
from strata.entrypoints.http.api.api import Api, Caller, Handler, Reply
from strata.entrypoints.observing import Observing
from strata.services.context.answers import Answers
from strata.services.context.questions import About


def questions_handler(identify: Caller, observing: Observing, answers: Answers) -> Handler:
    """The route for questions about a person."""
    api = Api(identify, observing)

    @api.route("POST", "/api/memory/ask", READ, answer=Answer)
    def ask_about_user(caller: Scope, asked: Annotated[Question, Body()]) -> Reply:
        """Answer a question about a person from everything that is known of them, with its sources."""
        about = About(asked.userId or caller.identity or DEFAULT_OWNER, asked.agent_id, asked.project)
        answer, away = answers.ask(caller, about, asked.question)
        return Reply(answer, degraded="index" in away, unwritten="model" in away)

    return api
