"""Combines a template's functions, stream, queues and gateway in this process."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from strata.bootstrap import application
from strata.local.http.authorization import Authorizer
from strata.local.http.gateway import Gateway
from strata.local.queues.receivers import deliveries
from strata.local.queues.watch import Watch
from strata.local.stream.delivery import Consumer, Stream
from strata.local.stream.follower import Follower
from strata.local.stream.positions import SharedPositions
from strata.local.template import declarations
from strata.local.template.cloudformation import TemplateError
from strata.local.template.declarations import Template
from strata.local.template.dynamodb import create_table
from strata.local.template.filters import compile_filters
from strata.local.template.functions import Function
from strata.ports.changes import ChangeLog
from strata.settings import Settings

STATE_FILE = "stream.state"
_FOLLOWER_FILE = "stream.follower"


class Runtime:
    """A running template: its gateway, stream, queues and schedules.

    Args:
        spec: the template.
        data: the data folder.
        change_log: opens the table's change log at its first use.
        authorize: whether the template's authorizer protects its routes.
        beside: follow the stream in a thread, instead of before each response.
        forking: several processes will be forked from this one; they share the positions in the stream.

    Raises:
        TemplateError: the template cannot be run here, or asks for an authorizer that it does not declare.
    """

    def __init__(
        self,
        spec: Template,
        data: Path,
        change_log: Callable[[], ChangeLog],
        *,
        authorize: bool = False,
        beside: bool = False,
        forking: bool = False,
    ) -> None:
        self._functions = functions = {name: Function(each) for name, each in spec.functions.items()}
        self._change_log = change_log
        consumers = _consumers(functions)
        self._positions: SharedPositions | None = None
        if forking and not beside:
            self._positions = positions = SharedPositions(
                change_log, [consumer.name for consumer in consumers]
            )
            self.stream = Stream(consumers, lambda: positions, data / STATE_FILE)
        else:
            self.stream = Stream(consumers, change_log, data / STATE_FILE)
        self._follower = Follower(self.stream, change_log, data / _FOLLOWER_FILE) if beside else None
        authorizer = None
        if authorize:
            if spec.authorizer is None:
                raise TemplateError(f"{spec.path} declares no authorizer, so nobody could be let in")
            authorizer = Authorizer(spec.authorizer, functions[spec.authorizer.function])
        drain = _not_now if beside else self.stream.drain
        self.gateway = Gateway(spec, functions, drain, authorizer)
        self.watch = Watch()
        calls = {name: _call(function) for name, function in functions.items()}
        self.deliveries = deliveries(
            spec, calls, application, data, drain=partial(self._catch_up, drain), watch=self.watch
        )

    def preload(self) -> None:
        """Load the code of every function, so that forked processes share it.

        Raises:
            TemplateError: a function's code is missing. Exceptions of the code itself are not caught.
        """
        for function in self._functions.values():
            function.load()

    def check(self) -> None:
        """Open the store, and raise its errors."""
        self._change_log().head()

    def catch_up(self) -> None:
        """Open the store, and deliver pending changes; in a thread from now on, if `beside`."""
        self.check()
        if self._follower is None:
            self.stream.drain()
        else:
            self._follower.start()

    def _catch_up(self, drain: Callable[[bool], None]) -> None:
        """Deliver the changes of a background function, and drop them from the log, for erasures."""
        drain(True)
        if self._positions is not None:
            self._positions.store()

    def stop(self) -> None:
        """Stop the thread, and store the positions in the stream."""
        if self._follower is not None:
            self._follower.stop()
        if self._positions is not None:
            self._positions.store()


def on_this_machine(settings: Settings, path: Path | None = None, *, forking: bool = False) -> Runtime:
    """The template at `path`, by default this installation's, over the store that the settings name.

    `forking` as in `Runtime`.

    Raises:
        TemplateError: as `Runtime` does.
        OSError: the data folder cannot be created. Exceptions of the table's client are not caught.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    spec = declarations.load(path, settings.parameters)
    application().stores.make_table(partial(create_table, template=spec.path))
    return Runtime(
        spec,
        settings.data_dir,
        lambda: application().stores.change_log,
        authorize=settings.auth == "required",
        beside=settings.remote,
        forking=forking,
    )


def _not_now(wait: bool) -> None:
    """Do nothing: another thread delivers."""


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


def _invocation(function: Function) -> Callable[[dict[str, Any]], Any]:
    return lambda event: function(event, os.urandom(16).hex())


def _call(function: Function) -> Callable[[dict[str, Any], dict[str, str]], Any]:
    return lambda event, failures: function(event, os.urandom(16).hex(), failures)
