"""save, get, recent: single memories."""

import sys
from datetime import date
from hashlib import sha256
from typing import Annotated, Any

import typer
from rich.text import Text

from strata.cli import options, output
from strata.cli.connection import answered, connect, unless_known
from strata.cli.failures import CommandError
from strata.client.calls import observations
from strata.client.calls.sessions import recent_sessions

_TITLE = 80
UNKEPT = "not kept: this person or session wants nothing stored"


def save(
    context: typer.Context,
    *,
    content: Annotated[str, typer.Argument(help="What to remember; - reads it from the standard input.")],
    project: options.Project,
    title: Annotated[
        str | None, typer.Option("--title", help="A short name.", show_default="the first line")
    ] = None,
    type: Annotated[str, typer.Option("--type", "-t", help="decision, lesson, bugfix, …")] = "note",
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag; may be given again.")] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", help="project, or global for every project.")
    ] = None,
    topic: Annotated[
        str | None, typer.Option("--topic", help="Its topic: a later save with the same topic replaces this.")
    ] = None,
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", help="KEY=VALUE to filter by; may be given again.")
    ] = None,
    session: Annotated[
        str | None,
        typer.Option("--session", help="Id of the session it belongs to.", show_default="one a day"),
    ] = None,
    user: Annotated[
        str | None, typer.Option("--user", help="The user whose memory it is.", show_default="nobody's")
    ] = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """Save a memory."""
    words = _stdin() if content == "-" else content
    if not words.strip():
        raise CommandError("there is nothing to save: the memory is blank")
    reply = answered(
        context,
        url,
        observations.save(
            words,
            project=project,
            session_id=session or _session_of_today(project, user),
            title=title or _first_line(words),
            type=type,
            tags=tag,
            scope=scope,
            topic_key=topic,
            user_id=user,
            metadata=options.pairs(metadata),
        ),
        json=json,
    )
    if reply is None:
        return
    saved = reply.value
    times = {
        "created": "saved",
        "updated": f"updated, revision {saved.revision_count}",
        "deduplicated": f"known already, seen {saved.duplicate_count} times",
    }.get(saved.action, UNKEPT)
    told = times if times == UNKEPT else f"{saved.id} {times}"
    output.say(told, "green" if saved.action == "created" else "yellow")


def get(context: typer.Context, id: options.Id, url: options.Url = None, json: options.Json = False) -> None:
    """Show one memory in full."""
    reply = answered(context, url, observations.get(id), json=json)
    if reply is None:
        return
    found = reply.value
    output.say(found.title, "bold")
    output.say(found.content)
    output.say("")
    about = {
        "type": found.type,
        "project": found.project,
        "scope": found.scope,
        "topic": found.topic_key,
        "superseded by": found.superseded_by,
        "tags": ", ".join(found.tags or ()),
        "metadata": ", ".join(f"{key}={value}" for key, value in (found.metadata or {}).items()),
        "session": found.session_id,
        "created": found.created_at,
        "updated": f"{found.updated_at} (revision {found.revision_count})"
        if found.revision_count > 1
        else None,
        "seen": f"{found.duplicate_count} times, last {found.last_seen_at}"
        if found.duplicate_count > 1
        else None,
    }
    for name, value in about.items():
        if value:
            output.say(f"{name:8} {value}", "dim")


def recent(
    context: typer.Context,
    *,
    project: options.Project,
    sessions: Annotated[bool, typer.Option("--sessions", help="List sessions instead.")] = False,
    type: options.Type = None,
    scope: options.Scope = None,
    limit: options.Limit = 20,
    url: options.Url = None,
    json: options.Json = False,
    filters: dict[str, Any],
) -> None:
    """List the newest memories, or sessions."""
    whose = {name: filters[name] for name in ("user_id", "agent_id")}
    if sessions and (type or scope or any(filters[name] for name in filters.keys() - whose)):
        raise typer.BadParameter("of the filters, --sessions takes only --user and --agent")
    rows: list[tuple[str | Text, ...]]
    with connect(context, url) as client:
        if sessions:
            began = client.send(recent_sessions(project, limit=limit, **whose))
            text, columns = began.text, ("session", "started", "#messages", "summary")
            rows = [(s.id, _minute(s.started_at), str(s.message_count), s.summary or "") for s in began.value]
        else:
            saved = client.send(observations.recent(project, type=type, scope=scope, limit=limit, **filters))
            text, columns = saved.text, ("#id", "created", "type", "memory")
            rows = [
                (str(o.id), _minute(o.created_at), o.type, output.memory(o.title, o.content, o.superseded_by))
                for o in saved.value
            ]
    if json:
        output.print_json(text)
    else:
        nothing = "" if rows else unless_known(context, url, project)
        output.print_table(columns, rows, nothing=f"Nothing is remembered about '{project}' yet.{nothing}")


def _session_of_today(project: str, user: str | None) -> str:
    """The id of the session that a day's saves share: a session has one user."""
    whose = "" if user is None else f"-{sha256(user.encode()).hexdigest()[:12]}"
    return f"cli-{project[:150]}{whose}-{date.today().isoformat()}"


def _stdin() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        raise CommandError("the standard input is not UTF-8 text") from None


def _first_line(content: str) -> str:
    line = next((line.strip() for line in content.splitlines() if line.strip()), "")
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"


def _minute(time: str) -> str:
    """An RFC 3339 time truncated to the minute."""
    return time[:16].replace("T", " ")
