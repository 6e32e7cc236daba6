"""ask: questions about a person."""

from typing import Annotated

import typer

from strata.cli import options, output
from strata.cli.connection import answered
from strata.client.calls import questions as calls

Agent = Annotated[str | None, typer.Option("--agent", help="The agent that asks.")]


def ask(
    context: typer.Context,
    *,
    question: Annotated[list[str], typer.Argument(help="The question, in any words.")],
    user: options.Person = None,
    project: options.OnlyProject = None,
    agent: Agent = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """Ask about a person: the answer from everything that is known of them, with its sources."""
    reply = answered(
        context, url, calls.ask(" ".join(question), user, agent_id=agent, project=project), json=json
    )
    if reply is None:
        return
    answer = reply.value
    for sentence in answer.sentences:
        output.say(f"{sentence.text}  ({', '.join(sentence.sources)})")
    if not answer.sentences:
        output.say(answer.answer)
    output.say(f"confidence {answer.confidence:.2f}")
