"""chats scan, import: what other tools on this machine keep of conversations."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from strata.adapters.chats.sources import NAMES, sources_of
from strata.cli import options, output
from strata.cli.connection import connect
from strata.client.calls import events, sessions, transfer
from strata.client.client import Client
from strata.client.errors import StrataClientError
from strata.ports.chats import ChatSource
from strata.services.chats.importer import Begun, ChatImporter, ChatRefused, ChatReport, ChatStore

Chosen = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SOURCE]...", help=f"Some of {', '.join(NAMES)}.", show_default="all"),
]
Where = Annotated[
    list[Path] | None,
    typer.Option("--from", exists=True, help="A file or folder to read instead; goes with one source."),
]
Since = Annotated[
    str | None,
    typer.Option("--since", help="Only what changed since then: a date, time or age like 7d."),
]

_REFUSALS = 400, 404, 409, 413, 422
"""Statuses that refuse one conversation; any other ends the import."""

_ENDERS = 2
"""Conversations that the server ends at once while the next one is sent."""

chats = typer.Typer(help="Bring in the chats of other tools on this machine.", no_args_is_help=True)


@chats.command(epilog="Example: strata chats scan; strata chats scan chatgpt --from export.zip")
def scan(
    *, chosen: Chosen = None, places: Where = None, since: Since = None, json: options.Json = False
) -> None:
    """Show what other tools keep: where, how many conversations and notes, and since when."""
    found = [_scanned(source, _moment(since)) for source in _sources(chosen, places)]
    if json:
        output.print_document({"sources": found})
        return
    rows = [
        (each["name"], str(each["conversations"]), str(each["notes"]), each["since"] or "", *each["path"][:1])
        for each in found
        if each["available"]
    ]
    output.print_table(
        ("source", "#conversations", "#notes", "since", "where"),
        rows,
        nothing="no tool keeps anything where it is looked for; --from names a file or folder",
    )
    for each in found:
        _tell_unread(each["unread"])


@chats.command("import", epilog="Example: strata chats import claude-code cursor --since 90d")
def import_(
    context: typer.Context,
    *,
    chosen: Chosen = None,
    places: Where = None,
    since: Since = None,
    project: options.OnlyProject = None,
    user: Annotated[str | None, typer.Option("--user", help="Whose conversations these are.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="The agent that is to know them.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read everything and send nothing.")] = False,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """Import conversations and notes; what is there already is left as it is.

    The files are read here and sent to the server, without secrets. After an interruption the same command
    goes on.
    """
    found, start = _sources(chosen, places), _moment(since)
    if dry_run:
        report = ChatImporter(_Nowhere()).run(found, since=start, project=project)
    else:
        with (
            connect(context, url) as client,
            output.progress("importing", None) as bar,
            ThreadPoolExecutor(_ENDERS) as ending,
        ):
            importer = ChatImporter(
                _Sender(client, user, agent),
                tell=lambda so_far: output.advance(bar, so_far.conversations + so_far.unchanged),
                ending=ending,
            )
            report = importer.run(found, since=start, project=project)
    _tell(report, found, json=json, dry_run=dry_run)


def _tell(report: ChatReport, found: Sequence[ChatSource], *, json: bool, dry_run: bool) -> None:
    unread = {reason: count for source in found for reason, count in source.unread.items()}
    numbers = {name: getattr(report, name) for name in ("conversations", "unchanged", "messages", "notes")}
    if json:
        output.print_document(numbers | {"refused": dict(report.refused), "unread": unread})
        return
    told = ", ".join(f"{count} {name}" for name, count in numbers.items())
    output.say(f"{'would import' if dry_run else 'imported'} {told}", "green")
    _tell_unread(unread)
    for reason, count in sorted(report.refused.items()):
        typer.echo(f"refused {count}: {output.plain(reason, cut=300)}", err=True)


def _tell_unread(unread: dict[str, int]) -> None:
    for reason, count in sorted(unread.items()):
        typer.echo(f"not read {count}: {output.plain(reason, cut=300)}", err=True)


def _scanned(source: ChatSource, since: datetime | None) -> dict[str, Any]:
    conversations, first = 0, None
    for each in source.conversations(since):
        conversations += 1
        first = min(filter(None, (first, each.started)), default=None)
    notes = sum(1 for _ in source.notes(since))
    return {
        "name": source.name,
        "available": bool(source.places()),
        "conversations": conversations,
        "notes": notes,
        "since": first.date().isoformat() if first else None,
        "path": [str(each) for each in source.places()],
        "unread": dict(source.unread),
    }


def _sources(chosen: list[str] | None, places: list[Path] | None) -> list[ChatSource]:
    if places and len(chosen or ()) != 1:
        raise typer.BadParameter("goes with one source", param_hint="--from")
    if unknown := set(chosen or ()) - set(NAMES):
        raise typer.BadParameter(f"{sorted(unknown)[0]} is none of {', '.join(NAMES)}", param_hint="SOURCE")
    return sources_of(Path.home(), chosen, only=tuple(places or ()))


def _moment(text: str | None) -> datetime | None:
    """A date, a time, or an age such as 7d."""
    if not text:
        return None
    units = {"d": "days", "h": "hours", "m": "minutes", "w": "weeks"}
    try:
        if text[:-1].isdecimal() and text[-1] in units:
            return datetime.now(UTC) - timedelta(**{units[text[-1]]: int(text[:-1])})
        at = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text} is no date, time or age", param_hint="--since") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def sender(client: Client) -> ChatStore:
    """Sends conversations to a server."""
    return _Sender(client)


class _Sender:
    """Sends conversations to a server."""

    def __init__(self, client: Client, user: str | None = None, agent: str | None = None) -> None:
        self._client = client
        self._user = user
        self._agent = agent

    def begin(self, session: str, project: str, app: str, started: datetime | None) -> Begun:
        at = started.isoformat() if started else None
        known = self._send(
            sessions.create_session(session, project, agent_id=self._agent, user_id=self._user, started_at=at)
        )
        self._send(events.create_event_session(session, app_name=app, user_id=self._user))
        newest = self._send(events.session_events(session, limit=1)).events
        ended = datetime.fromisoformat(known.ended_at) if known.ended_at else None
        return Begun(ended, newest[0].event_id if newest else None)

    def append(self, session: str, new: Sequence[dict[str, Any]]) -> None:
        self._send(events.add_events(session, new))

    def end(self, session: str, ended: datetime | None) -> None:
        self._send(sessions.end_session(session, ended_at=ended.isoformat() if ended else None))

    def keep(self, notes: Sequence[dict[str, Any]]) -> int:
        rows = [note | {"user_id": self._user, "agent_id": self._agent} for note in notes]
        return int(self._send(transfer.import_({"observations": rows})).imported_observations)

    def _send(self, call: Any) -> Any:
        try:
            return self._client.send(call).value
        except StrataClientError as error:
            if error.status in _REFUSALS:
                raise ChatRefused(str(error)) from error
            raise


class _Nowhere:
    """Takes nothing, and says that nothing is known."""

    def begin(self, *_: Any) -> Begun:
        return Begun(None, None)

    def append(self, *_: Any) -> None: ...

    def end(self, *_: Any) -> None: ...

    def keep(self, notes: Sequence[dict[str, Any]]) -> int:
        return len(notes)
