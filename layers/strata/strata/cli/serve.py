"""serve, doctor: the server and the installation."""

import os
from pathlib import Path
from typing import Annotated

import typer

from strata.cli import options, output

# The server is slow to import, so each command imports its own part.


def serve(
    host: Annotated[str | None, typer.Option("--host", help="STRATA_HOST.", show_default="127.0.0.1")] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="STRATA_PORT.", show_default="7437")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", help="STRATA_DATA: the folder to keep everything in.", show_default="user data"
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=0, max=64, help="STRATA_WORKERS.", show_default="one per processor"),
    ] = None,
) -> None:
    """Run the server on this machine until Ctrl+C."""
    given = {"HOST": host, "PORT": port, "DATA": data, "WORKERS": workers}
    # The functions read their settings from the environment, as they do on AWS.
    os.environ.update({f"STRATA_{name}": str(value) for name, value in given.items() if value is not None})
    from strata import settings
    from strata.local.server import serve as run

    raise typer.Exit(run(settings.load()))


def doctor(url: options.Url = None, json: options.Json = False) -> None:
    """Check the installation, and give advice on problems."""
    from strata.cli.doctor import State, examine

    findings = examine(url)
    if json:
        rows = [finding.as_json() for finding in findings]
        output.print_document({"healthy": all(row["state"] != State.FAIL for row in rows), "checks": rows})
    else:
        styles = {State.OK: "green", State.WARN: "yellow", State.FAIL: "bold red"}
        for finding in findings:
            output.say(f"{finding.state:4}  {finding.name}: {finding.found}", styles[finding.state])
            if finding.advice:
                output.say(f"      {finding.advice}")
    raise typer.Exit(1 if any(finding.state is State.FAIL for finding in findings) else 0)
