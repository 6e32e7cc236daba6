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
    options,
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


app.command(epilog='Example: strata save "Deploys need the lock" --type lesson --tag deploy')(
    observations.save
)
app.command(epilog="Example: strata get 1768000000000000 --json")(observations.get)
app.command(epilog="Example: strata recent --limit 5; strata recent --sessions")(
    options.filtered(observations.recent)
)
app.command(epilog="Example: strata search how do we deploy --limit 3")(options.filtered(search.search))
app.command(epilog='Example: strata context "fix the deploy" --user ann --text')(
    options.filtered(search.context, options.FOR_AGENT)
)
app.command(epilog="Example: strata end fix-login transcript.json; … | strata end fix-login -")(sessions.end)
app.command(epilog="Example: strata forget where she lives --user ann")(forgetting.forget)
app.command("delete", hidden=True)(forgetting.forget)
app.command(epilog="Example: strata ask which tea does she like --user ann")(questions.ask)
app.command(epilog="Example: strata stats --project web")(transfer.stats)
app.command(epilog="Example: strata export memories.json; strata export - | gzip > memories.json.gz")(
    transfer.export
)
app.command("import", epilog="Example: strata import memories.json")(transfer.import_)
app.command(epilog="Example: strata backup /backups/strata-monday.db")(backup.backup)
app.command(epilog="Example: strata restore /backups/strata-monday.db")(backup.restore)
app.command(epilog="Example: strata carry-over strata-prod-Table-1A2B")(backup.carry_over)
app.command(epilog="Example: claude mcp add strata -- strata mcp --project shop")(mcp.mcp)
app.command(epilog="Example: strata serve --port 7500 --data ./memories")(serve.serve)
app.command(epilog="Example: strata doctor --json")(serve.doctor)
app.command(epilog="Example: strata maintain --verbose")(maintenance.maintain)
app.command(epilog="Example: strata migrate --json")(repair.migrate)
app.command(epilog="Example: strata reindex --resume")(repair.reindex)
app.command(epilog="Example: strata redrive --json")(repair.redrive)
app.command(epilog="Example: strata verify --repair")(repair.verify)
app.command(epilog="Example: strata setup claude-code --dry-run")(setup.setup)
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
