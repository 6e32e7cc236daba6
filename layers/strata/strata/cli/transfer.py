"""stats, export, import: all memories."""

import json as json_format
import sys
from pathlib import Path
from typing import Annotated

import typer

from strata.cli import options, output
from strata.cli.connection import connect
from strata.cli.export_files import Document, chunks, rows_of, writing
from strata.cli.failures import CommandError
from strata.client.calls import health, transfer


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command(epilog="Example: strata stats --project web")(stats)
    app.command(epilog="Example: strata export memories.json; strata export - | gzip > memories.json.gz")(
        export
    )
    app.command("import", epilog="Example: strata import memories.json")(import_)


def stats(
    context: typer.Context,
    *,
    project: options.OnlyProject = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """Count sessions and memories."""
    with connect(context, url) as client:
        reply = client.send(health.stats(project))
    if json:
        output.print_json(reply.text)
        return
    totals = reply.value
    counts = [("sessions", str(totals.total_sessions)), ("memories", str(totals.total_observations))]
    output.print_table(("", "#count"), counts, nothing="")
    if totals.projects:
        output.say(f"projects: {', '.join(totals.projects)}", "dim")


def export(
    context: typer.Context,
    *,
    file: Annotated[str, typer.Argument(help="The file to write; - is the standard output.")],
    project: options.OnlyProject = None,
    url: options.Url = None,
    json: Annotated[bool, typer.Option("--json", help="Print the numbers of rows as JSON.")] = False,
) -> None:
    """Export all sessions and memories to a file, as one JSON document."""
    if json and file == "-":
        raise typer.BadParameter("--json would mix with the export on the standard output")
    with connect(context, url) as client, writing(file) as document:
        totals = client.stats(project)
        with output.progress("exporting", totals.total_sessions + totals.total_observations) as bar:
            cursor: str | None = None
            while True:
                page = json_format.loads(client.send(transfer.export(project, cursor=cursor)).text)
                document.add(page)
                output.advance(bar, document.sessions + document.observations)
                cursor = page.get("next")
                if not cursor:
                    break
    _report(json, "exported", document.sessions, document.observations, to_stderr=file == "-")


def import_(
    context: typer.Context,
    *,
    file: Annotated[str, typer.Argument(help="The exported file; - is the standard input.")],
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """Import an export; rows that already exist are left unchanged."""
    document = _load(file)
    sessions = observations = done = 0
    total = sum(len(rows_of(document, name)) for name in ("sessions", "observations"))
    with connect(context, url) as client, output.progress("importing", total) as bar:
        for chunk in chunks(document):
            added = client.import_(chunk)
            sessions += added.imported_sessions
            observations += added.imported_observations
            done += sum(map(len, chunk.values()))
            output.advance(bar, done)
    _report(json, "imported", sessions, observations)


def _report(json: bool, what: str, sessions: int, observations: int, *, to_stderr: bool = False) -> None:
    if json:
        output.print_document({f"{what}_sessions": sessions, f"{what}_observations": observations})
    elif to_stderr:
        typer.echo(f"{what} {sessions} sessions and {observations} memories", err=True)
    else:
        output.say(f"{what} {sessions} sessions and {observations} memories", "green")


def _load(file: str) -> Document:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        document = json_format.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{file} is not a JSON document: {error}") from None
    if not isinstance(document, dict) or not {"sessions", "observations"} & document.keys():
        raise CommandError(f"{file} is not an export: it has neither sessions nor observations")
    return document
