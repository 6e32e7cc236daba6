"""Fixtures that every suite shares: the real servers, and the services over a fresh store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from servers.fixtures import dynamodb_local, dynamodb_table, opensearch
from support import HandClock, Memory, application

__all__ = ["clock", "dynamodb_local", "dynamodb_table", "memory", "opensearch"]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """The services over a fresh store, in 2026."""
    app = application(tmp_path, clock)
    yield Memory(app)
    app.close()
