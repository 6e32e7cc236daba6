"""Fixtures that every suite shares: the real servers, and the services over a fresh store."""

import logging
import os
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from servers.fixtures import RUN, dynamodb_local, dynamodb_table, opensearch, run_folder
from servers.shared import Run
from support.clocks import HandClock
from support.memory import Memory, application

__all__ = ["clock", "dynamodb_local", "dynamodb_table", "memory", "opensearch", "run_folder"]

# how long an example takes says how busy the machine is, not whether the rule holds
settings.register_profile("untimed", parent=settings.default, deadline=None)
settings.load_profile("untimed")


SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Only Java's quick compiler and a plain collector: servers of minutes take half the processor time."""


def pytest_configure(config: pytest.Config) -> None:
    """The main process makes the folder that the workers share."""
    os.environ.setdefault("JDK_JAVA_OPTIONS", SHORT_LIVED)
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # as everywhere: threads of many workers wait for each other
    if not hasattr(config, "workerinput"):
        config.stash[RUN] = Run()
        config.add_cleanup(config.stash[RUN].close)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker where it is."""
    node.workerinput["run"] = str(node.config.stash[RUN].folder)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no processor waits at the end for one that began late.

    The functions in containers come before all others, since they mostly wait.
    """
    shared = {nodeid for nodeid, times in Counter(item.nodeid for item in items).items() if times > 1}
    if shared:
        raise pytest.UsageError(
            f"tests share an id, so that xdist would run only one of them: {sorted(shared)}"
        )
    items.sort(key=lambda item: (item.path.parent.name != "lambda", item.get_closest_marker("slow") is None))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors: the one with the containers mostly waits."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """The services over a fresh store, in 2026."""
    app = application(tmp_path, clock)
    yield Memory(app)
    app.close()


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Logging is the process's: a test that sets it up leaves it as it was."""
    loggers = (logging.getLogger(), logging.getLogger("strata"))
    kept = [(each, list(each.handlers), each.level, each.propagate) for each in loggers]
    formatters = [(handler, handler.formatter) for each in loggers for handler in each.handlers]
    yield
    for handler, formatter in formatters:
        handler.setFormatter(formatter)
    for each, handlers, level, propagate in kept:
        each.handlers[:] = handlers
        each.setLevel(level)
        each.propagate = propagate


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Reports travel between processes as UTF-8: half a surrogate pair in one would end the whole run."""
    report = yield
    report.sections = [(name, _utf8(text)) for name, text in report.sections]
    if report.longrepr is not None and not isinstance(report.longrepr, tuple):
        told = str(report.longrepr)
        if told != _utf8(told):
            report.longrepr = _utf8(told)
    return report


def _utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
