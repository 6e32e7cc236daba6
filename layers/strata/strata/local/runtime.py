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
from strata.local.stream.follower import INTERVAL, INTERVAL_REMOTE, MOST, MOST_REMOTE, Follower
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
        interval: seconds between two looks at the change log.
        most: changes of a batch, where the template allows more.

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
        interval: float = INTERVAL,
        most: int = MOST,
    ) -> None:
        self._functions = functions = {name: Function(each) for name, each in spec.functions.items()}
        self._change_log = change_log
        self._stream = Stream(_consumers(functions, most), change_log, data / STATE_FILE)
        self._follower = Follower(self._stream, change_log, data / _FOLLOWER_FILE, interval)
        if authorize and not spec.authorizers:
            raise TemplateError(f"{spec.path} declares no authorizer, so nobody could be let in")
        asked = spec.authorizers if authorize else {}
        authorizers = {name: Authorizer(each, functions[each.function]) for name, each in asked.items()}
        self.gateway = Gateway(spec, functions, authorizers)
        self.watch = Watch()
        calls = {name: _call(function) for name, function in functions.items()}
        self._deliveries = deliveries(
            spec, calls, application, data, drain=self._stream.drain, watch=self.watch
        )

    def preload(self) -> None:
        """Load the code of every function, and what a search needs, so that forked processes share it.

        Raises:
            TemplateError: a function's code is missing. Exceptions of the code itself are not caught.
        """
        for function in self._functions.values():
            function.load()
        application().handlers.load()

    def check(self) -> None:
        """Open the store, and raise its errors."""
        self._change_log().head()

    def follow(self) -> None:
        """Follow the stream in a thread from now on, unless another process does; never before a fork."""
        self._follower.start()

    def work(self, wait: Callable[[float], bool]) -> None:
        """Follow the stream, and deliver queues and schedules, until `wait`, called with seconds, is True."""
        self.follow()
        self._deliveries.work(wait)

    def work_off(self) -> int | None:
        """Deliver what waits in stream and queues; the messages, or None if another process delivers."""
        self._follower.finish()
        return self._deliveries.work_off()

    def stop(self) -> None:
        """Stop following, after the current batch."""
        self._follower.stop()

    def finish(self, seconds: float) -> None:
        """Stop following, and deliver what waits, for about so many seconds at most."""
        self._follower.stop()
        self._follower.finish(seconds)


def on_this_machine(settings: Settings, path: Path | None = None) -> Runtime:
    """The template at `path`, by default this installation's, over the store that the settings name.

    Raises:
        TemplateError: as `Runtime` does.
        Unavailable: DynamoDB, or what speaks its protocol here, does not answer.
        OSError: the data folder cannot be created.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    spec = declarations.load(path, settings.parameters)
    is_remote = settings.store == "dynamodb"
    application().stores.make_table(partial(create_table, template=spec.path))
    return Runtime(
        spec,
        settings.data_dir,
        lambda: application().stores.change_log,
        authorize=settings.auth == "required",
        interval=INTERVAL_REMOTE if is_remote else INTERVAL,
        most=MOST_REMOTE if is_remote else MOST,
    )


def _consumers(functions: dict[str, Function], most: int) -> list[Consumer]:
    consumers = []
    for name, function in functions.items():
        for source in function.spec.streams:
            try:
                wants = compile_filters(source.patterns)
            except ValueError as error:
                raise TemplateError(f"{name}: {error}") from None
            size = min(source.batch_size, most)
            consumers.append(Consumer(name, source.table, _invocation(function), wants, size))
    return consumers


def _invocation(function: Function) -> Callable[[dict[str, Any]], Any]:
    return lambda event: function(event, os.urandom(16).hex())


def _call(function: Function) -> Callable[[dict[str, Any], dict[str, str]], Any]:
    return lambda event, failures: function(event, os.urandom(16).hex(), failures)
