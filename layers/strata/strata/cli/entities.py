"""entities: the people, places, organizations, events and things that a person's memories name."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from strata.cli import options, output
from strata.cli.connection import answered, connect
from strata.client.calls import entities as calls
from strata.domain.entities.shapes import EntityType

Id = Annotated[str, typer.Argument(help="The entity's id.")]
Source = Annotated[str, typer.Argument(help="The id of the entity that is merged.")]


class Field(StrEnum):
    """A field of an entity that `edit` changes."""

    NAME = "name"
    TYPE = "type"
    ALIASES = "aliases"


entities = typer.Typer(
    help="What a person's memories name: people, places, organizations, events and things.",
    invoke_without_command=True,
    epilog="Example: strata entities --user ann --search ana",
)


@entities.callback()
@options.of_person
def list_entities(
    context: typer.Context,
    *,
    search: Annotated[str | None, typer.Option("--search", help="Words of a name or alias.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Only entities of this type.")] = None,
    deleted: Annotated[bool, typer.Option("--deleted", help="Those that `restore` gives back.")] = False,
    url: options.Url = None,
    json: options.Json = False,
    whose: dict[str, Any],
) -> None:
    """List what a person's memories name, the last seen first."""
    if context.invoked_subcommand is not None:
        return
    call = calls.entities(q=search, type=kind, deleted=deleted or None, limit=100, **whose)
    reply = answered(context, url, call, json=json)
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
        nothing=options.empty("Nothing is named.", whose),
    )


@entities.command(epilog="Example: strata entities proposals --user ann")
@options.of_person
def proposals(
    context: typer.Context,
    *,
    url: options.Url = None,
    json: options.Json = False,
    whose: dict[str, Any],
) -> None:
    """List entities that may be one, as maintenance found them."""
    call = calls.merge_proposals(**whose)
    reply = answered(context, url, call, json=json)
    if reply is None:
        return
    output.print_table(
        ("id", "name", "source id", "its name", "by"),
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


@entities.command(epilog="Example: strata entities page 5f0c2d8e41b96a37f2d05c1e7b84a69f --user ann")
@options.of_person
def page(
    context: typer.Context,
    *,
    id: Id,
    url: options.Url = None,
    whose: dict[str, Any],
) -> None:
    """Print an entity's page in Markdown."""
    with connect(context, url) as client:
        output.say(client.send(calls.entity_page(id, **whose)).value)


@entities.command(
    epilog="Example: strata entities graph 5f0c2d8e41b96a37f2d05c1e7b84a69f --depth 1 --user ann"
)
@options.of_person
def graph(
    context: typer.Context,
    *,
    id: Id,
    depth: Annotated[int, typer.Option("--depth", min=1, max=3, help="How many relationships away.")] = 2,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, help="The most entities.")] = 200,
    url: options.Url = None,
    json: options.Json = False,
    whose: dict[str, Any],
) -> None:
    """List the relationships around an entity; `user` is the person whose memories name them."""
    call = calls.entity_graph(id, depth=depth, limit=limit, **whose)
    reply = answered(context, url, call, json=json)
    if reply is None:
        return
    names = {each.id: output.plain(each.name) for each in reply.value.nodes}
    output.print_table(
        ("id", "name", "relationship", "to", "its id", "#confidence"),
        [
            (
                each.subject,
                names[each.subject],
                each.kind,
                names[each.object],
                each.object,
                f"{each.confidence:.2f}",
            )
            for each in reply.value.edges
        ],
        nothing="No relationship is known.",
    )
    if reply.value.truncated:
        output.say("There are more: give a higher --limit.", "yellow")


@entities.command(
    epilog='Example: strata entities edit 5f0c2d8e41b96a37f2d05c1e7b84a69f --name "Ana Ruiz" --alias Anita '
    "--user ann"
)
@options.of_person
def edit(
    context: typer.Context,
    *,
    id: Id,
    name: Annotated[str | None, typer.Option("--name", help="Its name.")] = None,
    kind: Annotated[EntityType | None, typer.Option("--type", help="Its type.")] = None,
    alias: Annotated[
        list[str] | None,
        typer.Option("--alias", help="Another name; given again, several. Those before go."),
    ] = None,
    learnt: Annotated[
        list[Field] | None,
        typer.Option("--learnt", help="Give this field back to what is learnt."),
    ] = None,
    url: options.Url = None,
    whose: dict[str, Any],
) -> None:
    """Change an entity's name, type or aliases; what is set so stays, whatever is learnt."""
    change = options.changed(
        {Field.NAME: name, Field.TYPE: kind, Field.ALIASES: alias},
        learnt,
        emptying="--learnt",
        options="--name, --type, --alias and --learnt",
    )
    with connect(context, url) as client:
        told = client.send(calls.put_entity(id, change, **whose)).value
    also = ", ".join(each for each in told.aliases if each != told.name)
    said = f"Entity {told.id} is {output.plain(told.name)}, {told.type}"
    output.say(f"{said}{f', also {output.plain(also)}' if also else ''}.", "green")


@entities.command(epilog="Example: strata entities delete 5f0c2d8e41b96a37f2d05c1e7b84a69f --user ann")
@options.of_person
def delete(
    context: typer.Context,
    *,
    id: Id,
    url: options.Url = None,
    whose: dict[str, Any],
) -> None:
    """Delete an entity; the same sources do not bring it back."""
    with connect(context, url) as client:
        client.send(calls.delete_entity(id, **whose))
    output.say(f"Entity {id} is deleted.", "green")


@entities.command(epilog="Example: strata entities restore 5f0c2d8e41b96a37f2d05c1e7b84a69f --user ann")
@options.of_person
def restore(
    context: typer.Context,
    *,
    id: Id,
    url: options.Url = None,
    whose: dict[str, Any],
) -> None:
    """Give back a deleted entity with all that named it."""
    with connect(context, url) as client:
        client.send(calls.restore_entity(id, **whose))
    output.say(f"Entity {id} is back.", "green")


@entities.command(
    epilog="Example: strata entities merge 5f0c2d8e41b96a37f2d05c1e7b84a69f 77d0aa3c5e1f48b29d60a7c4e8135f2b "
    "--user ann"
)
@options.of_person
def merge(
    context: typer.Context,
    *,
    id: Id,
    source: Source,
    undo: Annotated[bool, typer.Option("--undo", help="Take the source out again.")] = False,
    url: options.Url = None,
    whose: dict[str, Any],
) -> None:
    """Merge an entity into another one, or take it out again."""
    with connect(context, url) as client:
        if undo:
            client.send(calls.undo_merge(id, source, **whose))
        else:
            client.send(calls.merge_entities(id, source, **whose))
    output.say(f"Entity {source} {'stands alone again' if undo else f'leads to {id}'}.", "green")
