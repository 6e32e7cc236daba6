"""conclusions: what was concluded about a person, and the runs that drew it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strata.cli import options, output
from strata.cli.connection import answered, connect
from strata.client.calls import conclusions as calls

if TYPE_CHECKING:
    from strata.domain.wire.conclusions import Quote


conclusions = typer.Typer(
    help="What was concluded about a person, from their own words.",
    invoke_without_command=True,
    epilog="Example: strata conclusions --user ann",
)


@conclusions.callback()
@options.of_person
def list_conclusions(
    context: typer.Context,
    *,
    url: options.Url = None,
    json: options.Json = False,
    whose: dict[str, Any],
) -> None:
    """List a person's conclusions, each with the newest words that it rests on."""
    if context.invoked_subcommand is not None:
        return
    reply = answered(context, url, calls.conclusions(**whose), json=json)
    if reply is None:
        return
    output.print_table(
        ("id", "conclusion", "type", "#confidence", "words"),
        [
            (each.id, output.plain(each.text), each.type, f"{each.confidence:.2f}", _words(each.quotes))
            for each in reply.value
        ],
        nothing=options.empty("Nothing was concluded.", whose),
    )


@conclusions.command(epilog="Example: strata conclusions delete c5f0e3a91b7d42e08c6f15d2a4b9e730 --user ann")
def delete(
    context: typer.Context,
    *,
    id: Annotated[str, typer.Argument(help="The conclusion's id.")],
    user: options.Person = None,
    url: options.Url = None,
) -> None:
    """Delete a conclusion; it is not drawn from the same sessions again."""
    with connect(context, url) as client:
        client.send(calls.delete_conclusion(id, user_id=user))
    output.say(f"Conclusion {id} is deleted.", "green")


@conclusions.command(epilog="Example: strata conclusions runs --user ann")
def runs(
    context: typer.Context,
    *,
    user: options.Person = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """List the runs that drew a person's conclusions, newest first."""
    reply = answered(context, url, calls.consolidations(user), json=json)
    if reply is None:
        return
    output.print_table(
        ("id", "session", "outcome", "#added", "#changed", "#removed", "undone"),
        [
            (
                each.id,
                output.plain(each.session_id or ""),
                each.outcome,
                *map(str, (each.added, each.changed, each.removed)),
                (each.undone_at or "")[:16],
            )
            for each in reply.value
        ],
        nothing="No run yet.",
    )


@conclusions.command(epilog="Example: strata conclusions undo 1795228800000000 --user ann")
def undo(
    context: typer.Context,
    *,
    id: Annotated[str, typer.Argument(help="The run's id.")],
    user: options.Person = None,
    url: options.Url = None,
) -> None:
    """Put back what a run changed, but for what changed since."""
    with connect(context, url) as client:
        undone = client.send(calls.undo_consolidation(id, user_id=user)).value
    if undone.already:
        output.say("The run was undone before: nothing changed.", "yellow")
    else:
        output.say(f"{undone.restored} change(s) are put back, {undone.kept} kept.", "green")


def _words(quotes: Sequence["Quote"]) -> str:
    return output.plain(quotes[-1].text, cut=80) if quotes else ""
