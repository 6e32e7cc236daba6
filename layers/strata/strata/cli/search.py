"""search, context: retrieval of memories."""

from json import loads
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strata.cli import options, output
from strata.cli.connection import answered, connect, shown, unless_known
from strata.client.calls import context as context_calls
from strata.client.calls import search as search_calls

if TYPE_CHECKING:
    from strata.client.exchange import Reply
    from strata.domain.wire.contexts import AssembledContext


def search(
    context: typer.Context,
    *,
    query: Annotated[list[str], typer.Argument(help="The query, in any words.")],
    project: options.Project,
    type: options.Type = None,
    scope: options.Scope = None,
    mode: Annotated[
        options.SearchMode | None,
        typer.Option("--mode", "-m", help="Words, vectors, or both.", show_default="the server's: hybrid"),
    ] = None,
    min_score: Annotated[
        float | None, typer.Option("--min-score", help="Leave out results with a lower score.")
    ] = None,
    min_relevance: options.MinRelevance = None,
    limit: options.Limit = 10,
    everywhere: Annotated[bool, typer.Option("--all", help="Search all projects.")] = False,
    include_superseded: Annotated[
        bool, typer.Option("--include-superseded", help="Also what a newer memory superseded.")
    ] = False,
    rerank: Annotated[
        bool, typer.Option("--rerank", help="Let the reranker read the best ones; it takes longer.")
    ] = False,
    url: options.Url = None,
    json: options.Json = False,
    filters: dict[str, Any],
) -> None:
    """Search the memories, best first; what is not relevant is left out."""
    words = " ".join(query)
    reply = answered(
        context,
        url,
        search_calls.search(
            words,
            project=None if everywhere else project,
            type=type,
            scope=scope,
            limit=limit,
            mode=mode,
            min_score=min_score,
            min_relevance=min_relevance,
            include_superseded=include_superseded or None,
            rerank=rerank or None,
            **filters,
        ),
        json=json,
    )
    if reply is None:
        return
    rows = [
        (
            str(hit.id),
            hit.type,
            output.memory(hit.title, hit.content, hit.superseded_by),
            f"{hit.relevance:.2f}",
            f"{-hit.rank:.3f}",
            hit.method.value,
        )
        for hit in reply.value
    ]
    where = "in any project" if everywhere else f"in '{project}'"
    nothing = f"Nothing close to that is remembered {where}. --min-relevance 0 shows what is nearest."
    if elsewhere := reply.headers.get("strata-elsewhere"):
        others = ", ".join(f"'{name}' ({count})" for name, count in loads(elsewhere).items())
        nothing += f" In other projects there is: {others}; --all shows it."
    elif not rows and not everywhere:
        nothing += unless_known(context, url, project)
    columns = ("#id", "type", "memory", "#relevance", "#score", "found by")
    output.print_table(columns, rows, nothing=nothing)


def context(
    context: typer.Context,
    *,
    project: options.Project,
    query: Annotated[list[str] | None, typer.Argument(help="What the agent is to do, or is asked.")] = None,
    scope: options.Scope = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            "-n",
            min=0,
            max=50,
            help="Most memories, and most episodes.",
        ),
    ] = 5,
    min_relevance: options.MinRelevance = None,
    text: Annotated[bool, typer.Option("--text", help="Print the text that goes into a prompt.")] = False,
    url: options.Url = None,
    json: options.Json = False,
    filters: dict[str, Any],
) -> None:
    """Show the context that an agent gets before its turn.

    Without --user and --agent it has the memories and sessions of the project,
    whoever saved them. With one of them it is what an agent that serves a person
    gets: also the person's profile, facts, conclusions and episodes. The person is
    --user, else the caller; --user leaves out what other people saved.

    Without words the newest is given. --session, tags, times and --metadata choose
    among memories, episodes and sessions; with one of them nothing else is given:
    no profile, facts and conclusions.
    """
    if text and json:
        raise typer.BadParameter("--text and --json exclude each other")
    words = " ".join(query or ()) or None
    with connect(context, url) as client:
        if text:
            prompt = client.send(
                context_calls.context_text(
                    project, query=words, scope=scope, limit=limit, min_relevance=min_relevance, **filters
                )
            )
            typer.echo(prompt.text, nl=not prompt.text.endswith("\n"))
            return
        if filters["user_id"] or filters["agent_id"]:
            assembled = context_calls.assemble_context(
                project, query=words, scope=scope, limit=limit, min_relevance=min_relevance, **filters
            )
            _print_layers(shown(client.send(assembled), json=json))
            return
        plain = context_calls.context(
            project, query=words, scope=scope, limit=limit, min_relevance=min_relevance, **filters
        )
        reply = shown(client.send(plain), json=json)
    if reply is None:
        return
    known = reply.value
    if not known.recent_sessions and not known.recent_observations:
        nothing = f"Nothing is remembered about '{project}' yet."
        if words is not None:
            nothing = f"Nothing close to that is remembered in '{project}'."
        nothing += unless_known(context, url, project)
        output.say(nothing, "dim")
    if known.recent_sessions:
        output.say("Recent sessions", "bold cyan")
        for session in known.recent_sessions:
            output.say(f"  {session.summary}")
    if known.recent_observations:
        rows = [(item.type, output.memory(item.title, item.content)) for item in known.recent_observations]
        output.print_table(("type", "memory"), rows, nothing="")


def _print_layers(reply: "Reply[AssembledContext] | None") -> None:
    if reply is None:
        return
    rows = [(item.layer, output.plain(item.content, cut=300)) for item in reply.value.items]
    output.print_table(("layer", "memory"), rows, nothing="Nothing that fits is known.")
