"""end: ends a session with its transcript."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from strata.cli import options, output
from strata.cli.connection import connect
from strata.cli.failures import CommandError
from strata.cli.transcript import parse
from strata.client.calls import sessions


def end(
    context: typer.Context,
    *,
    session: Annotated[str, typer.Argument(help="The session's id; the session is started if necessary.")],
    project: options.Project,
    transcript: Annotated[
        str | None,
        typer.Argument(
            help="A file with the transcript: a JSON list of {role, content}, JSON lines of these, or lines "
            "`role: text`; - reads the standard input."
        ),
    ] = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """End a session with its transcript, and print its summary."""
    messages = parse(_read(transcript)) if transcript else []
    with connect(context, url) as client:
        client.send(sessions.create_session(session, project))
        reply = client.send(sessions.end_session(session, messages))
    if json:
        output.print_json(reply.text)
    else:
        output.say(reply.value.summary or f"Session {session} has ended.", "green")


def _read(transcript: str) -> str:
    try:
        return sys.stdin.read() if transcript == "-" else Path(transcript).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{transcript} is not UTF-8 text") from None
