"""maintain: runs the nightly maintenance now."""

from typing import TYPE_CHECKING, Annotated

import typer

from strata.cli import options, output
from strata.cli.connection import connect
from strata.client.calls import maintenance

if TYPE_CHECKING:
    from strata.domain.wire.maintenance import Report


def maintain(
    context: typer.Context,
    *,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say what every step did, and how long it took.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Only count what it would do to what is known of people: conclusions, episodes, entities.",
        ),
    ] = False,
    report_of: Annotated[
        int | None,
        typer.Option("--report", metavar="ID", help="Run nothing; show the report of an earlier run."),
    ] = None,
    url: options.Url = None,
    json: options.Json = False,
) -> None:
    """Run maintenance now. Exit code 1 when a step failed."""
    if dry_run and report_of is not None:
        raise typer.BadParameter("goes with no --dry-run: it runs nothing", param_hint="--report")
    run = maintenance.maintain(dry_run=dry_run)
    with connect(context, url) as client:
        reply = client.send(run if report_of is None else maintenance.maintenance_report(report_of))
    report = reply.value
    if json:
        output.print_json(reply.text)
    else:
        _tell(report, verbose=verbose or report_of is not None)
    raise typer.Exit(1 if report.errors else 0)


def _tell(report: "Report", *, verbose: bool) -> None:
    if verbose or report.dry_run:
        rows = [
            (step, _counted(counts), str(report.durations.get(step, 0)))
            for step, counts in report.summary.items()
        ]
        output.print_table(("step", "counted", "#ms"), rows, nothing="")
        for step, ids in report.flagged.items():
            output.say(f"{step}: {', '.join(ids)}")
    for step, error in report.errors.items():
        output.say(f"{step} could not be done: {error}", "red")
    if report.status == "running":
        output.say(
            f"The rest goes on behind this; strata maintain --report {report.timestamp} shows it.", "yellow"
        )
    else:
        output.say(f"Maintained in {report.duration_ms} ms.", "green" if not report.errors else "yellow")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
