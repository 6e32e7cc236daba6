"""stats, export, import: all memories."""

import json as json_format
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from strata.cli import options, output
from strata.cli.connection import answered, connect
from strata.cli.export_files import Document, chunks, rows_of, writing
from strata.cli.failures import CommandError
from strata.cli.line_files import import_lines, opened, write_lines
from strata.client.calls import health, transfer

_OTHER_KINDS = (
    "This form has sessions and memories alone. Facts, episodes, profiles and whatever else there is are in"
    " JSON lines: name a file that ends with .jsonl, or add --kinds all."
)


def stats(
    context: typer.Context,
    *,
    project: options.OnlyProject = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """Count sessions and memories."""
    reply = answered(context, url, health.stats(project), json=json)
    if reply is None:
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
    kinds: Annotated[
        str | None, typer.Option("--kinds", help="As JSON lines: these kinds, with commas between, or all.")
    ] = None,
    user: Annotated[str | None, typer.Option("--user", help="As JSON lines: what is this person's.")] = None,
    url: options.Url = None,
    json: Annotated[bool, typer.Option("--json", help="Print the numbers of rows as JSON.")] = False,
) -> None:
    """Export to a file: sessions and memories as one JSON document, or every kind as JSON lines.

    JSON lines go to a file whose name ends with .jsonl, and where kinds or a user are named. An export of
    lines that was interrupted is continued by the same command.
    """
    if json and file == "-":
        raise typer.BadParameter("--json would mix with the export on the standard output")
    if kinds or user or file.endswith(".jsonl"):
        if project:
            raise typer.BadParameter(
                "--project takes one JSON document: name a file that does not end with .jsonl, "
                "without --kinds and --user"
            )
        named = [each.strip() for each in (kinds or "").split(",")]
        with connect(context, url) as client:
            rows = write_lines(client, file, named, user)
        _tell_lines(json, "exported", rows, to_stderr=file == "-")
        return
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
    if not json:
        typer.echo(_OTHER_KINDS, err=True)


def import_(
    context: typer.Context,
    *,
    file: Annotated[str, typer.Argument(help="The exported file; - is the standard input.")],
    resurrect: Annotated[
        bool, typer.Option("--resurrect", help="Bring back what was deleted or erased there; needs admin.")
    ] = False,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """Import an export of either form; rows that already exist are left unchanged."""
    with opened(file) as lines, connect(context, url) as client:
        if lines is not None:
            came_to = import_lines(client, lines, resurrect=resurrect)
            _tell_lines(json, "imported", came_to.rows)
            _tell_skipped(came_to.skipped)
            return
    document = _load(file)
    sessions = observations = done = 0
    total = sum(len(rows_of(document, name)) for name in ("sessions", "observations"))
    with connect(context, url) as client, output.progress("importing", total) as bar:
        for chunk in chunks(document):
            added = client.import_(chunk, resurrect=resurrect or None)
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


def _tell_lines(json: bool, what: str, rows: Mapping[str, int], *, to_stderr: bool = False) -> None:
    if json:
        output.print_document({what: dict(rows)})
        return
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(rows.items())) or "nothing new"
    if to_stderr:
        typer.echo(f"{what} {told}", err=True)
    else:
        output.say(f"{what} {told}", "green")


def _tell_skipped(skipped: Mapping[str, int]) -> None:
    for reason, count in sorted(skipped.items()):
        typer.echo(f"left out {count}: {output.plain(reason, cut=300)}", err=True)


def _load(file: str) -> Document:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        document = json_format.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{file} is not a JSON document: {error}") from None
    if not isinstance(document, dict) or not {"sessions", "observations"} & document.keys():
        raise CommandError(f"{file} is not an export: it has neither sessions nor observations")
    return document
