"""Puts a template's functions, its stream and its gateway together in this process."""

import os
from collections.abc import Callable
from pathlib import Path

from strata.local.authorization import Authorizer
from strata.local.filters import compile_filters
from strata.local.functions import Function
from strata.local.gateway import Gateway
from strata.local.stream import Consumer, Stream
from strata.local.template import Template, TemplateError
from strata.ports import ChangeLog

STATE_FILE = "stream.state"


class Runtime:
    """A template with its code loaded. Loading opens no store, so that it can be done before a fork.

    Args:
        template: what to run.
        data: the folder that holds what is kept.
        change_log: gives the table's change log at its first use.
        authorize: whether the template's authorizer stands before its routes.

    Raises:
        TemplateError: the template cannot be run here, or asks for an authorizer that it does not declare.
    """

    def __init__(
        self, template: Template, data: Path, change_log: Callable[[], ChangeLog], *, authorize: bool = False
    ) -> None:
        self.template = template
        functions = {name: Function(spec) for name, spec in template.functions.items()}
        self.stream = Stream(_consumers(functions), change_log, data / STATE_FILE)
        authorizer = None
        if authorize:
            if template.authorizer is None:
                raise TemplateError(f"{template.path} declares no authorizer, so nobody could be let in")
            authorizer = Authorizer(template.authorizer, functions[template.authorizer.function])
        self.gateway = Gateway(template, functions, self.stream.drain, authorizer)


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
