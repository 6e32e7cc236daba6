"""models: the models that are no part of the package."""

from typing import Annotated

import typer

models = typer.Typer(help="Models that are no part of the package.", no_args_is_help=True)


@models.callback()
def about() -> None:
    """Install models."""


@models.command(epilog="Example: strata models add nli ./nli-deberta --licence MIT")
def add(
    kind: Annotated[
        str,
        typer.Argument(help="nli: tells whether conclusions contradict each other. ner: finds names."),
    ],
    source: Annotated[str, typer.Argument(help="A folder, s3://bucket/prefix, or an https URL.")],
    *,
    licence: Annotated[str, typer.Option("--licence", help="The model's licence.")],
    sha256: Annotated[str, typer.Option("--sha256", help="The digest that model.onnx must have.")] = "",
    to: Annotated[
        str | None, typer.Option("--to", help="The folder or s3://bucket/prefix of models.")
    ] = None,
) -> None:
    """Install a model, with its digests, licence and source in a manifest."""
    from strata import settings
    from strata.adapters import model_files
    from strata.adapters.clock import SystemClock
    from strata.domain.times import rfc3339

    if kind not in model_files.FILES:
        raise typer.BadParameter(f"is one of {', '.join(model_files.FILES)}", param_hint="KIND")
    chosen = settings.load()
    place = to or chosen.model_place(kind)
    at = rfc3339(SystemClock().now_us())
    manifest = model_files.add(kind, source, place, licence=licence, sha256=sha256, added=at)
    for name, digest in manifest["files"].items():
        typer.echo(f"{name} {digest}")
