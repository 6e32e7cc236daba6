"""Puts a template's functions, its stream and its gateway together in this process."""

import os
from collections.abc import Callable
from pathlib import Path

from strata.bootstrap import application
from strata.local import template
from strata.local.authorization import Authorizer
from strata.local.filters import compile_filters
from strata.local.functions import Function
from strata.local.gateway import Gateway
from strata.local.stream import Consumer, Stream
from strata.local.template import Template, TemplateError
from strata.ports import ChangeLog
from strata.settings import Settings

STATE_FILE = "stream.state"


class Runtime:
    """A template that can be called: its gateway and its stream.

    Args:
        spec: what to run.
        data: the folder that holds what is kept.
        change_log: gives the table's change log at its first use.
        authorize: whether the template's authorizer stands before its routes.

    Raises:
        TemplateError: the template cannot be run here, or asks for an authorizer that it does not declare.
    """

    def __init__(
        self, spec: Template, data: Path, change_log: Callable[[], ChangeLog], *, authorize: bool = False
    ) -> None:
        self._functions = functions = {name: Function(each) for name, each in spec.functions.items()}
        self._change_log = change_log
        self.stream = Stream(_consumers(functions), change_log, data / STATE_FILE)
        authorizer = None
        if authorize:
            if spec.authorizer is None:
                raise TemplateError(f"{spec.path} declares no authorizer, so nobody could be let in")
            authorizer = Authorizer(spec.authorizer, functions[spec.authorizer.function])
        self.gateway = Gateway(spec, functions, self.stream.drain, authorizer)

    def preload(self) -> None:
        """Load the code of every function, so that processes forked from this one share it.

        Raises:
            TemplateError: a function's code is missing. What the code raises goes through.
        """
        for function in self._functions.values():
            function.load()

    def check(self) -> None:
        """Open the store; raises what is wrong with it."""
        self._change_log().head()

    def catch_up(self) -> None:
        """Open the store, and deliver what the last process left undone."""
        self.check()
        self.stream.drain()


def on_this_machine(settings: Settings, path: Path | None = None) -> Runtime:
    """The template at `path`, by default this installation's, over the store that the settings name.

    Raises:
        TemplateError: as `Runtime` does.
        OSError: the data folder cannot be made.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    return Runtime(
        template.load(path),
        settings.data_dir,
        lambda: application().change_log,
        authorize=settings.auth == "required",
    )


def _consumers(functions: dict[str, Function]) -> list[Consumer]:
    consumers = []
    for name, function in functions.items():
        for source in function.spec.streams:
            try:
                wants = compile_filters(source.patterns)
            except ValueError as error:
                raise TemplateError(f"{name}: {error}") from None
            consumers.append(Consumer(name, source.table, _invocation(function), wants, source.batch_size))
    return consumers


def _invocation(function: Function) -> Callable[[dict[str, object]], object]:
    return lambda event: function(event, os.urandom(16).hex())
