"""Options shared by commands."""

import inspect
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Annotated, Any

import typer

from strata.cli.connection import current_project

Url = Annotated[
    str | None,
    typer.Option("--url", envvar="STRATA_URL", help="Use this server instead of the store of this machine."),
]
Json = Annotated[bool, typer.Option("--json", help="Print the API's response as one JSON document.")]
Done = Annotated[bool, typer.Option("--json", help="Print the outcome as one JSON document.")]
"""For operators' commands, whose document is no response of the API."""
Person = Annotated[str | None, typer.Option("--user", help="The person.", show_default="the caller's own")]
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


def _memory_id(text: str) -> int:
    if not text.isdecimal():
        raise typer.BadParameter(
            f"'{text}' is not a memory's id: that is a number, which search and recent show"
        )
    return int(text)


Id = Annotated[
    int, typer.Argument(help="The memory's id.", show_default=False, metavar="ID", parser=_memory_id)
]


class SearchMode(StrEnum):
    """Search modes."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    VECTOR = "vector"


_Texts = list[str] | None
_FILTERS: dict[str, Any] = {
    "user": Annotated[str | None, typer.Option("--user", help="Only memories of this user.")],
    "agent": Annotated[str | None, typer.Option("--agent", help="Only memories of this agent.")],
    "session": Annotated[str | None, typer.Option("--session", help="Only memories of this session.")],
    "tag": Annotated[_Texts, typer.Option("--tag", help="Only with this tag; given again, with all.")],
    "any_tag": Annotated[_Texts, typer.Option("--any-tag", help="Only with one of the tags given so.")],
    **{
        f"{verb}_{side}": Annotated[
            str | None, typer.Option(f"--{verb}-{side}", help=f"{told}: a date, a time, or an age like 7d.")
        ]
        for verb, side, told in (
            ("created", "after", "Saved then or later"),
            ("created", "before", "Saved before then"),
            ("updated", "after", "Changed then or later"),
            ("updated", "before", "Changed before then"),
        )
    },
    "metadata": Annotated[
        _Texts, typer.Option("--metadata", help="KEY=VALUE; KEY=VALUE* for values that begin so.")
    ],
}


def filtered(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of filters; it takes them as `filters`, the arguments of the client."""

    @wraps(command)
    def call(**given: Any) -> None:
        command(
            **{name: value for name, value in given.items() if name not in _FILTERS}, filters=_asked(given)
        )

    signature = inspect.signature(command)
    own = [each for each in signature.parameters.values() if each.name != "filters"]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in _FILTERS.items()
    ]
    call.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in (*own, *added)}
    return call


def _asked(given: dict[str, Any]) -> dict[str, Any]:
    names = {"user": "user_id", "agent": "agent_id", "session": "session_id", "tag": "tags_all"}
    asked = {names.get(name, name): given[name] for name in _FILTERS}
    return asked | {"tags_any": asked.pop("any_tag"), "metadata": pairs(given["metadata"], prefixes=True)}


def pairs(texts: list[str] | None, *, prefixes: bool = False) -> dict[str, Any] | None:
    """Metadata from `KEY=VALUE` texts; with `prefixes` a `*` at the end asks for values that begin so."""
    found: dict[str, Any] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"'{text}' should be KEY=VALUE", param_hint="--metadata")
        found[key] = {"prefix": value[:-1]} if prefixes and value.endswith("*") else value
    return found or None
