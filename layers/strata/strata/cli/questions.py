"""ask: questions about a person."""

from typing import Annotated, Any

import typer

from strata.cli import options, output
from strata.cli.connection import answered
from strata.client.calls import questions as calls


@options.of_person
def ask(
    context: typer.Context,
    *,
    question: Annotated[list[str], typer.Argument(help="The question, in any words.")],
    url: options.Url = None,
    json: options.Json = False,
    whose: dict[str, Any],
) -> None:
    """Ask about a person: the answer from everything that is known of them, with its sources."""
    reply = answered(context, url, calls.ask(" ".join(question), **whose), json=json)
    if reply is None:
        return
    answer = reply.value
    for sentence in answer.sentences:
        output.say(f"{sentence.text}  ({', '.join(sentence.sources)})")
    if not answer.sentences:
        output.say(options.empty(answer.answer, whose))
    output.say(f"confidence {answer.confidence:.2f}")
