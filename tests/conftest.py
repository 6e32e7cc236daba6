"""Fixtures of the tests of the service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support import HandClock, Memory, application


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def memory(tmp_path: Path, clock: HandClock) -> Iterator[Memory]:
    """The services over a fresh store, in 2026."""
    app = application(tmp_path, clock)
    yield Memory(app)
    app.close()
