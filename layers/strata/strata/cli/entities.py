"""entities: the people, places, organizations, events and things that a person's memories name."""

from typing import Annotated

import typer

from strata.cli import options, output
from strata.cli.connection import answered, connect
from strata.client.calls import entities as calls

Id = Annotated[str, typer.Argument(help="The entity's id.")]
Source = Annotated[str, typer.Argument(help="The id of the entity that is merged.")]

entities = typer.Typer(
    help="What a person's memories name: people, places, organizations, events and things.",
    invoke_without_command=True,
    epilog="Example: strata entities --user ann --search ana",
)


@entities.callback()
def list_entities(
    context: typer.Context,
    *,
    user: options.Person = None,
    search: Annotated[str | None, typer.Option("--search", help="Words of a name or alias.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Only entities of this type.")] = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """List what a person's memories name, the last seen first."""
    if context.invoked_subcommand is not None:
        return
    reply = answered(
        context, url, calls.entities(user, q=search, type=kind, limit=100, project=project), json=json
    )
    if reply is None:
        return
    output.print_table(
        ("id", "name", "type", "#mentions", "also"),
        [
            (
                each.id,
                output.plain(each.name),
                each.type,
                str(each.mention_count),
                output.plain(", ".join(alias for alias in each.aliases if alias != each.name), cut=60),
            )
            for each in reply.value.entities
        ],
        nothing="Nothing is named.",
    )


@entities.command(epilog="Example: strata entities proposals --user ann")
def proposals(
    context: typer.Context,
    *,
    user: options.Person = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """List entities that may be one, as maintenance found them."""
    reply = answered(context, url, calls.merge_proposals(user), json=json)
    if reply is None:
        return
    output.print_table(
        ("id", "name", "source", "its name", "by"),
        [
            (
                each.entity.id,
                output.plain(each.entity.name),
                each.source.id,
                output.plain(each.source.name),
                each.reason if each.reason == "initials" else f"{each.reason}, {each.likeness:.2f}",
            )
            for each in reply.value.proposals
        ],
        nothing="No merge is proposed.",
    )


@entities.command(epilog="Example: strata entities page 5f0c2d --user ann")
def page(context: typer.Context, *, id: Id, user: options.Person = None, url: options.Url = None) -> None:
    """Print an entity's page in Markdown."""
    with connect(context, url) as client:
        output.say(client.send(calls.entity_page(id, user)).value)


@entities.command(epilog="Example: strata entities delete 5f0c2d --user ann")
def delete(context: typer.Context, *, id: Id, user: options.Person = None, url: options.Url = None) -> None:
    """Delete an entity; the same sources do not bring it back."""
    with connect(context, url) as client:
        client.send(calls.delete_entity(id, user))
    output.say(f"Entity {id} is deleted.", "green")


@entities.command(epilog="Example: strata entities merge 5f0c2d 77d0aa --user ann")
def merge(
    context: typer.Context,
    *,
    id: Id,
    source: Source,
    undo: Annotated[bool, typer.Option("--undo", help="Take the source out again.")] = False,
    user: options.Person = None,
    url: options.Url = None,
) -> None:
    """Merge an entity into another one, or take it out again."""
    with connect(context, url) as client:
        if undo:
            client.send(calls.undo_merge(id, source, user))
        else:
            client.send(calls.merge_entities(id, source, user))
    output.say(f"Entity {source} {'stands alone again' if undo else f'leads to {id}'}.", "green")
