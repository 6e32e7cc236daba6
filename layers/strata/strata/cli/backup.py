"""backup, restore: copies of this machine's store; carry-over: what a restored table must know."""

from contextlib import AbstractContextManager, closing, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from strata.cli import options, output
from strata.cli.failures import CommandError

if TYPE_CHECKING:
    from strata.adapters.sqlite.database import SqliteDatabase
    from strata.bootstrap import Application

_TOLD = {
    "erased": "people erased since then are erased",
    "refused": "people refused since then: what was derived from their words is deleted",
    "deleted": "memories deleted since then are deleted",
    "statements": "later statements of consent are kept",
    "audit_entries": "later entries of the audit log are kept",
    "keys": "API keys are as they were before the restore",
    "limits": "tenants have the limits that they had before the restore",
}


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    json: options.Done = False,
) -> None:
    """Copy this machine's whole store to a file, of every tenant, while servers go on writing."""
    app = _of_this_machine()
    from strata.adapters.sqlite.copies import copy_out

    if not (app.settings.data_dir / "strata.db").exists():
        raise CommandError(f"there is no store in {app.settings.data_dir} yet")
    if file.exists() and not force:
        raise CommandError(f"{file} exists; --force replaces it")
    size = copy_out(app.stores.database, file.absolute(), replacing=force)
    if json:
        output.print_document({"file": str(file), "bytes": size})
    else:
        output.say(f"backed up to {file}, {size / 1e6:.1f} MB, checked", "green")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that strata backup wrote.")],
    *,
    resurrect: Annotated[
        bool, typer.Option("--resurrect", help="Also bring back what was deleted, erased or refused since.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the files that an earlier restore kept.")
    ] = False,
    json: options.Done = False,
) -> None:
    """Put a backup in the place of this machine's store; no server may run.

    What was erased, refused or deleted since the backup stays so. The old file is kept beside the store, with
    `.before-restore` at the end of its name.
    """
    app = _of_this_machine()
    if app.settings.index != "sqlite":
        raise CommandError("the search index is elsewhere: restore without STRATA_INDEX, then strata reindex")
    folder = app.settings.data_dir.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "strata.db"
    from strata.adapters.sqlite.copies import BEFORE, InUse, copy_in, put_in_place

    kept = path.with_name(path.name + BEFORE)
    if kept.exists() and not force:
        raise CommandError(f"{kept} is still there from an earlier restore; --force replaces it")
    is_new = not path.exists()
    with TemporaryDirectory(prefix=".restore-", dir=folder) as place:
        copy = Path(place) / path.name
        copy_in(file.absolute(), copy)
        try:
            with _alone(app, path, resurrect=resurrect) as known:
                counts = _bring_up_to_date(app, copy, known=known is not None, resurrect=resurrect)
                left = put_in_place(copy, path)
        except InUse:
            raise CommandError(f"another process has {path} open: stop the server first") from None
    (folder / "stream.state").unlink(missing_ok=True)  # it counts attempts of the other store's changes
    if is_new and left is not None:
        left.unlink()
        left = None
    _tell(file, left, counts, json=json)


def carry_over(
    live: Annotated[str, typer.Argument(help="The DynamoDB table that was in use until now.")],
    json: options.Done = False,
) -> None:
    """Apply to a restored DynamoDB table (STRATA_TABLE) what the live one knows; nobody may write either.

    What was erased, refused or deleted since the moment that was restored stays so. It can be repeated.
    """
    from strata.bootstrap import Application, application

    app = application()
    chosen = app.settings.dynamodb
    if app.settings.store != "dynamodb" or live == chosen.table:
        raise CommandError(
            "set STRATA_STORE=dynamodb, and STRATA_TABLE to the restored table, another than this one"
        )
    settings = app.settings.model_copy(update={"dynamodb": chosen.model_copy(update={"table": live})})
    with closing(Application(settings)) as known:
        carried = app.privacy.carry_over(known.stores)
        carried.directory()
        carried.decisions()
    if json:
        output.print_document(carried.done.counts)
    else:
        output.say(f"{chosen.table} knows what {live} knows", "green")
        _tell_counts(carried.done.counts)


def _of_this_machine() -> "Application":
    from strata.bootstrap import application

    app = application()
    if app.settings.store != "sqlite":
        raise CommandError(
            "the rows are in DynamoDB: it has backups of its own; this command is for a store on one machine"
        )
    return app


def _alone(
    app: "Application", path: Path, *, resurrect: bool
) -> "AbstractContextManager[SqliteDatabase | None]":
    """Hold the present store alone; None where it is too damaged to be opened."""
    from strata.adapters.sqlite.copies import alone_with, alone_with_damaged
    from strata.adapters.sqlite.inspection import CorruptStore

    try:
        return alone_with(app.stores.database)
    except CorruptStore as error:
        if resurrect:
            return alone_with_damaged(path)
        raise CommandError(
            f"{error} So nobody can tell what was erased or deleted since the backup;"
            " --resurrect restores it all the same."
        ) from None


def _bring_up_to_date(app: "Application", copy: Path, *, known: bool, resurrect: bool) -> dict[str, int]:
    """Apply to the copy what the present store knows; what was applied."""
    from strata.adapters.sqlite.copies import seal
    from strata.bootstrap import Application
    from strata.domain.errors import Unavailable

    counts: dict[str, int] = {}
    settings = app.settings.model_copy(update={"data": copy.parent})
    with closing(Application(settings)) as restored:
        if known:
            carry_over = restored.privacy.carry_over(app.stores)
            with suppress(Unavailable) if resurrect else nullcontext():  # it may be damaged
                carry_over.directory()
            if not resurrect:
                carry_over.decisions()
            counts = carry_over.done.counts
        if any(counts.values()) and restored.stores.remnants is not None:
            restored.stores.remnants.expunge()
    seal(copy)
    return counts


def _tell(file: Path, left: Path | None, counts: dict[str, int], *, json: bool) -> None:
    if json:
        output.print_document({"kept": None if left is None else str(left), **counts})
        return
    output.say(f"restored {file}", "green")
    _tell_counts(counts)
    if left is not None:
        output.say(f"the store as it was before is {left}; delete it when it is no longer needed", "dim")


def _tell_counts(counts: dict[str, int]) -> None:
    for name, told in _TOLD.items():
        if counts.get(name):
            output.say(f"{counts[name]} {told}", "yellow")
