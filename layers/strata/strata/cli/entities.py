"""entities: the people, places, organizations, events and things that a person's memories name."""

from enum import StrEnum
from typing import Annotated

import typer

from strata.cli import options, output
from strata.cli.connection import answered, connect
from strata.client.calls import entities as calls
from strata.domain.entities.shapes import EntityType

Id = Annotated[str, typer.Argument(help="The entity's id.")]
Source = Annotated[str, typer.Argument(help="The id of the entity that is merged.")]
Agent = Annotated[str | None, typer.Option("--agent", help="As this agent sees it.")]


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
def list_entities(
    context: typer.Context,
    *,
    user: options.Person = None,
    search: Annotated[str | None, typer.Option("--search", help="Words of a name or alias.")] = None,
    kind: Annotated[str | None, typer.Option("--type", help="Only entities of this type.")] = None,
    deleted: Annotated[bool, typer.Option("--deleted", help="Those that `restore` gives back.")] = False,
    agent: Agent = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """List what a person's memories name, the last seen first."""
    if context.invoked_subcommand is not None:
        return
    call = calls.entities(
        user, q=search, type=kind, deleted=deleted or None, limit=100, agent_id=agent, project=project
    )
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
        nothing="Nothing is named.",
    )


@entities.command(epilog="Example: strata entities proposals --user ann")
def proposals(
    context: typer.Context,
    *,
    user: options.Person = None,
    agent: Agent = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """List entities that may be one, as maintenance found them."""
    call = calls.merge_proposals(user, agent_id=agent, project=project)
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
def page(
    context: typer.Context,
    *,
    id: Id,
    user: options.Person = None,
    agent: Agent = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
) -> None:
    """Print an entity's page in Markdown."""
    with connect(context, url) as client:
        output.say(client.send(calls.entity_page(id, user, agent_id=agent, project=project)).value)


@entities.command(
    epilog="Example: strata entities graph 5f0c2d8e41b96a37f2d05c1e7b84a69f --depth 1 --user ann"
)
def graph(
    context: typer.Context,
    *,
    id: Id,
    depth: Annotated[int, typer.Option("--depth", min=1, max=3, help="How many relationships away.")] = 2,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, help="The most entities.")] = 200,
    user: options.Person = None,
    agent: Agent = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """List the relationships around an entity; `user` is the person whose memories name them."""
    call = calls.entity_graph(id, user, depth=depth, limit=limit, agent_id=agent, project=project)
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
    user: options.Person = None,
    agent: Agent = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
) -> None:
    """Change an entity's name, type or aliases; what is set so stays, whatever is learnt."""
    set_to: dict[str, object] = {Field.NAME: name, Field.TYPE: kind, Field.ALIASES: alias}
    set_to = {str(field): value for field, value in set_to.items() if value}
    given_back = dict.fromkeys(map(str, learnt or ()))
    if twice := set_to.keys() & given_back.keys():
        fields = ", ".join(sorted(twice))
        raise typer.BadParameter(f"{fields}: is set in the same call", param_hint="--learnt")
    change = set_to | given_back
    if not change:
        raise typer.BadParameter("give at least one of --name, --type, --alias and --learnt")
    with connect(context, url) as client:
        told = client.send(calls.put_entity(id, change, user, agent_id=agent, project=project)).value
    also = ", ".join(each for each in told.aliases if each != told.name)
    said = f"Entity {told.id} is {output.plain(told.name)}, {told.type}"
    output.say(f"{said}{f', also {output.plain(also)}' if also else ''}.", "green")


@entities.command(epilog="Example: strata entities delete 5f0c2d8e41b96a37f2d05c1e7b84a69f --user ann")
def delete(
    context: typer.Context,
    *,
    id: Id,
    user: options.Person = None,
    agent: Agent = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
) -> None:
    """Delete an entity; the same sources do not bring it back."""
    with connect(context, url) as client:
        client.send(calls.delete_entity(id, user, agent_id=agent, project=project))
    output.say(f"Entity {id} is deleted.", "green")


@entities.command(epilog="Example: strata entities restore 5f0c2d8e41b96a37f2d05c1e7b84a69f --user ann")
def restore(
    context: typer.Context,
    *,
    id: Id,
    user: options.Person = None,
    agent: Agent = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
) -> None:
    """Give back a deleted entity with all that named it."""
    with connect(context, url) as client:
        client.send(calls.restore_entity(id, user, agent_id=agent, project=project))
    output.say(f"Entity {id} is back.", "green")


@entities.command(
    epilog="Example: strata entities merge 5f0c2d8e41b96a37f2d05c1e7b84a69f 77d0aa3c5e1f48b29d60a7c4e8135f2b "
    "--user ann"
)
def merge(
    context: typer.Context,
    *,
    id: Id,
    source: Source,
    undo: Annotated[bool, typer.Option("--undo", help="Take the source out again.")] = False,
    user: options.Person = None,
    agent: Agent = None,
    project: options.OnlyProject = None,
    url: options.Url = None,
) -> None:
    """Merge an entity into another one, or take it out again."""
    with connect(context, url) as client:
        if undo:
            client.send(calls.undo_merge(id, source, user, agent_id=agent, project=project))
        else:
            client.send(calls.merge_entities(id, source, user, agent_id=agent, project=project))
    output.say(f"Entity {source} {'stands alone again' if undo else f'leads to {id}'}.", "green")
