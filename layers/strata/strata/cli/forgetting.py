"""forget: a memory by its id, or what words mean of all that is known about a person."""

import sys
from typing import Annotated, Any

import typer

from strata.cli import options, output
from strata.cli.connection import answered
from strata.cli.failures import CommandError
from strata.client.calls import observations, questions


@options.of_person
def forget(
    context: typer.Context,
    *,
    what: Annotated[
        list[str], typer.Argument(help="A memory's id, or words; with --yes the ids shown for them.")
    ],
    hard: Annotated[bool, typer.Option("--hard", help="Erase a memory for good.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Erase, or delete what has these ids.")] = False,
    url: options.Url = None,
    json: options.Json = False,
    whose: dict[str, Any],
) -> None:
    """Delete a memory by its id, or show what words mean of a person, and with --yes delete the ids shown."""
    if len(what) == 1 and what[0].isdecimal():
        _one(context, int(what[0]), hard=hard, yes=yes, url=url, json=json)
        return
    query, ids = (None, what) if yes else (" ".join(what), None)
    call = questions.forget(query, ids=ids, dry_run=not yes, **whose)
    reply = answered(context, url, call, json=json)
    if reply is None:
        return
    found = reply.value.forgotten
    for each in found:
        output.say(f"{each.id}  {each.text}")
    if yes:
        output.say(f"{len(found)} of {len(what)} forgotten")
    elif found:
        output.say("Nothing is forgotten yet: repeat with --yes and the ids of what is to be deleted.")
    else:
        output.say(options.empty("Nothing that is known matches these words.", whose))


def _one(context: typer.Context, memory: int, *, hard: bool, yes: bool, url: str | None, json: bool) -> None:
    """Delete one memory; it disappears from every search and list at once."""
    if hard and not yes:
        if not sys.stdin.isatty():
            raise CommandError("nobody can be asked here: --hard needs --yes")
        typer.confirm(f"Erase {memory} for good?", abort=True, err=True)
    reply = answered(context, url, observations.delete(memory, hard=hard), json=json)
    if reply is not None:
        output.say(f"{memory} {'erased' if hard else 'forgotten'}", "green")
