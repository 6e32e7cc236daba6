"""An application over either store, whose stream is delivered by hand."""

from collections.abc import Iterator
from typing import Any

import pytest

from servers.tables import table_settings
from support.memory import Memory, application


@pytest.fixture(params=["sqlite", "dynamodb"])
def memory(request: pytest.FixtureRequest, tmp_path, clock) -> Iterator[Memory]:
    """An empty memory over SQLite, and one over DynamoDB Local."""
    where: dict[str, Any] = {"METRICS": "emf"}
    if request.param == "dynamodb":
        address, name = (request.getfixturevalue(each) for each in ("dynamodb_local", "dynamodb_table"))
        where |= table_settings(address, name)
    memory = Memory(application(tmp_path, clock, **where))
    yield memory
    memory.app.close()
