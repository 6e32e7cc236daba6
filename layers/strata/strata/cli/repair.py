"""migrate, reindex, redrive, verify: for operators, on the store that the settings name."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from strata.cli import options, output
from strata.cli.failures import CommandError

if TYPE_CHECKING:
    from strata.bootstrap import Application
    from strata.bootstrap.workers import Workers as WorkerProcesses
    from strata.services.repair.batches import Progress
    from strata.services.repair.verdict import Verdict
    from strata.settings import Settings

Workers = Annotated[
    int,
    typer.Option("--workers", min=1, help="Processes that share the work, over DynamoDB and OpenSearch."),
]


def migrate(json: options.Done = False) -> None:
    """Bring what earlier versions stored to today's shape. After an interruption call it again."""
    from strata.bootstrap import application

    app = application()
    with _watched("rows") as on_progress:
        done = app.repair.migrator.migrate(on_progress, _stream_paused(app.settings))
    if json:
        output.print_document(asdict(done))
    else:
        for name, count in done.rows.items():
            output.say(f"{count} {name}", "green")
        index = done.index
        told = "is of this version" if index is None else f"was rebuilt with {index.indexed} memories"
        output.say(f"the search index {told}", "green")
    raise typer.Exit(1 if done.index is not None and done.index.failed else 0)


def reindex(
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted rebuild.")] = False,
    workers: Workers = 1,
    json: options.Done = False,
) -> None:
    """Rebuild the search index from the stored memories. Searches keep working meanwhile."""
    from strata.bootstrap import application

    app = application()
    with _watched("indexing") as on_progress, _beside(app.settings, workers, on_progress) as beside:
        done = app.repair.reindexer.reindex(
            on_progress, _stream_paused(app.settings), resume=resume, workers=beside
        )
    if json:
        output.print_document(asdict(done))
    else:
        kept = f", {done.kept} of them before" if done.kept else ""
        output.say(f"indexed {done.indexed} memories{kept}", "green")
        if done.failed:
            output.say(f"{done.failed} can't be indexed; strata verify says which", "red")
    raise typer.Exit(1 if done.failed else 0)


def redrive(json: options.Done = False) -> None:
    """Re-index records that failed or were missed."""
    from strata.bootstrap import application

    app = application()
    with _watched("messages") as on_progress:
        done = app.repair.redriver.redrive(on_progress, _stream_paused(app.settings))
    if json:
        output.print_document(asdict(done))
    else:
        output.say(f"{done.messages} messages and {done.notes} forgotten changes went through", "green")
        if done.stayed:
            output.say(f"{done.stayed} stay", "red")
            rows = [(each["pk"], each["sk"], each["reason"]) for each in done.stays]
            output.print_table(("partition", "row", "why it stays"), rows, nothing="")
        if done.outage:
            output.say(f"the rest waits: {done.outage}", "red")
    raise typer.Exit(0 if done.is_whole else 1)


def verify(
    repair: Annotated[bool, typer.Option("--repair", help="Repair the differences.")] = False,
    workers: Workers = 1,
    json: options.Done = False,
) -> None:
    """Compare search index and totals with the stored rows. Exit code 1 when differences remain."""
    from strata.bootstrap import application

    app = application()
    with _watched("rows") as on_progress, _beside(app.settings, workers, on_progress) as beside:
        verdict = app.repair.verifier.verify(
            on_progress, _stream_paused(app.settings), repair=repair, workers=beside
        )
    if json:
        output.print_document(asdict(verdict) | {"differences": verdict.differences, "left": verdict.left})
    else:
        _tell(verdict, repair=repair, lost=bool(verdict.missing) and _has_lost_index(app))
    raise typer.Exit(1 if verdict.left else 0)


def _has_lost_index(app: "Application") -> bool:
    """Whether the index that is whole is not there, so that a repair would have nothing to write to."""
    from strata.ports.search import NoIndex

    try:
        app.stores.index.fits()
    except NoIndex:
        return True
    return False


def _tell(verdict: "Verdict", *, repair: bool, lost: bool) -> None:
    output.say(f"{verdict.rows} memories and {verdict.documents} documents compared")
    if verdict.pending:
        output.say(f"{verdict.pending} changes are on their way to the index", "dim")
    found = [
        (verdict.damaged, "damages of the search index: strata reindex makes it anew (strata export first)"),
        (verdict.missing, "memories are not in the index"),
        (verdict.stale, "memories are in the index as they were before a change"),
        (verdict.orphans, "documents are of memories that are gone"),
        (verdict.forgotten, "changes were forgotten by the indexer"),
        (verdict.uncounted, "memories or sessions are missing from the totals, or still in them"),
        (verdict.wrong_totals, "projects have wrong totals"),
    ]
    for count, what in found:
        if count:
            output.say(f"{count} {what}", "yellow")
    for each in verdict.examples:
        output.say("  " + ", ".join(f"{name} {value}" for name, value in each.items()), "dim")
    if not verdict.differences:
        output.say("no differences", "green")
    elif verdict.damaged:
        pass
    elif repair:
        output.say(f"{verdict.repaired} of {verdict.differences} mended", "red" if verdict.left else "green")
    elif lost:
        output.say("the search index is gone: strata reindex makes it anew")
    else:
        output.say("strata verify --repair mends them")


@contextmanager
def _watched(first: str) -> "Iterator[Progress]":
    """A progress bar that names the current work."""
    with output.progress(first, None) as bar:

        def told(what: str, done: int, total: int) -> None:
            bar.update(bar.tasks[0].id, description=what)
            output.advance(bar, done, total)

        yield told


def _beside(
    settings: "Settings", workers: int, on_progress: "Progress"
) -> "AbstractContextManager[WorkerProcesses | None]":
    """The processes that share the work; None for this one alone."""
    if workers == 1:
        return nullcontext()
    if "sqlite" in (settings.store, settings.index):
        raise CommandError("--workers needs STRATA_STORE=dynamodb and STRATA_INDEX=opensearch")
    from strata.bootstrap.workers import worker_processes

    return worker_processes(settings, workers, on_progress)


def _stream_paused(settings: "Settings") -> Callable[[], AbstractContextManager[object]]:
    """Pauses a running server's indexer on one machine; a stream on AWS cannot be paused and need not be."""
    if settings.store != "sqlite":
        return nullcontext
    from strata.local.runtime import STATE_FILE
    from strata.local.stream.delivery import paused

    settings.data_dir.mkdir(parents=True, exist_ok=True)
    return partial(paused, settings.data_dir / STATE_FILE)
