"""Options shared by commands."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import wraps
from types import MappingProxyType
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


_WHOSE: dict[str, Any] = {
    "user": Person,
    "agent": Annotated[str | None, typer.Option("--agent", help="As this agent sees it.")],
    "project": OnlyProject,
}
_NAMES = {"user": "user_id", "agent": "agent_id", "session": "session_id", "tag": "tags_all"}


FOR_AGENT: dict[str, Any] = {
    "user": Annotated[
        str | None,
        typer.Option(
            "--user",
            help="The person whom the agent serves: what is known of them, and what they or nobody saved.",
        ),
    ],
    "agent": Annotated[
        str | None,
        typer.Option("--agent", help="The agent that asks: what it learnt of the person, and its episodes."),
    ],
}
"""--user and --agent of a context, which say whose memory is asked; those of filters choose memories."""


def filtered(
    command: Callable[..., None], others: Mapping[str, Any] = MappingProxyType({})
) -> Callable[..., None]:
    """Give a command the options of filters; it takes them as `filters`, the arguments of the client.

    `others` stand in place of the options of their names.
    """

    def asked(given: dict[str, Any]) -> dict[str, Any]:
        metadata = pairs(given["metadata"], prefixes=True)
        return _renamed(given) | {"tags_any": given["any_tag"], "metadata": metadata}

    return _with(command, {**_FILTERS, **others}, "filters", asked)


def of_person(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command --user, --agent and --project; it takes them as `whose`, the arguments of the client."""
    return _with(command, _WHOSE, "whose", _renamed)


def empty(sentence: str, whose: dict[str, Any]) -> str:
    """The sentence for an empty answer; without an agent it says how to see what only one agent is given."""
    hint = "" if whose["agent_id"] else " --agent NAME adds what only that agent is given."
    return sentence + hint


def _renamed(given: dict[str, Any]) -> dict[str, Any]:
    return {_NAMES.get(name, name): value for name, value in given.items() if name != "any_tag"}


def _with(
    command: Callable[..., None],
    options: dict[str, Any],
    name: str,
    asked: Callable[[dict[str, Any]], dict[str, Any]],
) -> Callable[..., None]:
    """A command with further options, which it takes as one argument of this name."""

    @wraps(command)
    def call(**given: Any) -> None:
        own = {each: value for each, value in given.items() if each not in options}
        command(**own, **{name: asked({each: given[each] for each in options})})

    signature = inspect.signature(command)
    own = [each for each in signature.parameters.values() if each.name != name]
    added = [
        inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for each, option in options.items()
    ]
    call.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in (*own, *added)}
    return call


def changed(
    values: dict[str, Any], emptied: Sequence[str] | None, *, emptying: str, options: str
) -> dict[str, Any]:
    """The fields that a command changes: those with a value, and None for those that it empties.

    Args:
        values: by the name of the field; None and what is empty stays as it is.
        emptied: names of fields.
        emptying: the option that names them.
        options: all options, for who gives none.

    Raises:
        BadParameter: a field gets a value and is emptied, or nothing is changed.
    """
    filled = {str(field): value for field, value in values.items() if value}
    nothing = dict.fromkeys(map(str, emptied or ()))
    if twice := ", ".join(sorted(filled.keys() & nothing.keys())):
        raise typer.BadParameter(f"{twice}: is set in the same call", param_hint=emptying)
    if not filled and not nothing:
        raise typer.BadParameter(f"give at least one of {options}")
    return filled | nothing


def pairs(
    texts: list[str] | None, *, prefixes: bool = False, option: str = "--metadata"
) -> dict[str, Any] | None:
    """Values from the `KEY=VALUE` texts of an option; with `prefixes` a `*` asks for values that begin so."""
    found: dict[str, Any] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"'{text}' should be KEY=VALUE", param_hint=option)
        found[key] = {"prefix": value[:-1]} if prefixes and value.endswith("*") else value
    return found or None
