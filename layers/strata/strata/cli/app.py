"""The application of all commands."""

from typing import Annotated

import typer

from strata import __version__
from strata.cli import (
    backup,
    chats,
    conclusions,
    entities,
    forgetting,
    keys,
    maintenance,
    mcp,
    models,
    observations,
    profile,
    questions,
    queues,
    repair,
    search,
    serve,
    sessions,
    setup,
    tenants,
    transfer,
)
from strata.cli.failures import Commands

app = typer.Typer(
    name="strata",
    cls=Commands,
    help="Memory for AI agents.",
    epilog="Without --url or STRATA_URL the commands work on this machine's own store (STRATA_DATA); "
    "no server needs to run.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"strata {__version__}")
        raise typer.Exit


@app.callback()
def _strata(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for group in (
    *(observations, search, sessions, forgetting, questions, transfer, backup),
    *(mcp, serve, maintenance, repair, setup),
):
    group.add_to(app)

app.add_typer(conclusions.conclusions, name="conclusions")
app.add_typer(entities.entities, name="entities")
app.add_typer(profile.profile, name="profile")
app.add_typer(profile.preferences, name="preferences")
app.add_typer(profile.devices, name="devices")
app.add_typer(chats.chats, name="chats")
app.add_typer(keys.keys, name="keys")
app.add_typer(tenants.tenants, name="tenants")
app.add_typer(queues.queues, name="queues")
app.add_typer(models.models, name="models")
