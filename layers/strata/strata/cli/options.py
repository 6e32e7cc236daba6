"""Options shared by commands."""

from enum import StrEnum
from typing import Annotated

import typer

from strata.cli.connection import current_project

Url = Annotated[
    str | None,
    typer.Option("--url", envvar="STRATA_URL", help="Use this server instead of the store of this machine."),
]
Json = Annotated[bool, typer.Option("--json", help="Print the API's response as one JSON document.")]
Project = Annotated[
    str,
    typer.Option(
        "--project",
        "-p",
        envvar="STRATA_PROJECT",
        default_factory=current_project,
        show_default="name of the current checkout or folder",
        help="The project.",
    ),
]
OnlyProject = Annotated[
    str | None, typer.Option("--project", "-p", help="This project only.", show_default="all projects")
]
Type = Annotated[str | None, typer.Option("--type", "-t", help="Only memories of this type.")]
Scope = Annotated[
    str | None, typer.Option("--scope", help="Only memories of this scope (project, global, …).")
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Maximum number of results.")]
MinRelevance = Annotated[
    float | None,
    typer.Option(
        "--min-relevance",
        min=0,
        max=1,
        help="Leave out what is less likely relevant.",
        show_default="the server's",
    ),
]
Id = Annotated[int, typer.Argument(help="The memory's id.", show_default=False)]


class SearchMode(StrEnum):
    """Search modes."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    VECTOR = "vector"
