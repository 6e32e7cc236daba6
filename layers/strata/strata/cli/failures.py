"""Failures as one sentence on the error stream. Exit code 1; 2 is for wrong usage."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from strata.client.errors import StrataClientError
from strata.domain.errors import StrataError

_FLAGS = ("--json",)
_ANYWHERE = ("--url", "--project", "-p", *_FLAGS)


class CommandError(Exception):
    """A command cannot be carried out; the message is printed."""


class Commands(TyperGroup):
    """Commands that print one sentence, not a traceback, for an expected failure.

    `--url`, `--json` and `--project` are options of commands, and may stand before the command, too.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move options from before a command behind it."""
        moved: list[str] = []
        rest = list(args)
        while rest and rest[0].partition("=")[0] in _ANYWHERE:
            moved.append(rest.pop(0))
            if rest and "=" not in moved[-1] and moved[-1] not in _FLAGS:
                moved.append(rest.pop(0))
        command: Any = self
        depth = 0
        while depth < len(rest) and hasattr(command, "get_command"):
            command = command.get_command(ctx, rest[depth])
            depth += command is not None or depth == 0  # what is no command is named as such
        return super().parse_args(ctx, [*rest[:depth], *moved, *rest[depth:]])

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            sentence = sentence_for(error)
            if sentence is None:
                raise
            typer.secho(f"strata: {sentence}", err=True, fg=typer.colors.RED)
            raise typer.Exit(1) from error


def sentence_for(error: Exception) -> str | None:
    """The sentence for an expected failure; None for a bug (or a usage error)."""
    if isinstance(error, StrataClientError):
        return _refused(error)
    if isinstance(error, StrataError):
        return error.message
    if isinstance(error, BrokenPipeError):
        return None
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    if isinstance(error, (CommandError, *_store_errors())):
        return str(error)
    return None


def _store_errors() -> tuple[type[Exception], ...]:
    """Errors of lazily loaded modules; a module that is not loaded cannot have raised."""
    places = (
        ("strata.settings", "SettingsError"),
        ("strata.local.template.cloudformation", "TemplateError"),
        ("strata.adapters.sqlite.inspection", "CorruptStore"),
        ("sqlite3", "Error"),
    )
    return tuple(
        getattr(sys.modules[module], name)
        for module, name in places
        if hasattr(sys.modules.get(module), name)
    )


def _refused(error: StrataClientError) -> str:
    fields = [f"{detail.get('field', '?')}: {detail.get('message', '?')}" for detail in error.details]
    unsaid = [field for field in fields if field not in error.message]
    return "; ".join([error.message, *unsaid])
