"""Questions about people (agtOS's dialectic engine)."""

from collections.abc import Sequence
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.assembly.items import Remembered
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.questions import Answer, Forget, Forgotten, Question
from strata.entrypoints.http.api.answers import Reply
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.identity import owner_of
from strata.entrypoints.observing import Observing
from strata.services.context.answers import Answers, statement
from strata.services.context.forgetting import Forgetting
from strata.services.context.questions import About


def questions_handler(
    identify: Caller, observing: Observing, answers: Answers, forgetting: Forgetting
) -> Handler:
    """Routes to ask about a person, and to forget."""
    api = Api(identify, observing)

    @api.route("POST", "/api/memory/ask", READ, answer=Answer)
    def ask_about_user(caller: Scope, asked: Annotated[Question, Body()]) -> Reply:
        """Answer a question about a person from everything that is known of them, with its sources."""
        about = _about(caller, asked)
        answer, away = answers.ask(caller, about, asked.question)
        return Reply(answer, degraded="index" in away, unwritten="model" in away)

    @api.route("POST", "/api/memory/forget", WRITE, answer=Forgotten)
    def forget(caller: Scope, asked: Annotated[Forget, Body()]) -> Reply:
        """Show what a text means of a person, or delete by the ids that were shown; none is learnt again."""
        about = _about(caller, asked)
        degraded = False
        found: Sequence[Remembered]
        if asked.query is not None:
            meant = forgetting.matching(caller, about, asked.query)
            found, degraded = meant.items, meant.degraded
        elif asked.dry_run:
            found = forgetting.named(caller, about, asked.ids)
        else:
            found = forgetting.forget(caller, about, asked.ids)
        forgotten = Forgotten(dry_run=asked.dry_run, forgotten=[statement(item) for item in found])
        return Reply(forgotten, degraded=degraded)

    return api


def _about(caller: Scope, asked: Question | Forget) -> About:
    return About(owner_of(caller, asked.userId), asked.agent_id, asked.project)
