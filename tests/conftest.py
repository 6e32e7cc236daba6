"""Fixtures that every suite shares: the real servers, and the services over a fresh store."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from servers.fixtures import dynamodb_local, dynamodb_table, opensearch
from support import HandClock, Memory, application

__all__ = ["clock", "dynamodb_local", "dynamodb_table", "memory", "opensearch"]

# how long an example takes says how busy the machine is, not whether the rule holds
settings.register_profile("untimed", parent=settings.default, deadline=None)
settings.load_profile("untimed")


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
    yield
    for each, handlers, level, propagate in kept:
        each.handlers[:] = handlers
        each.setLevel(level)
        each.propagate = propagate
